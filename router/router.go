package router

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Router hands frames to the writer, matches what Firefox says with who asked,
// and publishes the rest.
type Router struct {
	epoch     int
	in        <-chan []byte    // from the reader: whole packets
	out       chan<- []byte    // to the writer: whole frames
	news      chan<- News      // to the session; the only receiver the router waits for
	exchanges <-chan *exchange // from the serializer
	over      chan<- ActorID   // to the serializer: that actor's lane is free
	inquiries <-chan chan<- report
	ending    *ending
	log       *slog.Logger
}

// ending is how the callers learn that the connection is over. The router
// writes its fields and then closes done; nobody reads them before that.
type ending struct {
	done chan struct{}
	last report
}

// desk is the router's state: locals of Serve, in one place.
type desk struct {
	*ledger
	*roster
	traffic
	unmatched ring
}

// String names the actor for its supervisor.
func (r *Router) String() string { return "router" }

// Serve routes until ctx ends or Firefox breaks the protocol. It never returns
// nil, and before it returns it has answered all that was pending. It must run
// once only: what it knew is worthless on another connection.
func (r *Router) Serve(ctx context.Context) (err error) {
	now := time.Now()
	d := &desk{ledger: newLedger(), roster: newRoster(), traffic: traffic{opened: now, in: now, out: now}}
	defer d.late.timer.Stop()
	defer func() { r.farewell(d, err) }()
	for {
		// While a frame waits for the writer no exchange is accepted, so the
		// outbox needs no second place; packets are read all the time.
		var (
			exchanges = r.exchanges
			out       chan<- []byte
			frame     []byte
			left      <-chan struct{}
			over      chan<- ActorID
			free      ActorID
		)
		switch x := d.outbox; {
		case x == nil:
		case x.ctx.Err() != nil: // select would toss a coin, but nothing may act late
			exchanges, left = nil, x.ctx.Done()
		default:
			exchanges, out, frame, left = nil, r.out, x.frame, x.ctx.Done()
		}
		if len(d.freed) > 0 {
			over, free = r.over, d.freed[0]
		}
		select {
		case msg := <-r.in:
			if err := r.receive(ctx, d, msg); err != nil {
				return err
			}
		case x := <-exchanges:
			d.accept(x)
		case out <- frame:
			r.logOut(ctx, d.outbox, d.sawOut(len(frame)))
			d.sent()
		case <-left:
			d.withdraw(context.Cause(d.outbox.ctx))
		case over <- free:
			d.freed = d.freed[1:]
		case inquiry := <-r.inquiries:
			inquiry <- d.report(r.epoch, nil)
		case <-d.late.timer.C:
			d.late.rung()
			d.expire()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// accept begins an exchange, unless it is known to be in vain: Firefox may
// swallow what is sent to a dead actor, and the silence would end the
// connection.
func (d *desk) accept(x *exchange) {
	d.begin(x)
	if actor, lost := x.lost(d.gone); lost {
		d.finish(x, Packet{}, &GoneError{Actor: actor})
	}
}

// farewell tells everybody how it ended: first those who wait for the end, then
// those who wait for an answer, so that whoever hears that the connection was lost
// does not take it for alive.
func (r *Router) farewell(d *desk, cause error) {
	if cause == nil {
		cause = fmt.Errorf("router: %w", errPanicked)
	}
	r.ending.last = d.report(r.epoch, cause)
	close(r.ending.done)
	d.ledger.farewell(cause)
}

// receive finds out where one packet belongs.
func (r *Router) receive(ctx context.Context, d *desk, msg []byte) error {
	gap := d.sawIn(len(msg))
	p, err := Parse(msg)
	if err != nil {
		return err
	}
	r.logIn(ctx, p, gap)
	switch {
	case p.event():
		if p.ResultID != "" && d.deliver(p) {
			return nil
		}
		return r.publish(ctx, d, p)
	case p.Error == noSuchActor:
		if d.refuse(p) {
			return nil
		}
	default:
		if x, ok := d.expects(p.From); ok {
			return d.complete(x, p)
		}
	}
	if !d.released.take(p.From) {
		d.unmatched.add(p)
	}
	return nil
}

// complete gives an exchange its direct reply.
func (d *desk) complete(x *exchange, p Packet) error {
	switch {
	case p.Error != "":
		d.finish(x, Packet{}, p.failure())
	case x.kind == evaluate:
		return d.acknowledge(x, p)
	default:
		d.learn(x.method, p)
		d.finish(x, p, nil)
	}
	return nil
}

func (r *Router) logIn(ctx context.Context, p Packet, gap time.Duration) {
	if !r.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	r.log.LogAttrs(ctx, slog.LevelDebug, "packet in", slog.String("from", word(string(p.From))),
		slog.String("type", word(p.Type)), slog.Int("bytes", len(p.Raw)), slog.Duration("dur", gap))
}

func (r *Router) logOut(ctx context.Context, x *exchange, gap time.Duration) {
	if !r.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	r.log.LogAttrs(ctx, slog.LevelDebug, "packet out", slog.String("to", word(string(x.to))),
		slog.String("type", word(x.method)), slog.Int("bytes", len(x.frame)), slog.Duration("dur", gap))
}
