package session

import (
	"context"
	"time"

	"firefox-rdp-mcp/router"
)

// Traffic is what passed over one connection, as its router tells.
type Traffic = router.Stats

// Status is how things stand, for people who wonder why something does not work.
type Status struct {
	Connected  bool
	Host       string
	Port       int
	Firefox    string // version, "" if it is not known
	Selected   *Tab   // nil if none is selected
	Dialog     *Dialog
	Generation *Generation // of the selected tab's page
	Stage      string      // what a dial under way waits for
	Attempt    int         // number of the next dial, or of the one under way
	Cause      string      // why there is no connection, or why the last one ended
	Epoch      int         // number of the connection
	Lived      time.Duration
	Stats      *Traffic         // of the connection; this and what follows only when asked for
	Before     *Traffic         // of the connection before, at its end
	Unmatched  []router.Summary // packets that nobody waited for: of the connection, or else of the one before
}

// Status reports on the connection and the selected tab. It makes one attempt
// to connect, selects nothing and waits for no page.
func (s *Session) Status(ctx context.Context, verbose bool) (*Status, error) {
	found, connErr := s.discover(ctx)
	if f := AsFault(connErr); connErr != nil && (f.Code == Cancelled || f.Code == Internal) {
		return nil, f
	}
	conn := found.conn
	known, err := ask(ctx, s, func(r reply[tabList]) message { return knownTabs{r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	out := &Status{Host: s.cfg.Host, Port: s.cfg.Port, Stage: known.link.stage, Attempt: known.link.attempt}
	switch {
	case connErr != nil:
		out.Cause = AsFault(connErr).Message
	case known.link.ended != nil:
		out.Cause = known.link.ended.Error()
	}
	if verbose {
		out.stats(conn, known.link.last)
	}
	if conn == nil {
		return out, nil
	}
	out.Connected, out.Epoch, out.Lived = true, conn.Epoch(), time.Since(known.link.since)
	out.Firefox = s.askVersion(ctx, conn, known.browser)
	for _, tab := range known.tabs {
		if tab.ID == known.selected {
			out.Selected, out.Generation = &tab, &tab.Generation
			out.Dialog = s.dialogOf(ctx, conn, known.browserID)
		}
	}
	return out, nil
}

// stats adds what two connections tell of themselves; either may be nil.
func (st *Status) stats(conn, last *router.Conn) {
	if last != nil {
		before := last.Stats()
		st.Before, st.Unmatched = &before, last.Unmatched()
	}
	if conn != nil {
		now := conn.Stats()
		st.Stats, st.Unmatched = &now, conn.Unmatched()
	}
}

// dialogOf looks for a dialog without the tab's turn, which a call that the
// dialog holds may have. What cannot be seen is left out.
func (s *Session) dialogOf(ctx context.Context, conn *router.Conn, browserID int64) *Dialog {
	d, err := s.openDialog(ctx, conn, browserID)
	if err != nil {
		return nil
	}
	return d
}

// knowVersion keeps the browser's version once it has been asked for.
type knowVersion struct {
	epoch   int
	version string
	reply   reply[struct{}]
}

func (m knowVersion) fail(err error) { m.reply.fail(err) }

func (m knowVersion) apply(st *state) {
	if st.browser.epoch == m.epoch {
		st.browser.version = m.version
	}
	m.reply.send(struct{}{}, nil)
}

// askVersion asks Firefox for its version, once per connection.
func (s *Session) askVersion(ctx context.Context, conn *router.Conn, known browser) string {
	if known.version != "" {
		return known.version
	}
	p, err := conn.Do(ctx, router.Root, "getRoot", nil)
	if err != nil {
		return ""
	}
	var root struct {
		DeviceActor router.ActorID `json:"deviceActor"`
	}
	if p.Decode(&root) != nil || root.DeviceActor == "" {
		return ""
	}
	p, err = conn.Do(ctx, root.DeviceActor, "getDescription", nil)
	if err != nil {
		return ""
	}
	var device struct {
		Value struct {
			Version string `json:"version"`
		} `json:"value"`
	}
	if p.Decode(&device) != nil {
		return ""
	}
	_, _ = ask(ctx, s, func(r reply[struct{}]) message { return knowVersion{conn.Epoch(), device.Value.Version, r} })
	return device.Value.Version
}

// Tabs lists the browser's tabs.
func (s *Session) Tabs(ctx context.Context) ([]Tab, TabID, error) {
	found, err := s.discover(ctx)
	if err != nil {
		return nil, "", err
	}
	known, err := ask(ctx, s, func(r reply[tabList]) message { return knownTabs{r} })
	return found.tabs, known.selected, fromConnection(err)
}

// Select chooses the tab that calls mean when they name none: by id, or by
// index when id is "". It attaches to the tab and reads where it is.
func (s *Session) Select(ctx context.Context, id TabID, index int) (*Navigation, error) {
	if _, err := s.discover(ctx); err != nil {
		return nil, err
	}
	chosen, err := ask(ctx, s, func(r reply[Tab]) message { return choose{id, index, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	t, err := s.begin(ctx, chosen.ID)
	if err != nil {
		return nil, err
	}
	defer t.end()
	switch err := t.present(ctx); {
	case err != nil && AsFault(err).Code == TabUnloaded: // it is selected all the same
		return &Navigation{Tab: t.ID, URL: t.URL, Title: t.Title, Generation: t.Generation, Notice: AsFault(err).Message}, nil
	case err != nil:
		return nil, err
	}
	return t.where(ctx, &Navigation{Tab: t.ID})
}
