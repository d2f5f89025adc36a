package router_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"

	"firefox-rdp-mcp/router"
)

// wire is a router and a serializer with the test at every other end of their
// channels. It belongs into a bubble.
type wire struct {
	*router.Conn
	t    *testing.T
	in   chan []byte
	out  chan []byte
	news chan router.News
	end  context.CancelCauseFunc
	errs chan error // what each Serve returned
}

func wired(t *testing.T, limits router.Limits) *wire {
	t.Helper()
	return wiredTo(t, limits, slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})))
}

func wiredTo(t *testing.T, limits router.Limits, log *slog.Logger) *wire {
	t.Helper()
	w := &wire{t: t, in: make(chan []byte), out: make(chan []byte), news: make(chan router.News), errs: make(chan error, 2)}
	r, s, conn := router.New(7, w.in, w.out, w.news, limits, log)
	w.Conn = conn
	ctx, end := context.WithCancelCause(t.Context())
	w.end = end
	for _, a := range []interface{ Serve(context.Context) error }{r, s} {
		go func() {
			err := errors.New("panicked")
			defer func() {
				_ = recover() // the supervisor's part
				end(fmt.Errorf("%s: %w", a, err))
				w.errs <- err
			}()
			err = a.Serve(ctx)
		}()
	}
	t.Cleanup(func() { end(errors.New("test over")) })
	return w
}

// outcome is what a call returned.
type outcome struct {
	packet router.Packet
	value  router.Value
	err    error
}

// do begins a request and returns where its outcome will be.
func (w *wire) do(ctx context.Context, to router.ActorID, method string) <-chan outcome {
	c := make(chan outcome, 1)
	go func() {
		p, err := w.Do(ctx, to, method, nil)
		c <- outcome{packet: p, err: err}
	}()
	return c
}

// evaluate begins an evaluation.
func (w *wire) evaluate(ctx context.Context, console router.ActorID, e router.Evaluation) <-chan outcome {
	c := make(chan outcome, 1)
	go func() {
		v, err := w.Evaluate(ctx, console, e)
		c <- outcome{value: v, err: err}
	}()
	return c
}

// running begins an evaluation and brings it to its acknowledgement.
func (w *wire) running(console router.ActorID, e router.Evaluation, id string) <-chan outcome {
	w.t.Helper()
	c := w.evaluate(w.t.Context(), console, e)
	w.frame(console, "evaluateJSAsync")
	w.say(`{"from":%q,"resultID":%q}`, console, id)
	return c
}

// frame takes the next frame and checks whom it is for.
func (w *wire) frame(to router.ActorID, method string) {
	w.t.Helper()
	synctest.Wait()
	select {
	case f := <-w.out:
		var got struct {
			To   router.ActorID `json:"to"`
			Type string         `json:"type"`
		}
		if err := json.Unmarshal(f, &got); err != nil || got.To != to || got.Type != method {
			w.t.Errorf("frame = %s, want %s to %s", f, method, to)
		}
	default:
		w.t.Errorf("no frame, want %s to %s", method, to)
	}
}

// quiet checks that no frame is waiting.
func (w *wire) quiet() {
	w.t.Helper()
	synctest.Wait()
	select {
	case f := <-w.out:
		w.t.Errorf("unexpected frame %s", f)
	default:
	}
}

// say lets Firefox say something.
func (w *wire) say(format string, args ...any) {
	w.t.Helper()
	synctest.Wait()
	select {
	case w.in <- fmt.Appendf(nil, format, args...):
	default:
		w.t.Errorf("the router does not read "+format, args...)
	}
}

// hear takes the next piece of news.
func (w *wire) hear() router.News {
	w.t.Helper()
	synctest.Wait()
	select {
	case n := <-w.news:
		return n
	default:
		w.t.Error("no news")
		return nil
	}
}

// pending checks that a call has not returned.
func pending(t *testing.T, name string, c <-chan outcome) {
	t.Helper()
	synctest.Wait()
	select {
	case o := <-c:
		t.Errorf("%s = %s, %v; want it pending", name, o.packet.Raw, o.err)
	default:
	}
}

// outcomeOf checks that a call has returned.
func outcomeOf(t *testing.T, name string, c <-chan outcome) outcome {
	t.Helper()
	synctest.Wait()
	select {
	case o := <-c:
		return o
	default:
		t.Errorf("%s is still pending", name)
		return outcome{}
	}
}

// closed returns the ClosedError that a call got.
func closed(t *testing.T, name string, c <-chan outcome) router.ClosedError {
	t.Helper()
	o := outcomeOf(t, name, c)
	e, ok := errors.AsType[*router.ClosedError](o.err)
	if !ok {
		t.Errorf("%s = %v, want a ClosedError", name, o.err)
		return router.ClosedError{}
	}
	return *e
}

// gone returns the GoneError that a call got.
func gone(t *testing.T, name string, c <-chan outcome) router.GoneError {
	t.Helper()
	o := outcomeOf(t, name, c)
	e, ok := errors.AsType[*router.GoneError](o.err)
	if !ok {
		t.Errorf("%s = %v, want a GoneError", name, o.err)
		return router.GoneError{}
	}
	return *e
}
