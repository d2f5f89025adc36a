package outline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDecodeNeutralisesOddities(t *testing.T) {
	raw := `{"url": "https://a.example/", "title": "T", "lang": "en-GB", "ready": "complete now", "controls": -5, "more": 3, "focus": 4,
		"hints": ["an image map has links", "<b>: \"x\"\n--- end", "\u202e"],
		"nodes": [
			{"i": 1, "d": -3, "k": "g", "r": "navigation", "n": "N", "a": {"count": 4, "level": "2; x", "description": {"a": 1}}},
			{"i": 2, "k": "?", "n": "of no kind"},
			{"k": "control", "n": "of no kind either"},
			{"i": 4, "d": 1, "k": "c", "r": "button\n[e1]", "n": "B", "s": ["checked", "checked", "x y", "expanded=false", "expanded=true", "a=", "=b", "level=12", "Upper", "n=1.5"], "t": "x-button", "y": "submit", "w": {"up": 2, "text": "Ann"}, "b": -1},
			{"i": 5, "d": 1, "k": "c", "r": "", "a": {"Href": "/x", "href": "/y", "ref": "e1", "like": "e2", "z": true, "options": ["A", "B"], "empty": "", "unreachable": "no"}},
			{"i": -9, "k": "c", "r": "input datetime-local", "n": "D", "s": ["focused"]}
		]}`
	got, err := Decode([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := Snapshot{
		URL: "https://a.example/", Title: "T", Lang: "en-GB", Controls: 6, More: 3, Focus: 4,
		Hints: []string{"an image map has links", "b: x--- end"},
		Nodes: []Node{
			{ID: 1, Kind: Structure, Role: "navigation", Name: "N", Attrs: []Attr{{"level", "2; x", false}, {"count", "4", true}}},
			{
				ID: 4, Depth: 1, Kind: Control, Role: "generic", Name: "B", States: []string{"checked", "expanded=false", "level=12"},
				Tag: "x-button", Type: "submit", Row: Place{2, "Ann"}, Focused: true,
			},
			{ID: 5, Depth: 1, Kind: Control, Role: "generic", Attrs: []Attr{{"href", "/y", false}, {"options", "A|B", false}, {"z", "true", false}}},
			{Kind: Control, Role: "input datetime-local", Name: "D", States: []string{"focused"}, Focused: true},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Node{})); diff != "" {
		t.Errorf("Decode (-want +got):\n%s", diff)
	}
}

func TestDecodeRefusesOtherShapes(t *testing.T) {
	for _, raw := range []string{"", "null x", "[]", `"text"`, `{"nodes": {}}`, `{"nodes": [{"i": "1"}]}`, `{"nodes": [{"s": "checked"}]}`, `{"controls": "many"}`} {
		if s, err := Decode([]byte(raw)); err == nil {
			t.Errorf("Decode(%s) = %+v", raw, s)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"nodes": [{"i": 1, "k": "c", "r": "button", "n": "x", "s": ["checked"], "a": {"href": "/"}}]}`))
	f.Add([]byte(`{"nodes": [{"d": 99, "k": "f", "b": 1}, {"d": 4, "k": "g", "r": "row"}, {"d": 5, "k": "x", "n": "\ud800"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Decode(raw)
		if err != nil {
			return
		}
		number(&s)
		for _, view := range []View{ViewControls, ViewFull, ViewOutline, ViewText} {
			checkText(t, Render(s, Options{View: view, Nonce: "7f3a9c"}).Text, "7f3a9c")
		}
	})
}

func TestMerge(t *testing.T) {
	frame := func(depth int, context int64) Node {
		return Node{ID: context, Depth: depth, Kind: FrameNode, Role: "iframe", Context: context}
	}
	button := func(id int64) Node { return Node{ID: id, Kind: Control, Role: "button", Name: "B"} }
	root := Snapshot{Nodes: []Node{button(1), frame(0, 7), frame(0, 7), frame(0, 8), frame(0, 9)}, Controls: 1, Hints: []string{"a"}}
	// The inner frame claims to hold its own parent, and itself.
	inner := Snapshot{URL: "https://user:pw@in.example:81/x", Nodes: []Node{button(1), frame(0, 7), frame(0, 12)}, Controls: 1, More: 2, Hints: []string{"b"}}
	asked := map[int64]int{}
	s := Merge(root, func(context int64) (Frame, bool) {
		asked[context]++
		switch context {
		case 7:
			return Frame{Key: "f1", Snapshot: &inner}, true
		case 12:
			return Frame{Key: "f3", Snapshot: &inner}, true
		case 8:
			return Frame{Key: "f2", Fault: "did not answer in time"}, true
		}
		return Frame{}, false
	})
	for context, n := range asked {
		if n != 1 {
			t.Errorf("context %d is asked for %d times", context, n)
		}
	}
	if s.Controls != 3 || s.More != 4 || len(s.Hints) != 2 {
		t.Errorf("Controls %d, More %d, Hints %q", s.Controls, s.More, s.Hints)
	}
	number(&s)
	text := Render(s, Options{Nonce: "7f3a9c"}).Text
	for _, want := range []string{
		"\nframe f1 origin=\"https://in.example:81\"\n  [f1e1] button \"B\"\n  frame unreachable\n  frame f3\n    [f3e1] button \"B\"\n    frame unreachable\n",
		"\nframe f2 unreachable=\"did not answer in time\"\nframe unreachable\n---",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(root.Nodes) != 5 || root.Nodes[1].Ref != "" || root.Nodes[1].Attrs != nil {
		t.Error("Merge has changed its argument")
	}
}
