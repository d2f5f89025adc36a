package supervisor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/thejerf/suture/v4"
)

func TestVitalEndsTheTree(t *testing.T) {
	tests := map[string]struct {
		serve func(context.Context) error
		want  string // text of the cause; empty for an ordinary end
	}{
		"ordinary end":             {func(context.Context) error { return nil }, ""},
		"error":                    {func(context.Context) error { return errBroken }, "broken"},
		"panic":                    {func(context.Context) error { panic("oh") }, "panic: oh"},
		"wish not to be restarted": {func(context.Context) error { return suture.ErrDoNotRestart }, "service should not be restarted"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				served := 0
				root := suture.New("root", spec(logger(t)))
				seen := make(chan error, 1)
				root.Add(obedient("other", seen))
				root.Add(vital{task{"vital", func(ctx context.Context) error { served++; return tt.serve(ctx) }}, logger(t)})
				err := root.Serve(t.Context())
				end, ok := errors.AsType[*ended](err)
				if !ok {
					t.Fatalf("tree ended with %v, want what vital returned", err)
				}
				if tt.want == "" && end.cause != nil || tt.want != "" && (end.cause == nil || end.cause.Error() != tt.want) {
					t.Errorf("cause is %v, want %q", end.cause, tt.want)
				}
				if served != 1 {
					t.Errorf("served %d times, want 1", served)
				}
				<-seen // the others were stopped
			})
		})
	}
}

func TestOnceIsNeverRepeated(t *testing.T) {
	tests := map[string]func(context.Context) error{
		"nil":                  func(context.Context) error { return nil },
		"error":                func(context.Context) error { return errBroken },
		"panic":                func(context.Context) error { panic("oh") },
		"wish to end the tree": func(context.Context) error { return suture.ErrTerminateSupervisorTree },
	}
	for name, work := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				ran := 0
				calls := suture.New("calls", spec(logger(t)))
				calls.Add(once{task{"work", func(ctx context.Context) error { ran++; return work(ctx) }}, logger(t)})
				time.AfterFunc(time.Hour, cancel)
				if err := calls.Serve(ctx); !errors.Is(err, context.Canceled) {
					t.Errorf("supervisor ended with %v", err)
				}
				if ran != 1 {
					t.Errorf("ran %d times, want 1", ran)
				}
			})
		})
	}
}

func TestPanicErrorIsShort(t *testing.T) {
	err := &PanicError{Value: strings.Repeat("x", 1000)}
	if n := len(err.Error()); n > 220 {
		t.Errorf("text has %d bytes", n)
	}
	if err.Unwrap() != nil {
		t.Error("unwraps a value that is no error")
	}
}
