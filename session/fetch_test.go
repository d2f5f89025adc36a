package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// odd answers requests that plain pages cannot stand for.
func odd(w http.ResponseWriter, r *http.Request) bool {
	send := func(kind, body string) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, body)
	}
	switch r.URL.Path {
	case "/odd/text":
		send("text/plain; charset=utf-8", "first line\nsecond <b>line</b>\n")
	case "/odd/json":
		send("application/json", `{"a":[1,"x"]}`)
	case "/odd/xml":
		send("application/xml", `<?xml version="1.0"?><r><i>v</i></r>`)
	case "/odd/svg":
		send("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><text y="20">drawn</text></svg>`)
	case "/odd/pdf":
		send("application/pdf", "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj 4 0 obj<</Length 44>>stream\nBT /F1 24 Tf 30 100 Td (Hello PDF) Tj ET\nendstream endobj 5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>")
	case "/odd/gone":
		w.WriteHeader(http.StatusNotFound)
		send("text/html", "<title>No</title><h1>Not here</h1>")
	case "/odd/empty":
		w.WriteHeader(http.StatusNoContent)
	case "/odd/download":
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		send("application/octet-stream", "x")
	case "/odd/redirect":
		http.Redirect(w, r, "/", http.StatusFound)
	case "/odd/login":
		w.Header().Set("WWW-Authenticate", "Basic realm=x")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "<p>Log in first")
	case "/odd/endless":
		w.Header().Set("Content-Type", r.FormValue("type"))
		for i := 0; r.Context().Err() == nil; i++ {
			fmt.Fprintf(w, "<p>part %d of many\n", i)
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	case "/odd/slow":
		time.Sleep(1200 * time.Millisecond)
		send("text/html", "<p>At last")
	default:
		return false
	}
	return true
}

func TestFetch(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":        `<h1>Home</h1><a href=/x>Link</a>`,
		"/late":    `<div id=root></div><script>setTimeout(()=>{root.innerHTML="<h1>Late</h1>"},400)</script>`,
		"/script":  `<p id=p>plain</p><noscript><p>without</p></noscript><script>p.textContent="scripted"</script>`,
		"/refresh": `<meta http-equiv=refresh content="0;url=/">moved`,
		"/asks":    `<p>before</p><script>alert("x")</script><p>after</p>`,
	})
	s.odd = odd
	before, front := s.browser(countTabs), s.browser(`gBrowser.selectedTab.linkedBrowser.currentURI.spec`)
	for _, tt := range []struct {
		path, want, warning string
		status              int
		still               bool
	}{
		{"/", `"text":"Home"`, "", 200, false},
		{"/late", `"text":"Late"`, "", 200, false},
		{"/script", `"text":"scripted"`, "", 200, false},
		{"/script", `"text":"without"`, "", 200, true},
		{"/refresh", `"text":"Home"`, "", 200, false},
		{"/asks", `"text":"after"`, "", 200, false},
		{"/odd/text", `first line\nsecond <b>line</b>`, "text/plain", 200, false},
		{"/odd/json", `{\"a\":[1,\"x\"]}`, "application/json", 200, false},
		{"/odd/xml", `<r><i>v</i></r>`, "application/xml", 200, false},
		{"/odd/svg", `"text":"drawn"`, "", 200, false},
		{"/odd/pdf", `"text":"Hello PDF"`, "application/pdf", 200, false},
		{"/odd/gone", `"text":"Not here"`, "error status", 404, false},
		{"/odd/redirect", `"text":"Home"`, "", 200, false},
		{"/odd/login", `Log in first`, "error status", 401, false},
		{"/odd/slow", `At last`, "", 200, false},
		{"/odd/endless?type=text/html", `part 30 of many`, "still coming in", 200, false},
		{"/odd/endless?type=text/plain", `part 30 of many`, "still coming in", 200, false},
	} {
		som, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + tt.path, Script: !tt.still})
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		text := som.Text()
		if !strings.Contains(text, tt.want) || som.Meta.HTTPStatus != tt.status || !strings.Contains(strings.Join(som.Warnings, ";"), tt.warning) {
			t.Errorf("%s: want %s, status %d, warning %q in\n%s", tt.path, tt.want, tt.status, tt.warning, text)
		}
	}
	for path, code := range map[string]session.Code{"/odd/empty": session.NavigationFailed, "/odd/download": session.NavigationFailed} {
		start := time.Now()
		if _, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + path}); session.AsFault(err).Code != code {
			t.Errorf("%s: %v, want %s", path, err, code)
		}
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("%s took %v", path, took)
		}
	}
	if got := s.browser(countTabs); got != before {
		t.Errorf("%s tabs are left, there were %s", got, before)
	}
	if got := s.browser(`gBrowser.selectedTab.linkedBrowser.currentURI.spec`); got != front {
		t.Errorf("the tab in front is %s, it was %s", got, front)
	}
}

func TestFetchParts(t *testing.T) {
	var long strings.Builder
	for i := range 300 {
		fmt.Fprintf(&long, "<p>Paragraph %d is here.</p><a href=/%d>Link %d</a>", i, i, i)
	}
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":     `<nav><a href=/n>Nav</a></nav><main><h1>M</h1><form id=f action=/go><input aria-label=Q><button>Go</button></form></main>`,
		"/long": `<nav>` + strings.Repeat(`<a href=/n>N</a> `, 50) + `</nav><main>` + long.String() + `</main>`,
	})
	fetch := func(a session.FetchArgs) *outline.SOM {
		t.Helper()
		a.Script = true
		som, err := s.Fetch(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		return som
	}
	if som := fetch(session.FetchArgs{URL: s.site.URL + "/", Selector: "#none"}); len(som.Regions) != 0 || len(som.Warnings) != 1 {
		t.Errorf("a selector that matches nothing: %s", som.Text())
	}
	if text := fetch(session.FetchArgs{URL: s.site.URL + "/", Selector: "#f"}).Text(); strings.Contains(text, "Nav") || !strings.Contains(text, `"action":"`+s.site.URL+`/go"`) {
		t.Errorf("a form alone: %s", text)
	}
	if _, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + "/", Selector: "p["}); session.AsFault(err).Code != session.InvalidSelector {
		t.Errorf("a broken selector: %v", err)
	}
	one, two := fetch(session.FetchArgs{URL: s.site.URL + "/"}), fetch(session.FetchArgs{URL: s.site.URL + "/"})
	if one.Text() != two.Text() {
		t.Errorf("the same page twice:\n%s\n%s", one.Text(), two.Text())
	}
	som := fetch(session.FetchArgs{URL: s.site.URL + "/long", Budget: 1000})
	seen := map[string]bool{}
	pages := 0
	for som != nil {
		pages++
		if tokens := outline.Tokens(som.Text()); tokens > 1100 {
			t.Errorf("page %d costs %d tokens", pages, tokens)
		}
		for _, r := range som.Regions {
			if pages == 1 && r.Role == "navigation" && r.Omitted == 0 {
				t.Errorf("the first page has the navigation")
			}
			for _, e := range r.Elements {
				if e.ID != "" && seen[e.ID] {
					t.Errorf("element %s twice", e.ID)
				}
				seen[e.ID] = true
			}
		}
		if som.Next == "" {
			break
		}
		var err error
		if som, err = s.ReadOn(t.Context(), som.Next, 1000); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 351 { // and "" for what has no id
		t.Errorf("%d elements on %d pages, want 350", len(seen)-1, pages)
	}
	if _, err := s.ReadOn(t.Context(), "som99.1", 0); session.AsFault(err).Code != session.InvalidArgument {
		t.Errorf("a cursor of nothing: %v", err)
	}
}

// Many pages, four at a time, all of them right.
func TestFetchMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	s := newStage(t, session.Config{Privileged: true, MaxSessions: 4}, map[string]string{})
	s.odd = func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%[1]s</title><h1>Page %[1]s</h1><p>Some words.</p>", r.URL.Path)
		return true
	}
	const pages, lanes = 40, 6 // more lanes than tabs: the others wait
	start := time.Now()
	work, done := make(chan int), make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range lanes {
		go func() {
			for i := range work {
				som, err := s.Fetch(ctx, session.FetchArgs{URL: fmt.Sprintf("%s/%d", s.site.URL, i), Script: true})
				if err == nil && !strings.Contains(som.Text(), fmt.Sprintf(`"Page /%d"`, i)) {
					err = fmt.Errorf("page %d: %s", i, som.Text())
				}
				done <- err
			}
		}()
	}
	go func() {
		for i := range pages {
			work <- i
		}
		close(work)
	}()
	for range pages {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d pages in %v", pages, time.Since(start))
}

// What is no web page is modelled in a page of ours as it is when it is fetched,
// without the buttons of the browser's viewer.
func TestOpenedSourceAsModel(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "<p>x"})
	s.odd = odd
	t.Cleanup(func() { s.Leave(context.Background()) })
	for path, want := range map[string]string{
		"/odd/text": `first line\nsecond <b>line</b>`, "/odd/json": `{\"a\":[1,\"x\"]}`, "/odd/xml": `<r><i>v</i></r>`, "/odd/pdf": `"text":"Hello PDF"`,
	} {
		n := s.visit(path)
		som, err := s.SOM(t.Context(), session.SOMArgs{Tab: n.Tab})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if text := som.Text(); !strings.Contains(text, want) || len(som.Regions) != 1 || !strings.Contains(strings.Join(som.Warnings, ";"), "no web page") {
			t.Errorf("%s: want %s in\n%s", path, want, text)
		}
	}
}

func TestOpenedPageAsModel(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/": `<main><label>Name <input id=n></label><button onclick="document.title=n.value">Set</button></main>`,
	})
	t.Cleanup(func() { s.Leave(context.Background()) })
	n := s.visit("/")
	find := func(role string) session.Ref {
		t.Helper()
		som, err := s.SOM(t.Context(), session.SOMArgs{Tab: n.Tab})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range som.Regions[0].Elements {
			if e.Role == role {
				return session.Ref(e.ID)
			}
		}
		raw, _ := json.Marshal(som)
		t.Fatalf("no %s in %s", role, raw)
		return ""
	}
	input := find("text_input")
	if _, err := s.Type(t.Context(), session.TypeArgs{On: session.On{Tab: n.Tab, Element: input}, Text: "abc"}); err != nil {
		t.Fatal(err)
	}
	if again := find("text_input"); again != input {
		t.Errorf("the input is %s, it was %s", again, input)
	}
	a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Tab: n.Tab, Element: find("button"), Watch: 100 * time.Millisecond}})
	if err != nil || a.Title != "abc" {
		t.Errorf("click: %+v, %v", a, err)
	}
}
