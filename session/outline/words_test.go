package outline

import (
	"strings"
	"testing"
)

// TestTextFlows joins what the agent has cut at links, in the view text only.
func TestTextFlows(t *testing.T) {
	raw := `{"nodes": [
		{"i": 1, "d": 0, "k": "x", "n": "Tea is an"}, {"i": 2, "d": 0, "k": "c", "r": "link", "n": "aromatic", "a": {"href": "/a"}},
		{"d": 0, "k": "x", "n": "drink, made with"}, {"i": 3, "d": 0, "k": "c", "r": "link", "n": "water"}, {"d": 0, "k": "x", "n": "."},
		{"i": 4, "d": 0, "k": "c", "r": "link", "n": "Next"}, {"i": 5, "d": 0, "k": "x", "n": "Another paragraph"},
		{"i": 6, "d": 0, "k": "c", "r": "textbox", "n": "Name"}, {"d": 0, "k": "x", "n": "goes on."}, {"i": 7, "d": 0, "k": "x", "n": " | "}]}`
	s, err := Decode([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	number(&s)
	for view, want := range map[View]string{
		ViewText: "> Tea is an aromatic drink, made with water.\n> Next\n> Another paragraph\n> goes on.\n",
		ViewFull: "> Tea is an\n[e1] link \"aromatic\" href=\"/a\"\n> drink, made with\n[e2] link \"water\"\n[e3] link \"Next\"\n" +
			"> Another paragraph\n[e4] textbox \"Name\"\n> goes on.\n",
	} {
		if text := Render(s, Options{View: view, Nonce: "n"}).Text; !strings.Contains(text, " ---\n"+want+"--- end") {
			t.Errorf("%s:\n%s\nwant\n%s", view, text, want)
		}
	}
}

func TestWholeText(t *testing.T) {
	long := strings.Repeat("word ", 400)
	s := Snapshot{Nodes: []Node{{ID: 1, Kind: Text, Name: long}}}
	for _, test := range []struct {
		o    Options
		want int
	}{
		{Options{View: ViewText}, textLimit},
		{Options{View: ViewText, WholeText: true}, len(long) - 1},
		{Options{View: ViewText, WholeText: true, MaxText: 1000}, 1000},
		{Options{View: ViewFull, MaxText: 50}, 50},
	} {
		if got := Render(s, test.o).Stats.TextChars; got != test.want {
			t.Errorf("%+v: %d code points of text, want %d", test.o, got, test.want)
		}
	}
}

// TestRowsStayReadable shows rows as an agent gives them: cells are structure, their texts blocks.
func TestRowsStayReadable(t *testing.T) {
	cell := func(role string) Node { return Node{Depth: 2, Kind: Structure, Role: role} }
	text := func(s string) Node { return Node{Depth: 3, Kind: Text, Name: s} }
	link := Node{Depth: 3, Kind: Control, Role: "link", Name: "Edit", Ref: "e1"}
	head := cell("columnheader")
	head.Name = "Name"
	row := Node{Depth: 1, Kind: Structure, Role: "row"}
	for name, test := range map[string]struct {
		nodes []Node
		want  string
	}{
		"header":                     {[]Node{row, head, head}, `columns "Name | Name"`},
		"texts of a cell":            {[]Node{row, cell("cell"), text("a"), text("b"), cell("cell"), text("c")}, `row "a b | c"`},
		"separators say nothing":     {[]Node{row, cell("cell"), text("("), link, text(")"), cell("cell"), text("x")}, `row "x"`},
		"an empty cell has no place": {[]Node{row, cell("cell"), link, cell("cell"), text("x")}, `row "x"`},
		"under headers it has":       {[]Node{row, head, head, head, row, cell("cell"), link, cell("cell"), cell("cell"), text("x")}, `row "| | x"`},
		"quotes":                     {[]Node{row, cell("cell"), text(`a" | "b`)}, `row "a\" | \"b"`},
		"too much for a row":         {[]Node{row, cell("cell"), text(strings.Repeat("long ", 300))}, "> long long"},
	} {
		nodes := append([]Node{{Kind: Structure, Role: "table", Name: "T"}}, test.nodes...)
		if got := Render(Snapshot{Nodes: nodes}, Options{View: ViewFull}).Text; !strings.Contains(got, "\n  "+test.want) {
			t.Errorf("%s: no %s in\n%s", name, test.want, got)
		}
	}
}

// TestHeadingsGovern prints a heading in the view controls only when a control follows in its scope.
func TestHeadingsGovern(t *testing.T) {
	heading := func(depth int, level, name string) Node {
		return Node{Depth: depth, Kind: Structure, Role: "heading", Name: name, Attrs: []Attr{{"level", level, true}}}
	}
	button := func(depth int, name string) Node {
		return Node{Depth: depth, Kind: Control, Role: "button", Name: name, Ref: "e1"}
	}
	s := Snapshot{Nodes: []Node{
		{Kind: Structure, Role: "banner"},
		heading(1, "1", "Site"),
		{Kind: Structure, Role: "complementary", Name: "Aside"},
		heading(1, "2", "Only in the aside"),
		{Kind: Structure, Role: "main"},
		heading(1, "2", "Without controls"),
		heading(1, "2", "With one"),
		heading(1, "3", "Deeper, without"),
		heading(1, "3", "Deeper, with"),
		button(1, "Go"),
	}}
	want := "banner\n  # Site\nmain\n  ## With one\n  ### Deeper, with\n  [e1] button \"Go\"\n"
	if got := Render(s, Options{Nonce: "n"}).Text; !strings.Contains(got, " ---\n"+want+"--- end") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
