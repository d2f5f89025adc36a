package outline

import (
	"cmp"
	"slices"
	"strings"
)

// maxNesting bounds frames in frames; browsers themselves stop earlier.
const maxNesting = 32

// Frame is what the caller has learnt of one frame.
type Frame struct {
	Key      string    // "f1": begins the references in it
	Snapshot *Snapshot // what the frame's agent said, nil if it said nothing
	Fault    string    // why there is no snapshot, in plain words of ours, for example "did not answer in time"
}

// Merge puts the documents of frames in place: below each frame node of root, and of the frames in it, come the nodes of
// that frame's own snapshot. The caller's function is asked once for each browsing context; false means that nothing is
// known of it, and the frame stays a line that says so. Counts and hints add up. The arguments are left as they are.
func Merge(root Snapshot, frame func(context int64) (Frame, bool)) Snapshot {
	m := merger{ask: frame, seen: map[int64]bool{}, out: root}
	m.out.Nodes = make([]Node, 0, len(root.Nodes))
	m.out.Hints = append([]string(nil), root.Hints...)
	m.add(root.Nodes, place{origin: originOf(root.URL)})
	return m.out
}

type merger struct {
	ask  func(context int64) (Frame, bool)
	seen map[int64]bool
	out  Snapshot
}

// place is where in the whole a document lies.
type place struct {
	key     string // of its frame
	depth   int    // levels above its nodes
	nesting int    // frames around it
	origin  string // "" if it has none of its own
}

// add appends the nodes of one document.
func (m *merger) add(nodes []Node, in place) {
	for _, n := range nodes {
		n.Depth += in.depth
		n.Frame = in.key
		at := len(m.out.Nodes)
		m.out.Nodes = append(m.out.Nodes, n)
		if n.Kind != FrameNode || in.nesting == maxNesting || n.Context == 0 || m.seen[n.Context] {
			continue
		}
		m.seen[n.Context] = true
		if f, ok := m.ask(n.Context); ok {
			m.graft(at, f, in)
		}
	}
}

// graft puts a frame's document below the frame node at index at. Its origin is told if it is another than that of the
// document around it.
func (m *merger) graft(at int, f Frame, around place) {
	n := &m.out.Nodes[at]
	n.Ref = f.Key
	if f.Snapshot == nil {
		n.Note = f.Fault
		return
	}
	n.merged = true
	origin := originOf(f.Snapshot.URL)
	if origin != "" && origin != around.origin && n.Attr("origin") == "" {
		n.Attrs = append(slices.Clip(n.Attrs), Attr{Key: "origin", Value: origin})
	}
	m.out.Controls = count(m.out.Controls + f.Snapshot.Controls)
	m.out.More = count(m.out.More + f.Snapshot.More)
	for _, h := range f.Snapshot.Hints {
		if len(m.out.Hints) < maxHints && !slices.Contains(m.out.Hints, h) {
			m.out.Hints = append(m.out.Hints, h)
		}
	}
	m.add(f.Snapshot.Nodes, place{f.Key, n.Depth + 1, around.nesting + 1, cmp.Or(origin, around.origin)})
}

// originOf gives scheme and host of an address, "" if it has no host.
func originOf(u string) string {
	u = withoutUser(u)
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok || word(strings.ReplaceAll(scheme, "+", "-")) == "" {
		return ""
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return scheme + "://" + rest
}
