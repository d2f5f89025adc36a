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
		"nowhere.x":                    "ReferenceError: nowhere is not defined",
		"1;\n\nnull.x":                 "(line 3)",
		"Promise.reject(Error('no'))":  "Error: no",
		"(() => { throw 'words' })()":  `"words"`,
		"JSON.parse('{')":              "SyntaxError: JSON.parse",
		"if (":                         "cannot be read",
		"throw {toString() {throw 1}}": "cannot be told",
	} {
		_, err := s.Evaluate(t.Context(), session.EvaluateArgs{Tab: n.Tab, Expression: script})
		if f := session.AsFault(err); f.Code != session.PageScriptFailed || !strings.Contains(f.Message, want) {
			t.Errorf("%q: %v, want %s", script, err, want)
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
