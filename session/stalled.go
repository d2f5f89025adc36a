package session

import "context"

// stalled reports whether a load that has started came to nothing, as the browser
// sees it: the old document is there, and nothing is loading. The first document
// of a new tab does not tell of that itself.
func (t *turn) stalled(ctx context.Context, before view) bool {
	if !t.view.sameDocument(before) || t.starts == before.starts {
		return false
	}
	tab := struct{ Busy bool }{true}
	if err := t.parent(ctx, t.conn, "busy", map[string]any{"browserId": t.browserID}, &tab); err != nil {
		return false
	}
	return !tab.Busy
}
