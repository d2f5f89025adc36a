package outline

import (
	"strconv"
	"strings"
	"unicode"
)

func itoa(n int) string { return strconv.Itoa(n) }

const (
	somText  = 600 // code points of a paragraph
	maxItems = 50  // of a list
	maxRows  = 50  // of a table
)

// node makes the element of node i, or adds it to the list or table that it is part of.
func (b *somBuilder) node(i int) {
	n := &b.snap.Nodes[i]
	switch n.Kind {
	case Control:
		b.control(i)
	case Text:
		b.text(i)
	case FrameNode:
		b.frame(i)
	case Unreachable:
		b.add(b.regionOf(i), SOMElement{Role: "section", Label: Clean(n.Name, nameLimit), Shadow: &SOMShadow{Mode: "unreadable"}})
	case Structure:
		b.structure(i)
	}
}

// text puts page text where it belongs: a cell, an item, or a paragraph of its own.
func (b *somBuilder) text(i int) {
	text := Clean(b.snap.Nodes[i].Name, somText)
	switch {
	case !tells(text):
	case b.table != nil && b.table.inRow:
		b.table.put(text)
	case b.list != nil && len(b.list.items) > 0:
		last := &b.list.items[len(b.list.items)-1]
		*last = strings.TrimSpace(*last + " " + text)
	default:
		b.add(b.regionOf(i), SOMElement{Role: "paragraph", Text: text})
	}
}

func (b *somBuilder) structure(i int) {
	n := &b.snap.Nodes[i]
	name := Clean(n.Name, nameLimit)
	switch n.Role {
	case "heading":
		level, _ := strconv.Atoi(n.Attr("level"))
		b.add(b.regionOf(i), SOMElement{Role: "heading", Text: name, Attrs: map[string]any{"level": min(max(level, 1), 6)}})
	case "list":
		if b.list == nil && b.table == nil {
			region := b.regionOf(i)
			b.list = &somGather{depth: n.Depth, region: region, element: b.add(region, SOMElement{Role: "list", Label: name, Attrs: map[string]any{"ordered": n.Tag == "ol"}})}
		}
	case "listitem":
		if b.list != nil {
			b.list.items = append(b.list.items, name)
		}
	case "table", "grid", "treegrid":
		if b.table == nil {
			region := b.regionOf(i)
			b.table = &somGather{depth: n.Depth, region: region, element: b.add(region, SOMElement{Role: "table", Label: name, Attrs: map[string]any{}})}
		}
	case "row":
		if b.table != nil {
			b.table.row()
		}
	case "cell", "gridcell", "columnheader", "rowheader":
		if b.table != nil && b.table.inRow {
			b.table.cell(name, n.Role == "columnheader")
		}
	default:
		b.other(i, name)
	}
}

// tells reports whether a text has anything but punctuation, which is what links leave between them.
func tells(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) && r != '|'
	})
}

// other makes the element of a structure that is worth telling for its name alone.
func (b *somBuilder) other(i int, name string) {
	n := &b.snap.Nodes[i]
	e := SOMElement{Role: strings.ReplaceAll(n.Role, "-", "_")}
	switch n.Role {
	case "image":
		e.Attrs = map[string]any{"alt": name}
	case "group", "radiogroup":
		e.Role, e.Attrs = "group", map[string]any{"legend": name}
	case "progressbar", "meter":
		e.Label, e.Attrs = name, map[string]any{"value": Clean(n.Value, valueLimit)}
		name += n.Value
	default:
		e.Role, e.Attrs = "section", map[string]any{"section_label": name}
		if n.Role != "region" && n.Role != "article" {
			e.Attrs["aria_role"] = n.Role
		}
	}
	if next := i + 1; next < len(b.snap.Nodes) && b.snap.Nodes[next].Role == "heading" && b.snap.Nodes[next].Name == n.Name {
		return // the heading says it
	}
	if name != "" {
		b.add(b.regionOf(i), e)
	}
}

func (b *somBuilder) frame(i int) {
	n := &b.snap.Nodes[i]
	e := SOMElement{Role: "iframe", Label: Clean(n.Name, nameLimit), Attrs: map[string]any{}}
	if n.Ref != "" {
		e.Attrs["frame"] = n.Ref
	}
	if origin := n.Attr("origin"); origin != "" {
		e.Attrs["origin"] = ShownURL(origin)
	}
	if n.Note != "" {
		e.Attrs["unreadable"] = n.Note
	}
	b.add(b.regionOf(i), e)
}

func (b *somBuilder) endList() {
	l := b.list
	b.list = nil
	items := []map[string]string{}
	for k, text := range l.items {
		if text != "" && len(items) < maxItems {
			items = append(items, map[string]string{"text": Clean(text, nameLimit)})
		} else if text != "" {
			items = append(items, map[string]string{"text": "… " + itoa(len(l.items)-k) + " more"})
			break
		}
	}
	elements := &b.out[l.region].Elements
	if len(items) == 0 { // its controls stand for themselves
		*elements = append((*elements)[:l.element], (*elements)[l.element+1:]...)
		return
	}
	(*elements)[l.element].Attrs["items"] = items
}

func (g *somGather) row() {
	g.inRow, g.rowHead = true, true
	g.rows = append(g.rows, nil)
}

func (g *somGather) cell(name string, head bool) {
	last := &g.rows[len(g.rows)-1]
	*last = append(*last, name)
	g.rowHead = g.rowHead && head
	if g.rowHead && len(g.rows) == 1 {
		g.heads = *last
	} else if len(g.rows) == 1 {
		g.heads = nil
	}
}

// put adds text to the last cell.
func (g *somGather) put(text string) {
	last := &g.rows[len(g.rows)-1]
	if len(*last) == 0 {
		*last = append(*last, "")
	}
	cell := &(*last)[len(*last)-1]
	*cell = strings.TrimSpace(*cell + " " + text)
	if g.heads != nil && len(g.rows) == 1 {
		g.heads = *last
	}
}

func (b *somBuilder) endTable() {
	t := b.table
	b.table = nil
	e := &b.out[t.region].Elements[t.element]
	rows := t.rows
	if t.heads != nil {
		e.Attrs["headers"], rows = cutAll(t.heads), rows[1:]
	}
	kept := [][]string{}
	for _, r := range rows[:min(len(rows), maxRows)] {
		kept = append(kept, cutAll(r))
	}
	e.Attrs["rows"] = kept
	if more := len(rows) - len(kept); more > 0 {
		e.Attrs["more_rows"] = more
	}
}

func cutAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = Clean(t, nameLimit)
	}
	return out
}
