package reader_test

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

	"firefox-rdp-mcp/reader"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// message is what a scripted source gives next.
type message struct {
	kind websocket.MessageType
	data string
	err  error
}

// source gives messages in order, and then waits.
type source chan message

func (s source) Read(ctx context.Context) (websocket.MessageType, []byte, error) {
	select {
	case m := <-s:
		return m.kind, []byte(m.data), m.err
	case <-ctx.Done():
		return 0, nil, io.ErrClosedPipe // as a socket does, which knows no causes
	}
}

// run starts a reader and returns its two other ends.
func run(ctx context.Context, t *testing.T, messages ...message) (out <-chan []byte, ended <-chan error) {
	src := make(source, len(messages))
	for _, m := range messages {
		src <- m
	}
	texts, errs := make(chan []byte), make(chan error, 1)
	r := reader.New(src, texts, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if r.String() != "reader" {
		t.Errorf("String = %q", r)
	}
	go func() { errs <- r.Serve(ctx) }()
	return texts, errs
}

func TestMessagesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, _ := run(t.Context(), t, message{websocket.MessageText, `{"n":1}`, nil}, message{websocket.MessageText, "", nil}, message{websocket.MessageText, "é😀", nil})
		for _, want := range []string{`{"n":1}`, "", "é😀"} {
			if got := string(<-out); got != want {
				t.Errorf("message = %q, want %q", got, want)
			}
		}
	})
}

func TestEnds(t *testing.T) {
	closed := websocket.CloseError{Code: websocket.StatusGoingAway, Reason: "bye"}
	tests := []struct {
		name string
		last message
		want error
	}{
		{"vanished", message{err: io.EOF}, io.EOF},
		{"closed", message{err: closed}, closed},
		{"too big, with what was read so far", message{websocket.MessageText, "{", websocket.ErrMessageTooBig}, websocket.ErrMessageTooBig},
		{"binary", message{websocket.MessageBinary, "{}", nil}, reader.ErrBinary},
		{"not UTF-8", message{websocket.MessageText, "{\"from\":\"\xff\"}", nil}, reader.ErrUTF8},
		{"a surrogate in UTF-8", message{websocket.MessageText, "\xed\xa0\x80", nil}, reader.ErrUTF8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out, ended := run(t.Context(), t, tt.last)
				select {
				case msg := <-out:
					t.Errorf("message %q", msg)
				case err := <-ended:
					if !errors.Is(err, tt.want) {
						t.Errorf("Serve = %v, want %v", err, tt.want)
					}
				}
			})
		})
	}
}

func TestContextEnds(t *testing.T) {
	cause := errors.New("router: fell over")
	for name, messages := range map[string][]message{
		"while receiving": nil,
		"while sending":   {{websocket.MessageText, "{}", nil}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				_, ended := run(ctx, t, messages...)
				synctest.Wait()
				cancel(cause)
				if err := <-ended; !errors.Is(err, cause) {
					t.Errorf("Serve = %v, want %v", err, cause)
				}
			})
		})
	}
}

func TestWaitsForItsReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, ended := run(t.Context(), t, message{websocket.MessageText, "1", nil}, message{err: io.EOF})
		time.Sleep(time.Minute)
		select {
		case err := <-ended:
			t.Errorf("Serve = %v before its message was taken", err)
		default:
		}
		<-out
		if err := <-ended; !errors.Is(err, io.EOF) {
			t.Errorf("Serve = %v", err)
		}
	})
}
