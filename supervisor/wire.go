package supervisor

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"regexp"
	"syscall"
	"time"
)

// headerLimit bounds the answer to the upgrade, in bytes. Firefox sends 130.
const headerLimit = 16 << 10

// wire is a connection that remembers what has come over it, to tell what kind
// of peer it is. Reads belong to one goroutine at a time.
type wire struct {
	net.Conn
	in       *bufio.Reader // over received, so that nothing is lost behind the headers
	limit    int64         // bytes that may still be received
	got      int64         // bytes received
	head     []byte        // the first few of them
	upgraded int64         // of those, the bytes of the handshake
	ended    bool          // by the peer
}

func newWire(c net.Conn) *wire {
	w := &wire{Conn: c, limit: headerLimit}
	w.in = bufio.NewReader(received{w})
	return w
}

// open ends the handshake: from now on anything may come.
func (w *wire) open() {
	w.limit = math.MaxInt64
	w.upgraded = w.got - int64(w.in.Buffered())
}

// Read reads what has been received.
func (w *wire) Read(p []byte) (int, error) { return w.in.Read(p) }

// received is the reading side of a wire's connection.
type received struct{ *wire }

// Read reads and remembers.
func (r received) Read(p []byte) (int, error) {
	if r.limit <= 0 {
		return 0, errHeaders
	}
	n, err := r.Conn.Read(p[:min(int64(len(p)), r.limit)])
	r.limit -= int64(n)
	r.got += int64(n)
	if room := 16 - len(r.head); room > 0 {
		r.head = append(r.head, p[:min(room, n)]...)
	}
	r.ended = r.ended || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
	return n, err
}

// errHeaders is the cause of KindHeaders.
var errHeaders = errors.New("too many bytes before the end of the headers")

// handshake is the round trip of one upgrade over one open wire. net/http's own
// transport would do, but its goroutines read ahead, and neither it nor the
// WebSocket library tells the reasons of a failure except as text.
type handshake struct {
	dialer dialer
	wire   *wire
}

// RoundTrip sends the upgrade and judges the answer: either it is right, and
// the body of the response is the wire, or the error is a DialError.
func (h handshake) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	stop := context.AfterFunc(ctx, func() { _ = h.wire.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	resp, err := h.exchange(r)
	if ctx.Err() != nil {
		return nil, h.dialer.fail(StageUpgrade, h.unfinished(), context.Cause(ctx))
	}
	if err != nil {
		return nil, h.dialer.fail(StageUpgrade, h.unusable(err), err)
	}
	switch key := r.Header.Get("Sec-WebSocket-Key"); {
	case resp.StatusCode != http.StatusSwitchingProtocols:
		return nil, h.dialer.fail(StageUpgrade, KindHTTP, fmt.Errorf("HTTP status %d", resp.StatusCode))
	case resp.Header.Get("Sec-WebSocket-Accept") != accept(key):
		return nil, h.dialer.fail(StageUpgrade, KindBadUpgrade, errors.New("wrong Sec-WebSocket-Accept"))
	}
	// The library reads from a connection whose headers it does not like, up to
	// three seconds long, to show what it says. Let it find nothing.
	h.wire.limit = 0
	resp.Body = h.wire
	return resp, nil
}

// exchange writes the request and reads the head of the answer.
func (h handshake) exchange(r *http.Request) (*http.Response, error) {
	writing := r.Write(h.wire.Conn)
	// Look before parsing: another protocol need not send a line's end. And a
	// peer that speaks first and hangs up may have said what it is.
	start, err := h.wire.in.Peek(len(httpStart))
	switch {
	case writing != nil:
		return nil, writing
	case err != nil:
		return nil, err
	case string(start) != httpStart:
		return nil, errNotHTTP
	}
	return http.ReadResponse(h.wire.in, r) //nolint:bodyclose // the body of a 101 is the wire, and others are not read
}

// unfinished classifies an answer that did not end in time.
func (h handshake) unfinished() Kind {
	if h.wire.got == 0 {
		return KindSilent
	}
	return KindStalled
}

// httpStart is how every answer in HTTP begins.
const httpStart = "HTTP/"

// errNotHTTP is the cause of KindNotHTTP.
var errNotHTTP = errors.New("answer is not HTTP")

// plainRDP is how a packet begins on Firefox's older transport, which greets as
// soon as somebody connects: its length and a colon.
var plainRDP = regexp.MustCompile(`^[0-9]+:`)

// unusable classifies an answer that is not HTTP, or not whole.
func (h handshake) unusable(err error) Kind {
	switch head := string(h.wire.head); {
	case errors.Is(err, errHeaders):
		return KindHeaders
	case h.wire.got == 0:
		return KindClosed
	case plainRDP.MatchString(head):
		return KindPlainRDP
	case errors.Is(err, errNotHTTP):
		return KindNotHTTP
	case h.wire.ended:
		return KindCut
	}
	return KindBadUpgrade
}

// accept is the answer that RFC 6455 wants to a key. Its hash protects nothing.
func accept(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}
