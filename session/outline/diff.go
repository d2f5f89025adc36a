package outline

import "bytes"

// identity tells a node of one snapshot from the others, and is the same in the next. Most nodes have their agent's
// number; the rest go by what they say. Those alike are counted.
type identity struct {
	key  Key
	kind Kind
	name string
	nth  int
}

// Compare gives what is different in b, a later snapshot of the same documents, as far as the view shows it.
func Compare(a, b Snapshot, view View) Changes {
	old, now := printed(a.Nodes, view), printed(b.Nodes, view)
	before := make(map[identity]*printedNode, len(old))
	for i := range old {
		before[old[i].id] = &old[i]
	}
	var c Changes
	for i := range now {
		n := &now[i]
		switch was, known := before[n.id]; {
		case !known:
			c.Added = append(c.Added, *n.node)
		default:
			was.seen = true
			if !bytes.Equal(was.line, n.line) {
				c.Changed = append(c.Changed, *n.node)
			}
		}
	}
	for i := range old {
		if !old[i].seen {
			c.Removed = append(c.Removed, *old[i].node)
		}
	}
	return c
}

// printedNode is a node with the line that a view shows of it.
type printedNode struct {
	id   identity
	node *Node
	line []byte // without the reference
	seen bool
}

// printed lists the nodes that the view shows.
func printed(nodes []Node, view View) []printedNode {
	l := arrange(nodes, view)
	out := make([]printedNode, 0, len(nodes))
	nth := map[identity]int{}
	for i := range nodes {
		if l.slots[i].part == wrapper {
			continue
		}
		n := nodes[i]
		n.Ref = ""
		id := identity{key: n.Key(), kind: n.Kind}
		if n.ID == 0 {
			id.name = n.Name
		}
		nth[id]++ // a block that other blocks interrupt has several texts
		id.nth = nth[id]
		line := l.appendLine(nil, i)
		if ref := nodes[i].Ref; ref != "" && l.isControl(i) {
			line = line[len("[] ")+len(ref):]
		}
		out = append(out, printedNode{id: id, node: &nodes[i], line: line})
	}
	return out
}

// Diff writes in what s, a later snapshot of the same documents, differs from old: the head of a snapshot, then lines
// as those of RenderChanges. Options as for Render; paging does not apply.
func Diff(old, s Snapshot, o Options) ChangeResult {
	if o.View == "" {
		o.View = ViewControls
	}
	c := Compare(old, s, o.View)
	r := renderer{snap: &s, o: &o}
	head := r.appendHead(nil)
	head = append(append(head, "Snapshot: "...), r.stamp()...)
	head = append(append(head, c.summary()...), " since the last one\n"...)
	co := ChangeOptions{Lines: 200, Budget: 1 << 30, Nonce: o.Nonce}
	if o.Budget > 0 {
		co.Budget = max(o.Budget-Tokens(string(head))-40, 1)
	}
	l := newChangeList(&c, co)
	body, res := l.render()
	if res.Omitted > 0 {
		body = append(body, "(more changes than fit; take a snapshot without diff)\n"...)
	}
	if len(body) == 0 {
		body = append(body, "(no change)\n"...)
	}
	res.Text = string(head) + fence(body, o.Nonce)
	res.Tokens = Tokens(res.Text)
	return res
}
