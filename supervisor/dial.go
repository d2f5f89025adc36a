package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/supervisor/quickack"
)

// Deadlines of the three stages of a dial. All of them are long for a healthy
// Firefox, which takes 2 ms together; callers do not wait them out (after 2 s
// they are told what the dial is waiting for).
const (
	connectTimeout  = 5 * time.Second // Firefox queues four connections; a fifth waits for a repeated SYN
	upgradeTimeout  = 5 * time.Second
	greetingTimeout = 10 * time.Second // or until somebody answers Firefox's question
)

// Bounds of one message, in bytes.
const (
	// readLimit leaves room for what Firefox sends in one packet: the echo of
	// a script in its result, the base64 of a large screenshot.
	readLimit = 128 << 20

	// greetingLimit is for a peer that may not be Firefox. Its greeting has
	// some 300 bytes.
	greetingLimit = 64 << 10
)

// dialer makes connections to Firefox in three stages, so that the link can
// announce each: connect, upgrade, greet. Each reports what it finds instead of
// Firefox as a DialError and then leaves nothing open.
type dialer struct {
	host string
	port int

	limit int64 // of one message, in bytes, once Firefox has greeted

	// tcp opens the connection. In tests it is replaced by a pipe.
	tcp func(ctx context.Context, network, addr string) (net.Conn, error)
}

// newDialer makes a dialer for a host that has been checked to be loopback. A
// name may mean something else by now, so each address is checked again, before
// the first packet goes to it.
func newDialer(host string, port int) dialer {
	d := net.Dialer{Control: onlyLoopback}
	return dialer{host: host, port: port, limit: readLimit, tcp: d.DialContext}
}

// onlyLoopback lets a net.Dialer connect to nothing but this machine. It is asked
// about the address itself, once it is known.
func onlyLoopback(_, addr string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(addr)
	if err != nil || !ap.Addr().Unmap().IsLoopback() {
		return errNotLoopback
	}
	return nil
}

// addr is host:port.
func (d dialer) addr() string { return net.JoinHostPort(d.host, strconv.Itoa(d.port)) }

// fail makes the error of a stage.
func (d dialer) fail(s Stage, k Kind, err error) error {
	return &DialError{Host: d.host, Port: d.port, Stage: s, Kind: k, Err: err}
}

// dial goes through the three stages and enters each with a call of enter.
func (d dialer) dial(ctx context.Context, enter func(Stage) error) (socket, router.Packet, error) {
	if err := enter(StageConnect); err != nil {
		return nil, router.Packet{}, err
	}
	w, err := d.connect(ctx)
	if err != nil {
		return nil, router.Packet{}, err
	}
	if err := enter(StageUpgrade); err != nil {
		_ = w.Close()
		return nil, router.Packet{}, err
	}
	ws, err := d.upgrade(ctx, w)
	if err != nil {
		return nil, router.Packet{}, err
	}
	if err := enter(StageGreeting); err != nil {
		_ = ws.CloseNow()
		return nil, router.Packet{}, err
	}
	hello, err := d.greet(ctx, ws, w)
	if err != nil {
		return nil, router.Packet{}, err
	}
	return ws, hello, nil
}

// connect opens the TCP connection, with prompt acknowledgement.
func (d dialer) connect(ctx context.Context) (*wire, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	c, err := d.tcp(ctx, "tcp", d.addr())
	switch {
	case err == nil:
		return newWire(quickack.Wrap(c)), nil
	case errors.Is(err, errNotLoopback):
		return nil, d.fail(StageConnect, KindNotLoopback, err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, d.fail(StageConnect, KindRefused, err)
	}
	return nil, d.fail(StageConnect, KindUnreachable, err)
}

// upgrade makes a WebSocket of the connection.
func (d dialer) upgrade(ctx context.Context, w *wire) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, upgradeTimeout)
	defer cancel()
	// The client is used for one request over one connection that is already
	// open: no proxy, no redirect, no cookie can come into it.
	client := &http.Client{Transport: handshake{d, w}}
	ws, _, err := websocket.Dial(ctx, "ws://"+d.addr()+"/", &websocket.DialOptions{HTTPClient: client})
	if err == nil {
		w.open()
		return ws, nil
	}
	_ = w.Close()
	if e, ok := errors.AsType[*DialError](err); ok {
		return nil, e
	}
	return nil, d.fail(StageUpgrade, KindBadUpgrade, errors.New("headers that do not fit the upgrade"))
}

// greet reads the packet that Firefox sends first.
func (d dialer) greet(ctx context.Context, ws *websocket.Conn, w *wire) (router.Packet, error) {
	ctx, cancel := context.WithTimeout(ctx, greetingTimeout)
	defer cancel()
	ws.SetReadLimit(greetingLimit)
	kind, msg, err := ws.Read(ctx)
	if err != nil {
		err = d.fail(StageGreeting, ungreeted(ctx, w, err), err)
	} else if wrong := isGreeting(kind, msg); wrong != nil && w.ended {
		// The library takes an end between two fragments for the message's.
		err = d.fail(StageGreeting, KindCut, wrong)
	} else if wrong != nil {
		err = d.fail(StageGreeting, KindNotRDP, wrong)
	}
	if err != nil {
		_ = ws.CloseNow()
		return router.Packet{}, err
	}
	ws.SetReadLimit(d.limit)
	return router.Packet{From: router.Root, Raw: msg}, nil
}

// ungreeted classifies the error of reading the greeting.
func ungreeted(ctx context.Context, w *wire, err error) Kind {
	switch silent := w.got == w.upgraded; {
	case websocket.CloseStatus(err) != -1:
		return KindRejected
	case errors.Is(err, websocket.ErrMessageTooBig):
		return KindProtocol
	case ctx.Err() != nil && silent:
		return KindPrompt
	case ctx.Err() != nil:
		return KindStalled
	case !w.ended:
		return KindProtocol
	case silent:
		return KindRejected
	}
	return KindCut
}

// isGreeting checks that the first message is a browser's.
func isGreeting(kind websocket.MessageType, msg []byte) error {
	if kind != websocket.MessageText {
		return errors.New("a binary message")
	}
	if !utf8.Valid(msg) {
		return errors.New("text that is not UTF-8")
	}
	var hello struct {
		From            router.ActorID `json:"from"`
		ApplicationType string         `json:"applicationType"`
	}
	switch err := json.Unmarshal(msg, &hello); {
	case err != nil:
		return errors.New("text that is no packet")
	case hello.From != router.Root:
		return fmt.Errorf("a packet from %s, not from the root actor", quoted(string(hello.From)))
	case hello.ApplicationType != "browser":
		return fmt.Errorf("the greeting of a debugger for %s, not for a browser", quoted(hello.ApplicationType))
	}
	return nil
}

// quoted shows text from outside, cut.
func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
