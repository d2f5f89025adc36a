package outline

import (
	"bytes"
	"strconv"
)

// Runs of equal neighbours at least this long are told in short.
const (
	equalControls = 5
	equalLines    = 3
)

// print appends the lines of the page to dst, in document order, and gives the controls among them.
func (s *sheet) print(dst []byte) ([]byte, []Element) {
	elements := make([]Element, 0, s.controls)
	for i := 0; i < len(s.nodes); i++ {
		switch s.marks[i] {
		case counted:
			dst = append(s.appendCounted(s.appendIndent(dst, i), i), '\n')
			continue
		case shown:
		default:
			continue
		}
		run := s.run(i)
		dst = append(s.appendIndent(dst, i), s.lineText(i)...)
		dst = s.appendRun(dst, run)
		for _, j := range run {
			if s.nodes[j].Kind == Control {
				elements = append(elements, s.element(j))
			}
		}
		i = run[len(run)-1]
	}
	return dst, elements
}

func (s *sheet) lineText(i int) []byte {
	l := s.line(i)
	return s.text[l.from:l.to]
}

func (s *sheet) appendIndent(dst []byte, i int) []byte {
	for range s.slots[i].indent {
		dst = append(dst, "  "...)
	}
	return dst
}

// run gives i and the shown neighbours after it whose lines say the same; only i if they are few.
func (s *sheet) run(i int) []int {
	s.need = append(s.need[:0], i)
	want, least := s.withoutRef(i), equalLines
	if s.nodes[i].Kind == Control {
		least = equalControls
	}
	for j := i + 1; j < len(s.nodes) && s.marks[j] != counted; j++ {
		if s.marks[j] != shown {
			continue
		}
		if s.slots[j].indent != s.slots[i].indent || s.nodes[j].Kind != s.nodes[i].Kind || !bytes.Equal(s.withoutRef(j), want) {
			// What stands below the last one is not said of the others.
			if s.slots[j].indent > s.slots[i].indent {
				s.need = s.need[:max(len(s.need)-1, 1)]
			}
			break
		}
		s.need = append(s.need, j)
	}
	if len(s.need) < least {
		return s.need[:1]
	}
	return s.need
}

// withoutRef gives the line of node i as far as it can be equal to another control's.
func (s *sheet) withoutRef(i int) []byte {
	text := s.lineText(i)
	if s.nodes[i].Kind == Control && s.nodes[i].Ref != "" {
		return text[len("[] ")+len(s.nodes[i].Ref):]
	}
	return text
}

// appendRun ends the line, saying how many more like it there are and, of controls, their references.
func (s *sheet) appendRun(dst []byte, run []int) []byte {
	switch more := run[1:]; {
	case len(more) == 0:
	case s.nodes[run[0]].Kind == Control:
		dst = append(dst, " like="...)
		for k, j := range more {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, s.nodes[j].Ref...)
		}
	default:
		dst = append(s.appendIndent(append(dst, '\n'), run[0]), "(the same "...)
		dst = append(strconv.AppendInt(dst, int64(len(more)), 10), " more times)"...)
	}
	return append(dst, '\n')
}

func (s *sheet) element(i int) Element {
	n, slot := &s.nodes[i], &s.slots[i]
	e := Element{
		Ref: n.Ref, Role: n.Role, Name: Clean(n.Name, nameLimit), Value: Clean(n.Value, valueLimit), States: n.States,
		Level: slot.level, Frame: n.Frame,
	}
	if href := n.Attr("href"); href != "" {
		e.Href = Clean(href, valueLimit)
	}
	for _, key := range [2]string{"heading", "level"} {
		if v, err := strconv.Atoi(n.Attr(key)); err == nil && e.Level == 0 {
			e.Level = v
		}
	}
	if slot.region >= 0 {
		e.Region = regionID(&s.nodes[slot.region])
	}
	return e
}

// regions lists the landmarks and dialogs of the page, those with controls.
func (s *sheet) regions() []Region {
	var out []Region
	for i := range s.nodes {
		n := &s.nodes[i]
		if id := regionID(n); id != "" && s.slots[i].within > 0 && len(out) < maxRegions {
			out = append(out, Region{ID: id, Role: n.Role, Name: Clean(n.Name, nameLimit), Controls: s.slots[i].within})
		}
	}
	return out
}
