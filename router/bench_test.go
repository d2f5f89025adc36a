package router_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/router/rdptest"
)

// BenchmarkExchange is one request through serializer and router, with an echo
// in place of reader, writer and Firefox.
func BenchmarkExchange(b *testing.B) {
	in, out := make(chan []byte), make(chan []byte)
	r, s, conn := router.New(1, in, out, make(chan router.News), router.Limits{}, slog.New(slog.DiscardHandler))
	ctx, end := context.WithCancel(b.Context())
	var actors sync.WaitGroup
	defer actors.Wait()
	defer end()
	actors.Go(func() { _ = r.Serve(ctx) })
	actors.Go(func() { _ = s.Serve(ctx) })
	actors.Go(func() {
		for {
			select {
			case <-out:
			case <-ctx.Done():
				return
			}
			select {
			case in <- []byte(`{"from":"root","tabs":[]}`):
			case <-ctx.Done():
				return
			}
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := conn.Do(ctx, router.Root, "listTabs", nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvaluation is one evaluation through everything, with a scripted
// Firefox behind net.Pipe.
func BenchmarkEvaluation(b *testing.B) {
	f := rdptest.New(b)
	s := scripted(b, f, router.Limits{}).listen()
	console := f.Peer().Console()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Evaluate(b.Context(), console, router.Evaluation{Text: `_self("probe")`}); err != nil {
			b.Fatal(err)
		}
	}
}
