package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport carries MCP over one input and one output, line by line, and meets
// the edges of the protocol that the SDK's own stdio transport does not: every
// line is answered or dropped by rule, a bad one ends nothing, no answer is lost
// at the end of input, and every error has a code.
//
// Three goroutines work for it, each with its own part and no shared state:
//
//	input ─▶ lines ─▶ desk ─▶ the SDK's Read
//	output ◀─ pen ◀── desk ◀─ the SDK's Write
//
// The desk owns everything that is remembered. A transport is for one
// connection: an input that has ended does not come back.
type transport struct {
	in       io.Reader
	desk     *desk
	lines    lines
	pen      pen
	received <-chan jsonrpc.Message
	sent     chan<- outgoing
	over     context.Context    //nolint:containedctx // ends with the connection; its cause is what Read returns
	hangUp   context.CancelFunc // the SDK's wish to close
	gone     chan struct{}      // one value per goroutine, when it ends
}

// members is how many goroutines work for a transport: lines, pen and desk.
const members = 3

// newTransport wires a transport; nothing runs before Connect. When stop is
// done, the transport ends as if the input had ended, only sooner.
func newTransport(stop <-chan struct{}, in io.Reader, out io.Writer, log *slog.Logger) *transport {
	arrivals := make(chan arrival)
	inbox := make(chan jsonrpc.Message)
	outbox := make(chan outgoing)
	frames := make(chan []byte)
	written := make(chan error, 1) // the pen never waits for the desk
	closing, hangUp := context.WithCancel(context.Background())
	over, end := context.WithCancelCause(context.Background())
	return &transport{
		in:       in,
		lines:    lines{in: in, arrivals: arrivals},
		pen:      pen{out: out, frames: frames, written: written},
		received: inbox,
		sent:     outbox,
		over:     over,
		hangUp:   hangUp,
		gone:     make(chan struct{}, members), // a goroutine that outstays leave can still end
		desk: &desk{
			arrivals: arrivals, inbox: inbox, outgoing: outbox, frames: frames, written: written,
			stop: stop, closing: closing.Done(), end: end, log: log,
		},
	}
}

// Connect starts the transport.
func (t *transport) Connect(context.Context) (mcp.Connection, error) {
	t.run(func() { t.lines.serve(t.over) })
	t.run(func() { t.pen.serve(t.over) })
	t.run(t.desk.serve)
	return t, nil
}

// run starts one of the transport's goroutines. leave waits for it. They are not
// supervised: none of them can be started again, and a panic here is rightly the
// end of the program.
func (t *transport) run(serve func()) {
	go func() {
		defer func() { t.gone <- struct{}{} }()
		serve()
	}()
}

// Read returns the next message for the SDK, or what ended the connection:
// io.EOF in the ordinary case.
func (t *transport) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-t.received:
		return msg, nil
	case <-t.over.Done():
		return nil, context.Cause(t.over)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Write hands a message of the SDK to the desk. It returns once the desk has it,
// which waits only when the client leaves megabytes unread.
func (t *transport) Write(_ context.Context, msg jsonrpc.Message) error {
	o, err := newOutgoing(msg)
	if err != nil {
		return err
	}
	select {
	case t.sent <- o:
		return nil
	case <-t.over.Done():
		return fmt.Errorf("connection over: %w", context.Cause(t.over))
	}
}

// Close ends the connection without waiting. It may be called at any time.
func (t *transport) Close() error {
	t.hangUp()
	return nil
}

// SessionID is empty: a process has one session.
func (t *transport) SessionID() string { return "" }

// leave waits for the transport's goroutines after the connection is over. A
// read of os.Stdin under way cannot be interrupted, not even by closing it, and
// a write to a pipe that nobody reads cannot either; so this waits for a moment
// only. What is left then holds nothing but its own pipe.
func (t *transport) leave() error {
	t.hangUp()
	if c, ok := t.in.(io.Closer); ok {
		_ = c.Close() // wakes a read, where the system can
	}
	deadline := time.After(partingTime)
	for range members {
		select {
		case <-t.gone:
			continue
		case <-deadline:
		}
		break
	}
	if cause := context.Cause(t.over); !errors.Is(cause, io.EOF) {
		return cause
	}
	return nil
}

// partingTime is how long leave waits.
const partingTime = 50 * time.Millisecond

// pen writes frames, one write each, in order.
type pen struct {
	out     io.Writer
	frames  <-chan []byte
	written chan<- error
}

// serve writes until ctx ends or a write fails.
func (p *pen) serve(ctx context.Context) {
	for {
		select {
		case frame := <-p.frames:
			_, err := p.out.Write(frame)
			p.written <- err
			if err != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
