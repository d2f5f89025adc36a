package outline

import "slices"

// Kind says what a node is to a reader of the outline.
type Kind byte

// The kinds, as the agent abbreviates them.
const (
	Control     Kind = 'c' // can be acted on, gets a reference
	Structure   Kind = 'g' // landmark, heading, list, table, row, dialog …
	Text        Kind = 'x' // a block of page text
	FrameNode   Kind = 'f' // a frame; its document comes from another agent
	Unreachable Kind = 'z' // a place that the agent could not look into
)

// Attr is one key and value of a node. The key is a plain word; the value is page text unless it is a number.
type Attr struct {
	Key, Value string
	Number     bool // the value is digits only and is printed bare
}

// Node is one node of a page. Name, Value, the values of Attrs, Selector and Path are the page's words as the agent sent
// them: fit for comparing, not for printing. Role, States and the keys of Attrs are safe words.
type Node struct {
	ID       int64 // the agent's number of the DOM node, never reused in its document; 0 for none
	Depth    int   // in the order of nodes, a node's parent is the nearest earlier node with a smaller depth
	Kind     Kind
	Role     string // one to three words, "generic" if the agent had none or an odd one
	Name     string // for Text: the text
	Value    string
	States   []string // "checked", "expanded=false", in the order to print
	Attrs    []Attr   // in the order to print
	Tag      string
	Type     string // of an input
	Selector string // CSS
	Path     string // origin and path of a link, for comparing
	Context  int64  // browsing context of a frame
	Row      Place  // of a control that others look like
	Focused  bool

	Frame string // key of the frame that the node is in ("f1"), empty in the top document
	Ref   string // reference of a control; key of a frame
	Note  string // why a frame could not be read, in our own words

	merged bool // a frame whose document follows, be it empty
}

// Place is what a control stands beside that no other like it does: the page's words, for comparing.
type Place struct {
	Up   int    // how many parents above the control the row is, 0 for none
	Text string // its first words
}

// Attr gives the value of the attribute called key, or "".
func (n *Node) Attr(key string) string {
	for _, a := range n.Attrs {
		if a.Key == key {
			return a.Value
		}
	}
	return ""
}

// HasState reports whether the node has the state, given as it is printed.
func (n *Node) HasState(state string) bool {
	return slices.Contains(n.States, state)
}

// Key identifies a node among all documents of one page.
type Key struct {
	Frame string
	ID    int64
}

// Key gives the node's identity. It is the same in two snapshots of the same documents; Key.ID 0 identifies nothing.
func (n *Node) Key() Key { return Key{n.Frame, n.ID} }

// Snapshot is one page as it was at one moment, frames included once they have been merged.
type Snapshot struct {
	URL, Title, Lang string
	Ready            string // document.readyState
	ContentType      string // media type
	Nodes            []Node // document order
	Controls         int    // controls of the page, listed or not
	More             int    // controls that the agent left out because of its limit
	Hints            []string
	Focus            int64 // ID of the focused node in the top document, 0 for none
}

// Assign hands a reference to every control: ref is called once for each, in document order.
func (s *Snapshot) Assign(ref func(n *Node) string) {
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Kind == Control {
			n.Ref = ref(n)
		}
	}
}
