package outline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// textPart shows all text in the views of text. The view controls has only the words of items that hold controls, and
// of what speaks to the user.
func (l *layout) textPart(i int) part {
	n, s := &l.nodes[i], &l.slots[i]
	switch {
	case !says(n.Name), l.told[n.Name] && l.showsControls():
		return wrapper
	case l.view == ViewOutline:
		return wrapper
	case s.parent >= 0 && l.nodes[s.parent].Kind == Control && hasFace(l.nodes[s.parent].Role):
		return l.facePart(i)
	case l.view == ViewText:
		l.runOn(i)
		return unit
	case l.view == ViewFull:
		return unit
	}
	s.item = l.itemOf(i)
	if s.item < 0 || l.slots[s.item].excerpt || n.Name == l.nodes[s.item].Name {
		return wrapper
	}
	l.slots[s.item].excerpt = true
	return unit
}

// facePart shows what a control shows besides its name, such as the date on a button that is called "Change date", unless
// that is only a sign, initials or words of the name.
func (l *layout) facePart(i int) part {
	const (
		least = 4 // letters and digits
		small = 3 // controls; what has more inside is told by these
	)
	p := l.slots[i].parent
	face := bare(l.nodes[i].Name)
	if utf8.RuneCountInString(face) < least || strings.Contains(bare(l.nodes[p].Name), face) {
		return wrapper
	}
	if l.view == ViewControls && l.slots[p].within > small {
		return wrapper
	}
	return l.unitIn(ViewControls, ViewFull)
}

// bare gives the letters and digits of a text, small.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// itemOf gives the item, dialog or message whose words text block i is part of, -1 if there is none near, or if the
// block is in a control that is none of these.
func (l *layout) itemOf(i int) int {
	const (
		near    = 6  // levels; an item's own words are near its top
		maxItem = 15 // controls; with more it is a page of its own
	)
	for p, up := l.slots[i].parent, 0; p >= 0 && up < near; p, up = l.slots[p].parent, up+1 {
		switch n := &l.nodes[p]; {
		case n.Kind == Control && !isItem(n.Role):
			return -1
		case n.Kind != Structure && n.Kind != Control:
		case isItem(n.Role) && l.slots[p].within > 0 && l.slots[p].within <= maxItem, isMessage(n.Role):
			return p
		case isRegion(n.Role):
			return -1
		}
	}
	return -1
}

// isMessage reports whether what has this role speaks to the user.
func isMessage(role string) bool { return isLeaf(role) || role == "dialog" || role == "alertdialog" }

// runOn joins text block i with the rest of its paragraph: the agent cuts that at each control, and gives only the first
// piece a number. The controls between are read as text.
func (l *layout) runOn(i int) {
	s := &l.slots[i]
	s.flow = s.end
	if l.nodes[i].ID == 0 {
		return
	}
	for j := s.end; j < len(l.nodes) && l.slots[j].parent == s.parent && l.isText(j); j = l.slots[j].end {
		if l.nodes[j].Kind == Control {
			continue
		}
		if l.nodes[j].ID != 0 {
			break
		}
		s.flow = l.slots[j].end
	}
	for j := i + 1; j < s.flow; j++ {
		l.slots[j].skip = true
	}
}

// appendText appends the line of text block i.
func (l *layout) appendText(dst []byte, i int) []byte {
	s, limit, text := &l.slots[i], l.cut, l.nodes[i].Name
	switch {
	case l.nodes[i].Kind == Control:
	case l.view == ViewText && s.flow > s.end:
		text = l.paragraph(i)
	case l.view == ViewControls && s.item >= 0:
		if !isMessage(l.nodes[s.item].Role) {
			limit = l.brief
		}
		text = l.words(i, 4*limit)
	case l.view == ViewControls:
		limit = l.brief
	}
	return appendClean(append(dst, "> "...), text, limit, false)
}

// paragraph gives the text that block i and what it runs on with make.
func (l *layout) paragraph(i int) string {
	var b strings.Builder
	for j := i; j < l.slots[i].flow; j = l.slots[j].end {
		text := l.nodes[j].Name
		if j > i && !strings.ContainsAny(text[:min(len(text), 1)], ".,;:!?)") {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

// words gives the text of block i and of the later ones of the same item, about most bytes of it.
func (l *layout) words(i, most int) string {
	text := l.nodes[i].Name
	item := l.slots[i].item
	for j := i + 1; j < min(l.slots[item].end, i+reach) && len(text) < most; j++ {
		more := l.nodes[j].Name
		if l.nodes[j].Kind != Text || l.slots[j].item != item || l.slots[j].skip || !says(more) {
			continue
		}
		if !strings.ContainsRune(".:;,!?", rune(text[len(text)-1])) {
			text += " ·"
		}
		text += " " + more
	}
	return text
}

// says reports whether a text has a letter, a digit, a picture or a sign of money in it, and so says something.
func says(text string) bool {
	for i, r := range text {
		switch {
		case r <= unicode.MaxASCII:
			if isLetter(byte(r)) || isDigit(byte(r)) || r == '$' {
				return true
			}
		case unicode.In(r, unicode.L, unicode.N, unicode.So, unicode.Sc, unicode.Co) && classify(r) == plainRune:
			return true
		}
		if i > 4096 {
			return false // whoever hides a word behind so much nothing has none to say
		}
	}
	return false
}
