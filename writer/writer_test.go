package writer_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"firefox-rdp-mcp/writer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sink takes frames as fast as a test does, and fails when it is told to.
type sink struct {
	frames chan string
	fail   chan error
}

func (s sink) Write(ctx context.Context, kind websocket.MessageType, frame []byte) error {
	if kind != websocket.MessageText {
		return errors.New("not a text message")
	}
	select {
	case s.frames <- string(frame):
		return nil
	case err := <-s.fail:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

const timeout = 5 * time.Second

// run starts a writer and returns its other ends.
func run(ctx context.Context, t *testing.T) (in chan<- []byte, dst sink, ended <-chan error) {
	frames, errs := make(chan []byte), make(chan error, 1)
	dst = sink{make(chan string), make(chan error, 1)}
	w := writer.New(dst, frames, timeout, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if w.String() != "writer" {
		t.Errorf("String = %q", w)
	}
	go func() { errs <- w.Serve(ctx) }()
	return frames, dst, errs
}

func TestFramesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, dst, ended := run(t.Context(), t)
		for _, want := range []string{"1", "", "é"} {
			in <- []byte(want)
			if got := <-dst.frames; got != want {
				t.Errorf("frame = %q, want %q", got, want)
			}
			time.Sleep(10 * timeout) // the deadline is for writing, not for waiting
		}
		select {
		case err := <-ended:
			t.Errorf("Serve = %v", err)
		default:
		}
	})
}

func TestSlowSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, dst, ended := run(t.Context(), t)
		for range 3 { // each frame has a deadline of its own
			in <- []byte("x")
			time.Sleep(timeout - time.Nanosecond)
			<-dst.frames
		}
		in <- []byte("x")
		begun := time.Now()
		if err := <-ended; !errors.Is(err, writer.ErrTimeout) || time.Since(begun) != timeout {
			t.Errorf("Serve = %v after %v, want ErrTimeout after %v", err, time.Since(begun), timeout)
		}
	})
}

func TestSinkFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, dst, ended := run(t.Context(), t)
		dst.fail <- io.ErrClosedPipe
		in <- []byte("x")
		if err := <-ended; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve = %v", err)
		}
	})
}

func TestContextEnds(t *testing.T) {
	cause := errors.New("reader: fell over")
	for _, writing := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			in, _, ended := run(ctx, t)
			if writing {
				in <- []byte("x")
			}
			synctest.Wait()
			cancel(cause)
			if err := <-ended; !errors.Is(err, cause) {
				t.Errorf("writing %t: Serve = %v, want %v", writing, err, cause)
			}
		})
	}
}
