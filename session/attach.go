package session

import (
	"context"
	"errors"
	"time"

	"firefox-rdp-mcp/router"
)

// attach watches the tab's documents, once per connection. Without server
// target switching the top document would never be announced.
//
// What is asked of the watcher goes to every content process, and Firefox waits
// a second for one that hangs. A call whose time is up meanwhile leaves the rest
// to the next one: asking a watcher twice for the same does no harm.
func (t *turn) attach(ctx context.Context) error {
	if t.attached {
		return nil
	}
	if t.Unloaded { // when the tabs were last listed, that is
		if err := t.orAsleep(ctx, nil); err != nil {
			return err
		}
	}
	start := time.Now()
	if t.watcher == "" {
		if err := t.newWatcher(ctx); err != nil {
			return err
		}
	}
	if _, err := t.conn.DoInPage(ctx, t.watcher, "watchTargets", map[string]any{"targetType": "frame"}); err != nil {
		return t.orGoing(ctx, err)
	}
	if _, err := t.conn.DoInPage(ctx, t.watcher, "watchResources", map[string]any{"resourceTypes": []string{"document-event"}}); err != nil {
		return t.orGoing(ctx, err)
	}
	v, err := ask(ctx, t.Session, func(r reply[view]) message { return tabWatched{t.ID, t.conn.Epoch(), t.watcher, true, r} })
	if err != nil {
		return fromConnection(err)
	}
	t.view = v
	t.step(ctx, "tab attached", dur(start))
	_, err = t.watch(ctx) // again, if this is not the first connection
	return err
}

// newWatcher gets the tab's watcher and tells the session of it, before it is
// asked for targets: its news find the tab then.
func (t *turn) newWatcher(ctx context.Context) error {
	if t.rewoken {
		if err := t.dropWatcher(ctx); err != nil {
			return err
		}
	}
	p, err := t.conn.Do(ctx, t.descriptor, "getWatcher", map[string]any{"isServerTargetSwitchingEnabled": true, "isPopupDebuggingEnabled": false})
	if err != nil {
		return t.orAsleep(ctx, fromConnection(err))
	}
	var watcher struct {
		Actor router.ActorID `json:"actor"`
	}
	if err := p.Decode(&watcher); err != nil || watcher.Actor == "" {
		return &Fault{Code: RDPProtocolError, Message: "firefox gave no watcher", Err: err}
	}
	if t.view, err = ask(ctx, t.Session, func(r reply[view]) message { return tabWatched{t.ID, t.conn.Epoch(), watcher.Actor, false, r} }); err != nil {
		return fromConnection(err)
	}
	return t.silence(ctx, watcher.Actor)
}

// silence switches the scripts of a tab's pages off, if they are not to run: from
// the next load on, and as long as the connection lasts.
func (t *turn) silence(ctx context.Context, watcher router.ActorID) error {
	if !t.mute {
		return nil
	}
	p, err := t.conn.Do(ctx, watcher, "getTargetConfigurationActor", nil)
	if err != nil {
		return fromConnection(err)
	}
	var target struct {
		Configuration struct {
			Actor router.ActorID `json:"actor"`
		} `json:"configuration"`
	}
	if err := p.Decode(&target); err != nil || target.Configuration.Actor == "" {
		return &Fault{Code: RDPProtocolError, Message: "firefox gave no target configuration", Err: err}
	}
	_, err = t.conn.Do(ctx, target.Configuration.Actor, "updateConfiguration", map[string]any{"configuration": map[string]any{"javascriptEnabled": false}})
	return fromConnection(err)
}

// tabWatched tells the session which watcher watches a tab, and whether it has been
// asked for all that it is to tell.
type tabWatched struct {
	id      TabID
	epoch   int
	watcher router.ActorID
	whole   bool
	reply   reply[view]
}

func (m tabWatched) fail(err error) { m.reply.fail(err) }

func (m tabWatched) apply(st *state) {
	t := st.tabs[m.id]
	if t == nil || !st.on(m.epoch) {
		m.reply.fail(st.gone(m.id))
		return
	}
	t.watcher, t.attached, t.rewoken = m.watcher, m.whole, false
	m.reply.send(t.view(), nil)
}

// arrive waits until the tab has a document. Between the end of one and the
// announcement of the next there is none, for some 200 ms at most.
func (t *turn) arrive(ctx context.Context) error {
	if err := t.attach(ctx); err != nil {
		return err
	}
	if t.top == nil {
		if err := t.awaitDocument(ctx); err != nil {
			return err
		}
	}
	if t.top.URL == blank && t.foreign(ctx, t.top) != nil {
		// Firefox keeps the place of a page whose process died in the background
		// with an empty one of its own.
		return t.orAsleep(ctx, nil)
	}
	return nil
}

// awaitDocument waits for a document, and after a while looks whether the tab has
// been put to sleep, or put to sleep and woken.
func (t *turn) awaitDocument(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, arrivalTime, Faultf(TargetReplaced, "the tab has no document now; try again in a moment"))
	defer cancel()
	soon, stop := context.WithTimeoutCause(ctx, missPatience, errSilent)
	defer stop()
	for wait := soon; t.top == nil; {
		err := t.heed(wait)
		if errors.Is(err, errSilent) {
			if wait, err = ctx, t.orAsleep(ctx, nil); err == nil {
				err = t.attach(ctx) // again, if it slept and has been woken
			}
		}
		if err != nil {
			return fromConnection(err)
		}
	}
	return nil
}

// beginPage gets the turn of a tab whose page is to be used: attached, with a
// document that may be evaluated in. The caller ends the turn.
func (s *Session) beginPage(ctx context.Context, id TabID) (*turn, error) {
	t, err := s.begin(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := t.ready(ctx); err != nil {
		t.end()
		return nil, err
	}
	return t, nil
}

// ready waits until the tab has a document that may be evaluated in.
func (t *turn) ready(ctx context.Context) error {
	if err := t.present(ctx); err != nil {
		return err
	}
	return t.foreign(ctx, t.top)
}

// present waits until the tab has a document, for as long as one step in a page
// may take.
func (t *turn) present(ctx context.Context) error {
	silent := Faultf(PageUnresponsive, "tab %s does not answer; its page may be in an endless loop, navigate can free it", t.ID)
	wait, cancel := context.WithTimeoutCause(ctx, t.cfg.stepLimit(), silent)
	defer cancel()
	return t.unresponsive(ctx, t.arrive(wait))
}

// blank is the address of an empty page.
const blank = "about:blank"
