package outline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Found is what an agent's method "find" gave for one document, the best hits first.
type Found struct {
	URL, Title string
	Ready      string // document.readyState
	Hits       []Hit
	Total      int           // elements that match, in Hits or not
	Lines      int           // lines of the page that were looked at
	Frames     []FrameSpot   // the frames in the document, in its order
	Others     []CountedRole // what matches but for its role, when nothing does
	Modal      bool          // only a modal dialog was looked at, since it hides the rest
	Stopped    bool          // the page was too large to be looked at whole
}

// Hit is one element that was found, with where it stands.
type Hit struct {
	Node

	Match    int    // 0 the whole text, 1 its beginning, 2 a part of it
	Off      int    // 1 disabled, 2 not shown
	Order    int    // place on the page
	Excerpt  string // what is in an element, where its name does not say it
	Region   string // role of the landmark or dialog around
	RegionAs string // its name
	Heading  string // the nearest one before
	Item     string // words of the row or list item around
	Near     *Node  // the control that belongs to what is none itself
	How      string // in: the hit is in the control; has: it holds the control; near
}

// FrameSpot is a frame's place among the hits.
type FrameSpot struct {
	Context int64 `json:"b"`
	Order   int   `json:"o"`
}

// CountedRole is a role and how many have it.
type CountedRole struct {
	Role  string `json:"role"`
	Count int    `json:"count"`
}

const maxHits = 1000

type wireHit struct {
	wireNode

	M    int       `json:"m"`
	F    int       `json:"f"`
	O    int       `json:"o"`
	X    string    `json:"x"`
	LX   string    `json:"lx"`
	RX   string    `json:"rx"`
	HX   string    `json:"hx"`
	WX   string    `json:"wx"`
	Near *wireNode `json:"near"`
	How  string    `json:"how"`
}

// DecodeFound reads the value that an agent's method "find" gave; frame is the key of the frame that the document is in,
// "" for the top document. It is as strict as Decode.
func DecodeFound(raw []byte, frame string) (Found, error) {
	var w struct {
		URL     string         `json:"url"`
		Title   string         `json:"title"`
		Ready   string         `json:"ready"`
		Hits    []wireHit      `json:"hits"`
		Total   int            `json:"total"`
		Lines   int            `json:"lines"`
		Frames  []FrameSpot    `json:"frames"`
		Others  map[string]int `json:"others"`
		Modal   truth          `json:"modal"`
		Stopped truth          `json:"stopped"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Found{}, fmt.Errorf("decode found elements: %w", err)
	}
	f := Found{
		URL: w.URL, Title: w.Title, Ready: word(w.Ready), Lines: count(w.Lines), Frames: w.Frames[:min(len(w.Frames), maxHits)],
		Modal: bool(w.Modal), Stopped: bool(w.Stopped),
	}
	for i := range w.Hits[:min(len(w.Hits), maxHits)] {
		if h, ok := w.Hits[i].hit(frame); ok {
			f.Hits = append(f.Hits, h)
		}
	}
	f.Total = max(count(w.Total), len(f.Hits))
	for r, n := range w.Others {
		f.Others = append(f.Others, CountedRole{role(r), count(n)})
	}
	f.sortOthers()
	return f, nil
}

func (w *wireHit) hit(frame string) (Hit, bool) {
	n, ok := w.node()
	if !ok {
		return Hit{}, false
	}
	h := Hit{
		Node: n, Match: min(max(w.M, 0), 2), Off: min(max(w.F, 0), 2), Order: count(w.O), Excerpt: w.X,
		RegionAs: w.RX, Heading: w.HX, Item: w.WX,
	}
	if r := word(w.LX); isRegion(r) {
		h.Region = r
	}
	h.Frame = frame
	if w.Near != nil {
		if near, ok := w.Near.node(); ok && near.Kind == Control {
			near.Frame = frame
			h.Near, h.How = &near, "near"
			if w.How == "in" || w.How == "has" {
				h.How = w.How
			}
		}
	}
	return h, true
}

func (f *Found) sortOthers() {
	slices.SortFunc(f.Others, func(a, b CountedRole) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Role, b.Role)) })
	f.Others = f.Others[:min(len(f.Others), 6)]
}

// MergeFound puts what was found in frames beside what was found in the document around them, in the order of the whole
// page, and keeps the best limit of all. The caller's function is asked once for each browsing context; frames that it
// knows nothing of add nothing.
func MergeFound(root Found, limit int, frame func(context int64) (Found, bool)) Found {
	m := foundMerger{ask: frame, seen: map[int64]bool{}, out: root}
	m.out.Hits, m.out.Total, m.out.Lines, m.out.Others, m.out.Stopped = nil, 0, 0, nil, false
	m.add(root, 0)
	slices.SortStableFunc(m.out.Hits, func(a, b Hit) int { return cmp.Or(a.Match-b.Match, a.Off-b.Off, a.Order-b.Order) })
	m.out.Hits = m.out.Hits[:min(len(m.out.Hits), max(limit, 0))]
	if m.out.Total > 0 {
		m.out.Others = nil
	}
	m.out.sortOthers()
	return m.out
}

type foundMerger struct {
	ask   func(int64) (Found, bool)
	seen  map[int64]bool
	order int
	out   Found
}

// add appends the hits of one document and of the frames in it, and numbers them anew.
func (m *foundMerger) add(f Found, nesting int) {
	hits := slices.Clone(f.Hits)
	slices.SortStableFunc(hits, func(a, b Hit) int { return a.Order - b.Order })
	m.out.Total, m.out.Lines, m.out.Stopped = count(m.out.Total+f.Total), count(m.out.Lines+f.Lines), m.out.Stopped || f.Stopped
	for _, o := range f.Others {
		if i := slices.IndexFunc(m.out.Others, func(have CountedRole) bool { return have.Role == o.Role }); i >= 0 {
			m.out.Others[i].Count = count(m.out.Others[i].Count + o.Count)
		} else {
			m.out.Others = append(m.out.Others, o)
		}
	}
	take := func(n int) {
		for _, h := range hits[:n] {
			m.order++
			h.Order = m.order
			m.out.Hits = append(m.out.Hits, h)
		}
		hits = hits[n:]
	}
	for _, spot := range f.Frames {
		before := slices.IndexFunc(hits, func(h Hit) bool { return h.Order > spot.Order })
		if before < 0 {
			before = len(hits)
		}
		take(before)
		if spot.Context == 0 || m.seen[spot.Context] || nesting == maxNesting {
			continue
		}
		m.seen[spot.Context] = true
		if inner, ok := m.ask(spot.Context); ok {
			m.add(inner, nesting+1)
		}
	}
	take(len(hits))
}

// Assign hands a reference to every control among the hits and beside them.
func (f *Found) Assign(ref func(n *Node) string) {
	for i := range f.Hits {
		h := &f.Hits[i]
		if h.Kind == Control {
			h.Ref = ref(&h.Node)
		}
		if h.Near != nil {
			h.Near.Ref = ref(h.Near)
		}
	}
}
