package outline

import "slices"

// sheet is one page of a layout: which lines to print, within the limits.
type sheet struct {
	*layout
	text  []byte // lines written so far, one after the other
	lines []span // by node
	marks []mark // by node
	order []int  // units, the most important first
	from  int    // first unit of this page
	next  int    // first unit of the next page
	used  int    // tokens
	limit int    // tokens of the lines, 0 for none

	controls, chars int   // on this page; code points of text blocks
	dropped         int   // text blocks that max_text_chars kept from this page
	need            []int // scratch of want and run
	region          int   // whose ID is regionID
	regionID        string
}

// span is a line in sheet.text with its indent and line break; from == to means that it has not been written yet. Tokens
// are counted only if there is a limit.
type span struct{ from, to, tokens int }

// mark says what has become of a node's line on this page.
type mark byte

const (
	absent mark = iota
	passed      // something below it is shown
	shown
	counted // a collapsed region: one line stands for all of it
)

// newSheet orders the units of the layout.
func newSheet(l *layout, limit int) *sheet {
	s := &sheet{layout: l, limit: limit, lines: make([]span, len(l.nodes)), marks: make([]mark, len(l.nodes)), region: -1}
	units := 0
	for i := range l.slots {
		if l.slots[i].part == unit {
			units++
		}
	}
	s.order = make([]int, 0, units)
	s.text = make([]byte, 0, 64*units)
	for i := range l.slots {
		if l.slots[i].part == unit {
			s.order = append(s.order, i)
		}
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return int(l.slots[a].class) - int(l.slots[b].class) })
	return s
}

// line gives the line of node i, writing it first if need be.
func (s *sheet) line(i int) span {
	if s.lines[i].from == s.lines[i].to {
		from := len(s.text)
		s.text = append(s.appendLine(s.appendIndent(s.text, i), i), '\n')
		s.lines[i] = span{from: from, to: len(s.text)}
		if s.limit > 0 {
			s.lines[i].tokens = countTokens(s.text[from:])
		}
	}
	return s.lines[i]
}

// want lists the nodes to mark when unit i is shown, itself and its context, and what their lines cost. The list is
// valid until the next call.
func (s *sheet) want(i int) (need []int, tokens int) {
	s.need = append(s.need[:0], i)
	tokens = s.line(i).tokens
	for at := 0; at < len(s.need); at++ {
		slot := &s.slots[s.need[at]]
		for _, n := range [2]int{slot.parent, slot.governs} {
			if n < 0 || s.marks[n] != absent {
				continue
			}
			s.marks[n] = passed // for now, so that it is listed once
			s.need = append(s.need, n)
			if s.isContext(n) {
				s.introduce(n, i)
				tokens += s.line(n).tokens
			}
		}
	}
	for _, n := range s.need[1:] {
		s.marks[n] = absent
	}
	return s.need, tokens
}

// introduce sees to it that the line of context n has its name if i, the first unit below it on this page, does not say it.
func (s *sheet) introduce(n, i int) {
	if first := s.namesake(n); first < 0 || first == i || s.marks[first] == shown {
		return
	}
	if s.alone == nil {
		s.alone = map[int]bool{}
	}
	s.alone[n] = true
}

// isContext reports whether node i is printed because of what is below it. A control never is: it is its own unit, and
// comes on one page only.
func (s *sheet) isContext(i int) bool {
	return s.slots[i].part != wrapper && s.nodes[i].Kind != Control
}

// show marks what want listed.
func (s *sheet) show(need []int, tokens int) {
	for k, n := range need {
		switch {
		case k == 0 || s.isContext(n):
			s.marks[n] = shown
		case s.marks[n] == absent:
			s.marks[n] = passed
		}
	}
	s.used += tokens
}

// fill shows units from offset on until one does not fit. At least one is shown if there is any.
func (s *sheet) fill(offset int, o *Options) {
	clear(s.marks)
	s.used, s.controls, s.chars, s.dropped = 0, 0, 0, 0
	s.from = min(max(offset, 0), len(s.order))
	for s.next = s.from; s.next < len(s.order); s.next++ {
		i := s.order[s.next]
		if s.marks[i] == shown {
			continue // as the context of another unit
		}
		control, chars := s.isControl(i), 0
		switch {
		case control && o.MaxElements > 0 && s.controls >= o.MaxElements:
			return
		case s.isText(i):
			chars = s.textLength(i)
			if o.MaxText > 0 && s.chars+chars > o.MaxText && s.chars > 0 {
				if s.view == ViewText {
					return
				}
				s.dropped++
				continue
			}
		}
		need, tokens := s.want(i)
		if s.limit > 0 && s.used+tokens > s.limit && s.used > 0 {
			return
		}
		s.show(need, tokens)
		s.chars += chars
		if control {
			s.controls++
		}
	}
}

// textLength counts the code points of text block i as printed.
func (s *sheet) textLength(i int) int {
	return runeCount(s.lineText(i)) - len("> ")
}
