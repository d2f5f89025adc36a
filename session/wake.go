package session

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
)

// asleep is the fault for a call that needs the page of a tab which has none: the
// browser has put it to sleep to save memory, has not loaded it since its own
// start, or the page's process died while the tab was in the background.
func (t *turn) asleep() *Fault {
	cure := "navigate_history with reload loads its page again, navigate another; select_tab does not"
	if !t.cfg.Privileged {
		cure = "go to it in the browser to load it; loading it from here needs FIREFOX_MCP_PRIVILEGED"
	}
	return Faultf(TabUnloaded, "tab %s is not loaded, since the browser has put it to sleep or its process has died: %s", t.ID, cure)
}

// relist looks at the tabs anew, for whether the turn's own is loaded.
func (t *turn) relist(ctx context.Context) error {
	if _, err := t.list(ctx, t.conn); err != nil {
		return err
	}
	return t.refresh(ctx)
}

// orAsleep looks whether the tab is loaded: if not, that is the fault, else err.
func (t *turn) orAsleep(ctx context.Context, err error) error {
	if lost := t.relist(ctx); lost != nil {
		return lost
	}
	if t.Unloaded {
		return t.asleep()
	}
	return err
}

// orGoing is orAsleep for a watcher that refuses because the browser is just then
// putting the tab to sleep, or giving it another process.
func (t *turn) orGoing(ctx context.Context, err error) error {
	if refusal, ok := errors.AsType[*router.ActorError](err); ok && strings.Contains(refusal.Message, "destroyed") {
		return t.orAsleep(ctx, replaced("the browser took the page out of the tab"))
	}
	return fromConnection(err)
}

// wake has the browser load an address in the tab that is not loaded, or, with
// "", what was last in it. It does not bring the tab to the front.
func (t *turn) wake(ctx context.Context, address string) error {
	t.step(ctx, "loading a tab that is not loaded")
	args := map[string]any{"browserId": t.browserID, "tab": t.descriptor, "url": cmp.Or(address, t.last), "again": address == ""}
	var done struct{ Loaded, Empty bool }
	switch err := t.parent(ctx, t.conn, "load", args, &done); {
	case err != nil && AsFault(err).Code == PrivilegedDisabled:
		return t.asleep()
	case err != nil:
		return err
	case done.Empty:
		return Faultf(TabUnloaded, "the browser has forgotten what was in tab %s; load an address with navigate", t.ID)
	case !done.Loaded:
		return tabClosed(t.ID)
	}
	for {
		if err := t.relist(ctx); err != nil || !t.Unloaded {
			return err
		}
		if err := pauseFor(ctx, wakePause); err != nil {
			return err
		}
	}
}

// wakePause is between two looks at a tab that is being loaded.
const wakePause = 50 * time.Millisecond

// dropWatcher lets go of the watcher of a tab that was put to sleep and woken.
// Such a tab has become another one for Firefox, but not its descriptor, which
// would go on giving out the watcher of the one that is no more.
func (t *turn) dropWatcher(ctx context.Context) error {
	var done struct{ Dropped bool }
	err := t.parent(ctx, t.conn, "unwatch", map[string]any{"tab": t.descriptor}, &done)
	switch {
	case err != nil && AsFault(err).Code == PrivilegedDisabled:
		return Faultf(TabUnloaded, "tab %s was put to sleep and has been woken since; to follow it again on this connection needs FIREFOX_MCP_PRIVILEGED", t.ID)
	case err != nil:
		return err
	case !done.Dropped:
		return Faultf(TabUnloaded, "tab %s was put to sleep and has been woken since; this Firefox does not let it be followed again on this connection", t.ID)
	}
	return nil
}
