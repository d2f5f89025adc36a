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
