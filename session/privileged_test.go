package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// snippet calls one of the snippets of privileged.js in the parent process, as the
// session does, and decodes what it returns.
func (s *stage) snippet(name string, args, into any) error {
	s.t.Helper()
	source, err := os.ReadFile("privileged.js")
	if err != nil {
		s.t.Fatal(err)
	}
	literal, err := json.Marshal(args)
	if err != nil {
		s.t.Fatal(err)
	}
	console, err := s.oracle.Process(s.t.Context(), 0)
	if err != nil {
		s.t.Fatal(err)
	}
	raw, err := s.oracle.Evaluate(s.t.Context(), console, fmt.Sprintf("(%s)(%q, %q)", source, name, literal), nil)
	if err != nil {
		return err
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), into)
}

// What is no web page is neither opened nor loaded, whoever asks, and an address is
// never taken for a script.
func TestSnippetsTakeOnlyWebAddresses(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "<p>First"})
	s.open("/")
	tabs := s.browser(countTabs)
	var id int64
	if _, err := fmt.Sscan(s.browser(`String(gBrowser.selectedBrowser.browserId)`), &id); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"about:config", "file:///etc/passwd", "chrome://browser/content/browser.xhtml", "javascript:globalThis.pwned=1", "data:text/html,x", "view-source:http://a/",
		"resource://gre/", "blob:http://a/x", `");globalThis.pwned=1;("`, "\u2028globalThis.pwned=1", "", "x",
	} {
		var opened struct{ BrowserID int64 }
		if err := s.snippet("open", map[string]any{"browserId": 0, "url": address, "byPage": false, "mark": "m", "towards": address}, &opened); err == nil && opened.BrowserID != 0 {
			t.Errorf("open %q made tab %d", address, opened.BrowserID)
		}
		var done struct{ Loaded bool }
		if err := s.snippet("load", map[string]any{"browserId": id, "url": address}, &done); err == nil && done.Loaded {
			t.Errorf("load %q", address)
		}
	}
	if got := s.browser(`typeof pwned`); got != "undefined" {
		t.Error("an address was run as a script")
	}
	if got := s.browser(countTabs); got != tabs {
		t.Errorf("%s tabs, there were %s", got, tabs)
	}
	if got := s.browser(`gBrowser.selectedBrowser.currentURI.spec`); got != s.site.URL+"/" {
		t.Errorf("the user's tab shows %s", got)
	}
}

// Only a tab with the right mark is closed, and not when its user is there, nor the
// last one of a window.
func TestSnippetsCloseOnlyWhatIsMarked(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "<p>First"})
	s.open("/")
	defer s.browser(`gBrowser.selectedTab = gBrowser.tabs[0], [...gBrowser.tabs].slice(1).forEach(tab => gBrowser.removeTab(tab, {animate: false})), "x"`)
	open := func(mark string) int64 {
		t.Helper()
		var opened struct{ BrowserID int64 }
		if err := s.snippet("open", map[string]any{"browserId": 0, "url": "about:blank", "byPage": false, "mark": mark, "towards": s.site.URL}, &opened); err != nil || opened.BrowserID == 0 {
			t.Fatalf("open: %v", err)
		}
		return opened.BrowserID
	}
	closeTabs := func(mark string, force bool, ids ...int64) []string {
		t.Helper()
		args := map[string]any{"mark": mark, "force": force}
		if ids != nil {
			args["browserIds"] = ids
		}
		var what []string
		if err := s.snippet("close", args, &what); err != nil {
			t.Fatal(err)
		}
		return what
	}
	expect := func(name string, got []string, want ...string) {
		t.Helper()
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	one, two, alien := open("mine"), open("mine"), open("theirs")
	if front := s.browser(`gBrowser.selectedBrowser.currentURI.spec + gBrowser.selectedTab.userContextId`); front != s.site.URL+"/0" {
		t.Errorf("in front is %s", front)
	}
	if where := s.browser(`String([...gBrowser.tabs].map(tab => tab.userContextId))`); where != "0,0,0,0" {
		t.Errorf("the tabs are in the containers %s", where)
	}
	expect("another's", closeTabs("mine", false, alien), "released")
	expect("without a mark", closeTabs("", false, one), "released")
	expect("two of ours, one of which has lost its mark", closeTabs("mine", false, one, two), "released", "closed")
	expect("gone already", closeTabs("mine", false, two, 987654), "gone", "gone")
	three, four := open("mine"), open("mine")
	s.browser(`gBrowser.selectedTab = gBrowser.tabs.at(-1), "x"`)
	expect("the user is there", closeTabs("mine", false, four), "released")
	s.browser(`gBrowser.selectedTab = gBrowser.tabs[0], "x"`)
	open("mine")
	s.browser(`gBrowser.selectedTab = gBrowser.tabs.at(-1), "x"`)
	expect("all of ours, one in front", closeTabs("mine", false), "closed", "released")
	expect("closed", closeTabs("mine", false, three), "gone")
	s.browser(`gBrowser.selectedTab = gBrowser.tabs[0], "x"`)
	fifth := open("mine")
	s.browser(`gBrowser.selectedTab = gBrowser.tabs.at(-1), "x"`)
	expect("a question brought it to the front", closeTabs("mine", true, fifth), "closed")
}

func TestSnippetsOfNoTab(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, nil)
	for name, want := range map[string]string{
		"dialogs": `[]`, "answer": `{"answered":false}`, "load": `{"loaded":false}`, "busy": `{"busy":false,"heard":{}}`, "marked": `[0]`,
	} {
		var got json.RawMessage
		err := s.snippet(name, map[string]any{"browserId": 987654, "accept": true, "tabs": []string{"none"}, "mark": "mine", "text": nil, "url": "http://127.0.0.1:1/"}, &got)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
	var got json.RawMessage
	if err := s.snippet("constructor", map[string]any{}, &got); err == nil && string(got) != "{}" && string(got) != "null" {
		t.Errorf("what is no snippet: %s", got)
	}
}

// What needs the browser's own rights says so when they are switched off, and no
// snippet reaches Firefox.
func TestSnippetsSwitchedOff(t *testing.T) {
	s := newStage(t, session.Config{Privileged: false}, map[string]string{"/": "<p>First"})
	s.open("/")
	tabs := s.browser(countTabs)
	address := s.site.URL + "/"
	for name, call := range map[string]func() error{
		"open": func() error {
			_, err := s.OpenPage(t.Context(), session.OpenArgs{URL: address, Wait: "dom"})
			return err
		},
		"fetch":  func() error { _, err := s.Fetch(t.Context(), session.FetchArgs{URL: address}); return err },
		"text":   func() error { _, err := s.Text(t.Context(), session.TextArgs{URL: address}); return err },
		"dialog": func() error { _, err := s.AnswerDialog(t.Context(), "", true, nil); return err },
	} {
		if err := call(); session.AsFault(err).Code != session.PrivilegedDisabled {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := s.browser(countTabs); got != tabs {
		t.Errorf("%s tabs, there were %s", got, tabs)
	}
}
