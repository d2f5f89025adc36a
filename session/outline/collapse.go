package outline

import "strconv"

// collapse refills a first page that cannot hold everything, so that each navigation, aside and footer whose units all
// wait for later pages is at least a counted line.
func (s *sheet) collapse(o *Options) {
	margins := s.margins()
	limit, reserve := s.limit, 0
	for _, i := range margins {
		reserve += s.countedTokens(i)
	}
	if limit > 0 {
		s.limit = max(limit-min(reserve, limit/3), 1)
		s.fill(0, o)
		s.limit = limit
	}
	for _, i := range margins {
		s.count(i)
	}
}

// margins lists the outermost navigations, asides and footers that hold units.
func (s *sheet) margins() []int {
	var out []int
	last := -1
	for _, i := range s.order {
		if m := s.slots[i].margin; m >= 0 && m != last && s.slots[i].class == inMargin {
			last = m
			out = append(out, m)
		}
	}
	return out
}

// count puts a counted line for region i on the page, if nothing of the region is shown and the line fits.
func (s *sheet) count(i int) {
	if s.marks[i] != absent {
		return
	}
	need, tokens := s.want(i)
	tokens += s.countedTokens(i) - s.line(i).tokens
	if s.limit > 0 && s.used+tokens > s.limit {
		return
	}
	s.show(need, tokens)
	s.marks[i] = counted
}

func (s *sheet) countedTokens(i int) int {
	return countTokens(append(s.appendCounted(nil, i), '\n'))
}

// appendCounted appends the line that stands for a whole region.
func (s *sheet) appendCounted(dst []byte, i int) []byte {
	n := &s.nodes[i]
	dst = appendNode(s.appendIndent(dst, i), n, 0)
	dst = strconv.AppendInt(append(dst, " controls="...), int64(s.slots[i].within), 10)
	if id := regionID(n); id != "" {
		dst = append(append(dst, " id="...), id...)
	}
	return append(dst, " collapsed"...)
}
