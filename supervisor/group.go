package supervisor

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/thejerf/suture/v4"
)

// stopTimeout bounds how long a supervisor waits for its children once they
// have been told to stop. It is below the 2 s in which the whole program has to
// end.
const stopTimeout = 1500 * time.Millisecond

// group is several actors that live and die together, for one cause: the first
// of them to end takes the others with it. It is an actor itself. Every Serve
// starts from fresh members in a fresh supervisor, since one of suture's can be
// served only once.
type group struct {
	name    string
	members func() []actor // made anew for each Serve
	log     *slog.Logger
}

// Serve runs the members until the first of them ends, and all have. It returns
// that first cause, named after the member; members see it as the cause of
// their context. When ctx ends, its cause is the first.
//
// A member that ignores the end of its context is logged after stopTimeout and
// left behind.
func (g group) Serve(ctx context.Context) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	s := suture.New(g.name, spec(g.log))
	for _, m := range g.members() {
		serve := func() error { return guard(ctx, m, g.log) }
		s.Add(linked{name: m.String(), serve: serve, fail: fail})
	}
	// The error says no more than the context does: members never ask for a
	// restart or for the end of the tree.
	_ = s.Serve(ctx)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errors.New("group without members")
}

// String gives the name of the group.
func (g group) String() string { return g.name }

// spec is what all supervisors of the tree have in common.
func spec(log *slog.Logger) suture.Spec {
	return suture.Spec{EventHook: hook(log), Timeout: stopTimeout}
}
