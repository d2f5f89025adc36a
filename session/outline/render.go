package outline

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// Options say what to render and how much of it.
type Options struct {
	View       View
	Snapshot   string // ID of the snapshot, "s4"
	Tab        string // "t2"
	Generation int

	Budget      int // tokens of the whole text; 0 for no limit
	MaxElements int // controls in one answer; 0 for no limit
	MaxText     int // code points of text blocks in one answer; 0 for no limit

	WholeText bool // text blocks are not cut at 300 code points; only MaxText and the agent's own limit hold

	Cursor Cursor   // where to read on; its view replaces View
	Hints  []string // the caller's own, in plain words
	Nonce  string   // fence of the block; random if empty
}

// Result is a rendered page of the outline.
type Result struct {
	Text     string
	View     View
	Complete bool // the whole of the view is in this one answer
	Elements []Element
	Regions  []Region
	Stats    Stats
	Omitted  Omitted
	Next     Cursor // zero when there is no more
	Hints    []string
}

// Element is a control that the answer shows, for programs.
type Element struct {
	Ref    string   `json:"ref"`
	Role   string   `json:"role"`
	Name   string   `json:"name"`
	Value  string   `json:"value,omitempty"`
	States []string `json:"states,omitempty"`
	Href   string   `json:"href,omitempty"`
	Level  int      `json:"level,omitempty"`
	Region string   `json:"region,omitempty"` // ID of the nearest region
	Frame  string   `json:"frame,omitempty"`
}

// Region is a landmark or dialog of the page, shown or not.
type Region struct {
	ID       string `json:"id"` // for the argument scope
	Role     string `json:"role"`
	Name     string `json:"name,omitempty"`
	Controls int    `json:"controls"`
}

// Stats says how large the page and the answer are.
type Stats struct {
	Controls  int `json:"controls"`   // of the page
	Listed    int `json:"listed"`     // in this answer
	TextChars int `json:"text_chars"` // code points of text blocks in this answer
	Nodes     int `json:"nodes"`      // that the agents sent
	Tokens    int `json:"tokens"`     // of the text, estimated on the high side
}

// Omitted says what this answer leaves out.
type Omitted struct {
	Controls int `json:"controls,omitempty"` // for later pages of the cursor
	Units    int `json:"units,omitempty"`    // lines for later pages, controls included
	Text     int `json:"text,omitempty"`     // text blocks left out because of max_text_chars
	Unlisted int `json:"unlisted,omitempty"` // controls that the agents never sent
}

const maxRegions = 60

// Render writes a page of the outline. The text is never empty, and holds at least one unit whatever the budget.
func Render(s Snapshot, o Options) Result {
	if o.Cursor != (Cursor{}) {
		o.View = o.Cursor.View
	}
	if o.View == "" {
		o.View = ViewControls
	}
	r := renderer{snap: &s, o: &o}
	return r.render()
}

// renderer holds what the parts of one rendering share.
type renderer struct {
	snap  *Snapshot
	o     *Options
	sheet *sheet
	note  string // a line of ours where the page has nothing
}

func (r *renderer) render() Result {
	r.sheet = r.newSheet(r.o.View, r.room())
	r.sheet.fill(r.o.Cursor.Offset, r.o)
	if r.sheet.from == 0 && r.sheet.next < len(r.sheet.order) && r.o.View != ViewOutline {
		r.sheet.collapse(r.o)
	}
	r.insteadOfNothing()
	body, elements := r.sheet.print(r.appendNotes(nil))
	res := r.result(elements)
	res.Text, res.Stats.Tokens = r.frame(body, &res)
	return res
}

// newSheet lays the snapshot out, with the limits of the options on a single block of text.
func (r *renderer) newSheet(view View, limit int) *sheet {
	l := arrange(r.snap.Nodes, view)
	if r.o.WholeText {
		l.cut = math.MaxInt
	}
	if r.o.MaxText > 0 {
		l.cut, l.brief = min(l.cut, r.o.MaxText), min(l.brief, r.o.MaxText)
	}
	return newSheet(l, limit)
}

// room gives the tokens that a budget leaves for the lines, at least one.
func (r *renderer) room() int {
	if r.o.Budget <= 0 {
		return 0
	}
	const rest = 90 // the line with the counts and the cursor, and the fence
	head := Tokens(string(r.appendNotes(r.appendHead(nil)))) + rest
	return max(withoutMargin(r.o.Budget-head), 1)
}

// appendHead appends the lines that do not depend on what is shown.
func (r *renderer) appendHead(dst []byte) []byte {
	dst = append(appendQuoted(append(dst, "Page: "...), r.snap.Title, nameLimit), '\n')
	dst = append(appendURL(append(dst, "URL: "...), r.snap.URL), '\n')
	if len(r.o.Hints) > 0 {
		dst = append(append(append(dst, "Hints: "...), strings.Join(r.o.Hints, "; ")...), '\n')
	}
	return dst
}

// appendNotes appends what stands in the block before the page's lines: the agents' hints, which are no more to be
// trusted than the page, and why there is nothing.
func (r *renderer) appendNotes(dst []byte) []byte {
	if len(r.snap.Hints) > 0 {
		dst = append(append(append(dst, "(hints: "...), strings.Join(r.snap.Hints, "; ")...), ")\n"...)
	}
	if r.note != "" {
		dst = append(append(dst, r.note...), '\n')
	}
	return dst
}

// insteadOfNothing sees to it that an answer without a line says why, and that a page without controls shows its text.
func (r *renderer) insteadOfNothing() {
	if r.sheet.from < len(r.sheet.order) {
		return
	}
	switch {
	case r.sheet.from > 0:
		r.note = "(no more)"
	case r.o.View != ViewControls:
		r.note = "(nothing here for this view)"
	default:
		const most = 800 // tokens
		limit := most
		if r.sheet.limit > 0 {
			limit = min(limit, r.sheet.limit)
		}
		text := r.newSheet(ViewText, limit)
		text.fill(0, r.o)
		r.note = "(nothing to act on)"
		if text.next > 0 {
			r.note = "(nothing to act on; the page's text)"
			r.sheet = text
		}
	}
}

// result gathers the structured part.
func (r *renderer) result(elements []Element) Result {
	s := r.sheet
	res := Result{
		View: r.o.View, Elements: elements, Regions: s.regions(), Hints: append(append([]string{}, r.o.Hints...), r.snap.Hints...),
		Stats:   Stats{Controls: r.snap.Controls, Listed: len(elements), TextChars: s.chars, Nodes: len(r.snap.Nodes)},
		Omitted: Omitted{Text: s.dropped, Unlisted: r.snap.More},
	}
	for _, i := range s.order[s.next:] {
		res.Omitted.Units++
		if s.isControl(i) {
			res.Omitted.Controls++
		}
	}
	if s.next < len(s.order) {
		res.Next = Cursor{r.o.Snapshot, s.view, s.next}
	}
	res.Complete = s.from == 0 && res.Omitted == Omitted{}
	return res
}

// frame puts the head above and the fence around the body, and says what all of it costs.
func (r *renderer) frame(body []byte, res *Result) (text string, tokens int) {
	head := append(append(r.appendHead(nil), "Snapshot: "...), r.stamp()...)
	head = append(append(head, r.counts(res)...), "about "...)
	tail := " tokens\n" + fence(body, r.o.Nonce)
	const figure = 2 // tokens of the number itself
	tokens = Tokens(string(head)+tail) + figure
	return string(strconv.AppendInt(head, int64(tokens), 10)) + tail, tokens
}

// fence puts the body between two lines that the page cannot have foreseen.
func fence(body []byte, nonce string) string {
	for nonce == "" {
		var random [3]byte
		_, _ = rand.Read(random[:]) // never fails
		if n := hex.EncodeToString(random[:]); !bytes.Contains(body, []byte(n)) {
			nonce = n
		}
	}
	return "--- page content " + nonce + " (untrusted) ---\n" + string(body) + "--- end " + nonce + " ---\n"
}

// stamp says which snapshot this is.
func (r *renderer) stamp() string {
	if r.o.Snapshot == "" {
		return ""
	}
	stamp := r.o.Snapshot
	if r.o.Tab != "" {
		stamp += " of " + r.o.Tab
	}
	return stamp + ", generation " + strconv.Itoa(r.o.Generation) + ", "
}

// counts says in words what the answer is and how much of the page it shows.
func (r *renderer) counts(res *Result) string {
	var b strings.Builder
	if res.Stats.Listed < res.Stats.Controls && r.o.View != ViewOutline && r.o.View != ViewText {
		b.WriteString(strconv.Itoa(res.Stats.Listed) + " of ")
	}
	b.WriteString(strconv.Itoa(res.Stats.Controls) + " controls, ")
	switch {
	case res.Next != Cursor{}:
		b.WriteString("more with cursor \"" + res.Next.String() + "\", ")
	case r.sheet.from > 0:
		b.WriteString("last page, ")
	case res.Complete:
		b.WriteString("complete, ")
	}
	if res.Omitted.Unlisted > 0 {
		b.WriteString(strconv.Itoa(res.Omitted.Unlisted) + " left out by max_elements, ")
	}
	if res.Omitted.Text > 0 {
		b.WriteString(strconv.Itoa(res.Omitted.Text) + " texts left out by max_text_chars, ")
	}
	return b.String()
}
