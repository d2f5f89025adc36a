package outline

import "strings"

// Bounds within which a table row is told in one line. A row beyond them is layout, not data.
const (
	maxRowBytes    = 800
	maxRowNodes    = 100
	maxRowControls = 12
)

// isDataRow reports whether the row is short and flat enough to be one line.
func (l *layout) isDataRow(i int) bool {
	s := &l.slots[i]
	if s.within > maxRowControls || s.end-i > maxRowNodes {
		return false
	}
	size := 0
	for j := i + 1; j < s.end; j++ {
		switch n := &l.nodes[j]; {
		case n.Kind == Text, n.Kind == Structure && isCell(n.Role):
			size += len(n.Name)
		case n.Kind == FrameNode, n.Kind == Structure && (!isInline(n.Role) || n.Role == "row"):
			return false
		}
		if size > maxRowBytes {
			return false
		}
	}
	return true
}

// isHeaderRow reports whether all cells of the row are column headers.
func (l *layout) isHeaderRow(i int) bool {
	found := false
	for j := i + 1; j < l.slots[i].end; j = l.slots[j].end {
		switch n := &l.nodes[j]; {
		case n.Role == "columnheader":
			found = true
		case isCell(n.Role):
			return false
		}
	}
	return found
}

// tableEnd gives the end of the table that row i is in.
func (l *layout) tableEnd(i int) int {
	for p, up := l.slots[i].parent, 0; p >= 0 && up < reach; p, up = l.slots[p].parent, up+1 {
		switch l.nodes[p].Role {
		case "table", "grid", "treegrid":
			return l.slots[p].end
		}
	}
	return l.slots[i].end
}

func (l *layout) rowPart(i int) part {
	if l.rowText(nil, i) == nil {
		return wrapper
	}
	switch l.view {
	case ViewControls:
		return context
	case ViewFull, ViewText:
		return unit
	}
	return wrapper
}

// rowText appends the texts of the row's cells with bars between, as inside a JSON string. It appends nothing if no cell
// says anything.
func (l *layout) rowText(dst []byte, i int) []byte {
	w := rowWriter{dst: dst, left: nameLimit, aligned: l.slots[i].aligned}
	for j := i + 1; j < l.slots[i].end; j++ {
		n := &l.nodes[j]
		if isCell(n.Role) && n.Kind != Text {
			w.cell++
		}
		switch {
		case l.isText(j), n.Kind == Structure && n.Role == "image" && !l.isWithin(j, i):
			w.say(n.Name)
		case n.Kind == Structure && isCell(n.Role) && !l.hasText(j) && (l.slots[j].within == 0 || isHeader(n.Role)):
			w.say(n.Name)
		}
	}
	if !w.said && l.slots[i].within == 0 {
		w.say(l.nodes[i].Name)
	}
	return w.dst
}

// rowWriter puts the texts of cells side by side.
type rowWriter struct {
	dst        []byte
	left       int // code points
	cell, last int // number of the cell at hand, and of the last that said something
	aligned    bool
	said       bool
}

func (w *rowWriter) say(text string) {
	if !says(text) || w.left <= 0 {
		return
	}
	between := " "
	switch cells := w.cell - w.last; {
	case w.aligned && cells > 0:
		between = strings.Repeat("| ", cells-1)
		if w.last > 0 {
			between = " | " + between
		}
	case !w.said:
		between = ""
	case cells > 0:
		between = " | "
	}
	before := len(w.dst)
	w.dst = append(w.dst, between...)
	w.dst = appendClean(w.dst, text, max(w.left-len(between), 1), true)
	w.left -= runeCount(w.dst[before:])
	w.last, w.said = w.cell, true
}

// isWithin reports whether node j is in a control, whose name says it, in row i.
func (l *layout) isWithin(j, i int) bool {
	for p := l.slots[j].parent; p > i; p = l.slots[p].parent {
		if l.isControl(p) {
			return true
		}
	}
	return false
}

// hasText reports whether there is a text block or an image below node i.
func (l *layout) hasText(i int) bool {
	for j := i + 1; j < l.slots[i].end; j++ {
		if k := l.nodes[j].Kind; k == Text || k == Structure && l.nodes[j].Role == "image" {
			return true
		}
	}
	return false
}

func isHeader(role string) bool { return role == "columnheader" || role == "rowheader" }
