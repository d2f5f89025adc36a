package outline

import (
	"strings"
	"testing"
)

// control makes a control with others inside, which are links unless their name begins with another role.
func control(role, name string, inner ...string) []Node {
	nodes := []Node{{ID: 1, Kind: Control, Role: role, Name: name}}
	for i, n := range inner {
		r, what, ok := strings.Cut(n, ":")
		if !ok {
			r, what = "link", n
		}
		nodes = append(nodes, Node{ID: int64(i + 2), Depth: 1, Kind: Control, Role: r, Name: what})
	}
	return nodes
}

// TestNamesOfControlsWithControls: what the lines below say is left out, and what is left out is marked.
func TestNamesOfControlsWithControls(t *testing.T) {
	for _, test := range []struct {
		name  string
		nodes []Node
		want  string
	}{
		{"short names stay", control("treeitem", "Starred Open", "button:Open"), "Starred Open"},
		{"the end", control("option", "holiday-pictures-2025.zip More actions for it", "button:More actions for it"), "holiday-pictures-2025.zip…"},
		{"several at the end", control("clickable", "Reply to Siri about the budget Edit Set date", "button:Edit", "button:Set date"), "Reply to Siri about the budget…"},
		{"not within a word", control("clickable", "Reply to Siri about the budgetEdit of this and that", "button:that"), "Reply to Siri about the budgetEdit of this and…"},
		{"the beginning, if enough remains", control("checkbox", "Select 2040 Acme Corp Paid 2025-01-10 More", "checkbox:Select 2040", "button:More"), "…Acme Corp Paid 2025-01-10…"},
		{"not the beginning, if little remains", control("clickable", "Ask legal about the cookie banner Jun 6 Edit card", "Ask legal about the cookie banner", "button:Edit card"), "Ask legal about the cookie banner Jun 6…"},
		{"nothing but inner names", control("clickable", "Colour: green Choose a font for the site Edit card", "button:Colour: green", "Choose a font for the site", "button:Edit card"), "Choose a font for the site…"},
		{"one inner name that says all", control("gridcell", "Your ticket Oslo S – Bergen, coach 4, seat 52", "Your ticket Oslo S – Bergen, coach 4, seat 52"), ""},
		{"an author's name stays", control("article", "Comment by Ola Nordmann on the field notes", "button:Resolve"), "Comment by Ola Nordmann on the field notes"},
		{"the ground of other controls", control("clickable", strings.Repeat("word ", 30), "button:Push"), Clean(strings.Repeat("word ", 30), groundName)},
	} {
		l := arrange(test.nodes, ViewControls)
		if got := l.inBrief(0).Name; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestBriefHref(t *testing.T) {
	for _, test := range []struct{ href, want string }{
		{"/jobs/view/123", "/jobs/view/123"},
		{"/c/tents?page=2", "/c/tents?page=2"},
		{"/c/tents?size=2&view=list", "/c/tents?size=2&view=list"},
		{"?page=2", "?page=2"},
		{"#reviews", "#reviews"},
		{"/search?q=boots&sca_esv=8b7d1f0c5b2f8e6a&ei=w8pTZ6fUO5qU&start=10", "/search?q=boots&…"},
		{"https://shop.example/p/1?utm_source=mail", "https://shop.example/p/1?…"},
		{"https://shop.example/p/1?a=1&utm_source=mail&b=2", "https://shop.example/p/1?a=1&…"},
		{"/login?returnUrl=%2Faccount%2Forders%2Fmine", "/login?…"},
		{"/" + strings.Repeat("x", 80), "/" + strings.Repeat("x", 58) + ellipsis},
		{"/" + strings.Repeat("é", 30) + "?a=1", "/" + strings.Repeat("é", 30) + "?a=1"},
		{"", ""},
	} {
		if got := briefHref(test.href); got != test.want {
			t.Errorf("briefHref(%q) = %q, want %q", test.href, got, test.want)
		}
	}
}

// TestFactsLeftOut: a line leaves out what its role or its name means anyway.
func TestFactsLeftOut(t *testing.T) {
	for _, test := range []struct {
		node Node
		want string
	}{
		{Node{Role: "combobox", Name: "City", States: []string{"expanded=false", "haspopup=listbox"}}, `combobox "City"`},
		{Node{Role: "combobox", Name: "City", States: []string{"expanded", "haspopup=dialog"}}, `combobox "City" expanded haspopup=dialog`},
		{Node{Role: "button", Name: "More", States: []string{"expanded=false", "haspopup=menu"}}, `button "More" haspopup=menu`},
		{Node{Role: "button", Name: "More", States: []string{"expanded=false"}}, `button "More" expanded=false`},
		{Node{Role: "link", Name: "Inbox 4 unread", Attrs: []Attr{{"href", "#", false}, {"description", "inbox", false}}}, `link "Inbox 4 unread"`},
		{Node{Role: "button", Name: "Play", Attrs: []Attr{{"description", "Play (k)", false}}}, `button "Play" description="Play (k)"`},
		{Node{Role: "treeitem", Name: "src", Attrs: []Attr{{"level", "1", true}}}, `treeitem "src"`},
		{Node{Role: "treeitem", Name: "src", Attrs: []Attr{{"level", "2", true}}}, `treeitem "src" level=2`},
	} {
		test.node.ID, test.node.Kind = 1, Control
		l := arrange([]Node{test.node}, ViewControls)
		if got := string(l.appendLine(nil, 0)); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// TestColumns: equal controls of a row are told apart by the headings of their columns.
func TestColumns(t *testing.T) {
	cell := func(depth int, role, name string) Node {
		return Node{Depth: depth, Kind: Structure, Role: role, Name: name}
	}
	book := Node{Depth: 3, Kind: Control, Role: "button", Name: "Book"}
	page := []Node{
		cell(0, "table", ""), cell(1, "row", ""), cell(2, "columnheader", "Time"), cell(2, "columnheader", "Monday"), cell(2, "columnheader", "Tuesday"),
		cell(1, "row", ""), cell(2, "rowheader", "09:00"), cell(2, "cell", ""), book, cell(2, "cell", ""), book,
		cell(1, "row", ""), cell(2, "rowheader", "10:00"), cell(2, "cell", ""), cell(2, "cell", ""), book,
		cell(1, "row", ""), cell(2, "rowheader", "11:00"), book, book,
	}
	for i := range page {
		page[i].ID = int64(i + 1)
	}
	s := Snapshot{Nodes: page}
	number(&s)
	const want = `table
  columns "Time | Monday | Tuesday"
  row "09:00"
    [e1] button "Book" column="Monday"
    [e2] button "Book" column="Tuesday"
  row "10:00"
    [e3] button "Book"
  row "11:00"
    [e4] button "Book"
    [e5] button "Book"
`
	if got := Render(s, Options{Nonce: "7f3a9c"}).Text; !strings.Contains(got, want) {
		t.Errorf("no\n%s in\n%s", want, got)
	}
}
