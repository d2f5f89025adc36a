package supervisor

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"firefox-rdp-mcp/router/rdptest"
)

// stage is the whole program between a scripted client and a scripted Firefox.
// It lives in a bubble.
type stage struct {
	t       *testing.T
	firefox *rdptest.Firefox
	in      *io.PipeWriter
	answers chan answer
	stop    context.CancelFunc
	ended   chan error
	ids     int

	asked []string // methods that came to Firefox, on all its connections
	dials int

	// Each makes an actor panic once: the reader, the writer, or the one that
	// logs a certain line.
	reading, writing chan struct{}
	logging          chan string
}

// answer is a response on stdout.
type answer struct {
	ID     int `json:"id"`
	Result struct {
		IsError           bool `json:"isError"`
		StructuredContent struct {
			Error struct{ Code, Message string }
			Tabs  []struct {
				TabID string `json:"tab_id"`
			}
		} `json:"structuredContent"`
	} `json:"result"`
}

const messageLimit = 1 << 20 // keeps the oversized message small

// open starts the program and initializes it.
func open(t *testing.T) *stage {
	t.Helper()
	s := &stage{
		t: t, firefox: rdptest.New(t), answers: make(chan answer), ended: make(chan error, 1),
		reading: make(chan struct{}, 1), writing: make(chan struct{}, 1), logging: make(chan string, 1),
	}
	s.watch(func(*rdptest.Peer, rdptest.Request) bool { return false })
	d := dialer{host: "127.0.0.1", port: 6000, limit: messageLimit, tcp: func(ctx context.Context, _, _ string) (net.Conn, error) {
		c, err := s.firefox.Dial(ctx)
		if err != nil {
			return nil, err
		}
		s.dials++
		return trap{c, s}, nil
	}}
	cfg, err := FromEnv(from("FIREFOX_MCP_REQUEST_TIMEOUT_MS=20000"), nil)
	if err != nil {
		t.Fatal(err)
	}
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	s.in = in
	ctx, cancel := context.WithCancel(t.Context())
	s.stop = cancel
	tree := assemble(cfg, d, stdin, stdout, slog.New(tripwire{logger(t).Handler(), "", s.logging}))
	go func() {
		err := tree.Run(ctx)
		stdout.Close()
		s.ended <- err
	}()
	go func() {
		defer close(s.answers)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var a answer
			if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
				t.Errorf("stdout has %q: %v", lines.Text(), err)
			}
			s.answers <- a
		}
	}()
	s.send("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	<-s.answers
	return s
}

// watch counts requests and then does what handle wants.
func (s *stage) watch(handle func(*rdptest.Peer, rdptest.Request) bool) {
	s.firefox.OnRequest = func(p *rdptest.Peer, r rdptest.Request) bool {
		s.asked = append(s.asked, r.Type)
		return handle(p, r)
	}
}

func (s *stage) send(method, params string) {
	s.ids++
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.ids, method, params)
}

// listTabs calls the tool and waits for its answer.
func (s *stage) listTabs() answer {
	s.send("tools/call", `{"name":"list_tabs","arguments":{}}`)
	a := <-s.answers
	if a.ID != s.ids {
		s.t.Fatalf("answer to %d, want %d", a.ID, s.ids)
	}
	return a
}

// end ends the input and waits for the program.
func (s *stage) end() {
	s.t.Helper()
	s.in.Close()
	for a := range s.answers {
		s.t.Errorf("an answer that nobody waits for: %+v", a)
	}
	if err := <-s.ended; err != nil {
		s.t.Errorf("ended with %v", err)
	}
}

// trap is a connection that panics when it is told to.
type trap struct {
	net.Conn
	*stage
}

func (c trap) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	select {
	case <-c.reading:
		panic("reading")
	default:
		return n, err
	}
}

func (c trap) Write(p []byte) (int, error) {
	select {
	case <-c.writing:
		panic("writing")
	default:
		return c.Conn.Write(p)
	}
}

// tripwire is a log handler that panics in the goroutine of an actor, at the
// line that it is told ("actor: message").
type tripwire struct {
	slog.Handler
	actor string
	told  chan string
}

func (h tripwire) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		if a.Key == "actor" {
			h.actor = a.Value.String()
		}
	}
	h.Handler = h.Handler.WithAttrs(attrs)
	return h
}

func (h tripwire) Handle(ctx context.Context, r slog.Record) error {
	select {
	case name := <-h.told:
		if name == h.actor+": "+r.Message {
			panic("logging")
		}
		h.told <- name
	default:
	}
	return h.Handler.Handle(ctx, r)
}

// deaths are the ways in which a connection can end, with the code for a call
// under way. One that only looks does so again after connection_lost.
var deaths = []struct {
	name string
	code string
	kill func(s *stage, p *rdptest.Peer)
}{
	{"close frame", "connection_lost", func(_ *stage, p *rdptest.Peer) { p.Close(websocket.StatusGoingAway, "bye") }},
	{"vanished", "connection_lost", func(_ *stage, p *rdptest.Peer) { p.Vanish() }},
	{"silence", "rdp_timeout", func(*stage, *rdptest.Peer) {}},
	{"garbage", "rdp_protocol_error", func(_ *stage, p *rdptest.Peer) { _ = p.Garbage() }},
	{"binary message", "connection_lost", func(_ *stage, p *rdptest.Peer) { _ = p.Binary() }},
	{"oversized message", "connection_lost", func(_ *stage, p *rdptest.Peer) { go p.Oversize(messageLimit) }},
	{"panic in the reader", "connection_lost", func(s *stage, p *rdptest.Peer) { s.reading <- struct{}{}; noise(p) }},
	{"panic in the router", "connection_lost", func(s *stage, p *rdptest.Peer) { s.logging <- "router: packet in"; noise(p) }},
}

// noise makes Firefox say something.
func noise(p *rdptest.Peer) {
	_ = p.Send(rdptest.Packet{"from": "root", "type": "tabListChanged"})
}

// moments are when it happens, from the view of one call.
var moments = []struct {
	name string
	at   string // the request upon which it happens; empty: between two calls
	ack  bool   // after that request's acknowledgement
}{
	{"between calls", "", false},
	{"after send", "listTabs", false},
	{"after ack", "evaluateJSAsync", true},
}

func TestEveryDeathAtEveryMoment(t *testing.T) {
	for _, death := range deaths {
		for _, moment := range moments {
			t.Run(death.name+" "+moment.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := open(t)
					defer s.end()
					if moment.at == "" {
						dieIdle(s, death.kill)
					} else {
						dieAt(s, death.kill, death.code, moment.at, moment.ack)
					}
					synctest.Wait() // the session has heard of it
					if a := s.listTabs(); a.Result.IsError || len(a.Result.StructuredContent.Tabs) != 1 {
						t.Errorf("the next call was answered with %+v", a)
					}
				})
			})
		}
	}
}

// dieIdle lets a connection die of which nobody waits for anything.
func dieIdle(s *stage, kill func(*stage, *rdptest.Peer)) {
	s.t.Helper()
	if a := s.listTabs(); a.Result.IsError {
		s.t.Fatalf("answered with %+v", a)
	}
	kill(s, s.firefox.Peer())
}

// dieAt lets the connection die under a call that only looks.
func dieAt(s *stage, kill func(*stage, *rdptest.Peer), code, method string, ack bool) {
	s.t.Helper()
	dead := false
	s.watch(func(p *rdptest.Peer, r rdptest.Request) bool {
		if dead || r.Type != method {
			return false
		}
		dead = true
		if ack {
			p.Acknowledge(r)
		}
		kill(s, p)
		return true
	})
	a := s.listTabs()
	got, times := a.Result.StructuredContent.Error, 1
	switch {
	case code == "connection_lost":
		if times = 2; a.Result.IsError {
			s.t.Errorf("answered with %+v, want it to look again", got)
		}
	case got.Code != code:
		s.t.Errorf("answered with %+v, want %s", got, code)
	case ack && code == "rdp_timeout": // a result that does not come ends the call alone
	case !strings.Contains(got.Message, "may have happened"):
		s.t.Errorf("answered with %+v, which does not say that it may have happened", got)
	}
	synctest.Wait()
	n := 0
	for _, m := range s.asked {
		if m == method {
			n++
		}
	}
	if n != times {
		s.t.Errorf("%s was sent %d times, want %d", method, n, times)
	}
}

func TestTreeDialsAtTheFirstCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.send("tools/list", "{}")
		<-s.answers
		time.Sleep(time.Hour)
		if s.dials != 0 {
			t.Errorf("dialled %d times before anything needed Firefox", s.dials)
		}
		s.listTabs()
		s.listTabs()
		time.Sleep(time.Hour)
		if s.dials != 1 {
			t.Errorf("dialled %d times, want once", s.dials)
		}
		s.end()
	})
}

func TestTreeReconnectsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.listTabs()
		for range 3 {
			time.Sleep(time.Minute)
			s.firefox.Peer().Vanish()
		}
		synctest.Wait()
		if s.dials != 4 {
			t.Errorf("dialled %d times, want four", s.dials)
		}
		s.end()
	})
}

func TestTreeSurvivesACrashOfItsBrowserGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.listTabs()
		time.Sleep(time.Minute)
		s.logging <- "link: connection lost"
		s.firefox.Peer().Vanish()
		synctest.Wait()
		if a := s.listTabs(); a.Result.IsError {
			t.Errorf("after the restart: %+v", a)
		}
		s.end()
	})
}

func TestTreeStopsInTheMiddleOfACall(t *testing.T) {
	for _, by := range []string{"context", "end of input"} {
		t.Run(by, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				s.watch(func(*rdptest.Peer, rdptest.Request) bool { return true })
				s.send("tools/call", `{"name":"list_tabs","arguments":{}}`)
				synctest.Wait()
				start := time.Now()
				if by == "context" {
					s.stop()
				} else {
					go s.in.Close()
				}
				if a := <-s.answers; a.ID != s.ids || !a.Result.IsError || a.Result.StructuredContent.Error.Code != "cancelled" {
					t.Errorf("answered with %+v", a)
				}
				s.end()
				if took := time.Since(start); took > 2*time.Second {
					t.Errorf("ended after %v", took)
				}
			})
		})
	}
}

func TestTreeEndsWithItsOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		r.Close()
		tree := assemble(defaults, pipes(hold), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"), w, logger(t))
		if err := tree.Run(t.Context()); err == nil {
			t.Error("the failed write is no error")
		}
	})
}

func TestConnectionSurvivesNoPanicOfItsWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.listTabs()
		s.writing <- struct{}{}
		if a := s.listTabs(); a.Result.IsError || s.dials != 2 {
			t.Errorf("answered with %+v after %d dials", a, s.dials)
		}
		synctest.Wait()
		if a := s.listTabs(); a.Result.IsError {
			t.Errorf("then with %+v", a)
		}
		s.end()
	})
}
