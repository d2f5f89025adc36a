package rdptest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
)

// Firefox is a scripted browser. Its fields are for the test to set before the
// first Dial.
type Firefox struct {
	// Tabs are what listTabs shows; New puts one there.
	Tabs []Tab
	// Evaluate is the page. New's answers every script with its own text.
	Evaluate func(Evaluation) Result
	// OnConnect comes before the greeting; false means not to greet.
	OnConnect func(*Peer) bool
	// OnRequest sees every request first; true means that it was dealt with.
	OnRequest func(*Peer, Request) bool

	server *httptest.Server
	dial   func(ctx context.Context) (net.Conn, error)
	opened chan int   // the number of connections so far; a lock of capacity one
	last   chan *Peer // the youngest connection; capacity one
}

// Tab is one tab of a scripted browser.
type Tab struct {
	Title string
	URL   string
	PID   int // of its content process; 0 means 4000
}

// Evaluation is a script that came in.
type Evaluation struct {
	Console string
	Text    string
	Self    string // actor bound as _self
	Await   bool
}

// Result is what a script gives. Value is marshalled to JSON, so a
// json.RawMessage stands for itself; a string of 10,000 units or more becomes a
// long string, as in Firefox.
type Result struct {
	Value     any
	Exception string // not empty: the script threw this
	Rejected  bool   // the awaited promise was rejected
	Never     bool   // acknowledged, and no result ever
}

// New returns a browser on net.Pipe with one tab. It ends with the test.
func New(t testing.TB) *Firefox {
	t.Helper()
	l := &pipes{conns: make(chan net.Conn)}
	l.closed, l.close = context.WithCancel(context.Background())
	return serve(t, l, l.dial)
}

// Listen returns a browser that serves a listener, with one tab. It ends with
// the test and closes the listener.
func Listen(t testing.TB, l net.Listener) *Firefox {
	t.Helper()
	return serve(t, l, func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, l.Addr().Network(), l.Addr().String())
	})
}

func serve(t testing.TB, l net.Listener, dial func(context.Context) (net.Conn, error)) *Firefox {
	f := &Firefox{
		Tabs:      []Tab{{Title: "A", URL: "http://127.0.0.1:8000/a"}},
		Evaluate:  func(e Evaluation) Result { return Result{Value: e.Text} },
		OnConnect: func(*Peer) bool { return true },
		OnRequest: func(*Peer, Request) bool { return false },
		dial:      dial,
		opened:    make(chan int, 1),
		last:      make(chan *Peer, 1),
	}
	f.opened <- 0
	f.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(f.accept)}}
	f.server.Start()
	t.Cleanup(func() {
		if p := f.Peer(); p != nil {
			p.Vanish()
		}
		f.server.Close()
	})
	return f
}

// Dial opens a connection, before any HTTP.
func (f *Firefox) Dial(ctx context.Context) (net.Conn, error) { return f.dial(ctx) }

// Client returns an HTTP client whose every connection leads to this browser,
// whatever the address. For websocket.DialOptions.
func (f *Firefox) Client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return f.dial(ctx) },
	}}
}

// Peer returns the browser's end of the youngest connection, or nil.
func (f *Firefox) Peer() *Peer {
	select {
	case p := <-f.last:
		f.last <- p
		return p
	default:
		return nil
	}
}

// accept serves one connection until it ends.
func (f *Firefox) accept(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = ws.CloseNow() }()
	ws.SetReadLimit(-1)
	n := <-f.opened
	f.opened <- n + 1
	p := newPeer(f, ws, n)
	select {
	case <-f.last:
	default:
	}
	f.last <- p
	if f.OnConnect(p) {
		_ = p.Send(Packet{
			"from": "root", "applicationType": "browser", "testConnectionPrefix": p.prefix,
			"traits": Packet{"networkMonitor": true, "workerConsoleApiMessagesDispatchedToMainThread": true},
		})
	}
	p.serve(context.WithoutCancel(r.Context()))
}

// pipes is a listener whose connections are the far ends of net.Pipe.
type pipes struct {
	conns  chan net.Conn
	closed context.Context //nolint:containedctx // a signal that may be given twice: the server closes twice
	close  context.CancelFunc
}

func (l *pipes) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.closed.Done():
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed.Done():
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.close()
	return nil
}

func (l *pipes) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }
