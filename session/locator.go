package session

import (
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// Ref is the reference of an element as callers see it: e17, or f1e17 in a
// frame. The number is never used for another element.
type Ref string

// Locator is what the server knows of a referenced element. The page's agent
// holds the element itself; the rest is there to recognize it.
type Locator struct {
	Ref      Ref
	Document router.ActorID // whose agent knows the node
	Node     int64          // the agent's number for it
	URL      string         // of the document when the element was seen
	Selector string         // CSS path at that time
	Tag      string
	Role     string
	Type     string        // of an input
	Name     string        // accessible name
	Href     string        // origin and path of a link
	Unique   bool          // no other control in that snapshot had this fingerprint
	Row      outline.Place // what it stood beside when others had it

	snapshot int // the last one that it was in
}

// Fingerprint is the digest of A 8.4: two elements that could be taken for each
// other have the same.
func (l *Locator) Fingerprint() [sha256.Size]byte {
	return sha256.Sum256([]byte(l.Tag + "\x00" + l.Role + "\x00" + l.Type + "\x00" + l.Name + "\x00" + l.Href))
}

// locatorOf keeps what identifies a control.
func locatorOf(src source, n *outline.Node) Locator {
	l := Locator{Document: src.key(), Node: n.ID, URL: src.url, Selector: n.Selector, Tag: n.Tag, Role: n.Role, Type: n.Type, Name: n.Name, Href: n.Path, Row: n.Row}
	if l.Role == "clickable" { // our word for what has no role
		l.Role = ""
	}
	return l
}

// references are the locators of all tabs.
type references struct {
	counters *counters
	tabs     map[TabID]*tabReferences
}

type tabReferences struct {
	byRef  map[Ref]*Locator
	byNode map[nodeKey]Ref
}

type nodeKey struct {
	document router.ActorID
	node     int64
}

// maxReferences bounds a tab's locators: beyond it, those that the newest
// snapshot does not show are let go.
const maxReferences = 20_000

func newReferences(c *counters) references {
	return references{counters: c, tabs: map[TabID]*tabReferences{}}
}

// drop forgets all references to a tab.
func (r references) drop(id TabID) { delete(r.tabs, id) }

// of returns the reference that a node has, or "".
func (r references) of(id TabID, key nodeKey) Ref {
	if t := r.tabs[id]; t != nil {
		return t.byNode[key]
	}
	return ""
}

// dropDocument forgets the references to one document.
func (r references) dropDocument(id TabID, document router.ActorID) {
	t := r.tabs[id]
	if t == nil {
		return
	}
	for ref, l := range t.byRef {
		if l.Document == document {
			delete(t.byRef, ref)
			delete(t.byNode, nodeKey{document, l.Node})
		}
	}
}

// assign gives each locator its reference: the one that its node has already,
// or a new one. frames holds each locator's frame number; whole says that these
// are all controls of the page, so that it shows which are unique.
func (r references) assign(id TabID, snapshot int, locators []Locator, frames []int, whole bool) []Ref {
	t := r.tabs[id]
	if t == nil {
		t = &tabReferences{byRef: map[Ref]*Locator{}, byNode: map[nodeKey]Ref{}}
		r.tabs[id] = t
	}
	refs := make([]Ref, len(locators))
	alike := map[[sha256.Size]byte]int{}
	for i := range locators {
		alike[locators[i].Fingerprint()]++
	}
	for i := range locators {
		l := locators[i]
		key := nodeKey{l.Document, l.Node}
		ref, known := t.byNode[key]
		if !known {
			ref = r.next(frames[i])
			t.byNode[key] = ref
		}
		mark := l.Fingerprint()
		l.Ref, l.snapshot, l.Unique = ref, snapshot, alike[mark] == 1
		if !whole { // what the last snapshot knew holds on
			old := t.byRef[ref]
			l.Unique = old != nil && old.Unique && old.Fingerprint() == mark
			if old != nil && l.Row == (outline.Place{}) {
				l.Row = old.Row
			}
		}
		t.byRef[ref] = &l
		refs[i] = ref
	}
	if len(t.byRef) > maxReferences {
		t.prune(snapshot)
	}
	return refs
}

func (r references) next(frame int) Ref {
	r.counters.element++
	if frame == 0 {
		return Ref(fmt.Sprintf("e%d", r.counters.element))
	}
	return Ref(fmt.Sprintf("f%de%d", frame, r.counters.element))
}

func (t *tabReferences) prune(snapshot int) {
	for ref, l := range t.byRef {
		if l.snapshot != snapshot {
			delete(t.byRef, ref)
			delete(t.byNode, nodeKey{l.Document, l.Node})
		}
	}
}

var refForm = regexp.MustCompile(`^(?:f[0-9]{1,9})?e([0-9]{1,9})$`)

// find returns what is known of a reference, or why it is of no use.
func (r references) find(id TabID, ref Ref) (Locator, error) {
	if t := r.tabs[id]; t != nil {
		if l := t.byRef[ref]; l != nil {
			return *l, nil
		}
	}
	for other, t := range r.tabs {
		if t.byRef[ref] != nil {
			return Locator{}, Faultf(StaleElement, "%s belongs to tab %s, this call is for tab %s; pass tab_id or select that tab", ref, other, id)
		}
	}
	m := refForm.FindStringSubmatch(string(ref))
	if m == nil {
		return Locator{}, Faultf(ElementNotFound, "%q is not an element reference; references look like e17 and come from snapshot_page or find_elements", outline.Clean(string(ref), 40))
	}
	if n, err := strconv.Atoi(m[1]); err != nil || n == 0 || n > r.counters.element {
		return Locator{}, Faultf(ElementNotFound, "no snapshot has given out %s; call snapshot_page and use its references", ref)
	}
	return Locator{}, Faultf(StaleElement, "%s belongs to an earlier state of the page, which is gone (navigation, new address, new connection or new selection); take a new snapshot", ref)
}

// lookup asks for the locator of a reference.
type lookup struct {
	id    TabID
	ref   Ref
	reply reply[Locator]
}

func (m lookup) fail(err error) { m.reply.fail(err) }

func (m lookup) apply(st *state) {
	l, err := st.refs.find(m.id, m.ref)
	m.reply.send(l, err)
}

// sighting reports what a call saw of a tab's page. A changed address begins a
// new generation; controls that were seen get references in it.
type sighting struct {
	id       TabID
	document router.ActorID // the top document that was looked at
	url      string         // "" when only a frame was looked at
	title    string
	controls []Locator // without references
	frames   []int     // frame number of each
	gone     []nodeKey // controls that have gone, whose references are wanted
	keep     bool      // this is a snapshot: give it a number
	whole    bool      // these are all controls of the page
	reply    reply[seen]
}

// seen is what the session makes of a sighting.
type seen struct {
	generation Generation
	snapshot   int
	refs       []Ref // of the controls, in their order
	gone       []Ref // of those that have gone; "" for one that never had any
}

// add notes a control of a document.
func (m *sighting) add(src source, n *outline.Node) {
	m.controls = append(m.controls, locatorOf(src, n))
	m.frames = append(m.frames, src.frame)
}

// sighted tells the session what was seen.
func (t *turn) sighted(ctx context.Context, report sighting) (seen, error) {
	s, err := ask(ctx, t.Session, func(r reply[seen]) message { report.reply = r; return report })
	return s, fromConnection(err)
}

func (m sighting) fail(err error) { m.reply.fail(err) }

func (m sighting) apply(st *state) {
	t := st.tabs[m.id]
	switch {
	case t == nil:
		m.reply.fail(st.gone(m.id))
		return
	case t.top == nil || t.top.key() != m.document:
		m.reply.fail(replaced("the page was replaced by another"))
		return
	}
	var out seen
	if m.url != "" {
		if t.top.address != "" && t.top.address != m.url {
			st.raise(t, "address changed")
		}
		t.top.address, t.URL, t.Title = m.url, m.url, m.title
	}
	if m.keep {
		st.count.snapshot++
	}
	out.generation, out.snapshot = t.Generation, st.count.snapshot
	if len(m.controls) > 0 {
		out.refs = st.refs.assign(m.id, st.count.snapshot, m.controls, m.frames, m.whole)
	}
	for _, key := range m.gone {
		out.gone = append(out.gone, st.refs.of(m.id, key))
	}
	m.reply.send(out, nil)
}
