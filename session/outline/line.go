package outline

import "strconv"

// appendLine appends the line of node i, without indent and line break.
func (l *layout) appendLine(dst []byte, i int) []byte {
	n, s := &l.nodes[i], &l.slots[i]
	switch {
	case l.isText(i) && s.level == 0:
		return l.appendText(dst, i)
	case n.Kind == FrameNode:
		return l.appendCount(appendFrame(dst, n), i)
	case n.Kind == Unreachable:
		return appendUnreachable(dst, n)
	case s.row && l.rowText(nil, i) != nil:
		return l.appendRow(dst, i)
	case n.Kind == Structure && n.Role == "heading", l.isText(i):
		dst = append(dst, "######"[:s.level]...)
		return appendClean(append(dst, ' '), l.headingText(i), nameLimit, false)
	}
	brief := l.inBrief(i)
	return l.appendCount(appendNode(dst, &brief, s.level), i)
}

// appendRow appends the line of a table row, which holds the texts of its cells. A row that can be acted on is a control.
func (l *layout) appendRow(dst []byte, i int) []byte {
	if l.slots[i].header {
		return append(l.rowText(append(dst, "columns \""...), i), '"')
	}
	control := l.isControl(i)
	if control {
		dst = appendRef(dst, &l.nodes[i])
	}
	dst = append(l.rowText(append(dst, "row \""...), i), '"')
	if !control {
		return dst
	}
	brief := l.inBrief(i)
	return appendFacts(dst, &brief)
}

// appendRef begins the line of a control.
func appendRef(dst []byte, n *Node) []byte {
	if n.Ref == "" {
		return dst
	}
	return append(append(append(dst, '['), n.Ref...), "] "...)
}

// appendCount adds in the view outline how many controls are below node i, and the name to ask for them by.
func (l *layout) appendCount(dst []byte, i int) []byte {
	n, s := &l.nodes[i], &l.slots[i]
	if l.view != ViewOutline || s.within == 0 || n.Kind == Control {
		return dst
	}
	dst = strconv.AppendInt(append(dst, " controls="...), int64(s.within), 10)
	if id := regionID(n); id != "" {
		dst = append(append(dst, " id="...), id...)
	}
	return dst
}

// appendNode appends the line of a control or a piece of structure. heading is the level of a heading folded into it.
func appendNode(dst []byte, n *Node, heading int) []byte {
	if n.Kind == Control {
		dst = appendRef(dst, n)
	}
	dst = append(dst, n.shownRole()...)
	if !blank(n.Name) {
		dst = appendQuoted(append(dst, ' '), n.Name, nameLimit)
	}
	if heading > 0 && n.Attr("heading") == "" {
		dst = strconv.AppendInt(append(dst, " heading="...), int64(heading), 10)
	}
	return appendFacts(dst, n)
}

// shownRole is the role as it is printed: what can be clicked and has no role, or one that only says what kind of words it
// is, is clickable.
func (n *Node) shownRole() string {
	if n.Kind == Control && (n.Role == "generic" || isWording(n.Role)) {
		return "clickable"
	}
	return n.Role
}

// appendFacts appends states, attributes and value. What a secret or file field holds comes last.
func appendFacts(dst []byte, n *Node) []byte {
	held := ""
	attrs := n.Attrs
	for len(attrs) > 0 && attrs[0].Key == "heading" {
		dst, attrs = appendAttr(dst, attrs[0]), attrs[1:]
	}
	for _, state := range n.States {
		if state == "filled" || state == "empty" {
			held = state
			continue
		}
		dst = append(append(dst, ' '), state...)
	}
	for len(attrs) > 0 && attrOrder[attrs[0].Key] != 0 && attrOrder[attrs[0].Key] <= attrOrder["href"] {
		dst, attrs = appendAttr(dst, attrs[0]), attrs[1:]
	}
	if !blank(n.Value) {
		dst = appendQuoted(append(dst, " value="...), n.Value, valueLimit)
	}
	for _, a := range attrs {
		dst = appendAttr(dst, a)
	}
	if held != "" {
		dst = append(append(dst, ' '), held...)
	}
	return dst
}

func appendAttr(dst []byte, a Attr) []byte {
	dst = append(dst, ' ')
	if a.Key == "count" && a.Number {
		return append(dst, a.Value...)
	}
	dst = append(append(dst, a.Key...), '=')
	if a.Number {
		return append(dst, a.Value...)
	}
	if a.Key == "options" {
		return appendQuoted(dst, a.Value, optionsLimit)
	}
	return appendQuoted(dst, a.Value, valueLimit)
}

func appendFrame(dst []byte, n *Node) []byte {
	dst = append(dst, "frame"...)
	if n.Ref != "" {
		dst = append(append(dst, ' '), n.Ref...)
	}
	if !blank(n.Name) {
		dst = appendQuoted(append(dst, ' '), n.Name, nameLimit)
	}
	dst = appendFacts(dst, n)
	switch {
	case n.Note != "":
		dst = appendQuoted(append(dst, " unreachable="...), n.Note, valueLimit)
	case !n.merged:
		dst = append(dst, " unreachable"...)
	}
	return dst
}

func appendUnreachable(dst []byte, n *Node) []byte {
	dst = append(append(dst, "unreachable "...), n.Role...)
	if !blank(n.Name) {
		dst = appendQuoted(append(dst, ' '), n.Name, nameLimit)
	}
	if n.Note != "" {
		dst = appendQuoted(append(dst, " note="...), n.Note, valueLimit)
	}
	return dst
}

// regionID names a region for the argument scope of a later call: "r" and the agent's number of the node.
func regionID(n *Node) string {
	if n.ID == 0 || !isRegion(n.Role) || n.Kind != Structure {
		return ""
	}
	return n.Frame + "r" + strconv.FormatInt(n.ID, 10)
}
