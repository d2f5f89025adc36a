package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

// visit opens a page of the site in a tab of the session's own.
func (s *stage) visit(path string) *session.Navigation {
	s.t.Helper()
	n, err := s.OpenPage(s.t.Context(), session.OpenArgs{URL: s.site.URL + path, Wait: "complete"})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// browser evaluates in Firefox's parent process.
func (s *stage) browser(expression string) string {
	s.t.Helper()
	console, err := s.oracle.Process(s.t.Context(), 0)
	if err != nil {
		s.t.Fatal(err)
	}
	v, err := s.oracle.Evaluate(s.t.Context(), console, expression, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Trim(string(v), `"`)
}

const countTabs = `String([...Services.wm.getEnumerator("navigator:browser")].reduce((n, w) => n + w.gBrowser.tabs.length, 0))`

func (s *stage) owned() int {
	s.t.Helper()
	tabs, _, err := s.Tabs(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	n := 0
	for _, tab := range tabs {
		if tab.Owned {
			n++
		}
	}
	return n
}

func TestPages(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, MaxSessions: 2}, map[string]string{"/": "<p>First", "/two": "<button>Two</button>"})
	s.open("/")
	t.Cleanup(func() { s.Leave(context.Background()) })
	before, front := s.browser(countTabs), s.browser(`gBrowser.selectedTab.linkedBrowser.currentURI.spec`)
	n := s.visit("/two")
	if n.URL != s.site.URL+"/two" || n.Ready != "complete" {
		t.Errorf("opened %+v", n)
	}
	if got := s.browser(`gBrowser.selectedTab.linkedBrowser.currentURI.spec`); got != front {
		t.Errorf("the tab in front is now %q, it was %q", got, front)
	}
	if s.owned() != 1 {
		t.Errorf("%d tabs of ours, want 1", s.owned())
	}
	sn, err := s.Snapshot(t.Context(), session.SnapshotArgs{Tab: n.Tab})
	if err != nil || !strings.Contains(sn.Text, `button "Two"`) {
		t.Errorf("snapshot of the page: %v, %v", sn, err)
	}
	second := s.visit("/two?2")
	_, err = s.OpenPage(t.Context(), session.OpenArgs{URL: s.site.URL + "/two?3", Wait: "dom"})
	if f := session.AsFault(err); f.Code != session.MaxSessionsReached || !strings.Contains(f.Message, string(n.Tab)) {
		t.Errorf("a third page: %v", err)
	}
	if released, err := s.ClosePage(t.Context(), n.Tab); err != nil || released {
		t.Errorf("close: %v, %v", released, err)
	}
	for _, call := range []func() error{
		func() error { _, err := s.ClosePage(t.Context(), n.Tab); return err },
		func() error { _, err := s.Snapshot(t.Context(), session.SnapshotArgs{Tab: n.Tab}); return err },
	} {
		if f := session.AsFault(call()); f.Code != session.SessionNotFound {
			t.Errorf("a closed page: %v", f)
		}
	}
	tabs, _, _ := s.Tabs(t.Context())
	if _, err := s.ClosePage(t.Context(), tabs[0].ID); session.AsFault(err).Code != session.SessionNotFound {
		t.Errorf("a tab of the user's: %v", err)
	}
	if _, err := s.ClosePage(t.Context(), second.Tab); err != nil {
		t.Error(err)
	}
	if got := s.browser(countTabs); got != before {
		t.Errorf("%s tabs are left, there were %s", got, before)
	}
}

func TestPagesThatFailToOpen(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "<p>First"})
	before := s.browser(countTabs)
	for address, code := range map[string]session.Code{
		"http://127.0.0.1:1/":         session.NavigationFailed,
		"about:config":                session.InvalidArgument,
		"file:///etc/passwd":          session.InvalidArgument,
		"http://no-such-host.invalid": session.NavigationFailed,
	} {
		_, err := s.OpenPage(t.Context(), session.OpenArgs{URL: address, Wait: "dom"})
		if session.AsFault(err).Code != code {
			t.Errorf("%s: %v, want %s", address, err, code)
		}
	}
	if got := s.browser(countTabs); got != before {
		t.Errorf("%s tabs are left, there were %s", got, before)
	}
}

func TestIdlePages(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, SessionTimeout: 4 * time.Second}, map[string]string{"/": "<p>First"})
	before := s.browser(countTabs)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- session.Keeper{Session: s.Session}.Serve(ctx) }()
	defer func() { cancel(); <-done }()
	idle, used := s.visit("/idle"), s.visit("/used")
	expired := func() bool {
		tabs, _, err := s.Tabs(t.Context()) // does not count as use
		if err != nil {
			t.Fatal(err)
		}
		for _, tab := range tabs {
			if tab.ID == idle.Tab {
				return false
			}
		}
		return true
	}
	for end := time.Now().Add(20 * time.Second); !expired(); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("an idle page is not closed")
		}
		if _, err := s.Text(t.Context(), session.TextArgs{Tab: used.Tab}); err != nil {
			t.Fatalf("a page in use: %v", err)
		}
	}
	if _, err := s.Text(t.Context(), session.TextArgs{Tab: idle.Tab}); session.AsFault(err).Code != session.SessionExpired {
		t.Errorf("an idle page: %v", err)
	}
	time.Sleep(5 * time.Second)
	if got := s.browser(countTabs); got != before {
		t.Errorf("%s tabs are left, there were %s", got, before)
	}
}

func TestPageThatItsUserTook(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "<p>First", "/took": "<title>Took</title><p>x"})
	before := s.browser(countTabs)
	n, left := s.visit("/took"), s.visit("/took?left")
	s.browser(`globalThis.before = gBrowser.selectedTab, gBrowser.selectedTab = gBrowser.tabs.at(-2), "x"`)
	defer s.browser(`gBrowser.selectedTab = globalThis.before, gBrowser.removeTab(gBrowser.tabs.at(-1)), "x"`)
	if released, err := s.ClosePage(t.Context(), n.Tab); err != nil || !released {
		t.Errorf("close: released %v, %v", released, err)
	}
	if _, err := s.Text(t.Context(), session.TextArgs{Tab: n.Tab}); err != nil {
		t.Errorf("a tab that its user took stays usable: %v", err)
	}
	s.Leave(t.Context())
	if got, want := s.browser(countTabs), before; got == want {
		t.Errorf("the tab that its user took was closed")
	}
	if _, err := s.Text(t.Context(), session.TextArgs{Tab: left.Tab}); session.AsFault(err).Code != session.SessionNotFound {
		t.Errorf("the other one after the end: %v", err)
	}
}

// A page of ours that its user went to is theirs: it may be led anywhere, and is
// not closed with ours.
func TestPageLetGo(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, AllowHosts: []string{"127.0.0.1"}}, map[string]string{"/": "<p>First", "/took": "<title>Took</title><p>x"})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- session.Keeper{Session: s.Session}.Serve(ctx) }()
	defer func() { cancel(); <-done }()
	s.open("/")
	s.visit("/took")
	before := s.browser(countTabs)
	s.browser(`globalThis.front = gBrowser.selectedTab, globalThis.took = gBrowser.tabs.at(-1), gBrowser.selectedTab = took, "x"`)
	defer s.browser(`gBrowser.selectedTab = front, took.isConnected && gBrowser.removeTab(took), "x"`)
	other := strings.Replace(s.site.URL, "127.0.0.1", "localhost", 1) + "/took"
	load := `took.linkedBrowser.loadURI(Services.io.newURI("` + other + `"), {triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal()}), "x"`
	s.browser(load) // at once: whoever looks at a tab may load what they like
	s.eventually("the user's own load", func() bool { return s.browser(`took.linkedBrowser.currentURI.spec`) == other })
	if s.owned() != 0 {
		t.Error("the page is still ours")
	}
	s.eventually("the mark is gone", func() bool { return s.browser(`String(!took.firefoxRdpMcp)`) == "true" })
	s.browser(`gBrowser.selectedTab = front, "x"`)
	s.Leave(t.Context())
	if after := s.browser(countTabs); after != before {
		t.Errorf("%s tabs are left of %s", after, before)
	}
}
