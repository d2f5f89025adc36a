package router_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/router"
)

func TestOneExchangeAnActor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		first := w.do(t.Context(), "a", "one")
		w.frame("a", "one")
		second := w.do(t.Context(), "a", "two")
		w.quiet() // behind the first
		other := w.do(t.Context(), "b", "three")
		w.frame("b", "three") // beside it

		w.say(`{"from":"b","n":3}`)
		if o := outcomeOf(t, "three", other); o.err != nil || string(o.packet.Raw) != `{"from":"b","n":3}` {
			t.Errorf("three = %s, %v", o.packet.Raw, o.err)
		}
		pending(t, "one", first)
		w.say(`{"from":"a","n":1}`)
		if o := outcomeOf(t, "one", first); string(o.packet.Raw) != `{"from":"a","n":1}` {
			t.Errorf("one = %s, %v", o.packet.Raw, o.err)
		}
		w.frame("a", "two")
		w.say(`{"from":"a","n":2}`)
		if o := outcomeOf(t, "two", second); string(o.packet.Raw) != `{"from":"a","n":2}` {
			t.Errorf("two = %s, %v", o.packet.Raw, o.err)
		}
	})
}

func TestOneWayFreesItsLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		told := make(chan error, 1)
		go func() { told <- w.Tell(t.Context(), "a", "unwatchResources", map[string]any{"x": 1}) }()
		w.frame("a", "unwatchResources")
		if err := <-told; err != nil {
			t.Errorf("Tell = %v", err)
		}
		c := w.do(t.Context(), "a", "next")
		w.frame("a", "next")
		w.say(`{"from":"a"}`)
		if o := outcomeOf(t, "next", c); o.err != nil {
			t.Errorf("next = %v", o.err)
		}
	})
}

func TestReleaseIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		released := make(chan error, 1)
		go func() { released <- w.Release(t.Context(), "obj1") }()
		w.frame("obj1", "release")
		if err := <-released; err != nil {
			t.Errorf("Release = %v", err)
		}
		w.say(`{"from":"obj1"}`)
		if n := len(w.Unmatched()); n != 0 {
			t.Errorf("%d unmatched after the reply to a release, want none", n)
		}
		w.say(`{"from":"obj1"}`)
		if n := len(w.Unmatched()); n != 1 {
			t.Errorf("%d unmatched after a second reply, want it", n)
		}
		time.Sleep(time.Hour) // and its silence would cost nothing
		if err := w.Stats().Cause; err != nil {
			t.Errorf("connection ended: %v", err)
		}
	})
}

func TestLateReplyEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		slow := w.do(t.Context(), "a", "slow")
		w.frame("a", "slow")
		behind := w.do(t.Context(), "a", "behind")
		time.Sleep(limits.Reply / 2)
		beside := w.do(t.Context(), "b", "beside")
		w.frame("b", "beside")
		evaluation := w.running("c", router.Evaluation{}, "1-1")
		pending(t, "slow", slow)

		time.Sleep(limits.Reply / 2)
		for name, want := range map[string]struct {
			call <-chan outcome
			sent bool
		}{"slow": {slow, true}, "behind": {behind, false}, "beside": {beside, true}, "evaluation": {evaluation, true}} {
			if e := closed(t, name, want.call); e.Sent != want.sent || !errors.Is(e.Cause, router.ErrTimeout) {
				t.Errorf("%s = %+v, want it closed by ErrTimeout, sent: %t", name, e, want.sent)
			}
		}
		if e := closed(t, "afterwards", w.do(t.Context(), "a", "afterwards")); e.Sent || !errors.Is(e.Cause, router.ErrTimeout) {
			t.Errorf("afterwards = %+v", e)
		}
	})
}

func TestReplyDeadlineIsPerExchange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		for range 5 {
			c := w.do(t.Context(), "a", "steady")
			w.frame("a", "steady")
			time.Sleep(limits.Reply - time.Millisecond)
			w.say(`{"from":"a"}`)
			if o := outcomeOf(t, "steady", c); o.err != nil {
				t.Fatalf("steady = %v", o.err)
			}
		}
	})
}

func TestCallerLeaves(t *testing.T) {
	cause := errors.New("client cancelled")
	tests := []struct {
		name string
		// before brings the wire to the moment and returns what ends the test
		before func(w *wire)
		frames bool // the frame goes out all the same
	}{
		{"before its turn", func(w *wire) {
			w.do(w.t.Context(), "a", "first")
			w.frame("a", "first")
		}, false},
		{"while the frame waits for the writer", func(*wire) {}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := wired(t, limits)
				tt.before(w)
				ctx, leave := context.WithCancelCause(t.Context())
				c := w.do(ctx, "a", "abandoned")
				synctest.Wait()
				leave(cause)
				if o := outcomeOf(t, "abandoned", c); !errors.Is(o.err, cause) {
					t.Errorf("abandoned = %v, want %v", o.err, cause)
				}
				w.quiet()
				w.say(`{"from":"a"}`) // the reply to first, if there is one
				w.quiet()
				next := w.do(t.Context(), "a", "next")
				w.frame("a", "next")
				w.say(`{"from":"a","for":"next"}`)
				if o := outcomeOf(t, "next", next); string(o.packet.Raw) != `{"from":"a","for":"next"}` {
					t.Errorf("next = %s, %v", o.packet.Raw, o.err)
				}
			})
		})
	}
}

func TestCallerLeavesAfterSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		ctx, leave := context.WithCancel(t.Context())
		c := w.do(ctx, "a", "abandoned")
		w.frame("a", "abandoned")
		leave()
		if o := outcomeOf(t, "abandoned", c); !errors.Is(o.err, context.Canceled) {
			t.Errorf("abandoned = %v", o.err)
		}
		next := w.do(t.Context(), "a", "next")
		w.quiet() // the late reply must not be taken for this one
		w.say(`{"from":"a","for":"abandoned"}`)
		w.frame("a", "next")
		w.say(`{"from":"a","for":"next"}`)
		if o := outcomeOf(t, "next", next); string(o.packet.Raw) != `{"from":"a","for":"next"}` {
			t.Errorf("next = %s, %v", o.packet.Raw, o.err)
		}
	})
}

func TestCancelledBeforehand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		ctx, leave := context.WithCancel(t.Context())
		leave()
		if o := outcomeOf(t, "do", w.do(ctx, "a", "never")); !errors.Is(o.err, context.Canceled) {
			t.Errorf("Do = %v", o.err)
		}
		w.quiet()
	})
}

func TestReadsWhileAFrameWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		result := w.running("c", router.Evaluation{}, "1-1")
		stuck := w.do(t.Context(), "a", "stuck") // nobody takes the frame
		for range 50 {
			w.say(`{"from":"root","type":"frameUpdate"}`)
		}
		w.say(`{"from":"c","type":"evaluationResult","resultID":"1-1","result":1}`)
		if o := outcomeOf(t, "evaluation", result); o.err != nil {
			t.Errorf("evaluation = %v", o.err)
		}
		pending(t, "stuck", stuck)
		w.frame("a", "stuck")
		w.say(`{"from":"a"}`)
		if o := outcomeOf(t, "stuck", stuck); o.err != nil {
			t.Errorf("stuck = %v", o.err)
		}
	})
}

func TestArguments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		for _, args := range []any{1, "text", []int{1}, make(chan int)} {
			if _, err := w.Do(t.Context(), "a", "bad", args); err == nil {
				t.Errorf("Do(%v) succeeds", args)
			}
		}
		w.quiet()
	})
}
