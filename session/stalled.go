package session

import "context"

// stalled reports whether a load that has started came to nothing, as the browser
// sees it: the old document is there, and nothing is loading. The first document
// of a new tab does not tell of that itself.
func (t *turn) stalled(ctx context.Context, before view) bool {
	return t.view.sameDocument(before) && t.starts != before.starts && !t.busy(ctx)
}

// busy reports whether the browser is loading something in the tab. When that
// cannot be known, it is taken to be.
func (t *turn) busy(ctx context.Context) bool {
	tab := struct{ Busy bool }{true}
	if err := t.parent(ctx, t.conn, "busy", map[string]any{"browserId": t.browserID}, &tab); err != nil {
		return true
	}
	return tab.Busy
}

// vacant reports whether a tab had no page of which anything is known.
func (v *view) vacant() bool { return v.Unloaded || v.top == nil }

// beginning judges the empty document with which a tab begins to be loaded: it is
// not what was asked for, and if nothing more comes there is no page.
func (t *turn) beginning(ctx context.Context) error {
	t.fresh = nil
	if t.busy(ctx) {
		return nil
	}
	return errNoPage
}
