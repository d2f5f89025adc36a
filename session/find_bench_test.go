package session_test

import (
	"testing"

	"firefox-rdp-mcp/session"
)

// BenchmarkFind: what stands at the end of a page of 10,000 elements, beside a
// bare walk of the page in the same realm, and for how long the page stands still.
func BenchmarkFind(b *testing.B) {
	s := newStage(b, session.Config{Privileged: true}, map[string]string{"/": prose(10_000) + "<p>The very last words</p>"})
	s.open("/")
	floor := bareWalk(b, s)
	for _, bm := range []struct {
		name string
		args session.FindArgs
	}{
		{"name", session.FindArgs{Role: "link", Name: "Item 1999"}},
		{"text", session.FindArgs{Text: "the very last words"}},
		{"selector", session.FindArgs{Selector: "body > p"}},
		{"all", session.FindArgs{Role: "link", Limit: 100}},
		{"rare", session.FindArgs{Role: "emphasis", Limit: 100}},
		{"both", session.FindArgs{Selector: "p", Text: "paragraph 1999"}},
		{"none", session.FindArgs{Text: "not there"}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			look := func() error { _, err := s.Find(b.Context(), bm.args); return err }
			beside(b, look, floor)
			b.ReportMetric(blocked(b, s, look), "ms/blocked")
		})
	}
}
