package router_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/internal/firefoxtest"
	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/supervisor/quickack"
)

// dialReal connects to a real Firefox.
func dialReal(t testing.TB, f *firefoxtest.Firefox, limits router.Limits) *stack {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return quickack.Wrap(c), nil
	}}}
	return connect(t, client, fmt.Sprintf("ws://127.0.0.1:%d/", f.Port), limits)
}

// consoles returns the first tab's target, with the page's console, and the
// console of its content process.
func consoles(t testing.TB, s *stack) (target router.Target, process router.ActorID) {
	t.Helper()
	var tabs struct {
		Tabs []struct{ Actor router.ActorID }
	}
	ask(t, s, router.Root, "listTabs", nil, &tabs)
	if len(tabs.Tabs) == 0 {
		t.Fatal("no tabs")
	}
	var watcher struct{ Actor router.ActorID }
	ask(t, s, tabs.Tabs[0].Actor, "getWatcher", map[string]any{"isServerTargetSwitchingEnabled": true, "isPopupDebuggingEnabled": false}, &watcher)
	done := make(chan struct{})
	go func() {
		defer close(done)
		target = await[router.TargetAvailable](t, s).Target
	}()
	ask(t, s, watcher.Actor, "watchTargets", map[string]any{"targetType": "frame"}, nil)
	<-done
	var descriptor struct {
		ProcessDescriptor struct{ Actor router.ActorID }
	}
	ask(t, s, router.Root, "getProcess", map[string]any{"id": target.ProcessID}, &descriptor)
	var reply struct{ Process json.RawMessage }
	ask(t, s, descriptor.ProcessDescriptor.Actor, "getTarget", nil, &reply)
	p, err := router.ParseTarget(reply.Process)
	if err != nil {
		t.Fatal(err)
	}
	return target, p.ConsoleActor
}

func ask(t testing.TB, s *stack, to router.ActorID, method string, args, reply any) {
	t.Helper()
	p, err := s.Do(t.Context(), to, method, args)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	if reply == nil {
		return
	}
	if err := p.Decode(reply); err != nil {
		t.Fatal(err)
	}
}

// acknowledged waits until n evaluations are running.
func acknowledged(t testing.TB, s *stack, n int) {
	t.Helper()
	for range 1000 {
		running := 0
		for _, p := range s.Stats().Pending {
			if p.Phase == router.Acknowledged {
				running++
			}
		}
		if running == n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %d evaluations running: %v", n, s.Stats().Pending)
}

// await reads news up to the first of its kind.
func await[N router.News](t testing.TB, s *stack) N {
	t.Helper()
	for {
		select {
		case n := <-s.news:
			if n, ok := n.(N); ok {
				return n
			}
		case <-s.Done():
			t.Errorf("connection ended before the news: %v", s.Stats().Cause)
			return *new(N)
		case <-time.After(30 * time.Second):
			t.Error("no such news")
			return *new(N)
		}
	}
}

func TestRealFirefox(t *testing.T) {
	f := firefoxtest.Start(t)
	s := dialReal(t, f, router.Limits{})
	target, process := consoles(t, s)
	s.listen()
	for name, console := range map[string]router.ActorID{"page": target.ConsoleActor, "process": process} {
		t.Run(name, func(t *testing.T) { evaluations(t, s, console) })
	}

	t.Run("navigation takes a pending evaluation", func(t *testing.T) {
		lost := make(chan error, 2)
		for _, e := range []struct {
			console router.ActorID
			eval    router.Evaluation
		}{
			{target.ConsoleActor, router.Evaluation{Text: "(new Promise(() => {}))", Await: true}},
			{process, router.Evaluation{Text: "(new Promise(() => {}))", Await: true, Target: target.Actor}},
		} {
			go func() {
				_, err := s.Evaluate(t.Context(), e.console, e.eval)
				lost <- err
			}()
		}
		acknowledged(t, s, 2)
		ask(t, s, target.Actor, "navigateTo", map[string]any{"url": "data:text/html,<title>B</title>"}, nil)
		for range 2 {
			if gone, ok := errors.AsType[*router.GoneError](<-lost); !ok || !gone.Sent {
				t.Errorf("pending evaluation: %v, want a GoneError that was sent", gone)
			}
		}
		_, err := s.Evaluate(t.Context(), target.ConsoleActor, router.Evaluation{Text: "1"})
		if gone, ok := errors.AsType[*router.GoneError](err); !ok || gone.Sent {
			t.Errorf("evaluation on a dead console: %v, want a GoneError that was not sent", err)
		}
	})

	t.Run("content process killed", func(t *testing.T) {
		_, err := s.Evaluate(t.Context(), process, router.Evaluation{Text: "ChromeUtils.idleDispatch(() => Cc['@mozilla.org/xpcom/debug;1'].getService(Ci.nsIDebug2).abort('test', 1)), new Promise(() => {})", Await: true})
		if gone, ok := errors.AsType[*router.GoneError](err); !ok || !gone.Sent {
			t.Errorf("evaluation in a dying process: %v, want a GoneError that was sent", err)
		}
		ask(t, s, router.Root, "listTabs", nil, nil)
	})
	for _, u := range s.Unmatched() {
		t.Logf("unmatched: %+v", u)
	}
}

// evaluations is what holds on every console.
func evaluations(t *testing.T, s *stack, console router.ActorID) {
	eval := func(t *testing.T, e router.Evaluation) (router.Value, error) {
		t.Helper()
		return s.Evaluate(t.Context(), console, e)
	}
	// Three MiB with a surrogate pair across every border of a range.
	const span = 1 << 20
	big := strings.Repeat("x", span-1) + "😀" + strings.Repeat("é", span-2) + "😀" + strings.Repeat("y", span)
	script := fmt.Sprintf(`("x".repeat(%d) + "😀" + "é".repeat(%d) + "😀" + "y".repeat(%d))`, span-1, span-2, span)

	texts := []struct {
		name string
		eval router.Evaluation
		want string
	}{
		{"text", router.Evaluation{Text: `"a<b&c>\u2028"`}, "a<b&c>\u2028"},
		{"empty", router.Evaluation{Text: `""`}, ""},
		{"awaited", router.Evaluation{Text: `(async () => { await 0; return "later" })()`, Await: true}, "later"},
		{"lone surrogate", router.Evaluation{Text: `"a\ud83d"`}, "a\ufffd"},
		{"long string with pairs across the ranges", router.Evaluation{Text: script}, big},
		{"long string, lone surrogate at the end of a range", router.Evaluation{Text: fmt.Sprintf(`("x".repeat(%d) + "\ud83d" + "y")`, span-1)}, strings.Repeat("x", span-1) + "\ufffdy"},
		{"just long", router.Evaluation{Text: `"z".repeat(10000)`}, strings.Repeat("z", 10000)},
	}
	for _, tt := range texts {
		t.Run(tt.name, func(t *testing.T) {
			v, err := eval(t, tt.eval)
			if err != nil || !v.IsText || v.Text != tt.want {
				t.Errorf("Evaluate = %d bytes (text: %t), %v; want %d bytes", len(v.Text), v.IsText, err, len(tt.want))
			}
		})
	}

	t.Run("number", func(t *testing.T) {
		v, err := eval(t, router.Evaluation{Text: "1+1"})
		if err != nil || v.IsText || string(v.Raw) != "2" {
			t.Errorf("Evaluate = %+v, %v", v, err)
		}
	})
	t.Run("undefined", func(t *testing.T) {
		v, err := eval(t, router.Evaluation{Text: "undefined"})
		if err != nil || v.IsText || string(v.Raw) != `{"type":"undefined"}` {
			t.Errorf("Evaluate = %+v, %v", v, err)
		}
	})
	t.Run("handle", func(t *testing.T) {
		v, err := eval(t, router.Evaluation{Text: `((n) => (by) => "n=" + (n += by))(40)`})
		if err != nil || v.Object == "" {
			t.Fatalf("Evaluate = %+v, %v", v, err)
		}
		got, err := eval(t, router.Evaluation{Text: "_self(2)", Self: v.Object})
		if err != nil || got.Text != "n=42" {
			t.Errorf("_self(2) = %q, %v", got.Text, err)
		}
		if err := s.Release(t.Context(), v.Object); err != nil {
			t.Errorf("Release = %v", err)
		}
		got, err = eval(t, router.Evaluation{Text: "typeof _self", Self: v.Object})
		if err != nil || got.Text != "undefined" {
			t.Errorf("typeof _self after release = %q, %v", got.Text, err)
		}
	})
	t.Run("exception", func(t *testing.T) {
		_, err := eval(t, router.Evaluation{Text: `(() => { throw new Error("boom") })()`, URL: "ours.js"})
		thrown, ok := errors.AsType[*router.ExceptionError](err)
		if !ok || thrown.Message != "Error: boom" || !strings.Contains(thrown.Stack, "ours.js:1:") {
			t.Errorf("Evaluate = %#v, want Error: boom from ours.js", err)
		}
	})
	t.Run("exception with a long message", func(t *testing.T) {
		_, err := eval(t, router.Evaluation{Text: `(() => { throw "m".repeat(20000) })()`})
		if thrown, ok := errors.AsType[*router.ExceptionError](err); !ok || !strings.HasPrefix(thrown.Message, "mmmm") {
			t.Errorf("Evaluate = %v, want mmmm…", err)
		}
	})
	t.Run("syntax error", func(t *testing.T) {
		_, err := eval(t, router.Evaluation{Text: `(`})
		if thrown, ok := errors.AsType[*router.ExceptionError](err); !ok || !strings.HasPrefix(thrown.Message, "SyntaxError") {
			t.Errorf("Evaluate = %v, want SyntaxError", err)
		}
	})
	t.Run("rejected", func(t *testing.T) {
		_, err := eval(t, router.Evaluation{Text: `(async () => { throw new Error("why") })()`, Await: true})
		if !errors.Is(err, router.ErrRejected) {
			t.Errorf("Evaluate = %v, want ErrRejected", err)
		}
	})
	t.Run("no result in time", func(t *testing.T) {
		_, err := eval(t, router.Evaluation{Text: `(new Promise(() => {}))`, Await: true, Timeout: 50 * time.Millisecond})
		if !errors.Is(err, router.ErrResultTimeout) {
			t.Errorf("Evaluate = %v, want ErrResultTimeout", err)
		}
	})
	t.Run("no such actor", func(t *testing.T) {
		_, err := s.Evaluate(t.Context(), console+"9", router.Evaluation{Text: `1`})
		if refused, ok := errors.AsType[*router.ActorError](err); !ok || refused.Name != "noSuchActor" {
			t.Errorf("Evaluate = %v, want noSuchActor", err)
		}
	})
}

func BenchmarkRealEvaluation(b *testing.B) {
	f := firefoxtest.Start(b)
	s := dialReal(b, f, router.Limits{})
	target, _ := consoles(b, s)
	s.listen()
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Evaluate(b.Context(), target.ConsoleActor, router.Evaluation{Text: "1"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("3 Mi units", func(b *testing.B) {
		b.SetBytes(3 << 20)
		for b.Loop() {
			if _, err := s.Evaluate(b.Context(), target.ConsoleActor, router.Evaluation{Text: `"x".repeat(3 << 20)`}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
