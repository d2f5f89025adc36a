package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

func TestEvaluate(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, Evaluate: session.EvaluatePages}, map[string]string{
		"/": `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src 'nonce-x'"><title>E</title><p id=p>text</p><script nonce=x>answer=42</script>`,
	})
	t.Cleanup(func() { s.Leave(context.Background()) })
	s.open("/")
	n := s.visit("/")
	for _, tt := range []struct{ script, kind, want string }{
		{"1+1", "number", "2"},
		{"answer", "number", "42"},
		{"document.title", "string", `"E"`},
		{`({a:[1,null,"é"]})`, "object", `{"a":[1,null,"é"]}`},
		{"null", "null", "null"},
		{"undefined", "undefined", ""},
		{"Promise.resolve(7)", "number", "7"},
		{"await Promise.resolve(8)", "number", "8"},
		{"const x = 3; return x * x", "number", "9"},
		{"let y = 1\nfor (const i of [1,2]) y += i\nreturn y // done", "number", "4"},
		{"document.querySelector('#p').textContent // comment", "string", `"text"`},
		{"10n ** 20n", "bigint", `"100000000000000000000"`},
		{"new Promise(r => setTimeout(() => r('late'), 50))", "string", `"late"`},
		{"NaN", "number", `"NaN"`},
		{"-1 / 0", "number", `"-Infinity"`},
		{"[NaN, undefined, () => 1]", "object", "[null,null,null]"},
		{"Symbol('x')", "symbol", ""},
		{"() => 1", "function", ""},
		{"document.body", "object", `"[object HTMLBodyElement]"`},
		{"new Map([[1, 2]])", "object", `"[object Map]"`},
		{"/x/g", "object", `"/x/g"`},
		{"RangeError('far')", "object", `"RangeError: far"`},
		{"({})", "object", "{}"},
		{"new Proxy({a: 1}, {})", "object", `{"a":1}`},
		{`"\ud83d"`, "string", `"\ud83d"`},
		{"({toJSON: () => 5})", "object", "5"},
		{":help", "", ""},
	} {
		got, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: tt.script})
		if tt.kind == "" {
			if f := session.AsFault(err); f.Code != session.PageScriptFailed || !strings.Contains(f.Message, "cannot be read") {
				t.Errorf("%q: %+v, %v", tt.script, got, err)
			}
			continue
		}
		if err != nil || got.Kind != tt.kind || got.JSON != tt.want {
			t.Errorf("%q: %+v, %v; want %s %s", tt.script, got, err, tt.kind, tt.want)
		}
	}
	for script, want := range map[string]string{
		"nowhere.x":                              "ReferenceError: nowhere is not defined",
		"1;\n\nnull.x":                           "(line 3)",
		"Promise.reject(Error('no'))":            "Error: no",
		"(() => { throw 'words' })()":            `"words"`,
		"JSON.parse('{')":                        "SyntaxError: JSON.parse",
		"if (":                                   "cannot be read",
		"throw {toString() {throw 1}}":           "cannot be told",
		"throw new Proxy({}, {get() {throw 1}})": "cannot be told",
	} {
		_, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: script})
		if f := session.AsFault(err); f.Code != session.PageScriptFailed || !strings.Contains(f.Message, want) {
			t.Errorf("%q: %v, want %s", script, err, want)
		}
	}
	for script, want := range map[string]struct{ json, why string }{
		"const a = {}; a.a = a; return a":                                        {`"[object Object]"`, "cyclic"},
		"({get x() { throw Error('no look') }})":                                 {`"[object Object]"`, "no look"},
		"({toJSON() { throw Error('no JSON') }})":                                {`"[object Object]"`, "no JSON"},
		"new Proxy({}, {get(_, k) { if (k !== 'then') throw Error('no way') }})": {`"something that cannot be told"`, "no way"},
		"new Proxy({}, {ownKeys() { throw Error('no keys') }})":                  {`"[object Object]"`, "no keys"},
		"({a: 10n})": {`"[object Object]"`, "BigInt"},
		"const a = Object.create(null); a.a = a; return a":              {`"something that cannot be told"`, "cyclic"},
		"let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return {a}": {`"[object Object]"`, "recursion"},
		"({toJSON() { throw {toString() { throw 1 }} }})":               {`"[object Object]"`, "cannot be told"},
	} {
		got, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: script})
		if err != nil || got.JSON != want.json || !strings.Contains(got.Why, want.why) {
			t.Errorf("%q: %+v, %v; want %+v", script, got, err, want)
		}
	}
	long, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: `"x".repeat(1e6)`})
	if err != nil || !long.Cut || len(long.JSON) > 100_100 {
		t.Errorf("a long result: %v, cut %v, %d bytes", err, long.Cut, len(long.JSON))
	}
	if _, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: "new Promise(() => {})", Timeout: 300 * time.Millisecond}); session.AsFault(err).Code != session.PageUnresponsive {
		t.Errorf("a script without end: %v", err)
	}
	asked, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: "confirm('sure?')"})
	if err != nil || asked.Dialog == nil || asked.Dialog.Text != "sure?" {
		t.Errorf("a dialog: %+v, %v", asked, err)
	}
	if _, err := s.AnswerDialog(t.Context(), n.Tab, true, nil); err != nil {
		t.Error(err)
	}
	if _, err := s.Evaluate(t.Context(), session.EvaluateArgs{Expression: "1"}); session.AsFault(err).Code != session.EvaluateDisabled {
		t.Errorf("in a tab of the user's: %v", err)
	}
}

func TestEvaluateWithoutScripts(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, Evaluate: session.EvaluateAnywhere, NoJavaScript: true}, map[string]string{"/": `<p id=p>still</p><script>p.textContent="ran"</script>`})
	t.Cleanup(func() { s.Leave(context.Background()) })
	n := s.visit("/")
	got, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: "document.querySelector('p').textContent"})
	if err != nil || got.JSON != `"still"` {
		t.Errorf("%+v, %v", got, err)
	}
	s.open("/")
	if got, err := s.Evaluate(t.Context(), session.EvaluateArgs{Expression: "p.textContent"}); err != nil || got.JSON != `"ran"` {
		t.Errorf("the user's tab: %+v, %v", got, err)
	}
}

func TestEvaluateIsOff(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": "x"})
	if _, err := s.Evaluate(t.Context(), session.EvaluateArgs{Expression: "1"}); session.AsFault(err).Code != session.EvaluateDisabled {
		t.Errorf("%v", err)
	}
}

// A script that never ends costs its caller the time-out and its tab a load; all else
// goes on meanwhile.
func TestEvaluateWithoutEnd(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, Evaluate: session.EvaluatePages}, map[string]string{"/": "<p>Here", "/next": "<p>Next"})
	t.Cleanup(func() { s.Leave(context.Background()) })
	s.open("/")
	other := strings.Replace(s.site.URL, "127.0.0.1", "localhost", 1) // its pages have a process of their own
	n, err := s.OpenPage(t.Context(), session.OpenArgs{URL: other + "/", Wait: "complete"})
	if err != nil {
		t.Fatal(err)
	}
	const limit = time.Second
	begun := time.Now()
	if _, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: "while (true);", Timeout: limit}); session.AsFault(err).Code != session.PageUnresponsive {
		t.Errorf("a loop without end: %v", err)
	}
	if took := time.Since(begun); took > limit+10*time.Second {
		t.Errorf("it was given up after %v", took)
	}
	if text, err := s.Text(t.Context(), session.TextArgs{}); err != nil || text.Text != "Here" {
		t.Errorf("the other tab: %+v, %v", text, err)
	}
	if _, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: "1", Timeout: limit}); session.AsFault(err).Code != session.PageUnresponsive {
		t.Errorf("the hung page: %v", err)
	}
	if _, err := s.Navigate(t.Context(), session.NavigateArgs{Tab: n.Tab, URL: other + "/next", Wait: "complete"}); err != nil {
		t.Fatalf("freeing it: %v", err)
	}
	if got, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: "document.body.textContent"}); err != nil || got.JSON != `"Next"` {
		t.Errorf("the freed tab: %+v, %v", got, err)
	}
}
