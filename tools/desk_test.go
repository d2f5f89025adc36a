package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/session"
)

const (
	hang = `{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"get_network_request","arguments":{"id":"n1"}}}`
	ping = `{"jsonrpc":"2.0","id":"p","method":"ping"}`
)

func hanging() *registry {
	r := newRegistry(Config{})
	add(r, "get_network_request", hangs[getNetworkRequest])
	return r
}

// mustContain checks that there is one answer, and what it says.
func mustContain(t *testing.T, answers []string, want string) {
	t.Helper()
	if len(answers) != 1 || !strings.Contains(answers[0], want) {
		t.Errorf("answers %q, want one with %q", answers, want)
	}
}

func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, hanging())
		s.greet()
		if err := s.close(); !errors.Is(err, io.EOF) {
			t.Errorf("Serve returned %v, want io.EOF", err)
		}
	})
}

func TestEndOfInputAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, hanging())
		if err := s.close(); !errors.Is(err, io.EOF) {
			t.Errorf("Serve returned %v, want io.EOF", err)
		}
		if got := s.answers(); len(got) != 0 {
			t.Errorf("wrote %q", got)
		}
	})
}

func TestEndOfInputLetsCallsFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(Config{})
		add(r, "get_network_request", func(ctx context.Context, _ Call, _ getNetworkRequest) (Reply, error) {
			select {
			case <-time.After(settleTime / 2):
				return Reply{Text: "done"}, nil
			case <-ctx.Done():
				return Reply{}, context.Cause(ctx)
			}
		})
		s := run(t, r)
		s.greet()
		s.say(hang)
		_ = s.close()
		mustContain(t, s.answers(), `"text":"done"`)
	})
}

func TestEndOfInputCancelsWhatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, hanging())
		s.greet()
		s.say(hang)
		begun := time.Now()
		_ = s.close()
		mustContain(t, s.answers(), `"code":"cancelled"`)
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestStopCancelsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, hanging())
		s.greet()
		s.say(hang)
		begun, cause := time.Now(), errors.New("signal")
		s.stop(cause)
		if err := <-s.end; !errors.Is(err, cause) {
			t.Errorf("Serve returned %v, want %v", err, cause)
		}
		mustContain(t, s.answers(), `"code":"cancelled"`)
		if took := time.Since(begun); took > cancelTime {
			t.Errorf("took %v", took)
		}
	})
}

func TestHalfALineAtTheEnd(t *testing.T) {
	for line, want := range map[string]string{ping: `{"jsonrpc":"2.0","id":"p","result":{}}`, `{"jsonrpc":`: `"code":-32700`} {
		synctest.Test(t, func(t *testing.T) {
			s := run(t, hanging())
			s.greet()
			_, _ = io.WriteString(s.in, line)
			_ = s.close()
			mustContain(t, s.answers(), want)
		})
	}
}

// A worker that does not heed its context is answered for, and its own answer,
// when it comes, goes nowhere.
func TestDeafWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(Config{})
		add(r, "get_network_request", func(context.Context, Call, getNetworkRequest) (Reply, error) {
			time.Sleep(time.Minute)
			return Reply{Text: "too late"}, nil
		})
		s := run(t, r)
		s.greet()
		s.say(hang, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"h"}}`)
		time.Sleep(2 * graceTime)
		mustContain(t, s.answers(), `"code":"cancelled"`)
		time.Sleep(time.Hour)
		if got := s.answers(); len(got) != 0 {
			t.Errorf("answered again: %q", got)
		}
		_ = s.close()
	})
}

// A starter that never runs its work, as a tree that is coming down may not.
func TestCallThatNeverStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		out := &output{}
		s := assemble(hanging(), func(string, func(context.Context) error) {}, in, out, slog.New(slog.DiscardHandler))
		end := make(chan error, 1)
		go func() { end <- s.Serve(t.Context()) }()
		c := &running{t: t, in: client, out: out, end: end}
		c.greet()
		c.say(hang)
		_ = c.close()
		mustContain(t, c.answers(), `"code":"cancelled"`)
	})
}

// blocked is a client that does not read.
type blocked struct{ until chan struct{} }

func (b blocked) Write(p []byte) (int, error) {
	<-b.until
	return len(p), nil
}

func TestClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		b := blocked{make(chan struct{})}
		s := assemble(hanging(), workers(t.Context()), in, b, slog.New(slog.DiscardHandler))
		end := make(chan error, 1)
		go func() { end <- s.Serve(t.Context()) }()
		for i := range 1000 { // all are read although nothing can be written
			if _, err := fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i); err != nil {
				t.Fatal(err)
			}
		}
		begun := time.Now()
		_ = client.Close()
		<-end
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("took %v", took)
		}
		close(b.until) // the write itself cannot be interrupted
	})
}

func TestBackPressure(t *testing.T) {
	w := &work{desk: &desk{arrivals: make(chan arrival), outgoing: make(chan outgoing)}}
	w.write(make([]byte, maxUnread))
	if a, o := w.sources(); a == nil || o == nil {
		t.Error("nothing is taken in although the limit is not exceeded")
	}
	w.write([]byte("x"))
	if a, o := w.sources(); a != nil || o != nil {
		t.Error("something is taken in beyond the limit")
	}
}

type deadEnd struct{}

func (deadEnd) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestClientThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		s := assemble(hanging(), workers(t.Context()), in, deadEnd{}, slog.New(slog.DiscardHandler))
		end := make(chan error, 1)
		go func() { end <- s.Serve(t.Context()) }()
		_, _ = io.WriteString(client, ping+"\n")
		if err := <-end; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve returned %v, want the error of the output", err)
		}
	})
}

func TestAnswerThatIsTooLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(Config{})
		add(r, "get_network_request", func(context.Context, Call, getNetworkRequest) (Reply, error) {
			return Reply{Text: strings.Repeat("x", maxFrame)}, nil
		})
		s := run(t, r)
		s.greet()
		mustContain(t, s.say(hang), `"code":"internal"`)
		_ = s.close()
	})
}

// Page text is not blown up by escapes that only HTML needs.
func TestAnswersAreNotEscapedForHTML(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(Config{})
		add(r, "get_network_request", func(context.Context, Call, getNetworkRequest) (Reply, error) {
			return Reply{Text: "<a&b>", Structured: map[string]string{"x": "<a&b>"}, Images: []Image{{"image/png", []byte{1, 2, 3}}}}, nil
		})
		s := run(t, r)
		s.greet()
		mustContain(t, s.say(hang), `"result":{"content":[{"type":"text","text":"<a&b>"},{"type":"image","data":"AQID","mimeType":"image/png"}],"structuredContent":{"x":"<a&b>"},"isError":false}`)
		_ = s.close()
	})
}

func TestPanicBecomesInternal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := hanging()
		add(r, "list_tabs", func(context.Context, Call, nothing) (Reply, error) { panic("boom") })
		s := run(t, r)
		s.greet()
		s.say(hang)
		mustContain(t, s.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tabs"}}`), `"code":"internal"`)
		mustContain(t, s.say(ping), `"id":"p","result":{}`)
		_ = s.close()
		mustContain(t, s.answers(), `"code":"cancelled"`) // the other call lived on
	})
}

func TestErrorsOfHandlers(t *testing.T) {
	inner := errors.New("inner detail")
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"fault", session.Faultf(session.StaleElement, "element %q is gone", "e1"), `"error":{"code":"stale_element","message":"element \"e1\" is gone","retryable":true}`},
		{"wrapped fault", fmt.Errorf("act: %w", session.Faultf(session.InvalidSelector, "bad")), `"error":{"code":"invalid_selector","message":"bad","retryable":false}`},
		{"other error", inner, `"code":"internal"`},
		{"lines and bidi", session.Faultf(session.TabNotFound, "a\nb\u202ec"), `"message":"a b c"`},
		{"empty message", &session.Fault{Code: session.TabNotFound}, `"message":"no details"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRegistry(Config{})
				add(r, "list_tabs", func(context.Context, Call, nothing) (Reply, error) { return Reply{}, tt.err })
				s := run(t, r)
				s.greet()
				got := s.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tabs"}}`)
				mustContain(t, got, tt.want)
				if strings.Contains(strings.Join(got, ""), "inner detail") {
					t.Errorf("an inner error is shown: %q", got)
				}
				_ = s.close()
			})
		})
	}
}

func TestProgress(t *testing.T) {
	tests := []struct{ name, meta, want string }{
		{"asked for with a number", `,"_meta":{"progressToken":7}`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"message":"half","progress":1,"total":2}}`},
		{"asked for with a string", `,"_meta":{"progressToken":"t"}`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","message":"half","progress":1,"total":2}}`},
		{"not asked for", ``, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRegistry(Config{})
				add(r, "list_tabs", func(ctx context.Context, call Call, _ nothing) (Reply, error) {
					call.Progress(ctx, 1, 2, "half")
					cancelled, cancel := context.WithCancel(ctx)
					cancel()
					call.Progress(cancelled, 2, 2, "never")
					return Reply{Text: "done"}, nil
				})
				s := run(t, r)
				s.greet()
				got := s.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tabs"` + tt.meta + `}}`)
				if tt.want != "" {
					if len(got) != 2 || got[0] != tt.want {
						t.Fatalf("got %q, want first %q", got, tt.want)
					}
					got = got[1:]
				}
				mustContain(t, got, `"text":"done"`)
				_ = s.close()
			})
		})
	}
}
