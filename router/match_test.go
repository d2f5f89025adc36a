package router_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/router"
)

func TestResultsComeInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		const n = 50
		var calls []<-chan outcome
		for i := range n {
			calls = append(calls, w.running("c", router.Evaluation{Await: true}, fmt.Sprint(i)))
		}
		for i := n - 1; i >= 0; i-- {
			w.say(`{"from":"c","type":"evaluationResult","resultID":"%d","result":"r%d"}`, i, i)
		}
		for i, c := range calls {
			if o := outcomeOf(t, "evaluation", c); o.value.Text != fmt.Sprintf("r%d", i) {
				t.Errorf("evaluation %d = %+v, %v", i, o.value, o.err)
			}
		}
	})
}

func TestResultIDsBelongToTheirConsole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		a := w.running("a", router.Evaluation{}, "1-0")
		b := w.running("b", router.Evaluation{}, "1-0") // same millisecond, same count
		w.say(`{"from":"c","type":"evaluationResult","resultID":"1-0","result":"c"}`)
		w.say(`{"from":"b","type":"evaluationResult","resultID":"1-0","result":"b"}`)
		if o := outcomeOf(t, "b", b); o.value.Text != "b" {
			t.Errorf("b = %+v, %v", o.value, o.err)
		}
		pending(t, "a", a)
		if n := len(w.Unmatched()); n != 1 {
			t.Errorf("%d unmatched, want the one of c", n)
		}
	})
}

func TestLateResultEndsOnlyItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		short := w.running("a", router.Evaluation{Timeout: time.Second}, "1")
		long := w.running("a", router.Evaluation{}, "2")
		time.Sleep(time.Second)
		if o := outcomeOf(t, "short", short); !errors.Is(o.err, router.ErrResultTimeout) {
			t.Errorf("short = %v", o.err)
		}
		w.say(`{"from":"a","type":"evaluationResult","resultID":"1","result":1}`)
		if n := len(w.Unmatched()); n != 1 {
			t.Errorf("%d unmatched, want the late result", n)
		}
		time.Sleep(limits.Result - time.Second - time.Nanosecond)
		pending(t, "long", long)
		time.Sleep(time.Nanosecond)
		if o := outcomeOf(t, "long", long); !errors.Is(o.err, router.ErrResultTimeout) {
			t.Errorf("long = %v", o.err)
		}
		if s := w.Stats(); s.Cause != nil || len(s.Pending) != 0 {
			t.Errorf("stats = %+v, want it alive and idle", s)
		}
	})
}

func TestResultOfAnAcknowledgementThatNeverComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		c := w.evaluate(t.Context(), "a", router.Evaluation{Timeout: time.Hour})
		w.frame("a", "evaluateJSAsync")
		time.Sleep(limits.Reply)
		if e := closed(t, "evaluation", c); !e.Sent || !errors.Is(e.Cause, router.ErrTimeout) {
			t.Errorf("evaluation = %+v", e)
		}
	})
}

func TestEventsAreNoReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		c := w.do(t.Context(), router.Root, "listTabs")
		w.frame(router.Root, "listTabs")
		w.say(`{"from":"root","type":"tabListChanged"}`)
		if n := w.hear(); n != (router.TabListChanged{Epoch: 7}) {
			t.Errorf("news = %#v", n)
		}
		w.say(`{"from":"root","type":"somethingNew","tabs":[]}`)
		pending(t, "listTabs", c)
		w.say(`{"from":"root","tabs":[]}`)
		if o := outcomeOf(t, "listTabs", c); o.err != nil {
			t.Errorf("listTabs = %v", o.err)
		}
	})
}

func TestAReplyMustFollowItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		c := w.do(t.Context(), "a", "m")
		synctest.Wait() // its frame waits for the writer
		w.say(`{"from":"a","early":true}`)
		pending(t, "m", c)
		w.frame("a", "m")
		w.say(`{"from":"a","early":false}`)
		if o := outcomeOf(t, "m", c); string(o.packet.Raw) != `{"from":"a","early":false}` {
			t.Errorf("m = %s, %v", o.packet.Raw, o.err)
		}
	})
}

func TestErrorPackets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		c := w.do(t.Context(), "a", "m")
		w.frame("a", "m")
		running := w.running("b", router.Evaluation{}, "1")
		w.say(`{"from":"a","error":"wrongOrder","message":"bad \u001b[31m"}`)
		want := &router.ActorError{Actor: "a", Name: "wrongOrder", Message: "bad \x1b[31m"}
		o := outcomeOf(t, "m", c)
		got, _ := errors.AsType[*router.ActorError](o.err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("m (-want +got):\n%s", diff)
		}
		if strings.ContainsRune(o.err.Error(), '\x1b') {
			t.Errorf("error text %q has control characters", o.err)
		}
		pending(t, "evaluation", running)
	})
}

func TestNoSuchActorFailsEverythingThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		first := w.running("a", router.Evaluation{}, "1")
		second := w.evaluate(t.Context(), "a", router.Evaluation{})
		w.frame("a", "evaluateJSAsync")
		other := w.running("b", router.Evaluation{}, "1")
		w.say(`{"from":"a","error":"noSuchActor","message":"No such actor for ID: a"}`)
		for name, c := range map[string]<-chan outcome{"acknowledged": first, "sent": second} {
			o := outcomeOf(t, name, c)
			if e, ok := errors.AsType[*router.ActorError](o.err); !ok || e.Name != "noSuchActor" {
				t.Errorf("%s = %v, want noSuchActor", name, o.err)
			}
		}
		pending(t, "other", other)
		if s := w.Stats(); s.Unmatched != 0 {
			t.Errorf("%d unmatched", s.Unmatched)
		}
	})
}

func TestBrokenProtocolEndsTheConnection(t *testing.T) {
	tests := map[string]string{
		"not JSON":                           `{"from":"a"`,
		"two values":                         `{"from":"a"}{}`,
		"null":                               `null`,
		"array":                              `[{"from":"a"}]`,
		"string":                             `"from"`,
		"no sender":                          `{"type":"tabListChanged"}`,
		"null sender":                        `{"from":null}`,
		"sender is a number":                 `{"from":7}`,
		"empty":                              ``,
		"acknowledgement without a resultID": `{"from":"a"}`,
		"resultID given twice":               `{"from":"a","resultID":"1"}`,
		"target without an actor":            `{"from":"w","type":"target-available-form","target":{"url":"x"}}`,
		"target that is none":                `{"from":"w","type":"target-destroyed-form","target":[]}`,
		"prefix that is none":                `{"from":"root","type":"forwardingCancelled","prefix":{}}`,
		"resources that are none":            `{"from":"w","type":"resources-available-array","array":{}}`,
		"resources without a list":           `{"from":"w","type":"resources-available-array","array":[["document-event",{}]]}`,
		"document event that is none":        `{"from":"w","type":"resources-available-array","array":[["document-event",["x"]]]}`,
	}
	for name, packet := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := wired(t, limits)
				acknowledged := w.running("a", router.Evaluation{}, "1")
				sent := w.evaluate(t.Context(), "a", router.Evaluation{})
				w.frame("a", "evaluateJSAsync")
				unsent := w.do(t.Context(), "b", "m")
				synctest.Wait()
				w.say("%s", packet)
				if e := closed(t, "acknowledged", acknowledged); !e.Sent || !errors.Is(e.Cause, router.ErrProtocol) {
					t.Errorf("acknowledged = %+v", e)
				}
				if e := closed(t, "unsent", unsent); e.Sent || !errors.Is(e.Cause, router.ErrProtocol) {
					t.Errorf("unsent = %+v", e)
				}
				if o := outcomeOf(t, "sent", sent); !errors.Is(o.err, router.ErrProtocol) {
					t.Errorf("sent = %v", o.err)
				}
				<-w.Done()
				if s := w.Stats(); !errors.Is(s.Cause, router.ErrProtocol) {
					t.Errorf("cause = %v", s.Cause)
				}
			})
		})
	}
}

func TestRing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		const secret = "s3cret"
		for i := range 130 {
			w.say(`{"from":"a%d","type":"strange","text":%q}`, i, secret)
		}
		w.say(`{"from":"\u001b[2J%s","type":"x y","error":"%s"}`, strings.Repeat("x", 1000), strings.Repeat("é", 1000))
		all := w.Unmatched()
		if len(all) != 100 || all[0].From != "a31" || all[98].From != "a129" || all[98].Type != "strange" {
			t.Fatalf("ring = %d, first %+v, last but one %+v", len(all), all[0], all[98])
		}
		if s := w.Stats(); s.Unmatched != 131 {
			t.Errorf("unmatched = %d, want 131", s.Unmatched)
		}
		last := fmt.Sprintf("%+v", all[99])
		if strings.Contains(last, "\x1b") || len(last) > 1800 || !strings.Contains(last, `"x y"`) {
			t.Errorf("last = %s", last)
		}
		if strings.Contains(fmt.Sprint(all), secret) {
			t.Error("payload in the ring")
		}
	})
}

func TestStatsTellTheStory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		opened := time.Now()
		time.Sleep(time.Second)
		w.running("c", router.Evaluation{}, "1")
		time.Sleep(time.Second)
		w.do(t.Context(), "a", "sent")
		w.frame("a", "sent")
		time.Sleep(time.Second)
		w.do(t.Context(), "b", "unsent")
		synctest.Wait()
		cause := errors.New("pulled the plug")
		w.end(cause)
		<-w.Done()
		time.Sleep(time.Hour) // what is told is the last moment
		want := router.Stats{
			Epoch: 7, Opened: opened, Lived: 3 * time.Second, SinceIn: 2 * time.Second, SinceOut: time.Second,
			PacketsIn: 1, PacketsOut: 2, BytesIn: 27, Cause: cause,
			Pending: []router.Pending{
				{Actor: "c", Method: "evaluateJSAsync", Phase: router.Acknowledged, Age: 2 * time.Second},
				{Actor: "a", Method: "sent", Phase: router.Sent, Age: time.Second},
				{Actor: "b", Method: "unsent", Phase: router.Unsent},
			},
		}
		got := w.Stats()
		want.BytesOut = got.BytesOut
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) || errors.Is(b, a) })); diff != "" {
			t.Errorf("Stats (-want +got):\n%s", diff)
		}
		if got, want := fmt.Sprint(got.Pending[0]), "evaluateJSAsync to c: acknowledged, 2s"; got != want {
			t.Errorf("Pending = %q, want %q", got, want)
		}
	})
}

// trap is a handler that panics once it hears of a packet, on the router's
// goroutine.
type trap struct{ slog.Handler }

func (t trap) WithAttrs([]slog.Attr) slog.Handler { return t }

func TestPanicAnswersEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wiredTo(t, limits, slog.New(trap{}))
		unsent := w.do(t.Context(), "a", "m")
		behind := w.do(t.Context(), "a", "n")
		synctest.Wait()
		w.say(`{"from":"root"}`)
		for name, c := range map[string]<-chan outcome{"unsent": unsent, "behind": behind} {
			if e := closed(t, name, c); e.Sent || !strings.Contains(e.Error(), "panicked") {
				t.Errorf("%s = %v", name, &e)
			}
		}
		<-w.Done()
	})
}

// TestLogHoldsNoPayload runs a secret through every kind of packet.
func TestLogHoldsNoPayload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const secret = "s3cret"
		var lines bytes.Buffer
		w := wiredTo(t, limits, slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug})))
		thrown := w.running("c", router.Evaluation{Text: secret, URL: secret}, "1")
		w.say(`{"from":"c","type":"evaluationResult","resultID":"1","input":%q,"hasException":true,"exceptionMessage":%q}`, secret, secret)
		outcomeOf(t, "evaluation", thrown)
		refused := w.do(t.Context(), "a", "m")
		w.frame("a", "m")
		w.say(`{"from":"a","error":"wrong","message":%q}`, secret)
		outcomeOf(t, "m", refused)
		w.say(`{"from":"w","type":"resources-available-array","array":[["console-message",[%q]]]}`, secret)
		w.hear()
		w.say(`{"from":"w","type":"strange","text":%q}`, secret)
		w.say(`{"from":"w","text":%q`, secret) // and ends the connection
		<-w.Done()
		stats := w.Stats()
		for name, text := range map[string]string{
			"log": lines.String(), "stats": fmt.Sprint(stats), "cause": stats.Cause.Error(), "ring": fmt.Sprint(w.Unmatched()),
		} {
			if text == "" || strings.Contains(text, secret) {
				t.Errorf("%s: %s", name, text)
			}
		}
	})
}

func TestServeReturnsTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		cause := errors.New("neighbour fell")
		// In the middle of telling news, which is the one thing the router waits for.
		w.say(`{"from":"root","type":"tabListChanged"}`)
		w.end(cause)
		for range 2 {
			if err := <-w.errs; !errors.Is(err, cause) {
				t.Errorf("Serve = %v, want %v", err, cause)
			}
		}
	})
}
