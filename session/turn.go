package session

import (
	"context"
	"log/slog"
	"time"

	"firefox-rdp-mcp/router"
)

// acquire asks for the turn of a tab; it is answered when the tab is free.
type acquire struct {
	ctx   context.Context //nolint:containedctx // of the request, to pass over callers who have gone
	id    TabID           // "" for the selected tab
	reply reply[grant]
}

// grant is the turn and what its holder may know.
type grant struct {
	view
	conn *router.Conn
}

func (m acquire) fail(err error) { m.reply.fail(err) }

func (m acquire) apply(st *state) {
	id := m.id
	if id == "" {
		id = st.selected
	}
	t := st.tabs[id]
	switch {
	case t == nil:
		m.reply.fail(st.noTab(id))
	case t.lease != nil && t.lease.closing != nil:
		m.reply.fail(t.lease.closing)
	case t.holder != nil:
		t.queue = append(alive(t.queue, func(q acquire) context.Context { return q.ctx }), m)
	default:
		st.give(t, m)
	}
}

func (st *state) give(t *tab, m acquire) {
	if st.link.conn == nil {
		m.reply.fail(notConnected(st.link.cause))
		return
	}
	if st.browser.epoch != st.link.conn.Epoch() { // replaced while the caller waited
		m.reply.fail(lostConnection(&router.ClosedError{Cause: st.link.ended}))
		return
	}
	t.holder = &m
	t.touch()
	m.reply.send(grant{t.view(), st.link.conn}, nil)
}

// release gives the turn back, or takes back the wish for it.
type release struct {
	reply reply[grant] // of the acquire
}

func (m release) fail(error) {}

func (m release) apply(st *state) {
	for _, t := range st.tabs {
		if t.holder != nil && t.holder.reply == m.reply {
			t.holder = nil
			t.touch()
			st.next(t)
			return
		}
		for i, q := range t.queue {
			if q.reply == m.reply {
				t.queue = append(t.queue[:i], t.queue[i+1:]...)
				return
			}
		}
	}
}

// next gives the turn to the first in the queue who still wants it.
func (st *state) next(t *tab) {
	for t.holder == nil && len(t.queue) > 0 {
		q := t.queue[0]
		t.queue = t.queue[1:]
		if q.ctx.Err() == nil {
			st.give(t, q)
		}
	}
}

// turn is the right to use one tab, held by one call. It belongs to that
// call's goroutine and ends with end.
type turn struct {
	*Session
	view
	conn   *router.Conn
	reply  reply[grant]
	over   bool
	fresh  *probed      // what the top document has just said of itself
	modal  bool         // the last answer of a page said that it shows a dialog
	silent map[int]bool // processes of frames that have not answered: nothing more is asked of them
}

// begin gets the turn of a tab ("" for the selected one): it connects, lists
// the tabs if this connection has not yet, and waits until the tab is free.
func (s *Session) begin(ctx context.Context, id TabID) (*turn, error) {
	return twice(func() (*turn, error) { return s.takeTurn(ctx, id) })
}

func (s *Session) takeTurn(ctx context.Context, id TabID) (*turn, error) {
	if _, err := s.reach(ctx); err != nil {
		return nil, err
	}
	r := make(reply[grant], 1)
	select {
	case s.mailbox <- acquire{ctx, id, r}:
	case <-ctx.Done():
		return nil, fromConnection(context.Cause(ctx))
	}
	select {
	case a := <-r:
		if a.err != nil {
			return nil, a.err
		}
		g := a.value
		return &turn{Session: s, view: g.view, conn: g.conn, reply: r}, nil
	case <-ctx.Done():
		// The grant may be on its way: taking back the wish gives it back too.
		s.release(r)
		return nil, fromConnection(context.Cause(ctx))
	}
}

// end gives the turn back. A second end does nothing.
func (t *turn) end() {
	if t.over {
		return
	}
	t.over = true
	t.release(t.reply)
}

// release tells the session that a turn, or the wish for one, is over. The
// session looks at its mailbox all the time, so the wait is short; a session
// that is no more needs no telling, and one that was restarted knows no turns.
func (s *Session) release(r reply[grant]) {
	select {
	case s.mailbox <- release{reply: r}:
	case <-time.After(rootPatience):
	}
}

// refresh updates the turn's view of its tab.
func (t *turn) refresh(ctx context.Context) error {
	v, err := t.observe(ctx, t.ID, 0)
	if err != nil {
		return fromConnection(err)
	}
	t.view = v
	return nil
}

// step writes one step of a call at debug level.
func (t *turn) step(ctx context.Context, msg string, attrs ...slog.Attr) {
	t.log.LogAttrs(ctx, slog.LevelDebug, msg, append(attrs, slog.String("tab", string(t.ID)))...) //nolint:sloglint // callers pass constants
}
