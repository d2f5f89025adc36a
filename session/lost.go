package session

import (
	"context"

	"firefox-rdp-mcp/router"
)

// lost is the fault for a call whose connection has ended, or nil. Without it a
// call that waits for a page would wait in vain: the next connection knows
// nothing of the page until it is asked.
func (t *turn) lost() error {
	select {
	case <-t.conn.Done():
		return fromConnection(&router.ClosedError{Sent: true, Cause: t.conn.Stats().Cause})
	default:
		return nil
	}
}

// heed waits until the tab has changed since the turn last looked at it, and
// looks again. The end of the connection is a change too, and an error. The
// cause of ctx is returned as it is.
func (t *turn) heed(ctx context.Context) error {
	v, err := t.observe(ctx, t.ID, t.version)
	if err != nil {
		return err
	}
	t.view = v
	return t.lost()
}
