package session_test

import (
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

func TestNavigate(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":     `<button>One</button><a id=x href="#part">Part</a>`,
		"/two":  `<button>Two</button>`,
		"/ask":  `<p>Draft<script>addEventListener("beforeunload", e => { e.preventDefault(); e.returnValue = "x" })</script>`,
		"/push": `<button onclick="history.pushState({}, '', '/pushed')">Push</button>`,
	})
	s.handle("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="x.bin"`)
		fmt.Fprint(w, "data")
	})
	s.handle("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(3 * time.Second):
		}
		fmt.Fprint(w, "<p>late")
	})
	s.open("/")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	other := "http://localhost" + s.site.URL[len("http://127.0.0.1"):]
	for _, c := range []struct {
		name, url string
		timeout   time.Duration
		want      session.Code
		at        string // where the tab must be afterwards
		same      bool
	}{
		{name: "another page", url: s.site.URL + "/two", at: s.site.URL + "/two"},
		{name: "the same page again", url: s.site.URL + "/two", at: s.site.URL + "/two"},
		{name: "another origin, another process", url: other + "/", at: other + "/"},
		{name: "a fragment stays in the document", url: other + "/#part", at: other + "/#part", same: true},
		{name: "the same fragment again", url: other + "/#part", at: other + "/#part", same: true},
		{name: "an answer without content", url: other + "/none", want: session.NavigationFailed, at: other + "/#part"},
		{name: "a download", url: other + "/file", want: session.NavigationFailed, at: other + "/#part"},
		{name: "nothing listens", url: "http://" + closed + "/", want: session.NavigationFailed},
		{name: "no such host", url: "http://no-such-host.invalid/", want: session.NavigationFailed},
		{name: "away from an error page", url: s.site.URL + "/", at: s.site.URL + "/"},
		{name: "too slow", url: s.site.URL + "/slow", timeout: 500 * time.Millisecond, want: session.NavigationTimeout, at: s.site.URL + "/"},
		{name: "superseding a slow one", url: s.site.URL + "/two", at: s.site.URL + "/two"},
		{name: "not a web address", url: "about:config", want: session.InvalidArgument, at: s.site.URL + "/two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := s.Navigate(t.Context(), session.NavigateArgs{URL: c.url, Wait: "dom", Timeout: c.timeout})
			if code(err) != c.want {
				t.Fatalf("Navigate = %v, want %q", err, c.want)
			}
			if got := s.page("doc.location.href"); c.at != "" && got != fmt.Sprintf("%q", c.at) {
				t.Errorf("the tab is at %s, want %s", got, c.at)
			}
			if err == nil && (n.URL != c.at || n.Same != c.same) {
				t.Errorf("Navigate says %s, same %t; want %s, %t", n.URL, n.Same, c.at, c.same)
			}
		})
	}
}

func TestHistory(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/1": `<button onclick="n++">One</button><script>n = 0</script>`, "/2": `<button>Two</button>`,
	})
	s.open("/1")
	one := s.ref("One")
	s.open("/2")
	back, err := s.History(t.Context(), session.HistoryArgs{Direction: "back", Wait: "dom"})
	if err != nil || back.URL != s.site.URL+"/1" {
		t.Fatalf("back = %+v, %v", back, err)
	}
	// From the back/forward cache comes the same document, and yet another life of it.
	if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: one}}); code(err) != session.StaleElement {
		t.Errorf("a reference from before = %v, want %s", err, session.StaleElement)
	}
	if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("One"), Watch: watch}}); err != nil || s.page("w.n") != "1" {
		t.Errorf("click after back = %v, the page counted %s", err, s.page("w.n"))
	}
	forward, err := s.History(t.Context(), session.HistoryArgs{Direction: "forward", Wait: "dom"})
	if err != nil || forward.URL != s.site.URL+"/2" {
		t.Errorf("forward = %+v, %v", forward, err)
	}
	if _, err := s.History(t.Context(), session.HistoryArgs{Direction: "forward", Wait: "dom"}); code(err) != session.NavigationFailed {
		t.Errorf("forward from the last page = %v, want %s", err, session.NavigationFailed)
	}
	reloaded, err := s.History(t.Context(), session.HistoryArgs{Direction: "reload", Wait: "complete"})
	if err != nil || reloaded.Generation <= forward.Generation {
		t.Errorf("reload = %+v, %v; want a later generation than %d", reloaded, err, forward.Generation)
	}
}
