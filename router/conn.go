package router

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"
)

// Limits of one connection; zero values get the defaults.
type Limits struct {
	Reply      time.Duration // for the direct reply to any request (30 s); its expiry ends the connection if anybody waits, or if it is not a page's
	Result     time.Duration // for a result after its acknowledgement, unless Evaluation.Timeout says otherwise (30 s)
	LongString int           // the longest string that is fetched, in UTF-16 units (64 Mi)
}

// New wires one connection and starts nothing. in brings text messages from the
// reader, out takes frames to the writer, news goes to the session. The greeting
// is not for the router: it looks like a reply of root's, so whoever dialled
// reads it (Parse) before the reader starts. The router and the serializer must
// be served together: when one ends, the context of both ends, with its error as
// the cause.
func New(epoch int, in <-chan []byte, out chan<- []byte, news chan<- News, limits Limits, log *slog.Logger) (*Router, *Serializer, *Conn) {
	limits.Reply = cmp.Or(limits.Reply, 30*time.Second)
	limits.Result = cmp.Or(limits.Result, 30*time.Second)
	limits.LongString = cmp.Or(limits.LongString, 64<<20)
	requests := make(chan *exchange)
	exchanges := make(chan *exchange)
	over := make(chan ActorID)
	inquiries := make(chan chan<- report)
	ending := &ending{done: make(chan struct{})}
	r := &Router{
		epoch: epoch, in: in, out: out, news: news, exchanges: exchanges, over: over, inquiries: inquiries, ending: ending,
		log: log.With(slog.String("actor", "router")),
	}
	s := &Serializer{limit: limits.Reply, requests: requests, exchanges: exchanges, over: over}
	return r, s, &Conn{epoch: epoch, requests: requests, inquiries: inquiries, ending: ending, limits: limits}
}

// Conn is the callers' side of one connection. Its methods may be called from
// any number of goroutines, but not from the one that receives the router's
// news. Each ends when its answer is there, when the connection ends (with a
// ClosedError), or when its context ends (with that context's cause; the
// request may have been sent by then).
type Conn struct {
	epoch     int
	requests  chan<- *exchange
	inquiries chan<- chan<- report
	ending    *ending
	limits    Limits
}

// Epoch is the number of the connection.
func (c *Conn) Epoch() int { return c.epoch }

// Done is closed when the connection has ended and every request that was
// under way has been answered.
func (c *Conn) Done() <-chan struct{} { return c.ending.done }

// Do sends a request and returns its reply. args is nil or something that
// marshals to a JSON object. Do is not for methods without a reply (Tell) and
// not for evaluateJSAsync (Evaluate).
func (c *Conn) Do(ctx context.Context, to ActorID, method string, args any) (Packet, error) {
	return c.exchange(ctx, exchange{to: to, method: method, kind: ask}, args)
}

// DoInPage is Do for a request that a content process answers. Should its page
// hang until ctx has ended, the connection goes on without it: only what is
// asked of that same actor later waits behind it. So ctx should have a deadline.
func (c *Conn) DoInPage(ctx context.Context, to ActorID, method string, args any) (Packet, error) {
	return c.exchange(ctx, exchange{to: to, method: method, kind: ask, page: true}, args)
}

// Tell sends a request that has no reply, such as unwatchResources, and returns
// once the writer has it. Should Firefox object after all, its error packet is
// taken for the reply to the next request at that actor.
func (c *Conn) Tell(ctx context.Context, to ActorID, method string, args any) error {
	_, err := c.exchange(ctx, exchange{to: to, method: method, kind: tell}, args)
	return err
}

// Release frees the object behind a handle that an evaluation gave. It returns
// once the writer has the request, and does not wait for Firefox to say so:
// nobody has a use for a released actor, and one whose process is gone would
// never answer.
func (c *Conn) Release(ctx context.Context, grip ActorID) error {
	_, err := c.exchange(ctx, exchange{to: grip, method: "release", kind: release}, nil)
	return err
}

// discard releases an actor without waiting for anything but the serializer,
// which is always ready. It is for actors that came with an answer and that no
// caller ever hears of; so it must happen also when the caller has left.
func (c *Conn) discard(ctx context.Context, actor ActorID) {
	frame, err := encode(actor, "release", nil)
	if err != nil {
		return // impossible: there is nothing to encode but names
	}
	x := &exchange{
		ctx: context.WithoutCancel(ctx), to: actor, method: "release", kind: release,
		frame: frame, answer: make(chan answer, 1), // the answer is nobody's
	}
	select {
	case c.requests <- x:
	case <-c.ending.done:
	}
}

// Pulse asks whether Firefox still answers at all. If its root actor does not,
// within the limit, the connection ends with ErrTimeout, and so does whatever
// else waits for an answer on it. A ctx that ends first ends only the asking.
func (c *Conn) Pulse(ctx context.Context, limit time.Duration) error {
	wait, cancel := context.WithTimeoutCause(ctx, limit, ErrTimeout)
	defer cancel()
	_, err := c.Do(wait, Root, "getRoot", nil)
	if !errors.Is(err, ErrTimeout) || ctx.Err() != nil || c.over() {
		return err
	}
	_, _ = c.exchange(ctx, exchange{to: Root, method: "getRoot", kind: giveUp}, nil)
	select {
	case <-c.ending.done:
		return &ClosedError{Sent: true, Cause: c.ending.last.stats.Cause}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// over reports whether the connection has ended.
func (c *Conn) over() bool {
	select {
	case <-c.ending.done:
		return true
	default:
		return false
	}
}

// exchange sends one request and waits until it is over.
func (c *Conn) exchange(ctx context.Context, x exchange, args any) (Packet, error) {
	answers, err := c.begin(ctx, x, args)
	if err != nil {
		return Packet{}, err
	}
	a, err := await(ctx, answers)
	if err != nil {
		return Packet{}, err
	}
	return a.packet, a.err
}

// begin hands one request to the serializer. From then on somebody owes an
// answer, also when the connection ends.
func (c *Conn) begin(ctx context.Context, x exchange, args any) (<-chan answer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	frame, err := encode(x.to, x.method, args)
	if err != nil {
		return nil, err
	}
	answers := make(chan answer, 1)
	x.ctx, x.frame, x.answer = ctx, frame, answers
	select {
	case c.requests <- &x:
		return answers, nil
	case <-c.ending.done:
		return nil, &ClosedError{Cause: c.ending.last.stats.Cause}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// await waits for an answer. One that is there is better than none.
func await(ctx context.Context, answers <-chan answer) (answer, error) {
	select {
	case a := <-answers:
		return a, nil
	case <-ctx.Done():
	}
	select {
	case a := <-answers:
		return a, nil
	default:
		return answer{}, context.Cause(ctx)
	}
}

// Stats describes the connection now, or, once it has ended, its last moment.
func (c *Conn) Stats() Stats { return c.report().stats }

// Unmatched returns summaries of the last hundred packets that nobody waited
// for, oldest first.
func (c *Conn) Unmatched() []Summary { return c.report().unmatched }

func (c *Conn) report() report {
	reply := make(chan report, 1)
	select {
	case c.inquiries <- reply:
	case <-c.ending.done:
		return c.ending.last
	}
	select {
	case r := <-reply:
		return r
	case <-c.ending.done:
		return c.ending.last
	}
}
