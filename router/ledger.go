package router

import (
	"fmt"
	"slices"
	"time"
)

// result names an evaluation. Firefox numbers them per console by time and
// count, so two consoles may give the same resultID.
type result struct {
	console ActorID
	id      string
}

// ledger holds what is owed to callers. It belongs to the router's goroutine.
type ledger struct {
	outbox    *exchange             // waits for the writer; also in exchanges
	exchanges map[ActorID]*exchange // under way; one an actor, says the serializer
	results   map[result]*exchange  // acknowledged evaluations
	freed     []ActorID             // lanes that the serializer has not been told of
	released  released              // actors whose last reply nobody needs
	late      *alarm                // for the earliest due result
}

func newLedger() *ledger {
	return &ledger{exchanges: map[ActorID]*exchange{}, results: map[result]*exchange{}, late: newAlarm()}
}

// begin takes over an exchange. It is for the caller to see that the outbox is
// free.
func (l *ledger) begin(x *exchange) {
	x.phase, x.begun = Unsent, time.Now()
	l.outbox, l.exchanges[x.to] = x, x
}

// sent notes that the writer has the frame in the outbox.
func (l *ledger) sent() {
	x := l.outbox
	l.outbox, x.phase, x.frame = nil, Sent, nil
	switch x.kind {
	case tell:
		l.finish(x, Packet{}, nil)
	case release:
		l.released.add(x.to)
		l.finish(x, Packet{}, nil)
	case ask, evaluate:
	}
}

// withdraw takes back the frame in the outbox, for a caller that has left.
func (l *ledger) withdraw(err error) { l.finish(l.outbox, Packet{}, err) }

// finish answers an exchange and frees its lane.
func (l *ledger) finish(x *exchange, p Packet, err error) {
	if l.outbox == x {
		l.outbox = nil
	}
	delete(l.exchanges, x.to)
	l.freed = append(l.freed, x.to)
	x.reply(p, err)
}

// expects returns the exchange whose reply a packet from that actor is.
func (l *ledger) expects(from ActorID) (*exchange, bool) {
	x := l.exchanges[from]
	return x, x != nil && x.phase == Sent
}

// acknowledge moves an evaluation from its lane to the results to come.
func (l *ledger) acknowledge(x *exchange, p Packet) error {
	key := result{x.to, p.ResultID}
	delete(l.exchanges, x.to)
	l.freed = append(l.freed, x.to)
	switch {
	case p.ResultID == "":
		err := fmt.Errorf("%w: evaluation acknowledged without a result id", ErrProtocol)
		x.reply(Packet{}, err)
		return err
	case l.results[key] != nil:
		err := fmt.Errorf("%w: result id given twice", ErrProtocol)
		x.reply(Packet{}, err)
		return err
	case x.answered:
		return nil // its document is gone; a result would be nobody's
	}
	x.phase, x.due = Acknowledged, time.Now().Add(x.wait)
	l.results[key] = x
	l.late.set(x.due)
	return nil
}

// deliver gives an evaluation its result. It reports whether one was waiting.
func (l *ledger) deliver(p Packet) bool {
	key := result{p.From, p.ResultID}
	x := l.results[key]
	if x == nil {
		return false
	}
	delete(l.results, key)
	x.reply(p, nil)
	return true
}

// expire ends the evaluations whose results are late, and nothing else.
func (l *ledger) expire() {
	now := time.Now()
	for key, x := range l.results {
		if x.due.After(now) {
			l.late.set(x.due)
			continue
		}
		delete(l.results, key)
		x.reply(Packet{}, fmt.Errorf("after %s: %w", x.wait, ErrResultTimeout))
	}
}

// refuse fails what is pending at an actor of which Firefox says that there is
// none. The error packet may have overtaken older replies, so all of it is lost.
func (l *ledger) refuse(p Packet) (found bool) {
	if x, ok := l.expects(p.From); ok {
		l.finish(x, Packet{}, p.failure())
		found = true
	}
	for key, x := range l.results {
		if key.console == p.From {
			delete(l.results, key)
			x.reply(Packet{}, p.failure())
			found = true
		}
	}
	return found
}

// bereave fails what cannot be answered any more because an actor died. It
// returns the actors of the exchanges that it gave up, so that their late
// replies cannot be taken for others.
func (l *ledger) bereave(died func(ActorID) bool) (abandoned []ActorID) {
	for key, x := range l.results {
		if actor, lost := x.lost(died); lost {
			delete(l.results, key)
			x.reply(Packet{}, &GoneError{Actor: actor, Sent: true})
		}
	}
	for _, x := range l.exchanges {
		actor, lost := x.lost(died)
		switch {
		case !lost:
		case x.phase == Unsent:
			l.finish(x, Packet{}, &GoneError{Actor: actor})
		case actor == x.about:
			// The actor lives and will reply: the lane stays taken until then.
			x.reply(Packet{}, &GoneError{Actor: actor, Sent: true})
		default:
			l.finish(x, Packet{}, &GoneError{Actor: actor, Sent: true})
			abandoned = append(abandoned, x.to)
		}
	}
	return abandoned
}

// lost returns the actor whose death ends the exchange.
func (x *exchange) lost(died func(ActorID) bool) (ActorID, bool) {
	for _, a := range []ActorID{x.to, x.owner, x.about} {
		if a != "" && died(a) {
			return a, true
		}
	}
	return "", false
}

// farewell answers everything.
func (l *ledger) farewell(cause error) {
	for _, x := range l.all() {
		x.reply(Packet{}, &ClosedError{Sent: x.left(), Cause: cause})
	}
}

// all lists what is pending, oldest first.
func (l *ledger) all() []*exchange {
	var all []*exchange
	for _, x := range l.exchanges {
		all = append(all, x)
	}
	for _, x := range l.results {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b *exchange) int { return a.begun.Compare(b.begun) })
	return all
}

// released are the actors that were told to go. Each sends one more packet, an
// empty reply or noSuchActor, unless its process is gone already; so the list
// is bounded, and what falls out of it shows up among the unmatched.
type released []ActorID

const mostReleased = 256

func (r *released) add(actor ActorID) {
	if len(*r) == mostReleased {
		*r = slices.Delete(*r, 0, 1)
	}
	*r = append(*r, actor)
}

// take reports whether a packet from that actor was its last, and forgets it.
func (r *released) take(actor ActorID) bool {
	i := slices.Index(*r, actor)
	if i < 0 {
		return false
	}
	*r = slices.Delete(*r, i, i+1)
	return true
}

// failure returns what an error packet says.
func (p Packet) failure() error {
	return &ActorError{Actor: p.From, Name: p.Error, Message: p.Message}
}
