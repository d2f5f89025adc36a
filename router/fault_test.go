package router_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"firefox-rdp-mcp/reader"
	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/router/rdptest"
)

// kill is a way for a connection to die.
type kill struct {
	name string
	do   func(*rdptest.Peer)
	is   func(error) bool // what the cause must be
}

var kills = []kill{
	{
		"close frame",
		func(p *rdptest.Peer) { p.Close(websocket.StatusGoingAway, "bye") },
		func(err error) bool { return websocket.CloseStatus(err) == websocket.StatusGoingAway },
	},
	{"vanished", (*rdptest.Peer).Vanish, func(err error) bool { return errors.Is(err, io.EOF) }},
	{"silence", func(*rdptest.Peer) {}, func(err error) bool { return errors.Is(err, router.ErrTimeout) }},
	{"garbage", func(p *rdptest.Peer) { _ = p.Garbage() }, func(err error) bool { return errors.Is(err, router.ErrProtocol) }},
	{"binary message", func(p *rdptest.Peer) { _ = p.Binary() }, func(err error) bool { return errors.Is(err, reader.ErrBinary) }},
	{"no UTF-8", func(p *rdptest.Peer) { _ = p.Write(websocket.MessageText, []byte("{\"from\":\"\xff\"}")) }, func(err error) bool { return errors.Is(err, reader.ErrUTF8) }},
	{"oversize", func(p *rdptest.Peer) { _ = p.Oversize(readLimit) }, func(err error) bool { return errors.Is(err, websocket.ErrMessageTooBig) }},
}

// moment is when it dies, as seen from one evaluation.
type moment struct {
	name string
	sent bool
	// arm makes the peer die at this moment; at is called once, then.
	arm func(f *rdptest.Firefox, die func(*rdptest.Peer))
}

var moments = []moment{
	{"before send", false, func(f *rdptest.Firefox, _ func(*rdptest.Peer)) {
		f.OnRequest = func(*rdptest.Peer, rdptest.Request) bool { return true }
	}},
	{"after send", true, func(f *rdptest.Firefox, die func(*rdptest.Peer)) {
		f.OnRequest = func(p *rdptest.Peer, r rdptest.Request) bool {
			if r.Type == "evaluateJSAsync" {
				die(p)
			}
			return true
		}
	}},
	{"after ack", true, func(f *rdptest.Firefox, die func(*rdptest.Peer)) {
		f.OnRequest = func(p *rdptest.Peer, r rdptest.Request) bool {
			if r.Type == "evaluateJSAsync" {
				p.Acknowledge(r)
				die(p)
			}
			return true
		}
	}},
}

func TestFaults(t *testing.T) {
	for _, k := range kills {
		for _, m := range moments {
			t.Run(k.name+" "+m.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { fault(t, k, m) })
			})
		}
	}
}

func fault(t *testing.T, k kill, m moment) {
	f := rdptest.New(t)
	m.arm(f, k.do)
	s := scripted(t, f, limits).listen()
	if m.name == "before send" {
		k.do(f.Peer())
		if k.name == "silence" {
			_, _ = s.Do(t.Context(), router.Root, "unheard", nil) // somebody has to notice
		}
		<-s.Done()
	}
	_, err := s.Evaluate(t.Context(), f.Peer().Console(), router.Evaluation{Text: "1"})
	if k.name == "silence" && m.name == "after ack" {
		if !errors.Is(err, router.ErrResultTimeout) || s.Stats().Cause != nil {
			t.Errorf("Evaluate = %v with the connection ended by %v; want ErrResultTimeout, and it lives", err, s.Stats().Cause)
		}
		return
	}
	e, ok := errors.AsType[*router.ClosedError](err)
	if !ok || e.Sent != m.sent || !k.is(e.Cause) {
		t.Errorf("Evaluate = %v (%+v), want a ClosedError, sent: %t", err, e, m.sent)
	}
	<-s.Done()
	if !k.is(s.Stats().Cause) {
		t.Errorf("cause = %v", s.Stats().Cause)
	}
	// Nothing is answered twice, and nothing comes after the end.
	if _, err := s.Do(t.Context(), router.Root, "listTabs", nil); !errors.As(err, new(*router.ClosedError)) {
		t.Errorf("Do afterwards = %v, want a ClosedError", err)
	}
	<-s.ended // and everybody has gone home
}

func TestNavigationOverTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := rdptest.New(t)
		f.Evaluate = func(rdptest.Evaluation) rdptest.Result { return rdptest.Result{Never: true} }
		s := scripted(t, f, limits)
		target, process := consoles(t, s)
		heard := make(chan router.DocumentEvent)
		go func() {
			for {
				e := await[router.DocumentEvent](t, s)
				if e.Name == "will-navigate" {
					heard <- e
					return
				}
			}
		}()
		ask(t, s, "server1.conn0.watcher1", "watchResources", map[string]any{"resourceTypes": []string{"document-event"}}, nil)
		lost := make(chan error, 2)
		for _, e := range []struct {
			console router.ActorID
			router.Evaluation
		}{{target.ConsoleActor, router.Evaluation{}}, {process, router.Evaluation{Target: target.Actor}}} {
			go func() {
				_, err := s.Evaluate(t.Context(), e.console, e.Evaluation)
				lost <- err
			}()
		}
		acknowledged(t, s, 2)
		ask(t, s, target.Actor, "navigateTo", map[string]any{"url": "http://127.0.0.1:8000/b"}, nil)
		if e := <-heard; e.URL != "http://127.0.0.1:8000/b" {
			t.Errorf("will-navigate = %+v", e)
		}
		if next := await[router.TargetAvailable](t, s).Target; next.Actor == target.Actor || next.URL != "http://127.0.0.1:8000/b" {
			t.Errorf("next target = %+v", next)
		}
		for range 2 {
			if err := <-lost; !errors.As(err, new(*router.GoneError)) {
				t.Errorf("pending evaluation = %v, want a GoneError", err)
			}
		}
		s.listen()
		time.Sleep(time.Second)
		f.Peer().CloseTab(0)
		if _, err := s.Do(t.Context(), "server1.conn0.tabDescriptor1", "getWatcher", nil); !errors.As(err, new(*router.GoneError)) {
			t.Errorf("Do on a closed tab = %v, want a GoneError", err)
		}
	})
}

func TestLongStrings(t *testing.T) {
	const span = 1 << 20
	tests := []struct {
		name  string
		text  string
		limit int
		want  error
	}{
		{"short", "abc", 0, nil},
		{"just long", strings.Repeat("x", 10_000), 0, nil},
		{"one range exactly", strings.Repeat("x", span), 0, nil},
		{"pair across the border", strings.Repeat("x", span-1) + "😀" + strings.Repeat("y", 10), 0, nil},
		{"escapes at the border", strings.Repeat("x", span-1) + "\x01\"\\", 0, nil},
		{"at the limit", strings.Repeat("é", 20_000), 20_000, nil},
		{"above the limit", strings.Repeat("é", 20_001), 20_000, router.ErrTooLong},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := rdptest.New(t)
				f.Evaluate = func(rdptest.Evaluation) rdptest.Result { return rdptest.Result{Value: tt.text} }
				s := scripted(t, f, router.Limits{LongString: tt.limit}).listen()
				v, err := s.Evaluate(t.Context(), f.Peer().Console(), router.Evaluation{})
				if !errors.Is(err, tt.want) || tt.want == nil && v.Text != tt.text {
					t.Errorf("Evaluate = %d bytes, %v; want %d bytes, %v", len(v.Text), err, len(tt.text), tt.want)
				}
				synctest.Wait()
				if n := f.Peer().Held(); n != 0 {
					t.Errorf("%d actors not released", n)
				}
				if n := s.Stats().Unmatched; n != 0 {
					t.Errorf("%d unmatched: %+v", n, s.Unmatched())
				}
			})
		})
	}
}

func TestScriptFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := rdptest.New(t)
		f.Evaluate = func(e rdptest.Evaluation) rdptest.Result {
			return rdptest.Result{Exception: e.Text, Rejected: e.Await}
		}
		s := scripted(t, f, limits).listen()
		console := f.Peer().Console()
		_, err := s.Evaluate(t.Context(), console, router.Evaluation{Text: "Error: boom"})
		if e, ok := errors.AsType[*router.ExceptionError](err); !ok || e.Message != "Error: boom" || e.Stack != "@debugger eval code:1:7" {
			t.Errorf("Evaluate = %#v", err)
		}
		if _, err := s.Evaluate(t.Context(), console, router.Evaluation{Await: true}); !errors.Is(err, router.ErrRejected) {
			t.Errorf("Evaluate = %v, want ErrRejected", err)
		}
		synctest.Wait()
		if n := f.Peer().Held(); n != 0 {
			t.Errorf("%d actors not released", n)
		}
	})
}
