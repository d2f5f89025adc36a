package session_test

import (
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

// TestHungFrames: frames of one process that hangs cost a snapshot the patience
// with one of them, and the rest of the page is there.
func TestHungFrames(t *testing.T) {
	const frames = 5
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<button>Ours</button>` + strings.Repeat(`<iframe src="{{other}}/inner"></iframe>`, frames),
		"/inner": `<button>Theirs</button><script>onmessage = () => { for (const end = Date.now() + 9000; Date.now() < end;); }</script>`,
	})
	s.open("/")
	s.await(func(got *session.Snapshot) bool { return strings.Count(got.Text, `button "Theirs"`) == frames })
	s.page("w.frames[0].postMessage('hang', '*')")
	start := time.Now()
	got := s.snap()
	if n := strings.Count(got.Text, "does not answer"); n != frames || !strings.Contains(got.Text, `button "Ours"`) {
		t.Errorf("%d of %d frames do not answer:\n%s", n, frames, got.Text)
	}
	if took := time.Since(start); took > frames*2*time.Second-time.Second {
		t.Errorf("the snapshot took %v: each frame has been waited for", took)
	}
}

// TestLazyFrames: a frame that Firefox loads only when it comes into view is told
// as one that has not loaded, and is there after a scroll.
func TestLazyFrames(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<div style="height:20000px"></div><iframe loading=lazy title=Lazy src=/inner></iframe>`,
		"/inner": `<button>Late</button>`,
	})
	s.open("/")
	if got := s.snap(); !strings.Contains(got.Text, `frame "Lazy" unreachable="has not loaded yet"`) {
		t.Errorf("a frame that has not loaded is told as\n%s", got.Text)
	}
	if _, err := s.Scroll(t.Context(), session.ScrollArgs{To: "bottom"}); err != nil {
		t.Fatal(err)
	}
	s.await(func(got *session.Snapshot) bool { return strings.Contains(got.Text, `button "Late"`) })
}
