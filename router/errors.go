package router

import (
	"errors"
	"fmt"
)

var (
	// ErrTimeout means that a direct reply did not come. It ends the connection
	// and is then the cause in a ClosedError.
	ErrTimeout = errors.New("no reply in time")
	// ErrResultTimeout means that an acknowledged evaluation gave no result in
	// time. It may still be running.
	ErrResultTimeout = errors.New("no evaluation result in time")
	// ErrProtocol means that Firefox sent what no Firefox sends.
	ErrProtocol = errors.New("rdp protocol violated")
	// ErrRejected means that an awaited promise was rejected. Firefox does not
	// say with what.
	ErrRejected = errors.New("promise rejected")
	// ErrTooLong means that a string is longer than Limits.LongString.
	ErrTooLong = errors.New("string too long")

	errPanicked = errors.New("panicked") // of our own actors, to their waiters
)

const noSuchActor = "noSuchActor" // the name of the error packet of a dead actor

// ClosedError means that the connection ended before the answer came. Sent says
// that the request had been handed to the socket: it may have happened. It
// unwraps to the first cause.
type ClosedError struct {
	Sent  bool
	Cause error
}

func (e *ClosedError) Error() string {
	if e.Sent {
		return fmt.Sprintf("connection ended after the request was sent: %v", e.Cause)
	}
	return fmt.Sprintf("connection ended before the request was sent: %v", e.Cause)
}

func (e *ClosedError) Unwrap() error { return e.Cause }

// ActorError is an error packet. Name is a word of Firefox's, such as
// noSuchActor or unrecognizedPacketType, or Error for whatever a method threw;
// Message is untrusted text at full length.
type ActorError struct {
	Actor   ActorID
	Name    string
	Message string
}

func (e *ActorError) Error() string {
	return fmt.Sprintf("actor %s: %s: %s", quote(string(e.Actor)), quote(e.Name), quote(e.Message))
}

// GoneError means that the actor went away, with its document, process or tab,
// before it answered. Sent says that the request had left: it may have happened.
type GoneError struct {
	Actor ActorID
	Sent  bool
}

func (e *GoneError) Error() string {
	if e.Sent {
		return fmt.Sprintf("actor %s is gone, after the request was sent", quote(string(e.Actor)))
	}
	return fmt.Sprintf("actor %s is gone", quote(string(e.Actor)))
}

// ExceptionError is what an evaluated script threw. Message and Stack are
// untrusted text; Stack has one line a frame and may be empty.
type ExceptionError struct {
	Message string
	Stack   string
}

func (e *ExceptionError) Error() string { return "script threw " + quote(e.Message) }
