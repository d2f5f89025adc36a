package router_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"firefox-rdp-mcp/reader"
	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/router/rdptest"
	"firefox-rdp-mcp/writer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stack is one whole connection: socket, reader, writer, serializer, router.
type stack struct {
	*router.Conn
	news  chan router.News
	end   context.CancelCauseFunc
	ended chan struct{} // closed when all four actors have returned
}

// readLimit is for one message, in bytes; a range of a long string fits in it.
const readLimit = 4 << 20

var limits = router.Limits{Reply: 10 * time.Second, Result: 20 * time.Second}

// connect dials through client and starts the four actors the way the
// supervisor does: the first to end ends them all.
func connect(t testing.TB, client *http.Client, url string, limits router.Limits) *stack {
	t.Helper()
	ws, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(readLimit)
	_, msg, err := ws.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p, err := router.Parse(msg); err != nil || p.From != router.Root {
		t.Fatalf("greeting = %s, %v", msg, err)
	}
	return start(t, ws, limits)
}

// socket is what reader and writer need.
type socket interface {
	reader.Source
	writer.Sink
	CloseNow() error
}

func start(t testing.TB, ws socket, limits router.Limits) *stack {
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	if isBenchmark(t) {
		log = slog.New(slog.DiscardHandler)
	}
	in, out := make(chan []byte), make(chan []byte)
	s := &stack{news: make(chan router.News), ended: make(chan struct{})}
	r, ser, conn := router.New(7, in, out, s.news, limits, log)
	s.Conn = conn
	ctx, end := context.WithCancelCause(context.WithoutCancel(t.Context()))
	s.end = end
	actors := []interface{ Serve(context.Context) error }{r, ser, reader.New(ws, in, log), writer.New(ws, out, 5*time.Second, log)}
	left := make(chan error)
	for _, a := range actors {
		go func() {
			err := a.Serve(ctx)
			end(fmt.Errorf("%s: %w", a, err))
			left <- err
		}()
	}
	go func() {
		for range actors {
			if err := <-left; err == nil {
				t.Error("Serve returned nil")
			}
		}
		_ = ws.CloseNow()
		close(s.ended)
	}()
	t.Cleanup(func() { s.stop() })
	return s
}

func isBenchmark(t testing.TB) bool { _, is := t.(*testing.B); return is }

// stop ends the connection and waits for its actors.
func (s *stack) stop() {
	s.end(errors.New("test over"))
	<-s.ended
}

// listen throws the news away.
func (s *stack) listen() *stack {
	go func() {
		for {
			select {
			case <-s.news:
			case <-s.ended:
				return
			}
		}
	}()
	return s
}

// scripted connects to a scripted Firefox.
func scripted(t testing.TB, f *rdptest.Firefox, limits router.Limits) *stack {
	t.Helper()
	return connect(t, f.Client(), "ws://firefox/", limits)
}

func TestListTabs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(t, rdptest.New(t), limits)
		p, err := s.Do(t.Context(), router.Root, "listTabs", nil)
		if err != nil {
			t.Fatal(err)
		}
		var reply struct{ Tabs []struct{ Title string } }
		if err := p.Decode(&reply); err != nil || len(reply.Tabs) != 1 || reply.Tabs[0].Title != "A" {
			t.Errorf("listTabs = %s, %v", p.Raw, err)
		}
	})
}
