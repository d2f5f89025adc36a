package router

import (
	"context"
	"time"
)

// kind says when a request is over.
type kind int

const (
	ask      kind = iota // with its reply
	tell                 // when it is sent: the method has no reply
	release              // when it is sent: there is a reply, but nobody needs it
	evaluate             // with its result, after the acknowledgement
	giveUp               // at once, and the connection with it: it is not for Firefox
)

// exchange is a request on its way. It belongs to one goroutine at a time: the
// caller makes it, the serializer has it while it waits for its lane, and the
// router from then on. Whoever has it when it is over answers it.
type exchange struct {
	//nolint:containedctx // it travels in a message, as part of the request
	ctx    context.Context // of the caller; what its caller has left is not sent
	to     ActorID
	owner  ActorID // with whose death to dies as well; may be empty
	about  ActorID // a document without which the answer is worthless; may be empty
	page   bool    // a content process answers it, which may hang without the rest of Firefox
	method string
	kind   kind
	wait   time.Duration // of an evaluate: for the result, from the acknowledgement
	frame  []byte
	answer chan<- answer // capacity one

	phase    Phase     // how far the router has got with it
	begun    time.Time // when the router took it
	due      time.Time // once acknowledged: when the result is late
	answered bool      // it only keeps its lane until its reply comes
}

// answer is what the caller waits for.
type answer struct {
	packet Packet
	err    error
}

// reply answers, once; whatever comes later is too late. It never waits, not
// even when the caller has left: the channel has room.
func (x *exchange) reply(p Packet, err error) {
	if !x.answered {
		x.answered = true
		x.answer <- answer{p, err}
	}
}

// left reports whether the frame was handed to the socket.
func (x *exchange) left() bool { return x.phase == Sent || x.phase == Acknowledged }

// alarm is a timer for the earliest of many deadlines. It may ring early (for
// one that has been met meanwhile), never late: after a ring its owner looks
// through what is pending and sets it again.
type alarm struct {
	timer *time.Timer
	at    time.Time // zero: not set
}

func newAlarm() *alarm {
	t := time.NewTimer(0)
	t.Stop()
	return &alarm{timer: t}
}

// set makes the alarm ring at t at the latest.
func (a *alarm) set(t time.Time) {
	if a.at.IsZero() || t.Before(a.at) {
		a.at = t
		a.timer.Reset(time.Until(t))
	}
}

// rung forgets the deadline for which the alarm has rung.
func (a *alarm) rung() { a.at = time.Time{} }
