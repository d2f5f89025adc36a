package session_test

import (
	"fmt"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// crowd is a page of n elements, a fifth of them controls.
func crowd(n int) string {
	var page strings.Builder
	page.WriteString("<main><h1>Stock</h1>")
	for i := range n / 5 {
		fmt.Fprintf(&page, `<div><span>Part %d</span><b>of lot %d</b><i>in stock</i><button>Order %d</button></div>`, i, i/100, i)
	}
	return page.String() + "<p>The very last words</p></main>"
}

// BenchmarkFind: what stands at the end of a page of 100,000 elements, beside a
// bare walk of the page in the same realm.
func BenchmarkFind(b *testing.B) {
	s := newStage(b, session.Config{Privileged: true}, map[string]string{"/": crowd(100_000)})
	s.open("/")
	c := s.oracle
	console, window := content(b, c)
	grip, err := c.Object(b.Context(), console, fmt.Sprintf(walk, window, walker))
	if err != nil {
		b.Fatal(err)
	}
	floor := func() error {
		_, err := c.Evaluate(b.Context(), console, "_self()", map[string]any{"selectedObjectActor": grip})
		return err
	}
	for _, bm := range []struct {
		name string
		args session.FindArgs
	}{
		{"name", session.FindArgs{Role: "button", Name: "Order 19999"}},
		{"text", session.FindArgs{Text: "the very last words"}},
		{"selector", session.FindArgs{Selector: "main > p"}},
		{"all", session.FindArgs{Role: "button", Limit: 100}},
		{"rare", session.FindArgs{Role: "emphasis", Limit: 100}},
		{"both", session.FindArgs{Selector: "span", Text: "part 19999"}},
		{"none", session.FindArgs{Text: "not there"}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			beside(b, func() error { _, err := s.Find(b.Context(), bm.args); return err }, floor)
		})
	}
	b.Run("snapshot", func(b *testing.B) {
		beside(b, func() error { _, err := s.Snapshot(b.Context(), session.SnapshotArgs{}); return err }, floor)
	})
}
