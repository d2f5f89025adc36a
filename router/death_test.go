package router_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/router"
)

// announce lets a watcher announce a frame target in the process named by
// base, for example "w.process5//": base+"t"+n with console base+"c"+n.
func (w *wire) announce(watcher, base string, n, pid int, window, top int64) {
	w.t.Helper()
	w.say(`{"from":%q,"type":"target-available-form","target":{"actor":"%st%d","consoleActor":"%sc%d","inspectorActor":"%si%d","processID":%d,"innerWindowId":%d,"topInnerWindowId":%d,"isTopLevelTarget":%t,"url":"u"}}`,
		watcher, base, n, base, n, base, n, pid, window, top, window == top)
	if n, ok := w.hear().(router.TargetAvailable); !ok {
		w.t.Errorf("news = %#v, want TargetAvailable", n)
	}
}

// told is a death as Firefox tells it, and as the session hears it.
type told struct {
	packet string
	news   router.News
}

var (
	destroyed153 = told{
		`{"from":"w","type":"target-destroyed-form","target":{"actor":"w.process5//t1","innerWindowId":10,"isTopLevelTarget":true},"options":{}}`,
		router.TargetDestroyed{Epoch: 7, Watcher: "w", Actor: "w.process5//t1"},
	}
	cancelled = told{
		`{"from":"root","type":"forwardingCancelled","prefix":"w.process5/"}`,
		router.ForwardingCancelled{Epoch: 7, Prefix: "w.process5/"},
	}
	tabClosed = told{
		`{"from":"tab","type":"descriptor-destroyed"}`,
		router.DescriptorDestroyed{Epoch: 7, Actor: "tab"},
	}
	processDied = told{
		`{"from":"process4000","type":"descriptor-destroyed"}`,
		router.DescriptorDestroyed{Epoch: 7, Actor: "process4000"},
	}
)

// TestDeaths sets up a tab with a watcher, a document in process 5 with a frame
// in process 6, and the console of process 4000; something is pending
// everywhere; then Firefox tells of a death.
func TestDeaths(t *testing.T) {
	const (
		page    = "w.process5//c1"
		frame   = "w.process6//c2"
		process = "content-process5/console2"
		other   = "w2.process57//c1" // of another tab, in a process whose name begins alike
	)
	tests := []struct {
		name  string
		told  told
		dies  []string // calls by name; all others go on
		later router.ActorID
	}{
		{"document", destroyed153, []string{"page", "page ack", "about", "object"}, page},
		{"process, as the watcher sees it", cancelled, []string{"page", "page ack", "about", "object"}, "w.process5//i1"},
		{"tab", tabClosed, []string{"page", "page ack", "about", "object", "frame", "watcher"}, "w"},
		{"process, as its descriptor sees it", processDied, []string{"page", "page ack", "about", "object", "process"}, page},
		{"prefix without a slash", told{
			`{"from":"root","type":"forwardingCancelled","prefix":"content-process5"}`,
			router.ForwardingCancelled{Epoch: 7, Prefix: "content-process5"},
		}, []string{"process", "about"}, process},
		{"another tab's prefix", told{
			`{"from":"root","type":"forwardingCancelled","prefix":"w2.process5"}`,
			router.ForwardingCancelled{Epoch: 7, Prefix: "w2.process5"},
		}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := wired(t, limits)
				w.learned("tab", "getWatcher", `{"from":"tab","actor":"w"}`)
				w.learned("root", "getProcess", `{"from":"root","processDescriptor":{"actor":"process4000","id":4000}}`)
				w.learned("process4000", "getTarget", `{"from":"process4000","process":{"actor":"content-process5/t1","consoleActor":"content-process5/console2","processID":4000}}`)
				w.announce("w", "w.process5//", 1, 4000, 10, 10)
				w.announce("w", "w.process6//", 2, 4001, 20, 10)
				w.announce("w2", "w2.process57//", 1, 4002, 30, 30)
				calls := map[string]<-chan outcome{
					"page":    w.running(page, router.Evaluation{Await: true}, "1"),
					"frame":   w.running(frame, router.Evaluation{Await: true}, "2"),
					"process": w.running(process, router.Evaluation{Await: true}, "3"),
					"about":   w.running(process, router.Evaluation{Target: "w.process5//t1"}, "4"),
					"other":   w.running(other, router.Evaluation{}, "5"),
				}
				calls["page ack"] = w.evaluate(t.Context(), page, router.Evaluation{})
				w.frame(page, "evaluateJSAsync")
				calls["watcher"] = w.do(t.Context(), "w", "watchTargets")
				w.frame("w", "watchTargets")
				calls["object"] = w.longString(page)

				w.say("%s", tt.told.packet)
				if diff := cmp.Diff(tt.told.news, w.hear()); diff != "" {
					t.Errorf("news (-want +got):\n%s", diff)
				}
				w.check(calls, tt.dies)
				if tt.later != "" {
					if e := gone(t, "later", w.do(t.Context(), tt.later, "m")); e.Sent || e.Actor != tt.later {
						t.Errorf("later = %+v", e)
					}
				}
			})
		})
	}
}

// learned makes an exchange from whose reply the router learns.
func (w *wire) learned(to router.ActorID, method, reply string) {
	w.t.Helper()
	c := w.do(w.t.Context(), to, method)
	w.frame(to, method)
	w.say("%s", reply)
	if o := outcomeOf(w.t, method, c); o.err != nil {
		w.t.Errorf("%s = %v", method, o.err)
	}
}

// longString brings an evaluation to where its result is being fetched. Note
// that the name of the string's actor says nothing about its process.
func (w *wire) longString(console router.ActorID) <-chan outcome {
	w.t.Helper()
	// The lane is taken by "page ack", so this one is another console of the page.
	c := w.evaluate(w.t.Context(), console[:len(console)-2]+"i1", router.Evaluation{})
	w.frame(console[:len(console)-2]+"i1", "evaluateJSAsync")
	w.say(`{"from":"%si1","resultID":"9"}`, console[:len(console)-2])
	w.say(`{"from":"%si1","type":"evaluationResult","resultID":"9","result":{"type":"longString","actor":"long9","length":12000,"initial":"x"}}`, console[:len(console)-2])
	w.frame("long9", "substring")
	return c
}

// check expects a GoneError of those that die, and the others pending.
func (w *wire) check(calls map[string]<-chan outcome, dies []string) {
	w.t.Helper()
	dead := map[string]bool{}
	for _, name := range dies {
		dead[name] = true
	}
	for name, c := range calls {
		if !dead[name] {
			pending(w.t, name, c)
			continue
		}
		if e := gone(w.t, name, c); !e.Sent {
			w.t.Errorf("%s = %+v, want it sent", name, e)
		}
	}
}

func TestNewTopTargetReplacesTheOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		w.announce("w", "p5//", 1, 4000, 10, 10)
		w.announce("w", "p6//", 2, 4001, 20, 10) // its frame
		w.announce("w2", "p7//", 3, 4000, 30, 30)
		page := w.running("p5//c1", router.Evaluation{}, "1")
		frame := w.running("p6//c2", router.Evaluation{}, "1")
		other := w.running("p7//c3", router.Evaluation{}, "1")
		w.announce("w", "p8//", 4, 4002, 40, 40) // and not a word about the old one
		gone(t, "page", page)
		gone(t, "frame", frame)
		pending(t, "other", other)
		fresh := w.running("p8//c4", router.Evaluation{}, "1")
		// Destroyed events may come late and twice.
		for range 2 {
			w.say(`{"from":"w","type":"target-destroyed-form","target":{"actor":"p5//t1"}}`)
			w.hear()
		}
		pending(t, "fresh", fresh)
	})
}

func TestAnnouncedAgainIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		w.announce("w", "w.process5//", 1, 4000, 10, 10)
		w.say("%s", cancelled.packet)
		w.hear()
		gone(t, "dead", w.do(t.Context(), "w.process5//c1", "m"))
		w.announce("w", "w.process5//", 1, 4000, 10, 10)
		w.running("w.process5//c1", router.Evaluation{}, "1")
	})
}

// TestLostDocumentKeepsTheLane: an evaluation on the console of a process fails
// with the document that it was about, but the console lives and will
// acknowledge. That acknowledgement must not be taken for the next one.
func TestLostDocumentKeepsTheLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		w.announce("w", "w.process5//", 1, 4000, 10, 10)
		c := w.evaluate(t.Context(), "console", router.Evaluation{Target: "w.process5//t1"})
		w.frame("console", "evaluateJSAsync")
		w.say("%s", destroyed153.packet)
		w.hear()
		if e := gone(t, "evaluation", c); !e.Sent || e.Actor != "w.process5//t1" {
			t.Errorf("evaluation = %+v", e)
		}
		next := w.evaluate(t.Context(), "console", router.Evaluation{})
		w.quiet()
		w.say(`{"from":"console","resultID":"1"}`)
		w.frame("console", "evaluateJSAsync")
		w.say(`{"from":"console","resultID":"2"}`)
		w.say(`{"from":"console","type":"evaluationResult","resultID":"1","result":"old"}`)
		w.say(`{"from":"console","type":"evaluationResult","resultID":"2","result":"new"}`)
		if o := outcomeOf(t, "next", next); o.value.Text != "new" {
			t.Errorf("next = %+v, %v", o.value, o.err)
		}
		again := w.evaluate(t.Context(), "console", router.Evaluation{Target: "w.process5//t1"})
		if e := gone(t, "again", again); e.Sent {
			t.Errorf("again = %+v, want it unsent", e)
		}
	})
}

// TestDeathWhileTheFrameWaits withdraws the frame: it certainly did not happen.
func TestDeathWhileTheFrameWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		w.announce("w", "w.process5//", 1, 4000, 10, 10)
		c := w.evaluate(t.Context(), "w.process5//c1", router.Evaluation{})
		synctest.Wait()
		w.say("%s", destroyed153.packet)
		w.hear()
		if e := gone(t, "evaluation", c); e.Sent {
			t.Errorf("evaluation = %+v, want it unsent", e)
		}
		w.quiet()
		time.Sleep(10 * limits.Reply)
		if err := w.Stats().Cause; err != nil {
			t.Errorf("connection ended: %v", err)
		}
	})
}

func TestManyDeathsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wiredTo(t, limits, slog.New(slog.DiscardHandler))
		for i := range 1500 {
			w.announce("w", "p//", i, 4000, int64(i), int64(i))
		}
		if e := gone(t, "young", w.do(t.Context(), "p//c1498", "m")); e.Sent {
			t.Errorf("young = %+v", e)
		}
		c := w.do(t.Context(), "p//c1", "m") // so long ago that Firefox is asked
		w.frame("p//c1", "m")
		w.say(`{"from":"p//c1","error":"noSuchActor"}`)
		if o := outcomeOf(t, "old", c); o.err == nil || errors.As(o.err, new(*router.GoneError)) {
			t.Errorf("old = %v", o.err)
		}
	})
}

func TestCovers(t *testing.T) {
	tests := []struct {
		prefix string
		actor  router.ActorID
		want   bool
	}{
		{"server1.conn0.watcher2.process5/", "server1.conn0.watcher2.process5//consoleActor3", true},
		{"server1.conn0.content-process5", "server1.conn0.content-process5/console2", true},
		{"server1.conn0.content-process5", "server1.conn0.content-process57/console2", false},
		{"server1.conn0.content-process5", "server1.conn0.content-process5", true},
		{"", "root", false},
		{"x", "root", false},
	}
	for _, tt := range tests {
		if got := (router.ForwardingCancelled{Prefix: tt.prefix}).Covers(tt.actor); got != tt.want {
			t.Errorf("%q covers %q: %t, want %t", tt.prefix, tt.actor, got, tt.want)
		}
	}
}

func TestDocumentNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wired(t, limits)
		w.say(`{"from":"w","type":"resources-available-array","array":[["document-event",[{"browsingContextID":31,"innerWindowId":25769803788,"name":"will-navigate","newURI":"http://x/b"},{"name":"dom-interactive","title":"A","url":"http://x/a","newURI":null}]],["console-message",[{"level":"log"}]]]}`)
		want := []router.News{
			router.DocumentEvent{Epoch: 7, From: "w", Name: "will-navigate", URL: "http://x/b", BrowsingContextID: 31, InnerWindowID: 25769803788},
			router.DocumentEvent{Epoch: 7, From: "w", Name: "dom-interactive", URL: "http://x/a", Title: "A"},
			router.Resource{Epoch: 7, From: "w", Kind: "console-message", Change: "available", Raw: []byte(`{"level":"log"}`)},
		}
		for _, n := range want {
			if diff := cmp.Diff(n, w.hear()); diff != "" {
				t.Errorf("news (-want +got):\n%s", diff)
			}
		}
		for _, change := range []string{"updated", "destroyed"} {
			w.say(`{"from":"w","type":"resources-%s-array","array":[["network-event",[{"resourceId":1}]]]}`, change)
			want := router.Resource{Epoch: 7, From: "w", Kind: "network-event", Change: change, Raw: []byte(`{"resourceId":1}`)}
			if diff := cmp.Diff(router.News(want), w.hear()); diff != "" {
				t.Errorf("news (-want +got):\n%s", diff)
			}
		}
		if n := len(fmt.Sprint(w.Unmatched())); n != 2 {
			t.Errorf("unmatched: %v", w.Unmatched())
		}
	})
}
