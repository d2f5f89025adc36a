package session

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// Navigation is what a call that loads a page saw.
type Navigation struct {
	Tab        TabID
	URL        string // where the page is now; redirects show here
	Title      string
	Ready      string // document.readyState
	Generation Generation
	Same       bool // the document stayed: only the fragment changed
	Dialog     *Dialog
	Notice     string // what of it could not be done
}

// NavigateArgs say where to go and for what to wait.
type NavigateArgs struct {
	Tab     TabID
	URL     string        // absolute, http or https
	Wait    string        // none, dom or complete
	Timeout time.Duration // 0 means the request time-out
}

// Navigate loads an address in a tab and waits as asked. A page that hangs is
// freed by the browser's own side, where privileges allow.
func (s *Session) Navigate(ctx context.Context, a NavigateArgs) (*Navigation, error) {
	address, err := s.CheckURL(a.URL)
	if err != nil {
		return nil, err
	}
	setDefault(&a.Timeout, s.cfg.Request)
	t, err := s.begin(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	late := Faultf(NavigationTimeout, "the page did not get as far as %q within %v; it may still arrive, look with wait_for or snapshot_page", a.Wait, a.Timeout)
	wait, cancel := context.WithTimeoutCause(ctx, a.Timeout, late)
	defer cancel()
	t.forgetAnswer(wait)
	before, err := t.load(wait, address)
	if err != nil {
		return nil, err
	}
	return t.landed(ctx, wait, before, address, a.Wait)
}

// errHung is the cause when a page does not even take an address.
var errHung = errors.New("no answer from the page")

// load starts the load, and returns what the tab was before. The target's own
// navigateTo answers at once, unlike the tab descriptor's (rdp-facts.md 8.1). A
// page that hangs is not asked, since it would go there when it thaws: there the
// browser's own side loads, where it may.
func (t *turn) load(ctx context.Context, address string) (view, error) {
	patience := framePatience
	if !t.cfg.Privileged {
		patience = t.cfg.stepLimit()
	}
	quick, cancel := context.WithTimeoutCause(ctx, patience, errHung)
	defer cancel()
	err := t.arrive(quick)
	before := t.view
	if err == nil {
		err = t.answers(quick)
	}
	if err == nil {
		_, err = t.conn.DoInPage(quick, t.top.Actor, "navigateTo", map[string]any{"url": address})
	}
	switch {
	case errors.Is(err, errHung):
		return before, t.free(ctx, address)
	case err != nil && AsFault(fromConnection(err)).Code == TabUnloaded:
		return before, t.wake(ctx, address)
	}
	return before, fromConnection(err)
}

// answers waits for the page to show that it does not hang. Nothing is evaluated
// in the browser's own pages, which do not.
func (t *turn) answers(ctx context.Context) error {
	if !t.usable(ctx, t.top) {
		return nil
	}
	_, err := t.conn.Evaluate(ctx, t.top.ConsoleActor, router.Evaluation{Text: "1", Target: t.top.Actor})
	return err
}

// free loads an address in a tab whose page hangs.
func (t *turn) free(ctx context.Context, address string) error {
	t.step(ctx, "page hangs, loading from the browser's side")
	var done struct{ Loaded bool }
	if err := t.parent(ctx, t.conn, "load", map[string]any{"browserId": t.browserID, "tab": t.descriptor, "url": address}, &done); err != nil {
		if AsFault(err).Code == PrivilegedDisabled {
			return Faultf(PageUnresponsive, "the page in tab %s does not answer, and freeing it needs FIREFOX_MCP_PRIVILEGED", t.ID)
		}
		return err
	}
	if !done.Loaded {
		return tabClosed(t.ID)
	}
	return nil
}

// begun is to wait until a new document is there, however little of it.
const begun = "begun"

// landed waits for what a load brings: a new document as ready as asked, the
// same document under another fragment, or nothing (a download, an empty
// answer, a dialog in the way).
func (t *turn) landed(ctx, wait context.Context, before view, address, want string) (*Navigation, error) {
	if want == "none" {
		return t.where(ctx, &Navigation{Tab: t.ID})
	}
	goal := interactive
	switch want {
	case begun:
		goal = loading
	case "complete":
		goal = complete
	}
	if err := t.attach(wait); err != nil {
		return t.late(ctx, err)
	}
	for stalled := 0; ; {
		done, err := t.arrived(wait, before, goal, address)
		if done {
			return t.reached(ctx, &Navigation{Tab: t.ID, Same: t.view.sameDocument(before)})
		}
		if err != nil && !errors.Is(err, errNoPage) {
			return t.late(ctx, err)
		}
		dialog, quiet, stop := t.meanwhile(wait)
		switch {
		case stop != nil:
			return t.late(ctx, stop)
		case dialog != nil:
			return t.stopped(ctx, dialog)
		case quiet && err != nil:
			return t.late(ctx, err)
		case quiet && t.stalled(wait, before):
			// The new document may be on its way to us: look again.
			if stalled++; stalled == 2 {
				return t.late(ctx, errNoPage)
			}
		}
	}
}

// meanwhile waits for the next news of a load. When there is none for a moment
// (quiet) it looks whether a dialog is in the way.
func (t *turn) meanwhile(ctx context.Context) (dialog *Dialog, quiet bool, err error) {
	known := t.version
	if err := t.next(ctx); err != nil {
		return nil, false, err
	}
	if t.version != known {
		return nil, false, nil
	}
	dialog, err = t.openDialog(ctx)
	if err != nil && AsFault(err).Code == PrivilegedDisabled {
		err = nil
	}
	return dialog, true, err
}

// stopped answers for a load that waits for a dialog.
func (t *turn) stopped(ctx context.Context, dialog *Dialog) (*Navigation, error) {
	if dialog.Kind == "beforeunload" {
		return nil, Faultf(DialogOpen, "the page asks whether to leave it (%q); answer with handle_dialog: accept leaves, dismiss stays", outline.Clean(dialog.Text, 200))
	}
	return t.where(ctx, &Navigation{Tab: t.ID, Dialog: dialog})
}

// next waits for news of the tab, but not for long: some changes make none.
func (t *turn) next(ctx context.Context) error {
	errQuiet := errors.New("nothing new")
	look, cancel := context.WithTimeoutCause(ctx, 2*dialogPatience, errQuiet)
	defer cancel()
	err := t.heed(look)
	if errors.Is(err, errQuiet) {
		if err = t.refresh(ctx); err == nil {
			err = t.lost()
		}
	}
	return fromConnection(err)
}

// arrived reports whether a load has come as far as its goal.
func (t *turn) arrived(ctx context.Context, before view, goal readiness, address string) (bool, error) {
	switch {
	case t.top == nil:
		return false, nil
	case before.top == nil || t.top.key() != before.top.key():
		done, err := t.readyFor(ctx, goal)
		if done && before.vacant() && t.fresh != nil && t.fresh.URL == blank {
			return false, t.beginning(ctx)
		}
		return done, err
	case sameButFragment(before.address(), address):
		p, err := t.probe(ctx, t.top)
		return err == nil && (p.URL != before.address() || p.URL == address), err
	case t.starts > before.starts && t.top.complete > max(1, before.top.complete):
		// The old document's own first completion does not count: that news
		// comes up to 100 ms late.
		return false, errNoPage
	}
	return false, nil
}

// readyFor reports whether the new document is as far as asked. Its events may
// have been missed, so that the document itself is asked too.
func (t *turn) readyFor(ctx context.Context, goal readiness) (bool, error) {
	if !t.usable(ctx, t.top) {
		return true, nil
	}
	p, err := t.probe(ctx, t.top)
	if err != nil {
		if AsFault(err).Code == TargetReplaced { // redirected by script: the next document counts
			return false, nil
		}
		return false, err
	}
	if failed := failedPage(p); failed != nil {
		return false, failed
	}
	t.fresh = &p
	return readyNames[p.Ready] >= goal, nil
}

// sameButFragment reports whether going from one address to another only moves
// within the page.
func sameButFragment(from, to string) bool {
	a, _, _ := strings.Cut(from, "#")
	b, _, fragment := strings.Cut(to, "#")
	return fragment && a == b
}

// late tells where things stand when a load's time is up.
func (t *turn) late(ctx context.Context, err error) (*Navigation, error) {
	f := AsFault(fromConnection(err))
	if f.Code != NavigationTimeout {
		return nil, t.failure(ctx, f)
	}
	if dialog, derr := t.openDialog(ctx); derr == nil && dialog != nil {
		return t.stopped(ctx, dialog)
	}
	return nil, f
}

// reached tells where a load has led, if a load may lead there.
func (t *turn) reached(ctx context.Context, n *Navigation) (*Navigation, error) {
	n, err := t.where(ctx, n)
	if err != nil {
		return nil, err
	}
	if u, err := ParseURL(n.URL); err == nil && t.cfg.allows(u.Hostname()) != nil {
		return nil, Faultf(NavigationBlocked, "the page went on to %q, which is not one of the hosts that FIREFOX_MCP_ALLOW_HOSTS allows; it is there now, and nothing was read", outline.Clean(u.Hostname(), 100))
	}
	return n, nil
}

// where completes a Navigation with what the tab shows now.
func (t *turn) where(ctx context.Context, n *Navigation) (*Navigation, error) {
	var a Action
	if _, err := t.witness(ctx, &a); err != nil {
		return nil, err
	}
	n.URL, n.Title, n.Generation, n.Ready = a.URL, a.Title, a.Generation, a.Ready
	t.step(ctx, "navigated", slog.Uint64("generation", uint64(n.Generation)))
	return n, nil
}
