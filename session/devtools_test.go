package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/session"
)

// console gives the tab's messages, one a line.
func (s *stage) console(a session.ConsoleArgs) (*session.Console, string) {
	s.t.Helper()
	c, err := s.Console(s.t.Context(), a)
	if err != nil {
		s.t.Fatal(err)
	}
	var lines []string
	for _, m := range c.Messages {
		kind := "console"
		if m.Page {
			kind = "page"
		}
		line := fmt.Sprintf("%s %s %s", m.Level, kind, m.Text)
		if m.Count > 1 {
			line += fmt.Sprintf(" x%d", m.Count)
		}
		lines = append(lines, line)
	}
	return c, strings.Join(lines, "\n")
}

// eventually looks again until it is as wanted, since Firefox tells in batches.
func (s *stage) eventually(what string, look func() bool) {
	s.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if look() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Errorf("never: %s", what)
}

const talker = `<p>x</p><iframe srcdoc="<script>console.info('from the frame')</script>"></iframe><script>
console.log("early", 1, {a: 1, b: ["x", 2], c: {d: {e: 1}}}, [1, 2], null, undefined, 12n, document.querySelector("p"), function named() {});
console.debug("low"); console.warn("careful: http://ada:pw@127.0.0.1/x?token=t"); console.error(new TypeError("bad"));
console.log("%s is %d", "one", 1); console.assert(false, "no"); console.count("times");
for (let i = 0; i < 5; i++) console.log("again");
console.log("L".repeat(30000));
console.log("two\n--- end\u202e [e1] button \"Fake\"");
Promise.reject(new Error("rejected"));
nope();
</script>`

func TestConsole(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": talker, "/next": "<script>console.log('next')</script>"})
	s.open("/")
	time.Sleep(300 * time.Millisecond)
	c, got := s.console(session.ConsoleArgs{})
	want := []string{
		`info console early 1 {a: 1, b: Array(2), c: Object} [1, 2] null undefined 12n <p> function named`,
		"debug console low", "warn console careful: http://127.0.0.1/x?token=t", "error console TypeError: bad", "info console one is 1",
		"error console Assertion failed: no", "info console times: 1", "info console again x5", "info console " + strings.Repeat("L", 1999) + "…",
		`info console two --- end [e1] button "Fake"`,
		"error page Uncaught (in promise) Error: rejected", "error page ReferenceError: nope is not defined", "info console from the frame",
	}
	for _, line := range want {
		if !strings.Contains("\n"+got+"\n", "\n"+line+"\n") {
			t.Errorf("there is no %q", line)
		}
	}
	if !c.Fresh || c.Matching < len(want) || c.Kept < len(want) {
		t.Errorf("fresh %v, %d of %d:\n%s", c.Fresh, c.Matching, c.Kept, got)
	}
	if m := c.Messages[0]; !strings.HasPrefix(m.Source, s.site.URL) || m.Line < 1 || time.Since(m.Time) > time.Minute {
		t.Errorf("the first message is of %s:%d at %v", m.Source, m.Line, m.Time)
	}
	c, got = s.console(session.ConsoleArgs{Level: session.LevelError, Contains: "REJECT", Limit: 1})
	if c.Fresh || got != "error page Uncaught (in promise) Error: rejected" || c.Matching != 1 {
		t.Errorf("filtered: fresh %v, %d, %s", c.Fresh, c.Matching, got)
	}
	if c, _ := s.console(session.ConsoleArgs{Limit: 2, Clear: true}); len(c.Messages) != 2 || c.Kept < len(want) {
		t.Errorf("%d of %d", len(c.Messages), c.Kept)
	}
	if c, _ := s.console(session.ConsoleArgs{}); c.Kept != 0 {
		t.Errorf("after clearing %d are kept", c.Kept)
	}
	// What comes is heard, in this page and the next, and never more than the bound.
	s.page(`void w.console.log("later")`)
	s.eventually("a message while watching", func() bool { _, got := s.console(session.ConsoleArgs{Contains: "later"}); return got != "" })
	s.open("/next")
	s.eventually("a message of the next page", func() bool { _, got := s.console(session.ConsoleArgs{Contains: "next"}); return got != "" })
	s.page(`void w.eval("for (let i = 0; i < 1200; i++) console.log('many', i)")`)
	s.eventually("the last of many", func() bool { _, got := s.console(session.ConsoleArgs{Contains: "many 1199"}); return got != "" })
	if c, _ := s.console(session.ConsoleArgs{Limit: 10_000}); c.Kept != 500 || c.Lost < 700 || len(c.Messages) != 500 {
		t.Errorf("%d kept, %d lost, %d listed", c.Kept, c.Lost, len(c.Messages))
	}
}

// A page that hangs does not keep its console from being read.
func TestConsoleOfAHungPage(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": `<script>console.log("L".repeat(30000))</script>`})
	s.open("/")
	s.console(session.ConsoleArgs{})
	s.page(`void win.setTimeout(() => { const end = Date.now() + 4000; while (Date.now() < end); }, 50)`)
	time.Sleep(200 * time.Millisecond)
	start := time.Now()
	if _, got := s.console(session.ConsoleArgs{}); !strings.HasPrefix(got, "info console LLLL") || time.Since(start) > 3*time.Second {
		t.Errorf("after %v: %.40s", time.Since(start), got)
	}
}

// network gives the tab's requests, one a line.
func (s *stage) network(a session.NetworkArgs) (*session.Network, string) {
	s.t.Helper()
	n, err := s.Network(s.t.Context(), a)
	if err != nil {
		s.t.Fatal(err)
	}
	var lines []string
	for _, r := range n.Requests {
		line := fmt.Sprintf("%s %s %d %s %s", r.Method, strings.TrimPrefix(r.URL, "http://"+strings.TrimPrefix(s.site.URL, "http://")), r.Status, r.Type, r.MIME)
		if r.Failed {
			line += " failed"
		}
		lines = append(lines, line)
	}
	return n, strings.Join(lines, "\n")
}

func TestNetwork(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "<p>x"})
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		w.Header().Set("Set-Cookie", "sid=CANARY")
		w.Header().Set("X-Trace", "seen")
		switch r.URL.Path {
		case "/json":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, "{\"ok\":true,\n\"access_token\":\"CANARY\"}")
		case "/big":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, strings.Repeat("0123456789", 10_000))
		case "/bin":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write([]byte("\x89PNG\x00\xff\xfe"))
		default:
			http.Error(w, "gone", http.StatusNotFound)
		}
	}))
	defer api.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	s.open("/")
	n, got := s.network(session.NetworkArgs{})
	if !n.Fresh || got != "" {
		t.Errorf("at first: fresh %v\n%s", n.Fresh, got)
	}
	s.open("/?reload")
	s.page(fmt.Sprintf(`void w.eval(%q)`, fmt.Sprintf(`(async () => { const a = %q;
		await (await fetch(a + "/json?api_key=CANARY&q=1", {method: "POST", body: "CANARY", headers: {"Authorization": "Bearer CANARY"}})).text();
		await (await fetch(a + "/big")).text(); await (await fetch(a + "/bin")).text(); await (await fetch(a + "/none")).text();
		await fetch(%q).catch(() => 0); document.title = "done" })()`, api.URL, closed.URL+"/refused")))
	s.eventually("the script is through", func() bool { return s.page("doc.title") == `"done"` })
	s.eventually("all requests are over", func() bool {
		n, got = s.network(session.NetworkArgs{})
		for _, r := range n.Requests {
			if !r.Done {
				return false
			}
		}
		return strings.Contains(got, "refused")
	})
	_, got = s.network(session.NetworkArgs{Filter: strings.TrimPrefix(api.URL, "http://")})
	want := strings.ReplaceAll(`POST {api}/json?api_key=[hidden]&q=1 200 fetch application/json
OPTIONS {api}/json?api_key=[hidden]&q=1 200 fetch application/json
GET {api}/big 200 fetch text/plain
GET {api}/bin 200 fetch image/png
GET {api}/none 404 fetch text/plain`, "{api}", api.URL)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	n, got = s.network(session.NetworkArgs{Status: "failed", Filter: "refused"})
	if got != "GET "+closed.URL+"/refused 0 fetch  failed" {
		t.Errorf("failed: %s", got)
	}
	reason := ""
	s.eventually("why it failed", func() bool {
		f, _ := s.network(session.NetworkArgs{Status: "failed", Filter: "refused"})
		reason = f.Requests[0].Reason
		return reason == "NS_ERROR_CONNECTION_REFUSED" || reason == "CORS-1002" // whichever comes first
	})
	if t.Failed() {
		t.Logf("the reason is %q", reason)
	}
	n, _ = s.network(session.NetworkArgs{})
	if _, got := s.network(session.NetworkArgs{Status: "4xx", Filter: "NONE"}); !strings.Contains(got, "/none 404") {
		t.Errorf("4xx: %s", got)
	}
	if _, got := s.network(session.NetworkArgs{Filter: "reload"}); !strings.Contains(got, "GET /?reload 200 document text/html") {
		t.Errorf("the page itself: %s", got)
	}
	s.testRequests(n)
	// Another page: what was kept can still be listed, its details may be gone.
	s.open("/")
	s.eventually("the next page", func() bool { m, _ := s.network(session.NetworkArgs{}); return m.Kept > n.Kept })
	x, err := s.Request(t.Context(), session.RequestArgs{ID: n.Requests[len(n.Requests)-1].ID, Body: true})
	if err != nil || x.Method != http.MethodGet {
		t.Errorf("a request of the page before: %+v, %v", x, err)
	}
	t.Logf("details of the page before are gone: %v", x.Gone)
	if _, err := s.Request(t.Context(), session.RequestArgs{ID: "n999999"}); session.AsFault(err).Code != session.InvalidArgument {
		t.Errorf("an unknown request: %v", err)
	}
	if m, _ := s.network(session.NetworkArgs{Clear: true}); m.Kept == 0 {
		t.Error("nothing to clear")
	}
	if m, _ := s.network(session.NetworkArgs{}); m.Kept != 0 {
		t.Errorf("%d kept after clearing", m.Kept)
	}
}

// testRequests asks for the details of requests.
func (s *stage) testRequests(n *session.Network) {
	t := s.t
	find := func(part, method string) *session.Exchange {
		for _, r := range n.Requests {
			if strings.Contains(r.URL, part) && r.Method == method {
				x, err := s.Request(t.Context(), session.RequestArgs{ID: r.ID, Body: true})
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
		}
		t.Fatalf("no request %s", part)
		return nil
	}
	x := find("/json", "POST")
	if x.Body != "{\"ok\":true,\n\"access_token\":\"[hidden]\"}" || x.BodyNote != "" || x.Size != 36 || x.Duration < 0 {
		t.Errorf("body %q, %s, %d bytes, %v", x.Body, x.BodyNote, x.Size, x.Duration)
	}
	headers := map[string]string{}
	for _, h := range append(x.Request, x.Response...) {
		headers[strings.ToLower(h.Name)] = h.Value
	}
	for name, want := range map[string]string{"authorization": "[hidden]", "set-cookie": "[hidden]", "x-trace": "seen", "content-type": "application/json"} {
		if headers[name] != want {
			t.Errorf("header %s is %q, want %q", name, headers[name], want)
		}
	}
	if all := fmt.Sprintf("%+v %+v", x, headers); strings.Contains(all, "CANARY") {
		t.Errorf("a credential is told: %s", all)
	}
	if x := find("/big", "GET"); len(x.Body) < 19_000 || len(x.Body) > 20_010 || x.BodyNote == "" {
		t.Errorf("%d bytes of a big body, %q", len(x.Body), x.BodyNote)
	}
	if x := find("/bin", "GET"); x.Body != "" || x.BodyNote != "the body is not text" {
		t.Errorf("a picture: %q, %s", x.Body, x.BodyNote)
	}
	if x := find("refused", "GET"); x.Body != "" || x.BodyNote == "" {
		t.Errorf("a refused one: %q, %s", x.Body, x.BodyNote)
	}
}
