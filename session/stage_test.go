package session_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"firefox-rdp-mcp/internal/firefoxtest"
	"firefox-rdp-mcp/reader"
	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/supervisor/quickack"
	"firefox-rdp-mcp/writer"
)

// firefox is the browser that the tests of this package share.
var firefox *firefoxtest.Firefox

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	f, err := firefoxtest.Launch(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	firefox = f
	code := m.Run()
	f.Stop()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// stage is a session on a real Firefox, an oracle beside it and a web server
// for the pages of one test.
type stage struct {
	*session.Session
	t      testing.TB
	oracle *firefoxtest.Client
	site   *httptest.Server
	pages  map[string]string
	odd    func(w http.ResponseWriter, r *http.Request) bool // answers what is no plain page
	routes map[string]http.HandlerFunc
}

// newStage starts a session whose selected tab is the browser's first. Keys of
// pages are paths; values are whole documents or bodies.
func newStage(t testing.TB, cfg session.Config, pages map[string]string) *stage {
	t.Helper()
	s := &stage{t: t, pages: pages, routes: map[string]http.HandlerFunc{}}
	s.site = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.site.Close)
	oracle, err := firefoxtest.Dial(t.Context(), firefox.Port, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(oracle.Close)
	s.oracle = oracle
	cfg.Host, cfg.Port = "127.0.0.1", firefox.Port
	s.Session = connect(t, cfg)
	return s
}

// handle serves a path by a function of its own, from before the first request.
func (s *stage) handle(path string, serve http.HandlerFunc) { s.routes[path] = serve }

func (s *stage) serve(w http.ResponseWriter, r *http.Request) {
	if serve, ok := s.routes[r.URL.Path]; ok {
		serve(w, r)
		return
	}
	if s.odd != nil && s.odd(w, r) {
		return
	}
	body, ok := s.pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if !strings.HasPrefix(body, "<!doctype") {
		body = "<!doctype html><title>Test page</title><body>" + body
	}
	fmt.Fprint(w, strings.ReplaceAll(body, "{{other}}", strings.Replace(s.site.URL, "127.0.0.1", "localhost", 1)))
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// connect wires a session to the browser as the supervisor would, for as long
// as the test lasts.
func connect(t testing.TB, cfg session.Config) *session.Session {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	news, kick := make(chan router.News), make(chan struct{}, 1)
	s := session.New(cfg, news, kick, log)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{}, 8)
	serve := func(actor interface{ Serve(context.Context) error }) {
		go func() { _ = actor.Serve(ctx); cancel(); done <- struct{}{} }()
	}
	ws := dial(t, cfg.Port)
	_, hello, err := ws.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	greeting, err := router.Parse(hello)
	if err != nil {
		t.Fatal(err)
	}
	in, out := make(chan []byte), make(chan []byte)
	r, ser, conn := router.New(1, in, out, news, router.Limits{}, log)
	serve(s)
	news <- router.Up{Conn: conn, Greeting: greeting}
	serve(reader.New(ws, in, log))
	serve(writer.New(ws, out, 10*time.Second, log))
	serve(r)
	serve(ser)
	serve(session.Sweeper{Session: s})
	t.Cleanup(func() {
		cancel()
		for range 6 {
			<-done
		}
		_ = ws.CloseNow()
	})
	return s
}

func dial(t testing.TB, port int) *websocket.Conn {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return quickack.Wrap(c), nil
	}}
	ws, resp, err := websocket.Dial(t.Context(), fmt.Sprintf("ws://127.0.0.1:%d/", port), &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	if resp.Body != nil {
		resp.Body.Close()
	}
	ws.SetReadLimit(1 << 28)
	return ws
}

// open selects the first tab and loads a page of the site in it.
func (s *stage) open(path string) *session.Navigation {
	s.t.Helper()
	if _, err := s.Select(s.t.Context(), "", 0); err != nil {
		s.t.Fatal(err)
	}
	n, err := s.Navigate(s.t.Context(), session.NavigateArgs{URL: s.site.URL + path, Wait: "complete"})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// snap takes a snapshot.
func (s *stage) snap() *session.Snapshot {
	s.t.Helper()
	sn, err := s.Snapshot(s.t.Context(), session.SnapshotArgs{})
	if err != nil {
		s.t.Fatal(err)
	}
	return sn
}

// ref finds the reference of the control with a name in a fresh snapshot.
func (s *stage) ref(name string) session.Ref {
	s.t.Helper()
	sn := s.snap()
	for _, e := range sn.Elements {
		if e.Name == name {
			return session.Ref(e.Ref)
		}
	}
	s.t.Fatalf("no control %q in\n%s", name, sn.Text)
	return ""
}

// page evaluates an expression about the tab's page from Firefox's own side.
func (s *stage) page(expression string) string {
	s.t.Helper()
	v, err := s.oracle.Page(s.t.Context(), 0, expression)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(v)
}

// await takes snapshots until one fits: frames of other processes come late.
func (s *stage) await(fits func(*session.Snapshot) bool) *session.Snapshot {
	s.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		sn := s.snap()
		if fits(sn) {
			return sn
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("no snapshot fits; the last is\n%s", sn.Text)
		}
	}
}
