package outline

import (
	"bytes"
	"strconv"
	"strings"
)

// Runs of equal neighbours at least this long are told in short.
const (
	equalControls = 5
	equalLines    = 3
)

const indentStep = "  "

// print appends the lines of the page to dst, in document order, and gives the controls among them.
func (s *sheet) print(dst []byte) ([]byte, []Element) {
	elements := make([]Element, 0, s.controls)
	for i := 0; i < len(s.nodes); i++ {
		switch s.marks[i] {
		case counted:
			dst = append(s.appendCounted(dst, i), '\n')
			continue
		case shown:
		default:
			continue
		}
		run := s.run(i)
		dst = append(s.appendIndent(dst, i), s.lineText(i)...)
		dst = s.appendRun(dst, run)
		for _, j := range run {
			if s.isControl(j) {
				elements = append(elements, s.element(j))
			}
		}
		i = run[len(run)-1]
	}
	return dst, elements
}

// lineText gives the line of node i without indent and line break.
func (s *sheet) lineText(i int) []byte {
	l := s.line(i)
	return s.text[l.from+len(indentStep)*s.slots[i].indent : l.to-1]
}

func (s *sheet) appendIndent(dst []byte, i int) []byte {
	for range s.slots[i].indent {
		dst = append(dst, indentStep...)
	}
	return dst
}

// run gives i and the shown neighbours after it whose lines say the same; only i if they are few.
func (s *sheet) run(i int) []int {
	s.need = append(s.need[:0], i)
	want, least := s.withoutRef(i), equalLines
	if s.isControl(i) {
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
	if s.isControl(i) && s.nodes[i].Ref != "" {
		return text[len("[] ")+len(s.nodes[i].Ref):]
	}
	return text
}

// appendRun ends the line, saying how many more like it there are and, of controls, their references.
func (s *sheet) appendRun(dst []byte, run []int) []byte {
	switch more := run[1:]; {
	case len(more) == 0:
	case s.isControl(run[0]):
		dst = s.appendRefs(append(dst, " like="...), more)
	default:
		dst = append(s.appendIndent(append(dst, '\n'), run[0]), "(the same "...)
		dst = append(strconv.AppendInt(dst, int64(len(more)), 10), " more times)"...)
	}
	return append(dst, '\n')
}

// appendRefs lists references, those that follow one another as a range: e4-e9,e12.
func (s *sheet) appendRefs(dst []byte, nodes []int) []byte {
	for k := 0; k < len(nodes); k++ {
		if k > 0 {
			dst = append(dst, ',')
		}
		first := k
		dst = append(dst, s.nodes[nodes[k]].Ref...)
		for k+1 < len(nodes) && follows(s.nodes[nodes[k]].Ref, s.nodes[nodes[k+1]].Ref) {
			k++
		}
		if k > first {
			dst = append(append(dst, '-'), s.nodes[nodes[k]].Ref...)
		}
	}
	return dst
}

// follows reports whether b is the reference after a: the same but for its number, which is one more.
func follows(a, b string) bool {
	i, j := strings.LastIndexByte(a, 'e')+1, strings.LastIndexByte(b, 'e')+1
	x, err := strconv.Atoi(a[i:])
	y, err2 := strconv.Atoi(b[j:])
	return err == nil && err2 == nil && a[:i] == b[:j] && x+1 == y
}

func (s *sheet) element(i int) Element {
	if r := s.slots[i].region; r != s.region {
		if s.region, s.regionID = r, ""; r >= 0 {
			s.regionID = regionID(&s.nodes[r])
		}
	}
	return elementOf(&s.nodes[i], s.slots[i].level, s.regionID)
}

// elementOf gives a control for programs. level is that of a heading folded into it, region where it is.
func elementOf(n *Node, level int, region string) Element {
	for _, key := range [2]string{"heading", "level"} {
		if v := n.Attr(key); level == 0 && digits(v) {
			level, _ = strconv.Atoi(v) // digits only
		}
	}
	return Element{
		Ref: n.Ref, Role: n.shownRole(), Name: Clean(n.Name, nameLimit), Value: Clean(n.Value, valueLimit), States: n.States,
		Href: Clean(n.Attr("href"), valueLimit), Level: level, Region: region, Frame: n.Frame,
	}
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
