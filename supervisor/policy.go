package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/thejerf/suture/v4"
)

// actor is what the tree runs. Serve never returns nil, except where the
// actor's own documentation says what nil means; String is a short constant
// name for the log.
type actor interface {
	Serve(ctx context.Context) error
	String() string
}

// task is an actor made of a function.
type task struct {
	name string
	work func(ctx context.Context) error
}

// Serve calls the function.
func (t task) Serve(ctx context.Context) error { return t.work(ctx) }

// String gives the name of the task.
func (t task) String() string { return t.name }

// PanicError is a panic of an actor, caught so that its supervisor decides what
// it means. Its stack is logged where the panic is caught and appears nowhere
// else.
type PanicError struct {
	Value any // as given to panic
}

// Error names the value, cut: it may hold text from outside.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %.200v", e.Value) }

// Unwrap gives the value if it is an error, as a runtime error is.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errReturned is the cause when an actor simply returned.
var errReturned = errors.New("returned without an error")

// guard runs an actor and turns a panic into a PanicError. This is the only place
// in the program that catches panics.
func guard(ctx context.Context, a actor, log *slog.Logger) (err error) {
	defer func() {
		// A nil value cannot be a panic: panic(nil) panics with a
		// runtime.PanicNilError since Go 1.21.
		if v := recover(); v != nil {
			err = &PanicError{Value: v}
			log.Error("actor panicked", slog.String("actor", a.String()), slog.Any("err", err), slog.String("stack", string(debug.Stack())))
		}
	}()
	return a.Serve(ctx)
}

// ended is how an adapter tells suture what the end of its actor means, without
// losing the reason.
type ended struct {
	verdict error // suture.ErrDoNotRestart or suture.ErrTerminateSupervisorTree
	cause   error // of the end; nil only where the actor may return nil
}

func (e *ended) Error() string {
	if e.cause == nil {
		return e.verdict.Error()
	}
	return e.cause.Error()
}

// Is makes suture see the verdict and nothing else: an actor's cause may wrap
// one of suture's errors by accident only.
func (e *ended) Is(target error) bool { return target == e.verdict }

// vital ends the whole tree with its actor. The tree then returns an ended
// error whose cause is what the actor returned; nil is an ordinary end.
type vital struct {
	actor
	log *slog.Logger
}

// Serve runs the actor.
func (v vital) Serve(ctx context.Context) error {
	return &ended{suture.ErrTerminateSupervisorTree, guard(ctx, v.actor, v.log)}
}

// once runs its actor a single time, whatever becomes of it: nothing that may
// have had an effect is repeated. Whoever waits for it learns of a panic from
// the actor's own deferred farewell.
type once struct {
	actor
	log *slog.Logger
}

// Serve runs the actor.
func (o once) Serve(ctx context.Context) error {
	return &ended{suture.ErrDoNotRestart, guard(ctx, o.actor, o.log)}
}

// linked ends its group with its actor, for the actor's reason.
type linked struct {
	name  string
	serve func() error // under the group's context
	fail  context.CancelCauseFunc
}

// Serve runs the actor and then ends the group. The first reason wins: members
// that end because the group did so change nothing.
//
// The actor sees the group's own context, not the one that suture derives from
// it for each child. Suture cancels that itself as soon as it notices that the
// group is over, and if it comes before the group's cause has got through, the
// cause is lost: "context canceled" instead of the reason.
func (l linked) Serve(context.Context) error {
	err := l.serve()
	if err == nil {
		err = errReturned
	}
	l.fail(fmt.Errorf("%s: %w", l.name, err))
	return &ended{suture.ErrDoNotRestart, err}
}

// String gives the name of the actor.
func (l linked) String() string { return l.name }
