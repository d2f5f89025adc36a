package outline

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// refsOf reads a list of references and ranges of them: e4-e9,e12.
func refsOf(t *testing.T, list string) []string {
	t.Helper()
	var out []string
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		out = append(out, first)
		if !isRange {
			continue
		}
		at := strings.LastIndexByte(first, 'e') + 1
		from, _ := strconv.Atoi(first[at:])
		to, _ := strconv.Atoi(last[at:])
		for n := from + 1; n <= to; n++ {
			out = append(out, first[:at]+strconv.Itoa(n))
		}
	}
	return out
}

// large is a page of n controls in regions of every kind, with text between them.
func large(n int) Snapshot {
	s := Snapshot{URL: "https://large.example/", Title: "Large", Controls: n}
	add := func(depth int, k Kind, role, name string) {
		s.Nodes = append(s.Nodes, Node{ID: int64(len(s.Nodes) + 1), Depth: depth, Kind: k, Role: role, Name: name})
	}
	regions := []string{"banner", "navigation", "complementary", "main", "form", "region", "contentinfo", "dialog"}
	for i := range n {
		if per := max(n/len(regions), 1); i%per == 0 && i/per < len(regions) {
			add(0, Structure, regions[i/per], fmt.Sprintf("Region %d", i/per))
			add(1, Structure, "list", "")
		}
		if i%5 == 0 {
			add(2, Structure, "listitem", "")
			add(3, Structure, "heading", fmt.Sprintf("Item %d", i/5))
		}
		add(3, Control, []string{"link", "button", "checkbox"}[i%3], fmt.Sprintf("Control number %d", i))
		add(3, Text, "", fmt.Sprintf("Some words about number %d, neither many nor few.", i))
	}
	number(&s)
	return s
}

func fixtures(t *testing.T) map[string]Snapshot {
	t.Helper()
	files, err := filepath.Glob("testdata/pages/*.json")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Snapshot{"large": large(120)}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		out[name] = page(t, name)
	}
	return out
}

// TestPagesGiveEachControlOnce reads every fixture to its end under all kinds of limits.
func TestPagesGiveEachControlOnce(t *testing.T) {
	for name, s := range fixtures(t) {
		for _, view := range []View{ViewControls, ViewFull} {
			for _, o := range []Options{
				{Budget: 1},
				{Budget: 150},
				{Budget: 300},
				{Budget: 700},
				{Budget: 4000},
				{MaxElements: 1},
				{MaxElements: 7},
				{MaxText: 40},
				{Budget: 500, MaxElements: 9, MaxText: 100},
			} {
				o.View, o.Snapshot, o.Tab, o.Nonce = view, "s1", "t1", "7f3a9c"
				t.Run(fmt.Sprintf("%s/%s/%d,%d,%d", name, view, o.Budget, o.MaxElements, o.MaxText), func(t *testing.T) {
					readAll(t, s, o)
				})
			}
		}
	}
}

func readAll(t *testing.T, s Snapshot, o Options) {
	t.Helper()
	given := map[string]bool{}
	for pages := 0; ; pages++ {
		if pages > len(s.Nodes)+1 {
			t.Fatal("the pages have no end")
		}
		r := Render(s, o)
		checkElements(t, checkText(t, r.Text, o.Nonce), r.Elements)
		for _, e := range r.Elements {
			if given[e.Ref] {
				t.Fatalf("%s is given twice", e.Ref)
			}
			given[e.Ref] = true
		}
		if o.MaxElements > 0 && len(r.Elements) > o.MaxElements {
			t.Errorf("%d elements, limit %d", len(r.Elements), o.MaxElements)
		}
		if o.MaxText > 0 && r.Stats.TextChars > o.MaxText {
			t.Errorf("%d code points of text, limit %d", r.Stats.TextChars, o.MaxText)
		}
		if o.Budget >= 300 && r.Stats.Tokens > o.Budget && len(r.Elements) > 1 {
			t.Errorf("%d tokens, budget %d:\n%s", r.Stats.Tokens, o.Budget, r.Text)
		}
		if r.Next == (Cursor{}) {
			break
		}
		cursor, err := ParseCursor(r.Next.String())
		if err != nil || cursor != r.Next {
			t.Fatalf("cursor %q is read as %+v, %v", r.Next, cursor, err)
		}
		o.Cursor = cursor
	}
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Kind == Control && !given[n.Ref] {
			t.Errorf("%s %q is never given", n.Ref, n.Name)
		}
	}
}

// TestBudgetOrder shows what comes first when not everything fits.
func TestBudgetOrder(t *testing.T) {
	for _, test := range []struct {
		page   string
		budget int
	}{{"shop", 420}, {"frames", 170}, {"table", 230}} {
		o := Options{Snapshot: "s4", Tab: "t2", Generation: 7, Nonce: "7f3a9c", Budget: test.budget}
		for n := 1; n <= 2; n++ {
			r := Render(page(t, test.page), o)
			golden(t, fmt.Sprintf("%s.budget%d.%d.txt", test.page, test.budget, n), r.Text)
			o.Cursor = r.Next
		}
	}
}

// TestFocusedRegionComesFirst puts the focus into the form in the footer.
func TestFocusedRegionComesFirst(t *testing.T) {
	s := page(t, "shop")
	for i := range s.Nodes {
		if s.Nodes[i].Name == "Email address" {
			s.Nodes[i].Focused = true
		}
	}
	r := Render(s, Options{Budget: 200})
	if len(r.Elements) == 0 || r.Elements[0].Name != "Email address" {
		t.Errorf("the first of %d elements is %+v", len(r.Elements), r.Elements[:min(len(r.Elements), 1)])
	}
}

// TestPathologicalPages are built to be slow; they must not be.
func TestPathologicalPages(t *testing.T) {
	const n = 10_000
	for _, role := range []string{"listitem", "row", "navigation", "generic", "heading", "table"} {
		s := Snapshot{Nodes: make([]Node, 0, 2*n)}
		for i := range n {
			s.Nodes = append(s.Nodes, Node{ID: int64(2*i + 1), Depth: i, Kind: Structure, Role: role, Name: "x"})
			if i%10 == 0 {
				s.Nodes = append(s.Nodes, Node{ID: int64(2*i + 2), Depth: i + 1, Kind: Control, Role: "button", Name: "b" + strconv.Itoa(i)})
			}
		}
		number(&s)
		for _, view := range []View{ViewControls, ViewFull, ViewText, ViewOutline} {
			if r := Render(s, Options{View: view, Budget: 4000, Nonce: "7f3a9c"}); r.Text == "" {
				t.Errorf("%s: empty", role)
			}
		}
	}
}

func TestParseCursor(t *testing.T) {
	for _, bad := range []string{"", "s4", "s4.controls", "s4.controls.", "s4.all.3", "s4.controls.-1", "s4.controls.9999999999", "S 4.full.1", ".full.1", "s4.full.1.2"} {
		if c, err := ParseCursor(bad); err == nil {
			t.Errorf("ParseCursor(%q) = %+v", bad, c)
		}
	}
	r := Render(page(t, "jobs"), Options{Cursor: Cursor{"s4", ViewFull, 1 << 20}})
	if !strings.Contains(r.Text, "(no more)") {
		t.Error("a cursor behind the end:", r.Text)
	}
}
