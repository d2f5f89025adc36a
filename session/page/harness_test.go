package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"firefox-rdp-mcp/internal/firefoxtest"
)

// browser is shared by the tests of this package, which run one after another.
var browser *firefoxtest.Firefox

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var err error
	if browser, err = firefoxtest.Launch(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer browser.Stop()
	return m.Run()
}

// site serves the page that a test has set last, and whatever else it has put
// under a path of its own.
type site struct {
	url   string
	pages map[string]string
	types map[string]string
}

func serve(t testing.TB) *site {
	t.Helper()
	s := &site{pages: map[string]string{}, types: map[string]string{}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := s.pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		kind := s.types[r.URL.Path]
		if kind == "" {
			kind = "text/html; charset=utf-8"
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

// visit is one document of the first tab with an agent in it.
type visit struct {
	t       testing.TB
	c       *firefoxtest.Client
	frame   firefoxtest.Frame
	console string
	handle  string
}

func dial(t testing.TB) *firefoxtest.Client {
	t.Helper()
	c, err := firefoxtest.Dial(t.Context(), browser.Port, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// open loads an address in the first tab and installs an agent.
func open(t testing.TB, c *firefoxtest.Client, url string, isolated bool) *visit {
	t.Helper()
	if err := c.Go(t.Context(), 0, url); err != nil {
		t.Fatal(err)
	}
	return install(t, c, 0, isolated)
}

// install puts an agent into one of the first tab's documents.
func install(t testing.TB, c *firefoxtest.Client, frame int, isolated bool) *visit {
	t.Helper()
	frames, err := c.Frames(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	v := &visit{t: t, c: c, frame: frames[frame]}
	if v.console, err = c.Process(t.Context(), v.frame.Pid); err != nil {
		t.Fatal(err)
	}
	if !isolated {
		v.console = pageConsole(t, c)
	}
	raw, err := c.Evaluate(t.Context(), v.console, Install(v.frame.Win, isolated), map[string]any{"disableBreaks": true})
	if err != nil {
		t.Fatal(err)
	}
	var grip struct{ Class, Actor string }
	if err := json.Unmarshal(raw, &grip); err != nil || grip.Class != "Function" {
		t.Fatalf("install gave %s", raw)
	}
	v.handle = grip.Actor
	return v
}

// pageConsole is the first tab's own console.
func pageConsole(t testing.TB, c *firefoxtest.Client) string {
	t.Helper()
	raw, err := c.Ask(t.Context(), "root", "listTabs", nil)
	if err != nil {
		t.Fatal(err)
	}
	var tabs struct{ Tabs []struct{ Actor string } }
	if err := json.Unmarshal(raw, &tabs); err != nil {
		t.Fatal(err)
	}
	if raw, err = c.Ask(t.Context(), tabs.Tabs[0].Actor, "getTarget", nil); err != nil {
		t.Fatal(err)
	}
	var target struct{ Frame struct{ ConsoleActor string } }
	if err := json.Unmarshal(raw, &target); err != nil {
		t.Fatal(err)
	}
	return target.Frame.ConsoleActor
}

// raw calls a method and returns the envelope.
func (v *visit) raw(method string, args any) string {
	v.t.Helper()
	text, err := Call(method, args)
	if err != nil {
		v.t.Fatal(err)
	}
	raw, err := v.c.Evaluate(v.t.Context(), v.console, text, map[string]any{
		"selectedObjectActor": v.handle, "disableBreaks": true, "mapped": map[string]any{"await": true},
	})
	if err != nil {
		v.t.Fatalf("%s: %v", method, err)
	}
	var answer string
	if err := json.Unmarshal(raw, &answer); err != nil {
		v.t.Fatalf("%s gave %.300s", method, raw)
	}
	return answer
}

// call calls a method that has to succeed.
func (v *visit) call(method string, args, into any) {
	v.t.Helper()
	if err := Decode(v.raw(method, args), into); err != nil {
		v.t.Fatalf("%s: %v", method, err)
	}
}

// code calls a method and returns the code of its error, "" if it succeeded.
func (v *visit) code(method string, args any) string {
	v.t.Helper()
	err := Decode(v.raw(method, args), nil)
	if fault, ok := errors.AsType[*Error](err); ok {
		return fault.Code
	}
	if err != nil {
		v.t.Fatalf("%s: %v", method, err)
	}
	return ""
}

// oracle evaluates an expression about the page from Firefox's own side.
func (v *visit) oracle(expression string) string {
	v.t.Helper()
	raw, err := v.c.InFrame(v.t.Context(), v.frame, expression)
	if err != nil {
		v.t.Fatal(err)
	}
	return string(raw)
}
