package router_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/router"
)

func TestWaitAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		r, err := w.Start(t.Context(), "c", router.Evaluation{Text: "confirm()"})
		if err != nil {
			t.Fatal(err)
		}
		w.frame("c", "evaluateJSAsync")
		w.say(`{"from":"c","resultID":"1"}`)
		for range 3 {
			patience, leave := context.WithTimeout(t.Context(), time.Second)
			if _, err := r.Wait(patience); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Wait = %v, want its context's end", err)
			}
			leave()
		}
		w.say(`{"from":"c","type":"evaluationResult","resultID":"1","result":"yes"}`)
		synctest.Wait()
		over, leave := context.WithCancel(t.Context())
		leave()
		if v, err := r.Wait(over); err != nil || v.Text != "yes" { // it is there, so it is given
			t.Errorf("Wait = %+v, %v", v, err)
		}
	})
}

func TestWaitAfterABrokenFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		r, err := w.Start(t.Context(), "c", router.Evaluation{})
		if err != nil {
			t.Fatal(err)
		}
		w.frame("c", "evaluateJSAsync")
		w.say(`{"from":"c","resultID":"1"}`)
		w.say(`{"from":"c","type":"evaluationResult","resultID":"1","result":{"type":"longString","actor":"l1","length":12000,"initial":"x"}}`)
		ctx, leave := context.WithCancel(t.Context())
		broken := make(chan error, 1)
		go func() { _, err := r.Wait(ctx); broken <- err }()
		w.frame("l1", "substring")
		leave()
		if err := <-broken; !errors.Is(err, context.Canceled) {
			t.Errorf("Wait = %v", err)
		}
		w.say(`{"from":"l1","substring":"x"}`)
		w.frame("l1", "release")
		w.say(`{"from":"l1"}`)
		lost := make(chan error, 1)
		go func() { _, err := r.Wait(t.Context()); lost <- err }()
		w.frame("l1", "substring")
		w.say(`{"from":"l1","error":"noSuchActor"}`)
		if err := <-lost; !errors.As(err, new(*router.ActorError)) {
			t.Errorf("Wait = %v, want noSuchActor", err)
		}
	})
}

func TestStartBehindAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		w.do(t.Context(), "c", "first")
		w.frame("c", "first")
		ctx, leave := context.WithCancel(t.Context())
		r, err := w.Start(ctx, "c", router.Evaluation{})
		if err != nil {
			t.Fatal(err)
		}
		leave()
		w.say(`{"from":"c"}`)
		w.quiet()
		if _, err := r.Wait(t.Context()); !errors.Is(err, context.Canceled) {
			t.Errorf("Wait = %v, want the end of the context that started it", err)
		}
	})
}
