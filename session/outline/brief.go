package outline

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What a line leaves out because the lines around it say it, or because its role means it anyway. Programs find the
// whole in Element.
const (
	briefName  = 40 // code points up to which the name of a control is told whole, whatever is told below it
	remains    = 20 // code points of a name without the names at its beginning that make it worth to leave those out
	groundName = 60 // code points of the text of what can be clicked and has controls inside
	hrefLimit  = 60 // code points of an address
	queryLimit = 40 // of one with parameters, of which those are told that fit
)

// inBrief gives node i as its line tells it.
func (l *layout) inBrief(i int) Node {
	n := l.nodes[i]
	n.Name = l.ownName(i)
	n.States = keepIf(n.States, func(state string) bool { return l.tellsState(i, state) })
	n.Attrs = l.ownAttrs(i)
	if n.Role == "listbox" && l.slots[i].within > 1 {
		n.Value = "" // the options below say which are chosen
	}
	return n
}

// keepIf gives the items of a list that pass, which stays as it is.
func keepIf[T any](list []T, pass func(T) bool) []T {
	for k, item := range list {
		if pass(item) {
			continue
		}
		out := append([]T(nil), list[:k]...)
		for _, item := range list[k+1:] {
			if pass(item) {
				out = append(out, item)
			}
		}
		return out
	}
	return list
}

// tellsState reports whether the line of node i says the state.
func (l *layout) tellsState(i int, state string) bool {
	n := &l.nodes[i]
	switch state {
	case "expanded=false": // what has a popup can be opened
		return n.Role != "combobox" && !hasPopup(n)
	case "haspopup=listbox":
		return n.Role != "combobox"
	case "readonly": // as the whole grid is
		for p, up := l.slots[i].parent, 0; n.Role == "gridcell" && p >= 0 && up < reach; p, up = l.slots[p].parent, up+1 {
			if l.nodes[p].HasState(state) {
				return false
			}
		}
	}
	return true
}

func hasPopup(n *Node) bool {
	for _, state := range n.States {
		if strings.HasPrefix(state, "haspopup=") {
			return true
		}
	}
	return false
}

// ownAttrs gives the attributes that the line of node i tells.
func (l *layout) ownAttrs(i int) []Attr {
	n := &l.nodes[i]
	attrs := keepIf(n.Attrs, func(a Attr) bool {
		switch a.Key {
		case "description":
			return !strings.Contains(strings.ToLower(n.Name), strings.ToLower(a.Value))
		case "level":
			return n.Role != "treeitem" || a.Value != l.treeLevel(i)
		case "href":
			return a.Value != "#" && a.Value != "javascript:" // lead nowhere
		}
		return true
	})
	if column := l.column(i); column != "" {
		attrs = append(slices.Clip(attrs), Attr{Key: "column", Value: column})
	}
	for k, a := range attrs {
		if short := briefHref(a.Value); a.Key == "href" && short != a.Value {
			attrs = append([]Attr(nil), attrs...)
			attrs[k].Value = short
		}
	}
	return attrs
}

// treeLevel gives the level that the indentation of tree item i says.
func (l *layout) treeLevel(i int) string {
	level := 1
	for p := l.slots[i].parent; p >= 0 && level < 9; p = l.slots[p].parent {
		if l.nodes[p].Role == "treeitem" {
			level++
		}
	}
	return string(rune('0' + level))
}

// briefHref shortens an address by the parameters that only tell where its readers come from, and by those at its end that
// make it long.
func briefHref(href string) string {
	at := strings.IndexByte(href, '?') + 1
	if at == 0 || utf8.RuneCountInString(href[:at]) > hrefLimit {
		return Clean(href, hrefLimit)
	}
	for {
		next, more := strings.IndexByte(href[at:], '&')+1, true
		if next == 0 {
			next, more = len(href)-at, false
		}
		switch {
		case strings.HasPrefix(href[at:], "utm_"), utf8.RuneCountInString(href[:at+next]) > queryLimit:
			return href[:at] + ellipsis
		case !more:
			return href
		}
		at += next
	}
}

// ownName gives the name in the line of node i. Much of the name of a control with controls inside is theirs, and is
// told by the lines below.
func (l *layout) ownName(i int) string {
	n := &l.nodes[i]
	if l.namesake(i) >= 0 && !l.alone[i] {
		return ""
	}
	if !l.isControl(i) || l.slots[i].within < 2 || utf8.RuneCountInString(n.Name) <= briefName {
		return n.Name
	}
	inner := l.controlsIn(i)
	if len(inner) == 1 && inner[0].Name == n.Name {
		return ""
	}
	name := withoutInner(n.Name, inner)
	if n.shownRole() == "clickable" {
		name = Clean(name, groundName)
	}
	return name
}

// namesake gives the first line in article i if it is a control that says the article's name, else -1.
func (l *layout) namesake(i int) int {
	n, s := &l.nodes[i], &l.slots[i]
	if n.Kind != Structure || n.Role != "article" || blank(n.Name) {
		return -1
	}
	for j := i + 1; j < min(s.end, i+reach); j++ {
		if l.slots[j].part == wrapper {
			continue
		}
		if l.isControl(j) && strings.Contains(l.nodes[j].Name, n.Name) {
			return j
		}
		return -1
	}
	return -1
}

// headingText gives the text of heading i without the names of the controls in it, such as the link to the heading itself.
func (l *layout) headingText(i int) string {
	text := l.nodes[i].Name
	if l.nodes[i].Kind != Structure || l.slots[i].within == 0 {
		return text
	}
	for _, n := range slices.Backward(l.controlsIn(i)) {
		if rest := strings.TrimSuffix(text, n.Name); !blank(rest) {
			text = rest
		}
	}
	return text
}

// controlsIn lists the outermost controls in node i that have a name.
func (l *layout) controlsIn(i int) []*Node {
	var inner []*Node
	for j := i + 1; j < l.slots[i].end; j++ {
		if !l.isControl(j) {
			continue
		}
		if n := &l.nodes[j]; !blank(n.Name) {
			inner = append(inner, n)
		}
		j = l.slots[j].end - 1
	}
	return inner
}

// withoutInner leaves the names of inner controls out of the end of a name, and out of its beginning if enough remains.
// If there is nothing else in it, the first link stands for all of them.
func withoutInner(name string, inner []*Node) string {
	rest := name
	for _, n := range slices.Backward(inner) {
		rest = strings.TrimSuffix(rest, " "+n.Name)
	}
	tail := rest != name
	for _, n := range inner {
		if rest == inner[0].Name && n.Role == "link" {
			return n.Name + ellipsis
		}
	}
	head := rest
	for _, n := range inner {
		head = strings.TrimPrefix(head, n.Name+" ")
	}
	if head != rest && utf8.RuneCountInString(head) >= remains {
		rest = ellipsis + head
	}
	if tail {
		rest += ellipsis
	}
	return rest
}
