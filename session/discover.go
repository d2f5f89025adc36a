package session

import (
	"context"
	"errors"

	"firefox-rdp-mcp/router"
)

// twice looks, and looks again, once, when the connection ended meanwhile. It is
// for what changes nothing in Firefox and nothing else.
func twice[T any](look func() (T, error)) (T, error) {
	v, err := look()
	if f, ok := errors.AsType[*Fault](err); ok && f.Code == ConnectionLost {
		return look()
	}
	return v, err
}

// discovered is a connection with the tabs that were found on it.
type discovered struct {
	conn *router.Conn
	tabs []Tab
}

// discover connects and lists the tabs.
func (s *Session) discover(ctx context.Context) (discovered, error) {
	return twice(func() (discovered, error) {
		conn, err := s.connect(ctx)
		if err != nil {
			return discovered{}, err
		}
		tabs, err := s.list(ctx, conn)
		if err != nil {
			return discovered{}, err
		}
		return discovered{conn, tabs}, nil
	})
}

// reach connects, and lists the tabs if that has not been done on this
// connection: only then are the tabs known by ids and the selected one found
// again.
func (s *Session) reach(ctx context.Context) (*router.Conn, error) {
	return twice(func() (*router.Conn, error) {
		conn, err := s.connect(ctx)
		if err != nil {
			return nil, err
		}
		known, err := ask(ctx, s, func(r reply[tabList]) message { return knownTabs{r} })
		if err != nil {
			return nil, fromConnection(err)
		}
		if known.browser.epoch != conn.Epoch() {
			_, err = s.list(ctx, conn)
		}
		return conn, err
	})
}
