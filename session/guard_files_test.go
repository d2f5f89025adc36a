package session_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"firefox-rdp-mcp/session"
)

// A file that its site does not want to be a page is none when a page of a stranger
// leads a reading tab to it: its scripts would have the rights of the site. And what
// a reading tab is shown is not what the user's own tabs find in the cache.
func TestAttachmentsAreReadAsText(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<p>First`,
		"/goes":  `<p>goes</p><script>location.href = "{{other}}/upload?type=text/html"</script>`,
		"/frame": `<p>frame</p><iframe src="{{other}}/upload?type=text/html"></iframe><iframe src="{{other}}/upload?type=image/svg%2Bxml"></iframe>`,
	})
	var mu sync.Mutex
	var told []string
	asked := 0
	s.odd = func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		switch r.URL.Path {
		case "/upload":
			asked++
			w.Header().Set("Content-Type", r.FormValue("type"))
			w.Header().Set("Content-Disposition", `attachment; filename="upload.html"`)
			w.Header().Set("Cache-Control", "max-age=3600")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("/told?"+self.origin)</script><text>grüße</text></svg>`)
		case "/feed":
			w.Header().Set("Content-Type", "application/atom+xml")
			fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom"><script xmlns="http://www.w3.org/1999/xhtml">fetch("/told?"+self.origin)</script></feed>`)
		case "/told":
			told = append(told, r.URL.RawQuery)
		default:
			return false
		}
		return true
	}
	s.open("/")
	other := strings.Replace(s.site.URL, "127.0.0.1", "localhost", 1)
	for _, address := range []string{
		s.site.URL + "/goes", s.site.URL + "/frame", other + "/feed",
		other + "/upload?type=text/html", other + "/upload?type=image/svg%2Bxml", other + "/upload?type=application/xhtml%2Bxml", other + "/upload?type=text/xml",
	} {
		som, err := s.Fetch(t.Context(), session.FetchArgs{URL: address, Script: true})
		if err != nil {
			t.Errorf("%s: %v", address, err)
		} else if strings.Contains(address, "/upload") && !strings.Contains(som.Text(), `<text>grüße</text>`) {
			t.Errorf("%s is read as\n%s", address, som.Text())
		}
	}
	mu.Lock()
	if len(told) > 0 {
		t.Errorf("files have run their scripts in %q", told)
	}
	asked = 0
	mu.Unlock()
	if _, err := s.Navigate(t.Context(), session.NavigateArgs{URL: other + "/upload?type=text/html", Wait: "dom"}); code(err) != session.NavigationFailed {
		t.Errorf("in the user's own tab the file is no download any more: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if asked != 1 || len(told) > 0 {
		t.Errorf("the user's own tab asked for the file %d times; told %q", asked, told)
	}
}

// A question that a page asks while it is read leaves no tab behind, even where the
// browser brings the tab to the front for it.
func TestQuestionsOfPagesThatAreRead(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "<p>First", "/asks": `<p>before</p><script>alert("x")</script><p>after</p>`})
	s.open("/")
	principal := `Services.scriptSecurityManager.createContentPrincipal(Services.io.newURI("` + s.site.URL + `"), {})`
	s.browser(`Services.perms.addFromPrincipal(` + principal + `, "focus-tab-by-prompt", Services.perms.ALLOW_ACTION), "x"`)
	defer s.browser(`Services.perms.removeFromPrincipal(` + principal + `, "focus-tab-by-prompt"), "x"`)
	before := s.browser(countTabs)
	for range 2 {
		som, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + "/asks", Script: true})
		if err != nil || !strings.Contains(som.Text(), "after") {
			t.Errorf("fetch: %v, %v", som, err)
		}
	}
	if after := s.browser(countTabs); after != before {
		t.Errorf("%s tabs, there were %s", after, before)
	}
}

// Why a load failed is not told of the load before, and what may not be opened opens
// no tab.
func TestFaultsAreOfTheirOwnLoad(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, AllowHosts: []string{"127.0.0.1"}}, map[string]string{"/": "<p>First"})
	s.open("/")
	t.Cleanup(func() { s.Leave(context.Background()) })
	n := s.visit("/missing")
	_, err := s.Navigate(t.Context(), session.NavigateArgs{Tab: n.Tab, URL: "http://127.0.0.1:1/", Wait: "dom"})
	if code(err) != session.NavigationFailed || strings.Contains(err.Error(), "404") {
		t.Errorf("after a page of status 404: %v", err)
	}
	s.browser(`globalThis.opens = 0, globalThis.noteOpen = () => opens++, gBrowser.tabContainer.addEventListener("TabOpen", noteOpen), "x"`)
	defer s.browser(`gBrowser.tabContainer.removeEventListener("TabOpen", noteOpen), "x"`)
	if _, err = s.OpenPage(t.Context(), session.OpenArgs{URL: "http://elsewhere.example/", Wait: "dom"}); code(err) != session.NavigationBlocked || s.browser(`String(opens)`) != "0" {
		t.Errorf("open elsewhere: %v, and %s tabs opened", err, s.browser(`String(opens)`))
	}
}
