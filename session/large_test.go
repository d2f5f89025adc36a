package session_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// TestLargePage: a page of 100,000 elements is read within a call's time, each
// of its 20,000 controls is given once, and the memory that this takes is bounded.
func TestLargePage(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": prose(100_000)})
	s.open("/")
	before := heap()
	const answer = 50_000 // tokens of one
	var got *session.Snapshot
	var err error
	// On a machine that has other things to do, a look may end before the page does.
	for tries := 0; tries < 4 && (got == nil || slices.ContainsFunc(got.Hints, tooLarge)); tries++ {
		if got, err = s.Snapshot(t.Context(), session.SnapshotArgs{Budget: answer}); err != nil {
			t.Fatal(err)
		}
	}
	if grown := heap() - before; grown > 96<<20 {
		t.Errorf("the snapshot holds %d MiB", grown>>20)
	}
	seen := map[string]bool{}
	for answers := 1; ; answers++ {
		for _, e := range got.Elements {
			if seen[e.Ref] {
				t.Fatalf("%s was given twice", e.Ref)
			}
			seen[e.Ref] = true
		}
		if got.Stats.Tokens > answer {
			t.Errorf("answer %d has %d tokens", answers, got.Stats.Tokens)
		}
		if got.Next == (outline.Cursor{}) {
			break
		}
		if got, err = s.Snapshot(t.Context(), session.SnapshotArgs{Budget: answer, Cursor: got.Next.String()}); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 20_000 {
		t.Errorf("%d of 20000 controls were given", len(seen))
	}
}

func tooLarge(hint string) bool { return strings.Contains(hint, "too large") }

// heap gives the bytes in use after a garbage collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far from overflow
}

// TestDeepPage: depth costs nothing but time, and hides nothing. (Firefox itself
// takes minutes to put 100,000 elements into each other.)
func TestDeepPage(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": deep(10_000)})
	s.open("/")
	got := s.snap()
	for _, name := range []string{"Top", "Bottom"} {
		if !strings.Contains(got.Text, `button "`+name+`"`) {
			t.Errorf("the button %s is not there:\n%.2000s", name, got.Text)
		}
	}
}
