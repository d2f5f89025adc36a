package supervisor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/thejerf/suture/v4"
)

func TestGroupEndsForItsFirstCause(t *testing.T) {
	tests := map[string]struct {
		serve func(ctx context.Context) error
		want  string
		is    error
	}{
		"error":                      {func(context.Context) error { return errBroken }, "second: broken", errBroken},
		"nil":                        {func(context.Context) error { return nil }, "second: returned without an error", errReturned},
		"panic":                      {func(context.Context) error { panic("oh") }, "second: panic: oh", nil},
		"panic with an error":        {func(context.Context) error { panic(errBroken) }, "second: panic: broken", errBroken},
		"a stranger's context error": {func(context.Context) error { return context.Canceled }, "second: context canceled", context.Canceled},
		"wish to end the tree":       {func(context.Context) error { return suture.ErrTerminateSupervisorTree }, "second: tree should be terminated", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen := make(chan error, 2)
				g := group{name: "g", log: logger(t), members: func() []actor {
					return []actor{
						obedient("first", seen),
						task{"second", func(ctx context.Context) error {
							time.Sleep(time.Second)
							return tt.serve(ctx)
						}},
						obedient("third", seen),
					}
				}}
				err := g.Serve(t.Context())
				if err == nil || err.Error() != tt.want || (tt.is != nil && !errors.Is(err, tt.is)) {
					t.Errorf("group ended with %v, want %v", err, tt.want)
				}
				for range 2 {
					if got := <-seen; got.Error() != tt.want {
						t.Errorf("a neighbour saw %v, want %v", got, tt.want)
					}
				}
			})
		})
	}
}

func TestGroupEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		seen := make(chan error, 1)
		g := group{name: "g", log: logger(t), members: func() []actor { return []actor{obedient("only", seen)} }}
		time.AfterFunc(time.Second, func() { cancel(errBroken) })
		if err := g.Serve(ctx); !errors.Is(err, errBroken) {
			t.Errorf("group ended with %v, want %v", err, errBroken)
		}
		if got := <-seen; !errors.Is(got, errBroken) {
			t.Errorf("member saw %v, want %v", got, errBroken)
		}
	})
}

func TestGroupServedAgainHasFreshMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := 0
		g := group{name: "g", log: logger(t), members: func() []actor {
			made++
			return []actor{task{"only", func(context.Context) error { return errBroken }}}
		}}
		for range 3 {
			if err := g.Serve(t.Context()); !errors.Is(err, errBroken) {
				t.Errorf("group ended with %v", err)
			}
		}
		if made != 3 {
			t.Errorf("members were made %d times, want 3", made)
		}
	})
}

func TestGroupLeavesADeafMemberBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wake := make(chan struct{})
		g := group{name: "g", log: logger(t), members: func() []actor {
			return []actor{
				task{"deaf", func(context.Context) error { <-wake; return errBroken }},
				task{"dead", func(context.Context) error { return errBroken }},
			}
		}}
		start := time.Now()
		if err := g.Serve(t.Context()); err.Error() != "dead: broken" {
			t.Errorf("group ended with %v", err)
		}
		if took := time.Since(start); took != stopTimeout {
			t.Errorf("group ended after %v, want %v", took, stopTimeout)
		}
		close(wake)
	})
}

func TestAGroupUnderASupervisorIsRestarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		served := 0
		root := suture.New("root", spec(logger(t)))
		root.Add(group{name: "g", log: logger(t), members: func() []actor {
			served++
			return []actor{
				task{"waits", func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }},
				task{"panics", func(ctx context.Context) error {
					if served < 3 {
						panic("oh")
					}
					cancel()
					<-ctx.Done()
					return context.Cause(ctx)
				}},
			}
		}})
		if err := root.Serve(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("root ended with %v", err)
		}
		if served != 3 {
			t.Errorf("group was served %d times, want 3", served)
		}
	})
}
