package session_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/internal/firefoxtest"
	"firefox-rdp-mcp/session"
)

// ledger is what a session and its Firefox hold.
type ledger struct {
	firefoxtest.Held

	Goroutines int
}

func (s *stage) ledger() ledger {
	s.t.Helper()
	held, err := s.oracle.Held(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return ledger{held, goroutines()}
}

// goroutines counts those that are not the web server's, whose connections Firefox
// keeps as it likes.
func goroutines() int {
	buf := make([]byte, 1<<20)
	n := 0
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if !strings.Contains(g, "net/http.") {
			n++
		}
	}
	return n
}

// Two hundred pages, opened or fetched and closed, leave nothing behind: no tab, no
// document, no actor in any process of Firefox, no goroutine.
func TestNothingLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<title>Page</title><p>Some words.</p><button>Go</button><iframe src="{{other}}/inner"></iframe>`,
		"/inner": `<p>Inside</p><button>In</button>`,
	})
	s.open("/inner")
	s.cycles(4)
	before := s.ledger()
	if before.Parent["root"] == 0 || before.Content["consoleActor"] == 0 || before.Documents == 0 || before.Agents == 0 {
		t.Fatalf("the ledger does not see what is there: %+v", before)
	}
	start := time.Now()
	const cycles = 200
	s.cycles(cycles)
	t.Logf("%d pages in %v; %+v", cycles, time.Since(start), before)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(500 * time.Millisecond) {
		after := s.ledger()
		grown := after.beyond(before)
		if len(grown) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after %d pages there are more of %v; -before +after:\n%s", cycles, grown, cmp.Diff(before, after))
		}
	}
}

// A page that stays must not gather the agents of connections that have ended.
func TestAgentEndsWithItsConnection(t *testing.T) {
	pages := map[string]string{"/": `<title>Page</title><button>Go</button><iframe srcdoc="<button>In</button>"></iframe>`}
	oracle, err := firefoxtest.Dial(t.Context(), firefox.Port, true)
	if err != nil {
		t.Fatal(err)
	}
	defer oracle.Close()
	before, err := oracle.Held(t.Context()) // of a page in which the test before clicked, one may be left
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		t.Run("connection", func(t *testing.T) {
			s := newStage(t, session.Config{Privileged: true}, pages)
			s.open("/")
			s.await(func(sn *session.Snapshot) bool { return len(sn.Elements) == 2 })
			if now := s.ledger(); now.Agents < 2 {
				t.Fatalf("the ledger does not see the agents: %+v", now)
			}
		})
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		left, err := oracle.Held(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if left.Agents <= before.Agents && left.Documents > 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("what is left: %+v, there was %+v", left, before)
		}
	}
}

// beyond names what there is more of than there was. A few more are no leak of
// pages that came by the hundred: Firefox makes actors of many kinds once, when
// they are first asked for.
func (l ledger) beyond(before ledger) (grown []string) {
	const few = 5
	more := func(what string, few, was, is int) {
		if is > was+few {
			grown = append(grown, fmt.Sprintf("%s (%d, before %d)", what, is, was))
		}
	}
	more("tabs", 0, before.Tabs, l.Tabs)
	more("documents", few, before.Documents, l.Documents)
	more("agents", few, before.Agents, l.Agents)
	more("goroutines", few, before.Goroutines, l.Goroutines)
	for kind, n := range l.Parent {
		more(kind, few, before.Parent[kind], n)
	}
	for kind, n := range l.Content {
		more(kind+" of content", few, before.Content[kind], n)
	}
	return grown
}

// cycles uses pages that are gone afterwards, four at a time, each lane in its way.
func (s *stage) cycles(n int) {
	s.t.Helper()
	const lanes = 4
	done := make(chan error)
	for lane := range lanes {
		go func() {
			var err error
			for i := lane; i < n && err == nil; i += lanes {
				if err = s.cycle(s.t.Context(), lane, fmt.Sprintf("%s/?%d", s.site.URL, i)); err != nil {
					err = fmt.Errorf("page %d: %w", i, err)
				}
			}
			done <- err
		}()
	}
	for range lanes {
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	}
}

func (s *stage) cycle(ctx context.Context, way int, address string) error {
	switch way {
	case 2:
		_, err := s.Fetch(ctx, session.FetchArgs{URL: address})
		return err
	case 3:
		_, err := s.Text(ctx, session.TextArgs{URL: address})
		return err
	}
	n, err := s.OpenPage(ctx, session.OpenArgs{URL: address, Wait: "dom"})
	if err != nil {
		return err
	}
	switch way {
	case 0:
		if _, err := s.Navigate(ctx, session.NavigateArgs{Tab: n.Tab, URL: s.site.URL + "/inner", Wait: "dom"}); err != nil {
			return err
		}
	case 1:
		if _, err := s.SOM(ctx, session.SOMArgs{Tab: n.Tab}); err != nil {
			return err
		}
	}
	_, err = s.ClosePage(ctx, n.Tab)
	return err
}
