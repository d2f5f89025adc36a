package session

import (
	"context"
	"time"
)

// HistoryArgs say which way to go in a tab's history.
type HistoryArgs struct {
	Tab       TabID
	Direction string // back, forward or reload
	Wait      string
	Timeout   time.Duration
}

// History goes back, forward or reloads. The descriptor's methods answer at
// once, also when there is nowhere to go.
func (s *Session) History(ctx context.Context, a HistoryArgs) (*Navigation, error) {
	method, ok := map[string]string{"back": "goBack", "forward": "goForward", "reload": "reloadDescriptor"}[a.Direction]
	if !ok {
		return nil, Faultf(InvalidArgument, "direction: must be back, forward or reload")
	}
	setDefault(&a.Timeout, s.cfg.Request)
	t, err := s.begin(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	wait, cancel := context.WithTimeoutCause(ctx, a.Timeout, Faultf(NavigationTimeout, "the page did not arrive within %v", a.Timeout))
	defer cancel()
	switch err := t.arrive(wait); {
	case err != nil && AsFault(err).Code == TabUnloaded && a.Direction == "reload":
		before := t.view
		if err := t.wake(wait, ""); err != nil {
			return nil, err
		}
		return t.landed(ctx, wait, before, "", a.Wait)
	case err != nil:
		return nil, err
	}
	// The request cannot say until when it is wanted: a browser that stands still is
	// not asked, since it would go there when it goes on.
	if err := t.pulse(wait); err != nil {
		return nil, err
	}
	t.forgetAnswer(wait)
	before := t.view
	if _, err := t.conn.Do(wait, t.descriptor, method, map[string]any{"bypassCache": false}); err != nil {
		return nil, fromConnection(err)
	}
	if a.Direction != "reload" && a.Wait != "none" {
		if nowhere, err := t.nowhere(wait, before, a.Direction); err != nil || nowhere != nil {
			return nowhere, err
		}
	}
	return t.landed(ctx, wait, before, "", a.Wait)
}

// nowhere finds out whether a step in the history led anywhere: to another
// document, to another address of the same one, or not at all.
func (t *turn) nowhere(ctx context.Context, before view, direction string) (*Navigation, error) {
	for range 3 {
		if err := t.next(ctx); err != nil {
			return nil, err
		}
		if t.top == nil || t.top.key() != before.top.key() || t.starts > before.starts {
			return nil, nil
		}
		p, err := t.probe(ctx, t.top)
		if err != nil {
			return nil, err
		}
		if before.top.address != "" && p.URL != before.top.address {
			return t.where(ctx, &Navigation{Tab: t.ID, Same: true})
		}
	}
	return nil, Faultf(NavigationFailed, "there is no page to go %s to; the tab still shows the same page", direction)
}
