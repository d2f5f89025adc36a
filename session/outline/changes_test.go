package outline

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRenderChanges(t *testing.T) {
	raw := `{"added": [
			{"i": 1, "d": 1, "k": "g", "r": "dialog", "n": "Delete?", "s": ["modal"]},
			{"i": 2, "d": 2, "k": "g", "r": "listitem"},
			{"d": 3, "k": "x", "n": "Gone for good."}, {"d": 3, "k": "x", "n": "Gone for good."},
			{"i": 3, "d": 3, "k": "c", "r": "button", "n": "Cancel"},
			{"i": 4, "d": 1, "k": "g", "r": "heading", "n": "Sure?", "a": {"level": 3}},
			{"i": 5, "k": "f", "r": "iframe", "n": "Chat"}, {"i": 6, "k": "z", "r": "shadow-root", "n": "x-chat"}],
		"changed": [{"i": 7, "k": "c", "r": "checkbox", "n": "All", "s": ["checked"]}],
		"removed": [{"i": 8, "k": "c", "r": "button", "n": "Undo"}, {"i": 9, "k": "c", "r": "link", "n": "Never seen"}],
		"more": 2}`
	c, err := DecodeChanges([]byte(raw), "f1")
	if err != nil {
		t.Fatal(err)
	}
	c.Assign(func(n *Node) string {
		if n.Key() == (Key{"f1", 9}) {
			return ""
		}
		return fmt.Sprintf("%se%d", n.Frame, n.ID)
	})
	got := RenderChanges(c, ChangeOptions{Nonce: "7f3a9c"})
	checkText(t, got.Text, "7f3a9c")
	golden(t, "changes.txt", got.Text)
	if len(got.Added) != 1 || got.Added[0].Ref != "f1e3" || len(got.Changed) != 1 || len(got.Removed) != 2 || got.Omitted != 2 {
		t.Errorf("RenderChanges = %+v", got)
	}
}

func TestRenderChangesIsBounded(t *testing.T) {
	var c Changes
	for i := range 500 {
		n := Node{ID: int64(i + 1), Kind: Control, Role: "button", Name: fmt.Sprintf("Button %d %s", i, strings.Repeat("long ", 30)), Ref: fmt.Sprintf("e%d", i)}
		c.Added = append(c.Added, n)
		c.Removed = append(c.Removed, n)
	}
	c.Changed = c.Added[:3]
	for _, o := range []ChangeOptions{{}, {Lines: 10}, {Budget: 200}, {Lines: 10000, Budget: 100000}} {
		got := RenderChanges(c, o)
		shown := len(got.Added) + len(got.Changed) + len(got.Removed)
		if shown+got.Omitted != 1003 || shown == 0 {
			t.Errorf("%+v: %d shown, %d omitted", o, shown, got.Omitted)
		}
		if o.Lines > 0 && shown > o.Lines || o.Budget > 0 && got.Tokens > o.Budget+60 {
			t.Errorf("%+v: %d lines, %d tokens", o, shown, got.Tokens)
		}
		if o.Budget == 0 && (len(got.Changed) == 0 || len(got.Removed) == 0) {
			t.Errorf("%+v: the additions leave no room for the rest", o)
		}
	}
}

func TestNoChanges(t *testing.T) {
	for within, want := range map[time.Duration]string{0: "No visible change.\n", 250 * time.Millisecond: "No visible change within 250 ms.\n"} {
		if got := RenderChanges(Changes{}, ChangeOptions{Within: within}).Text; got != want {
			t.Errorf("RenderChanges = %q, want %q", got, want)
		}
	}
	if c, err := DecodeChanges([]byte(`{}`), ""); err != nil || !c.Empty() {
		t.Errorf("DecodeChanges({}) = %+v, %v", c, err)
	}
}

func TestDiff(t *testing.T) {
	old, now := page(t, "jobs"), page(t, "jobs")
	now.Nodes = append(now.Nodes, Node{ID: 90, Kind: Structure, Role: "alert", Name: "Saved"}, Node{ID: 91, Kind: Control, Role: "link", Name: "Undo", Ref: "e13"})
	for i := range now.Nodes {
		switch n := &now.Nodes[i]; n.Name {
		case "Remote only":
			n.States = nil
		case "Save Senior AI Engineer":
			n.Name = "Saved"
		}
	}
	now.Nodes = append(now.Nodes[:9], now.Nodes[10:]...) // "Save search" is gone
	o := Options{Snapshot: "s5", Tab: "t2", Generation: 7, Nonce: "7f3a9c"}
	got := Diff(old, now, o)
	checkText(t, got.Text, "7f3a9c")
	golden(t, "diff.txt", got.Text)
	if same := Diff(old, old, o); !strings.Contains(same.Text, "(no change)") {
		t.Error(same.Text)
	}
	o.Budget = 120
	if small := Diff(Snapshot{}, now, o); small.Omitted == 0 || small.Tokens > 150 {
		t.Errorf("%d tokens, %d omitted:\n%s", small.Tokens, small.Omitted, small.Text)
	}
}

// TestDiffOfUnnumberedText tells blocks without a number apart by what they say.
func TestDiffOfUnnumberedText(t *testing.T) {
	block := func(s string) Node { return Node{Kind: Text, Name: s} }
	a := Snapshot{Nodes: []Node{block("same"), block("same"), block("old")}}
	b := Snapshot{Nodes: []Node{block("same"), block("new"), block("same"), block("same")}}
	c := Compare(a, b, ViewFull)
	if len(c.Added) != 2 || len(c.Removed) != 1 || len(c.Changed) != 0 {
		t.Errorf("Compare = %+v", c)
	}
}

// TestDiffOfInterruptedText tells the texts of one block apart, between which there is another block.
func TestDiffOfInterruptedText(t *testing.T) {
	texts := func(now string) Snapshot {
		return Snapshot{Nodes: []Node{{ID: 1, Kind: Text, Name: now}, {ID: 2, Kind: Text, Name: "was"}, {ID: 1, Kind: Text, Name: "160"}}}
	}
	if c := Compare(texts("129"), texts("129"), ViewFull); !c.Empty() {
		t.Errorf("Compare of equals = %+v", c)
	}
	if c := Compare(texts("129"), texts("119"), ViewFull); len(c.Changed) != 1 || c.Changed[0].Name != "119" || len(c.Added)+len(c.Removed) > 0 {
		t.Errorf("Compare = %+v", c)
	}
}
