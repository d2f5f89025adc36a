package outline

import "slices"

// View says which nodes are shown.
type View string

// The views. The zero value means Controls.
const (
	ViewControls View = "controls" // what can be acted on, with the context to understand it
	ViewFull     View = "full"     // the same and all page text
	ViewOutline  View = "outline"  // regions, headings, lists and tables with counts of controls
	ViewText     View = "text"     // page text under its headings
)

// part says how a node takes part in a view.
type part byte

const (
	wrapper part = iota // neither prints nor indents
	context             // prints when something below it does
	governs             // a heading or a table's header row: prints when something in its scope does
	unit                // prints on its own; pages are cut between units
)

// class is the order in which units are given when not all fit, the lowest first.
type class byte

const (
	inDialog class = iota
	inFocus
	inMain
	inForm
	elsewhere
	inMargin // navigation, aside, footer
)

// slot is what layout knows of one node. Indexes are into Snapshot.Nodes, -1 for none.
type slot struct {
	parent  int
	end     int // first node after the subtree
	governs int // innermost heading or header row in whose scope the node is
	region  int // nearest landmark or dialog, itself included
	margin  int // outermost navigation, aside or footer, itself included
	scope   int // where the scope of a heading at this place ends
	indent  int
	level   int // of a heading
	part    part
	class   class
	skip    bool // said by another line, or nothing to say
	lead    int  // on a list item: the line that heads it
	row     bool // told in one line
	header  bool // a row of column headers only
	aligned bool // a row below one of column headers: empty cells keep their place
	excerpt bool // an item whose words are shown, by its first block
	item    int  // of a block in the view controls: the item whose words it is part of
	flow    int  // of a block in the view text: the end of what it goes on with
	within  int  // controls in the subtree
}

// maxIndent keeps a deep page from costing more blanks than text.
const maxIndent = 12

// layout is a snapshot arranged for one view.
type layout struct {
	nodes []Node
	slots []slot
	view  View
	cut   int             // code points of one text block
	brief int             // code points of what is shown of an item's words
	told  map[string]bool // texts that another line has as its description
	alone map[int]bool    // articles whose namesake is on another page
}

// arrange works out the parts that the nodes play in the view.
func arrange(nodes []Node, view View) *layout {
	l := &layout{nodes: nodes, slots: make([]slot, len(nodes)), view: view, cut: textLimit, brief: excerptLimit}
	l.link()
	focus := l.focused()
	for i := range l.slots {
		l.place(i, focus)
	}
	l.fold()
	l.assignParts()
	l.govern()
	l.indent()
	return l
}

// link finds each node's parent and end from the depths.
func (l *layout) link() {
	var open []int
	for i := range l.nodes {
		for len(open) > 0 && l.nodes[open[len(open)-1]].Depth >= l.nodes[i].Depth {
			l.slots[open[len(open)-1]].end = i
			open = open[:len(open)-1]
		}
		l.slots[i].parent = -1
		if len(open) > 0 {
			l.slots[i].parent = open[len(open)-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		l.slots[i].end = len(l.nodes)
	}
	for i := len(l.nodes) - 1; i >= 0; i-- {
		if l.nodes[i].Kind == Control {
			l.slots[i].within++
		}
		if p := l.slots[i].parent; p >= 0 {
			l.slots[p].within += l.slots[i].within
		}
	}
}

// focused gives the landmark that the focused node is in, -1 if there is none. The top document itself is none.
func (l *layout) focused() int {
	for i := range slices.Backward(l.nodes) { // the innermost document's focus counts
		if !l.nodes[i].Focused {
			continue
		}
		for p := i; p >= 0; p = l.slots[p].parent {
			if isRegion(l.nodes[p].Role) && l.nodes[p].Kind == Structure {
				return p
			}
		}
	}
	return -1
}

// place settles class, region and scope from the parent's.
func (l *layout) place(i, focus int) {
	s, n := &l.slots[i], &l.nodes[i]
	s.region, s.margin, s.scope, s.class, s.lead, s.item = -1, -1, len(l.nodes), elsewhere, -1, -1
	if s.parent >= 0 {
		p := &l.slots[s.parent]
		s.region, s.margin, s.scope, s.class = p.region, p.margin, p.scope, p.class
	}
	if n.Kind == FrameNode {
		s.scope = s.end
	}
	if n.Kind != Structure {
		return
	}
	if isRegion(n.Role) {
		s.region = i
	}
	if n.Role != "banner" && (isRegion(n.Role) || isItem(n.Role)) {
		s.scope = s.end
	}
	s.class = classOf(n.Role, s.class)
	if i == focus {
		s.class = min(s.class, inFocus)
	}
	if s.class == inMargin && s.margin < 0 {
		s.margin = i
	}
}

// classOf gives the class of a structure node of this role below one of class above.
func classOf(role string, above class) class {
	if above <= inFocus {
		return above
	}
	switch role {
	case "dialog", "alertdialog", "alert", "status":
		return inDialog
	case "navigation", "complementary", "contentinfo":
		return inMargin
	case "main":
		return inMain
	case "search":
		return min(above, inForm)
	case "form":
		if above != inMargin { // a form in a footer is a footer first
			return min(above, inForm)
		}
	}
	return above
}
