package session_test

import (
	"math"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

// TestRoundTrips counts the requests that a call costs once its page is known. A
// call that a busy machine holds up looks for a dialog as well, so that the
// cheapest of several counts.
func TestRoundTrips(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": `<button>Press</button><input aria-label=Name>`})
	s.open("/")
	press, name := s.ref("Press"), s.ref("Name")
	click := func(watch time.Duration) error {
		_, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: press, Watch: watch}})
		return err
	}
	for _, c := range []struct {
		call string
		most int
		do   func() error
	}{
		{"snapshot", 1, func() error { _, err := s.Snapshot(t.Context(), session.SnapshotArgs{}); return err }},
		{"click without a wait", 2, func() error { return click(0) }},
		{"click", 2, func() error { return click(watch) }},
		{"fill", 2, func() error {
			_, err := s.Fill(t.Context(), session.FillArgs{On: session.On{Element: name, Watch: watch}, Value: "Ada"})
			return err
		}},
		{"wait for what is there", 2, func() error {
			_, err := s.WaitFor(t.Context(), session.WaitArgs{Selector: "button", Timeout: watch})
			return err
		}},
	} {
		t.Run(c.call, func(t *testing.T) {
			fewest := math.MaxInt
			for n := 0; n < 5 && fewest > c.most; n++ {
				fewest = min(fewest, s.trips(c.do))
			}
			if fewest > c.most {
				t.Errorf("%d requests, want at most %d", fewest, c.most)
			}
		})
	}
}

// trips counts the requests that a call sends.
func (s *stage) trips(do func() error) int {
	s.t.Helper()
	sent := func() int {
		n, err := s.Sent(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		return n
	}
	before := sent()
	if err := do(); err != nil {
		s.t.Fatal(err)
	}
	return sent() - before
}
