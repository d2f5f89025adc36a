package tools

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// How the end goes, each step with its limit; together less than the two
// seconds after which clients begin to send signals.
const (
	settleTime = time.Second            // for calls to finish by themselves after the end of input
	cancelTime = 400 * time.Millisecond // for cancelled calls to answer
	flushTime  = 300 * time.Millisecond // for the client to read the last answers
)

// maxUnread is how much output may wait for the client, in bytes, before nothing
// more is taken in.
const maxUnread = 16 << 20

// desk owns the state of the connection: which requests are not answered, what
// waits to be written. Everything passes over it, and it waits for nobody.
type desk struct {
	arrivals <-chan arrival
	inbox    chan<- jsonrpc.Message
	outgoing <-chan outgoing
	frames   chan<- []byte
	written  <-chan error
	stop     <-chan struct{} // the program is to end
	closing  <-chan struct{} // the SDK closes the connection
	end      context.CancelCauseFunc
	log      *slog.Logger
}

// outgoing is a message of the SDK on its way to the client.
type outgoing struct {
	answer *jsonrpc.Response // nil for a notification
	frame  []byte            // made by the sender already, except for errors
}

func newOutgoing(msg jsonrpc.Message) (outgoing, error) {
	o := outgoing{}
	if answer, ok := msg.(*jsonrpc.Response); ok {
		o.answer = answer
	}
	if o.answer != nil && o.answer.Error != nil { // its code is for the desk to know
		return o, nil //nolint:nilerr // the error is the message
	}
	var err error
	o.frame, err = frameOf(msg)
	return o, err
}

// phase is how far the end has come.
type phase int

const (
	open       phase = iota
	settling         // the input has ended; calls may finish
	cancelling       // the calls left have been cancelled
	flushing         // all is answered
)

// work is the desk's state. It lives in serve and is seen by no one else.
type work struct {
	*desk
	phase    phase
	deadline *time.Timer // of the phase
	pending  *pending
	passing  []jsonrpc.Message // checked, not yet taken by the SDK
	unread   [][]byte          // frames not yet taken by the pen
	size     int               // bytes in unread
	writing  bool              // the pen has a frame
}

// serve runs until the connection is over and says why through end: io.EOF when
// the input has ended and everything is answered and written.
func (d *desk) serve() {
	w := &work{desk: d, pending: newPending(), deadline: time.NewTimer(time.Hour)}
	w.deadline.Stop()
	defer w.deadline.Stop()
	stop := d.stop
	for !w.finished() {
		arrivals, outgoing := w.sources()
		inbox, message := w.next()
		frames, frame := w.nextFrame()
		select {
		case a := <-arrivals:
			w.arrive(a)
		case inbox <- message:
			w.passing = w.passing[1:]
		case o := <-outgoing:
			w.depart(o)
		case frames <- frame:
			w.unread, w.size, w.writing = w.unread[1:], w.size-len(frame), true
		case err := <-d.written:
			if w.writing = false; err != nil {
				d.end(fmt.Errorf("write to the client: %w", err))
				return
			}
		case <-w.deadline.C:
			w.advance()
		case <-stop:
			stop = nil
			w.cancelAll("the server is stopping")
		case <-d.closing:
			d.end(io.EOF)
			return
		}
	}
	d.end(io.EOF)
}

// finished reports whether everything is answered and written after the end of
// the input.
func (w *work) finished() bool {
	if w.phase == settling || w.phase == cancelling {
		if len(w.pending.methods) == 0 && len(w.passing) == 0 {
			w.enter(flushing, flushTime)
		}
	}
	return w.phase == flushing && len(w.unread) == 0 && !w.writing
}

// sources gives the channels that something may come from now. While the client
// leaves too much unread, nothing may; while the SDK has a message to take, or
// the input has ended, no line.
func (w *work) sources() (<-chan arrival, <-chan outgoing) {
	switch {
	case w.size > maxUnread:
		return nil, nil
	case len(w.passing) > 0 || w.phase != open:
		return nil, w.outgoing
	default:
		return w.arrivals, w.outgoing
	}
}

func (w *work) next() (chan<- jsonrpc.Message, jsonrpc.Message) {
	if len(w.passing) == 0 {
		return nil, nil
	}
	return w.inbox, w.passing[0]
}

func (w *work) nextFrame() (chan<- []byte, []byte) {
	if w.writing || len(w.unread) == 0 {
		return nil, nil
	}
	return w.frames, w.unread[0]
}

// arrive does with a checked line what needs memory of others.
func (w *work) arrive(a arrival) {
	switch {
	case a.end != nil:
		w.log.Debug("input ended", slog.Any("cause", a.end))
		w.enter(settling, settleTime)
	case a.dropped != "":
		w.log.Debug("line dropped", slog.String("cause", a.dropped))
	case a.refusal != nil:
		w.log.Debug("line refused", slog.String("cause", a.refusal.message))
		w.write(a.refusal.frame())
	case a.request.Method == methodCancelled && !a.request.IsCall():
		if w.pending.cancellable(a.cancels) {
			w.passing = append(w.passing, a.request)
		}
	case a.request.IsCall() && !w.pending.admit(a.request.ID, a.request.Method):
		// Without the id: under it, the client would take this for the answer to its first request.
		again := refusal{code: codeInvalidRequest, message: "invalid request: the id is in use"}
		w.write(again.frame())
	default:
		w.passing = append(w.passing, a.request)
	}
}

// depart sends a message of the SDK on its way, an answer only if its request
// still waits for one.
func (w *work) depart(o outgoing) {
	if o.answer == nil {
		w.write(o.frame)
		return
	}
	answer, ok := w.pending.settle(o.answer)
	if !ok {
		w.log.Debug("answer dropped", slog.String("cause", "nobody waits for it"))
		return
	}
	if o.frame != nil {
		w.write(o.frame)
		return
	}
	w.writeAnswer(answer)
}

func (w *work) writeAnswer(answer *jsonrpc.Response) {
	frame, err := frameOf(answer)
	if err != nil {
		panic("tools: an error answer cannot be marshalled: " + err.Error())
	}
	w.write(frame)
}

func (w *work) write(frame []byte) {
	w.unread = append(w.unread, frame)
	w.size += len(frame)
}

func (w *work) enter(p phase, limit time.Duration) {
	w.phase = p
	w.deadline.Reset(limit)
}

// advance takes the next step towards the end when the time of a phase is up.
func (w *work) advance() {
	switch w.phase {
	case settling:
		w.cancelAll("the client has closed its end")
	case cancelling:
		w.answerAll()
		w.enter(flushing, flushTime)
	case flushing:
		w.log.Warn("client did not read its last answers", slog.Int("bytes", w.size))
		w.unread, w.writing = nil, false
	case open:
	}
}

// cancelAll makes the SDK cancel every call under way, with notifications that
// nobody sent.
func (w *work) cancelAll(reason string) {
	if w.phase >= cancelling {
		return
	}
	for _, id := range w.pending.calls() {
		w.passing = append(w.passing, cancellation(id, reason))
	}
	w.enter(cancelling, cancelTime)
}

// answerAll answers what is left in the place of handlers that did not.
func (w *work) answerAll() {
	w.passing = nil
	for id, method := range w.pending.methods {
		if method == methodCallTool {
			w.writeAnswer(cancelledAnswer(id, errStopping))
		} else {
			w.writeAnswer(errorAnswer(id, codeInternal, "internal error: the server is stopping"))
		}
	}
	clear(w.pending.methods)
}
