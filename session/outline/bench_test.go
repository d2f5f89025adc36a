package outline

import (
	"encoding/json"
	"testing"
)

// BenchmarkRender renders a page of 500 nodes whole, then under a budget that it exceeds.
func BenchmarkRender(b *testing.B) {
	s := large(180) // 180 controls, 180 texts, 36 items with a heading each, regions and lists
	b.Logf("%d nodes", len(s.Nodes))
	for _, bench := range []struct {
		name string
		o    Options
	}{
		{"controls", Options{View: ViewControls}},
		{"full", Options{View: ViewFull}},
		{"budget", Options{View: ViewControls, Budget: 1000}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := Render(s, bench.o)
				b.SetBytes(int64(len(r.Text)))
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	s := large(180)
	type wire struct {
		I int64    `json:"i"`
		D int      `json:"d"`
		K string   `json:"k"`
		R string   `json:"r"`
		N string   `json:"n"`
		S []string `json:"s"`
	}
	nodes := make([]wire, len(s.Nodes))
	for i, n := range s.Nodes {
		nodes[i] = wire{n.ID, n.Depth, string(rune(n.Kind)), n.Role, n.Name, []string{"checked"}}
	}
	raw, err := json.Marshal(map[string]any{"url": s.URL, "title": s.Title, "nodes": nodes})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	text := Render(large(180), Options{View: ViewFull}).Text
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Tokens(text)
	}
}

func BenchmarkDiff(b *testing.B) {
	old, now := large(180), large(190)
	b.ReportAllocs()
	for b.Loop() {
		Diff(old, now, Options{})
	}
}
