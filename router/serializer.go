package router

import (
	"context"
	"fmt"
	"time"
)

// Serializer decides when a request may go: one exchange at a time to each
// actor, since replies are told apart only by their order. Actors do not wait
// for each other, so a page that does not answer holds up nobody else. The
// direct reply of every exchange has one deadline, and its expiry ends the
// connection.
type Serializer struct {
	limit     time.Duration // for the direct reply
	requests  <-chan *exchange
	exchanges chan<- *exchange // to the router
	over      <-chan ActorID   // from the router: the exchange with that actor is over
}

// String names the actor for its supervisor.
func (s *Serializer) String() string { return "serializer" }

// lane is one actor's queue. It is as long as there are callers waiting for
// that actor, so it needs no limit of its own.
type lane struct {
	waiting []*exchange
	busy    bool      // one of its exchanges is offered to the router, or with it
	current *exchange // that exchange; only what never changes may be looked at
	due     time.Time // of its direct reply; zero until the router has it, and when nobody needs it
}

// Serve passes exchanges on in turn until ctx ends or a reply is late. It never
// returns nil. It must run once only.
func (s *Serializer) Serve(ctx context.Context) (err error) {
	var (
		lanes = map[ActorID]*lane{}
		ready []*exchange // first of their lanes, not yet with the router
		late  = newAlarm()
	)
	defer late.timer.Stop()
	defer func() { farewell(lanes, ready, err) }()
	for {
		var next *exchange
		var out chan<- *exchange
		if len(ready) > 0 {
			next, out = ready[0], s.exchanges
		}
		select {
		case x := <-s.requests:
			if x.kind == giveUp {
				x.reply(Packet{}, nil)
				return fmt.Errorf("%s: %w", quote(string(x.to)), ErrTimeout)
			}
			l := lanes[x.to]
			if l == nil {
				l = &lane{}
				lanes[x.to] = l
			}
			l.waiting = append(l.waiting, x)
			ready = advance(lanes, x.to, ready)
		case out <- next:
			ready = ready[1:]
			l := lanes[next.to]
			l.due = time.Now().Add(s.limit)
			late.set(l.due)
		case to := <-s.over:
			if l := lanes[to]; l != nil {
				l.busy, l.due = false, time.Time{}
				ready = advance(lanes, to, ready)
			}
		case <-late.timer.C:
			late.rung()
			if err := overdue(lanes, late); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// advance makes the next of a free lane ready and drops a lane that is empty.
// Exchanges whose callers have left are answered here, where they certainly
// have not happened.
func advance(lanes map[ActorID]*lane, to ActorID, ready []*exchange) []*exchange {
	l := lanes[to]
	for !l.busy {
		if len(l.waiting) == 0 {
			delete(lanes, to)
			return ready
		}
		x := l.waiting[0]
		l.waiting = l.waiting[1:]
		if x.ctx.Err() != nil {
			x.reply(Packet{}, context.Cause(x.ctx))
			continue
		}
		l.busy, l.current = true, x
		ready = append(ready, x)
	}
	return ready
}

// overdue returns an error if a reply is late, and sets the alarm for the next.
//
// A request to a page whose caller has left, with its own answer, is nobody's
// reason to end a connection that other pages use: its lane stays closed until
// the reply comes after all, or the page goes away.
func overdue(lanes map[ActorID]*lane, late *alarm) error {
	now := time.Now()
	for to, l := range lanes {
		switch {
		case l.due.IsZero():
		case !l.due.After(now):
			if x := l.current; !x.page || x.ctx.Err() == nil {
				return fmt.Errorf("%s to %s: %w", quote(x.method), quote(string(to)), ErrTimeout)
			}
			l.due = time.Time{}
		default:
			late.set(l.due)
		}
	}
	return nil
}

// farewell answers everything that the router does not have. None of it has
// left for Firefox.
func farewell(lanes map[ActorID]*lane, ready []*exchange, cause error) {
	if cause == nil {
		cause = fmt.Errorf("serializer: %w", errPanicked)
	}
	for _, x := range ready {
		x.reply(Packet{}, &ClosedError{Cause: cause})
	}
	for _, l := range lanes {
		for _, x := range l.waiting {
			x.reply(Packet{}, &ClosedError{Cause: cause})
		}
	}
}
