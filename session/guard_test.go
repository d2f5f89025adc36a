package session_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"firefox-rdp-mcp/session"
)

// file answers with a download, as an attachment or by a type that no browser shows.
func file(w http.ResponseWriter, r *http.Request) bool {
	switch r.URL.Path {
	case "/file/attached":
		w.Header().Set("Content-Disposition", `attachment; filename="guard-attached.csv"`)
		w.Header().Set("Content-Type", "text/csv")
	case "/file/feed":
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprint(w, "<rss><channel><title>guard,1</title></channel></rss>")
		return true
	case "/file/moved": // redirects may be of any type themselves
		w.Header().Set("Content-Type", "application/octet-stream")
		http.Redirect(w, r, "/file/attached", http.StatusFound)
		return true
	case "/file/typed":
		w.Header().Set("Content-Disposition", `attachment; filename="guard-typed.bin"`)
		w.Header().Set("Content-Type", "application/x-guard-typed")
	case "/file/sniffed": // bytes that Firefox takes for no text
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "guard\x00\x01\x02\x03\xff\xfe\x00\x00")
		return true
	case "/file/isolated": // its page gets another browsing context
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<p>isolated</p><script>setTimeout(() => location.href = "/file/attached")</script>`)
		return true
	default:
		return false
	}
	fmt.Fprint(w, "guard,1\n")
	return true
}

// saved lists the files that Firefox has downloaded, whole or in part.
func saved(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"guard-*", "attached*", "typed*", "sniffed*", "link-*"} {
		found, err := filepath.Glob(filepath.Join(firefox.Profile, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

// A page that is only read leaves no file behind, however it tries.
func TestFetchSavesNoFile(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<a href=/file/attached>x</a>`,
		"/link":  `<p>linked</p><a id=a download=link-guard.txt href="data:text/plain,x">x</a><script>setTimeout(() => a.click(), 300)</script>`,
		"/frame": `<p>framed</p><iframe src=/file/attached></iframe><iframe src=/file/typed></iframe>`,
		"/goes":  `<p>goes</p><script>location.href = "/file/typed"</script>`,
		"/later": `<p>later</p><script>setTimeout(() => location.href = "/file/sniffed", 300)</script>`,
	})
	s.odd = file
	s.open("/")
	for path, want := range map[string]string{
		"/file/attached": "", "/file/moved": "", "/file/feed": "", "/file/isolated": "", "/link": "", "/frame": "", "/goes": "", "/later": "",
		"/file/typed":   `a file of type "application/x-guard-typed" named "guard-typed.bin" (8 bytes): nothing of it was saved`,
		"/file/sniffed": "nothing of it was saved",
	} {
		som, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + path, Script: true})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", path, err)
		case strings.HasPrefix(path, "/file/") && err == nil && !strings.Contains(som.Text(), "guard,1") || path == "/file/attached" && !strings.Contains(som.Text(), "text/csv"):
			t.Errorf("%s is read as %s", path, som.Text())
		case want != "" && (code(err) != session.NavigationFailed || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, %v; want %q", path, som, err, want)
		}
	}
	if files := saved(t); len(files) > 0 {
		t.Errorf("these were saved: %q", files)
	}
	// What its user downloads is saved as ever: the list above can see it.
	_, err := s.OpenPage(t.Context(), session.OpenArgs{URL: s.site.URL + "/file/attached", Wait: "dom"})
	if code(err) != session.NavigationFailed || !strings.Contains(err.Error(), "the browser has it as a download") {
		t.Errorf("opening a download: %v", err)
	}
	if s.owned() != 0 {
		t.Error("a tab is left of it")
	}
	s.eventually("the download", func() bool { return len(saved(t)) > 0 })
}

// A page that wants a password is read as it is, and brings no tab to the front.
func TestPasswordWanted(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<p>First`,
		"/parts": `<p>parts</p><img src=/locked><iframe src=/locked></iframe><script>fetch("/locked")</script>`,
	})
	s.odd = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/locked" {
			return false
		}
		w.Header().Set("Content-Type", "text/html")
		if name, _, ok := r.BasicAuth(); ok && name == "ada" {
			fmt.Fprint(w, "<p>Welcome")
			return true
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="guard"`)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "<p>Log in first")
		return true
	}
	s.open("/")
	t.Cleanup(func() { s.Leave(context.Background()) })
	s.browser(`globalThis.fronts = 0, globalThis.noteFront = () => fronts++, gBrowser.tabContainer.addEventListener("TabSelect", noteFront), "x"`)
	defer s.browser(`gBrowser.tabContainer.removeEventListener("TabSelect", noteFront), "x"`)
	for path, want := range map[string]string{"/locked": "Log in first", "/parts": "parts"} {
		som, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + path, Script: true})
		if err != nil || !strings.Contains(som.Text(), want) {
			t.Errorf("fetch %s: %v", path, err)
		}
		n := s.visit(path)
		text, err := s.Text(t.Context(), session.TextArgs{Tab: n.Tab})
		if err != nil || n.Dialog != nil || !strings.Contains(text.Text, want) {
			t.Errorf("open %s: %+v, %v", path, n, err)
		}
		if released, err := s.ClosePage(t.Context(), n.Tab); err != nil || released {
			t.Errorf("close %s: released %v, %v", path, released, err)
		}
	}
	if fronts := s.browser(`String(fronts)`); fronts != "0" {
		t.Errorf("tabs came to the front %s times", fronts)
	}
	// Where its user is, the question is asked.
	go func() {
		_, _ = s.Navigate(t.Context(), session.NavigateArgs{URL: s.site.URL + "/locked", Wait: "none"})
	}()
	s.eventually("the question", func() bool {
		st, err := s.Status(t.Context(), false)
		return err == nil && st.Dialog != nil
	})
	if _, err := s.AnswerDialog(t.Context(), "", false, nil); err != nil {
		t.Error(err)
	}
	// What the user has answered once holds for pages of ours as well.
	if _, err := s.Navigate(t.Context(), session.NavigateArgs{URL: strings.Replace(s.site.URL, "://", "://ada:pw@", 1) + "/locked", Wait: "dom"}); err != nil {
		t.Error(err)
	}
	som, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + "/locked", Script: true})
	if err != nil || !strings.Contains(som.Text(), "Welcome") {
		t.Errorf("with the password that the browser knows: %v, %v", som, err)
	}
}

// Hosts that are not allowed are asked for nothing by pages of ours, and what a
// tab of its user's is led to there is not told.
func TestRedirectsToForbiddenHosts(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, AllowHosts: []string{"127.0.0.1"}}, map[string]string{
		"/":     `<title>Home</title><p>First</p><a href="{{other}}/secret">Away</a>`,
		"/goes": `<p>goes</p><script>location.href = "{{other}}/secret"</script>`,
	})
	var mu sync.Mutex
	asked := 0
	s.odd = func(w http.ResponseWriter, r *http.Request) bool {
		away := strings.Replace(s.site.URL, "127.0.0.1", "localhost", 1) + "/secret"
		switch {
		case r.URL.Path == "/away":
			http.Redirect(w, r, away, http.StatusFound)
		case strings.HasPrefix(r.Host, "localhost"):
			mu.Lock()
			asked++
			mu.Unlock()
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>Secret</title><p>secret")
		default:
			return false
		}
		return true
	}
	s.open("/")
	t.Cleanup(func() { s.Leave(context.Background()) })
	_, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + "/away", Script: true})
	if code(err) != session.NavigationBlocked || !strings.Contains(err.Error(), `"localhost"`) {
		t.Errorf("fetch of a redirect: %v", err)
	}
	som, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + "/goes", Script: true})
	if err != nil || !strings.Contains(som.Text(), "goes") {
		t.Errorf("fetch of a page that goes on: %v", err)
	}
	if _, err := s.OpenPage(t.Context(), session.OpenArgs{URL: s.site.URL + "/away", Wait: "dom"}); code(err) != session.NavigationBlocked || s.owned() != 0 {
		t.Errorf("opening a redirect: %v; %d pages are left", err, s.owned())
	}
	n := s.visit("/")
	sn, err := s.Snapshot(t.Context(), session.SnapshotArgs{Tab: n.Tab})
	if err != nil || len(sn.Elements) != 1 {
		t.Fatalf("snapshot: %+v, %v", sn, err)
	}
	for range 2 {
		a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Tab: n.Tab, Element: session.Ref(sn.Elements[0].Ref), Watch: watch}})
		if err != nil || a.Navigated || !strings.Contains(strings.Join(a.Result.Warnings, ";"), `kept from going on: "localhost"`) {
			t.Errorf("a click on a link that leads away: %+v, %v", a, err)
		}
	}
	if text, err := s.Text(t.Context(), session.TextArgs{Tab: n.Tab}); err != nil || !strings.Contains(text.Text, "First") {
		t.Errorf("after a click on a link that leads away: %+v, %v", text, err)
	}
	scroll, err := s.Scroll(t.Context(), session.ScrollArgs{On: session.On{Tab: n.Tab}, To: "bottom"})
	if err != nil || len(scroll.Result.Warnings) > 0 {
		t.Errorf("afterwards: %+v, %v", scroll, err)
	}
	mu.Lock()
	if asked != 0 {
		t.Errorf("the forbidden host was asked %d times", asked)
	}
	mu.Unlock()
	a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("Away"), Watch: watch}})
	if err != nil || !strings.Contains(strings.Join(a.Result.Warnings, ";"), `goes on: "localhost"`) {
		t.Errorf("a link in a tab of the user's: %+v, %v", a, err)
	}
	_, err = s.Navigate(t.Context(), session.NavigateArgs{URL: s.site.URL + "/away", Wait: "dom"})
	if code(err) != session.NavigationBlocked || strings.Contains(err.Error(), "ecret") {
		t.Errorf("a redirect in a tab of the user's: %v", err)
	}
}

// A load that brings no page says what it brought.
func TestWhatCameInsteadOfAPage(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": `<p>First`})
	s.odd = func(w http.ResponseWriter, r *http.Request) bool {
		var status int
		if _, err := fmt.Sscanf(r.URL.Path, "/status/%d", &status); err != nil {
			return false
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		return true
	}
	s.open("/")
	for address, want := range map[string]string{
		s.site.URL + "/status/204": "status 204",
		s.site.URL + "/status/500": "status 500",
		"http://127.0.0.1:1/":      "browsers do not use that port",
		"http://guard.invalid/":    "the name of the host is not known",
		free(t):                    "nothing accepts connections there",
	} {
		_, err := s.Fetch(t.Context(), session.FetchArgs{URL: address})
		if code(err) != session.NavigationFailed || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}

// free gives an address at which nothing listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/"
}
