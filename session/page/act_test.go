package page

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// acted is what an acting method answers, or its error.
type acted struct {
	Relocated  bool     `json:"relocated"`
	ValueAfter *string  `json:"value_after"`
	Secret     bool     `json:"secret"`
	Checked    *bool    `json:"checked"`
	Unchanged  bool     `json:"unchanged"`
	Submitted  *bool    `json:"submitted"`
	Emulated   []string `json:"emulated"`
	Warnings   []string `json:"warnings"`
	Popup      *struct {
		URL   string
		Taken bool
	} `json:"popup"`
	Way      string `json:"way"`
	Accepted bool   `json:"accepted"`
	URL      string `json:"url"`
	Scroll   struct {
		X, Y  int
		AtEnd bool `json:"at_end"`
	} `json:"scroll"`

	// settle and wait
	Quiet    bool `json:"quiet"`
	Moved    bool `json:"moved"`
	Rejected bool `json:"rejected"`
	Met      bool `json:"met"`
	Elapsed  int  `json:"elapsed"`
	Focus    int  `json:"focus"`

	Code    string          `json:"-"`
	Message string          `json:"-"`
	Details json.RawMessage `json:"-"`
}

// text is everything that an answer says in words.
func (a *acted) text() string {
	return a.Code + " " + a.Message + " " + strings.Join(a.Warnings, " ") + " " + strings.Join(a.Emulated, " ")
}

func (a *acted) value() string {
	if a.ValueAfter == nil {
		return "<none>"
	}
	return *a.ValueAfter
}

// stage is a page with an agent in it.
type stage struct {
	*visit
	site *site
}

// args are the arguments of a method.
type args map[string]any

// both runs a test in a page with the agent in its sandbox, and again with the
// agent in the page's own realm.
func both(t *testing.T, html string, test func(t *testing.T, s *stage)) {
	t.Helper()
	for _, isolated := range []bool{true, false} {
		name := "isolated"
		if !isolated {
			name = "page realm"
		}
		t.Run(name, func(t *testing.T) { test(t, stageOf(t, html, isolated)) })
	}
}

// alone runs a test with the agent in its sandbox only.
func alone(t *testing.T, html string, test func(t *testing.T, s *stage)) {
	t.Helper()
	test(t, stageOf(t, html, true))
}

func stageOf(t *testing.T, html string, isolated bool) *stage {
	t.Helper()
	s := serve(t)
	s.pages["/"] = "<!doctype html><html lang=en><meta charset=utf-8><title>Stage</title><body>" + html
	return &stage{visit: open(t, dial(t), s.url+"/", isolated), site: s}
}

// fixture is a page of testdata/pages.
func fixture(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "pages", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ask calls a method; what fails is in the answer.
func (s *stage) ask(method string, a args) acted {
	s.t.Helper()
	var out acted
	err := Decode(s.raw(method, a), &out)
	if fault, ok := errors.AsType[*Error](err); ok {
		return acted{Code: fault.Code, Message: fault.Message, Details: fault.Details}
	}
	if err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
	return out
}

// target gives the arguments that name an element, as a snapshot would.
func (s *stage) target(selector string) args {
	s.t.Helper()
	var at args
	s.call("locate", args{"selector": selector}, &at)
	at["unique"] = true
	return at
}

// on calls a method on an element.
func (s *stage) on(selector, method string, more args) acted {
	s.t.Helper()
	return s.at(s.target(selector), method, more)
}

func (s *stage) at(target args, method string, more args) acted {
	s.t.Helper()
	a := args{"baseline": true, "until": time.Now().Add(10 * time.Second).UnixMilli()}
	for k, v := range target {
		a[k] = v
	}
	for k, v := range more {
		a[k] = v
	}
	return s.ask(method, a)
}

// ok calls a method on an element that has to succeed.
func (s *stage) ok(selector, method string, more args) acted {
	s.t.Helper()
	out := s.on(selector, method, more)
	if out.Code != "" {
		s.t.Errorf("%s %s: %s: %s", method, selector, out.Code, out.Message)
	}
	return out
}

// fails calls a method on an element that has to fail with a code.
func (s *stage) fails(selector, method string, more args, code string) acted {
	s.t.Helper()
	out := s.on(selector, method, more)
	if out.Code != code {
		s.t.Errorf("%s %s %v gives %q (%s), want %s", method, selector, more, out.Code, out.Message, code)
	}
	return out
}

// settle waits until the page is quiet.
func (s *stage) settle() acted {
	s.t.Helper()
	return s.ask("settle", args{"wait": 400})
}

// is compares an expression about the page with what it should be.
func (s *stage) is(expression, want string) {
	s.t.Helper()
	if got := s.oracle(expression); got != want {
		s.t.Errorf("%s is %s, want %s", expression, got, want)
	}
}

// becomes waits a moment for an expression about the page to come out right.
func (s *stage) becomes(expression, want string) {
	s.t.Helper()
	var got string
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if got = s.oracle(expression); got == want {
			return
		}
	}
	s.t.Errorf("%s is %s, want %s", expression, got, want)
}

// quoted is a string as JSON, as the oracle answers it.
func quoted(text string) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	return strings.TrimSpace(out.String())
}

// fixtureText is fixture for tables, which are made before their tests run.
func fixtureText(name string) string {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "pages", name))
	if err != nil {
		return err.Error()
	}
	return string(text)
}
