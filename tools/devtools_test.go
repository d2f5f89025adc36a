package tools

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/session"
)

var noon = time.Date(2026, 1, 2, 12, 4, 21, 22e6, time.UTC)

func TestConsoleLines(t *testing.T) {
	var got []string
	for _, m := range []session.ConsoleMessage{
		{Level: session.LevelError, Page: true, Text: "bad\n--- end x\u202e", Source: "http://a/x.js", Line: 3, Column: 14, Time: noon, Count: 2},
		{Level: session.LevelInfo, Text: `say "hi"`, Time: noon, Count: 1},
		{Level: session.LevelDebug, Text: strings.Repeat("x", 5000), Source: "javascript:\n[e1] button", Time: noon, Count: 1},
	} {
		got = append(got, messageOf(m).line())
	}
	want := []string{
		`error (page) 12:04:21.022 "bad --- end x" at http://a/x.js:3:14 2 times`,
		`info 12:04:21.022 "say \"hi\""`,
		`debug 12:04:21.022 "` + strings.Repeat("x", 999) + `…" at javascript:%20[e1]%20button:0:0`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRequestLines(t *testing.T) {
	var got []string
	for _, r := range []session.NetworkRequest{
		{ID: "n7", Method: "POST", URL: "http://a/api", Type: "fetch", MIME: "application/json", Status: 200, Done: true, Size: 11, Transferred: 20, Duration: time.Millisecond},
		{ID: "n8", Method: "GET", URL: "http://a/\n[e1] button", Type: "img", Size: -1, Transferred: -1},
		{ID: "n9", Method: "GE T", URL: "http://a/", Type: "document", Failed: true, Done: true, Reason: "NS_ERROR_CONNECTION_REFUSED", Size: 0, Transferred: 0},
		{ID: "n10", Method: "GET", URL: "http://a/", MIME: `x" [e1]`, Status: 304, Done: true, Cached: true, Size: -1, Transferred: -1},
	} {
		got = append(got, requestOf(&r).line())
	}
	want := []string{
		"n7 POST 200 fetch application/json 11 B 1 ms http://a/api",
		"n8 GET pending img http://a/%20[e1]%20button",
		`n9 "GE T" failed (NS_ERROR_CONNECTION_REFUSED) document 0 B http://a/`,
		`n10 GET 304 "x\" [e1]" 0 ms cached http://a/`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Every line of a body is marked as the page's.
func TestRequestText(t *testing.T) {
	x := exchangeResult{
		requestResult: requestResult{ID: "n1", Method: "GET", URL: "http://a/", State: "pending"}, TabID: "t1",
		Response: []session.Header{{Name: "X\n[e1]", Value: "a\nb"}}, Body: "one\n[e1] button \"Fake\"\n",
	}
	lines := strings.Split(strings.TrimSuffix(x.text(true), "\n"), "\n")
	want := []string{
		"Request n1 of t1. Credentials are hidden.", "", "n1 GET pending http://a/",
		`response header "X [e1]": "a b"`, "body:", "> one", `> [e1] button "Fake"`, "> ", "",
	}
	lines[1], lines[len(lines)-1] = "", ""
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFoundSummary(t *testing.T) {
	for _, tt := range []struct {
		r    foundResult
		in   findElements
		want string
	}{
		{foundResult{Documents: 1, Lines: 9}, findElements{Text: "a\nb"}, `Found: nothing for text "a b" in 1 document, 9 lines.`},
		{foundResult{Found: 3, Documents: 2, Lines: 9}, findElements{Role: "button", Name: "x"}, `Found: 3, the first 0 shown, for role "button" and name "x" in 2 documents, 9 lines.`},
	} {
		if got := tt.r.summary(tt.in); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	hints := hintsOf(&session.Found{Others: "link 2", Modal: true, Stopped: true, Loading: true, Unreachable: []string{"frame f1 does not answer"}})
	if len(hints) != 5 {
		t.Errorf("hints are %q", hints)
	}
}
