package session

import (
	"context"
	"fmt"

	"firefox-rdp-mcp/session/outline"
)

// followPopup opens the address of a link that wants a new tab, which the page
// script has kept Firefox from blocking: beside the tab, in its container. What
// cannot be opened is a warning that gives the address.
func (t *turn) followPopup(ctx context.Context, out *Action) {
	popup := out.Result.Popup
	if popup == nil || !popup.Taken {
		return
	}
	tab, err := t.openPopup(ctx, popup.URL)
	if err != nil {
		out.Result.Warnings = append(out.Result.Warnings, fmt.Sprintf("%s: the link wants a new tab at %q: %s", PopupBlocked, outline.Clean(popup.URL, 300), AsFault(err).Message))
		return
	}
	out.Opened = append(out.Opened, *tab)
}

func (t *turn) openPopup(ctx context.Context, raw string) (*Tab, error) {
	address, err := t.CheckURL(raw)
	if err != nil {
		return nil, err
	}
	var opened struct{ BrowserID int64 }
	if err := t.parent(ctx, t.conn, "open", map[string]any{"browserId": t.browserID, "url": address, "byPage": true}, &opened); err != nil {
		return nil, err
	}
	tab, err := t.tabOf(ctx, opened.BrowserID)
	if err == nil && tab == nil {
		err = Faultf(PopupBlocked, "firefox opened no tab")
	}
	return tab, err
}

// tabOf finds the tab with a browser id in a fresh list.
func (t *turn) tabOf(ctx context.Context, browserID int64) (*Tab, error) {
	if _, err := t.list(ctx, t.conn); err != nil {
		return nil, err
	}
	tab, err := ask(ctx, t.Session, func(r reply[*Tab]) message { return byBrowserID{browserID, r} })
	return tab, fromConnection(err)
}

// byBrowserID asks for the tab with a browser id, nil if there is none.
type byBrowserID struct {
	id    int64
	reply reply[*Tab]
}

func (m byBrowserID) fail(err error) { m.reply.fail(err) }

func (m byBrowserID) apply(st *state) {
	for _, t := range st.tabs {
		if t.browserID == m.id {
			found := t.Tab
			m.reply.send(&found, nil)
			return
		}
	}
	m.reply.send(nil, nil)
}
