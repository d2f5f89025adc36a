package outline

import (
	"slices"
	"strings"
)

// reach bounds how far a node looks around itself, so that a page made to be slow is not.
const reach = 64

// fold finds lines that another line can carry: a heading around one control, the cells of a row, the head of an item.
func (l *layout) fold() {
	aligned := 0 // end of the table whose header row came last
	for i := range l.nodes {
		n, s := &l.nodes[i], &l.slots[i]
		switch {
		case n.Role == "row" && (n.Kind == Structure || n.Kind == Control) && l.isDataRow(i):
			if s.row, s.header = true, n.Kind == Structure && l.isHeaderRow(i); s.header {
				aligned = l.tableEnd(i)
			}
			s.aligned = i < aligned
			l.foldCells(i)
		case n.Kind == Control:
			if s.level == 0 && n.Attr("heading") != "" { // folded by the agent
				s.level = levelOf(n.Attr("heading"))
			}
		case n.Kind == Structure && n.Role == "heading":
			s.level = levelOf(n.Attr("level"))
			if c := i + 1; l.view != ViewOutline && l.holdsOnly(i, c) && sameName(&l.nodes[c], n) {
				s.skip, l.slots[c].level = true, s.level
			}
		}
	}
}

// foldCells leaves to the line of row i what is in its cells.
func (l *layout) foldCells(i int) {
	for j := i + 1; j < l.slots[i].end; j++ {
		if k := l.nodes[j].Kind; k == Text || k == Structure || l.view == ViewText {
			l.slots[j].skip = true
		}
	}
}

// showsControls reports whether the view prints controls as lines.
func (l *layout) showsControls() bool { return l.view == ViewControls || l.view == ViewFull }

// isControl reports whether node i is a control that prints as one.
func (l *layout) isControl(i int) bool { return l.nodes[i].Kind == Control && l.showsControls() }

// isText reports whether node i prints as page text. In the view text so do the controls that people read as text.
func (l *layout) isText(i int) bool {
	n := &l.nodes[i]
	return n.Kind == Text || n.Kind == Control && l.view == ViewText && isReading(n.Role)
}

// holdsOnly reports whether all that is below heading i is control c.
func (l *layout) holdsOnly(i, c int) bool {
	s := &l.slots[i]
	return s.within == 1 && c < s.end && l.nodes[c].Kind == Control && l.slots[c].end == s.end
}

func sameName(control, heading *Node) bool {
	return blank(heading.Name) || heading.Name == control.Name
}

// levelOf reads the level of a heading, 1 to 6; one without a level has 2.
func levelOf(v string) int {
	switch {
	case len(v) == 1 && v >= "1" && v <= "6":
		return int(v[0] - '0')
	case digits(v) && v != "0":
		return 6
	}
	return 2
}

// assignParts decides how each node takes part in the view.
func (l *layout) assignParts() {
	l.noteDescriptions()
	for i := range l.nodes {
		s := &l.slots[i]
		if s.skip {
			continue
		}
		switch n := &l.nodes[i]; n.Kind {
		case Control:
			s.part = l.controlPart(i)
		case Text:
			s.part = l.textPart(i)
		case Structure:
			s.part = l.structurePart(i)
		case Unreachable:
			s.part = l.unitIn(ViewControls, ViewFull, ViewOutline)
		case FrameNode:
			switch {
			case l.view == ViewOutline, !n.merged && l.view != ViewText:
				s.part = unit
			case n.merged:
				s.part = context
			}
		}
	}
	for i := range l.nodes {
		if n := &l.nodes[i]; n.Kind == Structure && isItem(n.Role) && n.Role != "row" && l.slots[i].part == wrapper {
			l.head(i)
		}
	}
}

// controlPart shows controls where they are lines, and links, rows and the like as the pieces of text that they are.
func (l *layout) controlPart(i int) part {
	if l.isText(i) && !blank(l.nodes[i].Name) || l.slots[i].row && l.view == ViewText && l.rowText(nil, i) != nil {
		return unit
	}
	return l.unitIn(ViewControls, ViewFull)
}

// noteDescriptions collects what controls have as their description, to leave out the text that says it once more.
func (l *layout) noteDescriptions() {
	for i := range l.nodes {
		if d := l.nodes[i].Attr("description"); d != "" {
			if l.told == nil {
				l.told = map[string]bool{}
			}
			l.told[d] = true
		}
	}
}

// unitIn makes a node a unit of its own in some views, and a mere wrapper in the others.
func (l *layout) unitIn(views ...View) part {
	if slices.Contains(views, l.view) {
		return unit
	}
	return wrapper
}

func (l *layout) structurePart(i int) part {
	n, s := &l.nodes[i], &l.slots[i]
	switch {
	case n.Role == "heading":
		if blank(n.Name) || l.titles(i) {
			return wrapper
		}
		return l.orGoverns(unit)
	case s.row && s.header:
		return l.orGoverns(l.unitIn(ViewFull, ViewText))
	case s.row:
		return l.rowPart(i)
	case l.view == ViewText:
		if isRegion(n.Role) {
			return context
		}
		return wrapper
	case l.view == ViewOutline:
		if stands(n.Role) || !blank(n.Name) && !isPlain(n.Role) && n.Role != "image" {
			return unit
		}
		return wrapper
	case n.Role == "image":
		if !blank(n.Name) {
			return l.unitIn(ViewFull)
		}
		return wrapper
	case isLeaf(n.Role) && (!blank(n.Name) || !blank(n.Value)):
		return unit
	case isPlain(n.Role), blank(n.Name) && !stands(n.Role), l.isAllOf(i):
		return wrapper
	}
	return context
}

// around gives the innermost node around node i that has a line, -1 if there is none.
func (l *layout) around(i int) int {
	for p, up := l.slots[i].parent, 0; p >= 0 && up < reach; p, up = l.slots[p].parent, up+1 {
		if l.slots[p].part != wrapper {
			return p
		}
	}
	return -1
}

// titles reports whether heading i only repeats the name of what it begins or is in, whose line is there anyway.
func (l *layout) titles(i int) bool {
	p := l.around(i)
	if p < 0 || l.nodes[p].Kind != Structure {
		return false
	}
	title, heading := l.nodes[p].Name, l.nodes[i].Name
	return title == heading || l.isFirst(i, p) && strings.HasPrefix(title, heading+" ")
}

// isFirst reports whether nothing with a line comes before node i in node p.
func (l *layout) isFirst(i, p int) bool {
	for j := p + 1; j < i; j++ {
		if l.slots[j].part != wrapper {
			return false
		}
	}
	return true
}

// isAllOf reports whether list i, which has no name, holds all controls of the region around it, whose line says enough.
func (l *layout) isAllOf(i int) bool {
	if n := &l.nodes[i]; l.view != ViewControls || n.Role != "list" || !blank(n.Name) {
		return false
	}
	p := l.around(i)
	return p >= 0 && l.nodes[p].Kind == Structure && l.nodes[p].Role != "list" && !isItem(l.nodes[p].Role) && l.slots[p].within == l.slots[i].within
}

// orGoverns gives p, or governs in the view that shows headings only as context.
func (l *layout) orGoverns(p part) part {
	if l.view == ViewControls {
		return governs
	}
	return p
}

// head finds what keeps item i together: the first line in it, below which the rest is indented, or, if that is not what
// the item is about, a line of its own.
func (l *layout) head(i int) {
	s := &l.slots[i]
	for j := i + 1; j < min(s.end, i+reach); j++ {
		switch {
		case l.slots[j].part == wrapper:
			continue
		case l.isControl(j) && l.slots[j].level == 0 && !l.leadsTo(j, l.titleIn(j+1, s.end)):
			s.part = context
		case l.isControl(j), l.nodes[j].Kind == Text && l.view == ViewControls:
			s.lead = j
		}
		return
	}
}

// titleIn gives the first heading, or control that is one, among the nodes from i to end, else -1.
func (l *layout) titleIn(i, end int) int {
	for ; i < min(end, i+reach); i++ {
		if l.slots[i].level > 0 && l.slots[i].part != wrapper {
			return i
		}
	}
	return -1
}

// leadsTo reports whether control i is about the same as the title: there is none, or both lead to one place, as a
// picture and the words below it do.
func (l *layout) leadsTo(i, title int) bool {
	href := l.nodes[i].Attr("href")
	return title < 0 || href != "" && href == l.nodes[title].Attr("href")
}

// govern finds for each node the heading or header row in whose scope it is, and so which of them to print.
func (l *layout) govern() {
	type scope struct{ node, level, end int }
	var open []scope
	for i := range l.nodes {
		s, n := &l.slots[i], &l.nodes[i]
		for len(open) > 0 && open[len(open)-1].end <= i {
			open = open[:len(open)-1]
		}
		heading := n.Kind == Structure && n.Role == "heading" && s.part != wrapper
		end := s.scope
		if heading {
			for len(open) > 0 && open[len(open)-1].level >= s.level && open[len(open)-1].end <= end {
				open = open[:len(open)-1]
			}
		}
		s.governs = -1
		if len(open) > 0 {
			s.governs = open[len(open)-1].node
		}
		switch {
		case heading:
			open = append(open, scope{i, s.level, end})
		case s.header && s.part != wrapper:
			open = append(open, scope{i, 7, l.tableEnd(i)})
		}
	}
}

// indent sets how far each line is indented: one step for each line above it that it belongs to.
func (l *layout) indent() {
	for i := range l.slots {
		s := &l.slots[i]
		if s.parent < 0 {
			continue
		}
		p := &l.slots[s.parent]
		s.indent = p.indent
		if l.indents(s.parent) || p.lead >= 0 && i > p.lead {
			s.indent = min(s.indent+1, maxIndent)
		}
		if s.lead < 0 && i < p.lead && p.lead < s.end {
			s.lead = p.lead
		}
	}
}

// indents reports whether what is below node i stands deeper than its line.
func (l *layout) indents(i int) bool {
	s := &l.slots[i]
	return (s.part == unit || s.part == context) && s.level == 0 || s.level > 0 && l.nodes[i].Kind == Control && s.part == unit
}
