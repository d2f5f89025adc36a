package session

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/router"
)

// rig is a session whose connection leads nowhere: for what it decides alone.
type rig struct {
	*Session
	conn  *router.Conn
	news  chan router.News
	kick  chan struct{}
	stop  context.CancelCauseFunc
	over  chan error
	lists int // made so far
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{news: make(chan router.News), kick: make(chan struct{}, 1), over: make(chan error, 1)}
	r.Session = New(Config{Host: "127.0.0.1", Port: 6000}, r.news, r.kick, slog.New(slog.DiscardHandler))
	_, _, r.conn = router.New(1, nil, nil, r.news, router.Limits{}, slog.New(slog.DiscardHandler))
	var ctx context.Context
	ctx, r.stop = context.WithCancelCause(t.Context())
	go func() { r.over <- r.Serve(ctx) }()
	return r
}

// connected brings up the connection with two tabs.
func (r *rig) connected(t *testing.T) {
	t.Helper()
	r.news <- router.Up{Conn: r.conn}
	r.listTabs(t, tabForm{Actor: "tab1", BrowserID: 11, URL: "http://a/"}, tabForm{Actor: "tab2", BrowserID: 12, URL: "http://b/"})
}

func (r *rig) listTabs(t *testing.T, forms ...tabForm) []Tab {
	t.Helper()
	tabs, err := ask(t.Context(), r.Session, func(re reply[[]Tab]) message {
		r.lists++
		return listed{epoch: 1, pid: 100, count: r.lists, tabs: forms, reply: re}
	})
	if err != nil {
		t.Fatal(err)
	}
	return tabs
}

// in runs f in a bubble with a rig, which ends with it.
func in(t *testing.T, f func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		f(t, r)
		r.stop(errors.New("over"))
		<-r.over
	})
}

func TestTurnsOfOneTab(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.connected(t)
		var order []int
		first, err := r.begin(t.Context(), "t1")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		for i := range 3 {
			go func() {
				turn, err := r.begin(t.Context(), "t1")
				if err != nil {
					t.Error(err)
				}
				order = append(order, i)
				turn.end()
				turn.end() // a second end does nothing
				done <- struct{}{}
			}()
			synctest.Wait()
		}
		other, err := r.begin(t.Context(), "t2") // another tab waits for nobody
		if err != nil {
			t.Fatal(err)
		}
		other.end()
		if len(order) != 0 {
			t.Errorf("%v went before the holder's end", order)
		}
		first.end()
		for range 3 {
			<-done
		}
		if len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 {
			t.Errorf("turns came in the order %v", order)
		}
	})
}

func TestACallerWhoLeavesHoldsNobodyUp(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.connected(t)
		holder, err := r.begin(t.Context(), "t1")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := r.begin(ctx, "t1"); AsFault(err).Code != RDPTimeout {
			t.Errorf("begin with a context that ends = %v", err)
		}
		holder.end()
		next, err := r.begin(t.Context(), "t1")
		if err != nil {
			t.Fatal(err)
		}
		next.end()
	})
}

func TestNoConnection(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		answer := make(chan error, 1)
		go func() { _, err := r.begin(t.Context(), ""); answer <- err }()
		synctest.Wait()
		select {
		case <-r.kick:
		default:
			t.Error("a call without a connection did not kick the link")
		}
		r.news <- router.Down{Cause: errors.New("nothing listens on 127.0.0.1:6000")}
		if f := AsFault(<-answer); f.Code != NotConnected || f.Message != "nothing listens on 127.0.0.1:6000" {
			t.Errorf("fault = %v", f)
		}
		// A dial that takes too long is told by what it waits for.
		r.news <- router.Connecting{Attempt: 2, Stage: "greeting"}
		start := time.Now()
		_, err := r.begin(t.Context(), "")
		if f := AsFault(err); f.Code != NotConnected || time.Since(start) != dialPatience {
			t.Errorf("fault = %v after %v, want not_connected after %v", f, time.Since(start), dialPatience)
		}
	})
}

func TestALostConnectionEndsReferencesAndDocuments(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.connected(t)
		if _, err := ask(t.Context(), r.Session, func(re reply[Tab]) message { return choose{"t1", 0, re} }); err != nil {
			t.Fatal(err)
		}
		if _, err := ask(t.Context(), r.Session, func(re reply[view]) message { return tabWatched{"t1", 1, "watcher1", true, re} }); err != nil {
			t.Fatal(err)
		}
		r.news <- router.TargetAvailable{Epoch: 1, Watcher: "watcher1", Target: router.Target{Actor: "target1", Top: true, InnerWindowID: 5, URL: "http://a/"}}
		v, err := r.observe(t.Context(), "t1", 0)
		if err != nil || v.top == nil {
			t.Fatalf("view = %+v, %v; want a document", v, err)
		}
		s, err := ask(t.Context(), r.Session, func(re reply[seen]) message {
			return sighting{id: "t1", document: "target1", url: "http://a/", controls: []Locator{{Document: "target1", Node: 1, Tag: "button"}}, frames: []int{0}, keep: true, reply: re}
		})
		if err != nil || len(s.refs) != 1 {
			t.Fatalf("sighting = %+v, %v", s, err)
		}
		r.news <- router.Down{Epoch: 1, Cause: errors.New("cut")}
		if _, err := ask(t.Context(), r.Session, func(re reply[Locator]) message { return lookup{"t1", s.refs[0], re} }); AsFault(err).Code != StaleElement {
			t.Errorf("lookup after the loss = %v", err)
		}
		if cause := AsFault(context.Cause(v.top.ctx)); cause.Code != ConnectionLost {
			t.Errorf("the document ended with %v", cause)
		}
		after, err := r.observe(t.Context(), "t1", 0)
		if err != nil || after.top != nil || after.Generation <= s.generation {
			t.Errorf("view after = %+v, %v; want no document and a later generation than %d", after, err, s.generation)
		}
	})
}

func TestTabsAreRecognized(t *testing.T) {
	in(t, func(t *testing.T, r *rig) {
		r.connected(t)
		// Moved, one closed, one new, one asleep without an id of the browser's.
		tabs := r.listTabs(t, tabForm{Actor: "tab3", BrowserID: 13}, tabForm{Actor: "tab2", BrowserID: 12}, tabForm{Actor: "tab4", Zombie: true})
		if tabs[0].ID != "t3" || tabs[1].ID != "t2" || tabs[2].ID != "t4" {
			t.Errorf("tabs = %+v", tabs)
		}
		// Waking gives another browser id; the descriptor stays.
		if tabs = r.listTabs(t, tabForm{Actor: "tab4", BrowserID: 14}); tabs[0].ID != "t4" {
			t.Errorf("the woken tab is %s, want t4", tabs[0].ID)
		}
		if _, err := r.begin(t.Context(), "t2"); AsFault(err).Code != TabNotFound {
			t.Errorf("a closed tab = %v", err)
		}
		// Another parent process is another browser: the same ids mean other tabs.
		other, err := ask(t.Context(), r.Session, func(re reply[[]Tab]) message {
			return listed{epoch: 1, pid: 200, count: 9, tabs: []tabForm{{Actor: "tab4", BrowserID: 14}}, reply: re}
		})
		if err != nil || other[0].ID != "t5" {
			t.Errorf("the tab of another browser = %+v, %v", other, err)
		}
	})
}

// boom is a message that a bug of ours would be.
type boom struct{ reply reply[int] }

func (boom) apply(*state)     { panic("boom") }
func (m boom) fail(err error) { m.reply.fail(err) }

func TestACrashAnswersEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig{news: make(chan router.News), kick: make(chan struct{}, 1), over: make(chan error, 1)}
		r.Session = New(Config{}, r.news, r.kick, slog.New(slog.DiscardHandler))
		go func() {
			defer func() { _ = recover(); r.over <- errors.New("crashed") }()
			_ = r.Serve(t.Context())
		}()
		waiter := make(chan error, 1)
		go func() { _, err := r.begin(t.Context(), ""); waiter <- err }()
		synctest.Wait()
		if _, err := ask(t.Context(), r.Session, func(re reply[int]) message { return boom{re} }); !errors.Is(err, errRestarted) {
			t.Errorf("the one whose message crashed it heard %v", err)
		}
		if err := <-waiter; !errors.Is(err, errRestarted) {
			t.Errorf("the one who waited heard %v", err)
		}
		<-r.over
	})
}
