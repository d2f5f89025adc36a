package session

import (
	"context"
	"log/slog"

	"firefox-rdp-mcp/router"
)

// Sweeper lets go of the agents of documents that are gone. Firefox would keep
// each of them, with the sandbox around it, until the connection or its content
// process ends. It is an actor of its own because the session waits for nobody,
// and because who closes a page or leaves it does not have to wait for this.
type Sweeper struct{ *Session }

// String is the actor's name in the log.
func (Sweeper) String() string { return "sweeper" }

// Serve releases what is spent until ctx ends.
func (w Sweeper) Serve(ctx context.Context) error {
	for {
		spent, err := ask(ctx, w.Session, func(r reply[[]handle]) message { return sweep{r} })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		for _, h := range spent {
			if err := h.conn.Release(ctx, h.function); err != nil { // the connection is gone, and with it the handle
				w.log.LogAttrs(ctx, slog.LevelDebug, "agent not released", slog.Any("err", err))
			}
		}
	}
}

// handle is the grip of an agent on its connection.
type handle struct {
	conn     *router.Conn
	function router.ActorID
}

// sweep asks for handles that nobody uses any more, and waits until there are any.
type sweep struct{ reply reply[[]handle] }

func (m sweep) fail(err error) { m.reply.fail(err) }

func (m sweep) apply(st *state) {
	st.sweeper = m.reply
	st.swept()
}

// swept gives what is spent to the sweeper, if it is waiting.
func (st *state) swept() {
	if st.sweeper == nil || len(st.spent) == 0 {
		return
	}
	st.sweeper.send(st.spent, nil)
	st.sweeper, st.spent = nil, nil
}

// end ends a document, for a cause that its calls hear of, and leaves its agent to
// the sweeper.
func (st *state) end(d *document, cause error) {
	d.cancel(cause)
	st.spend(d.agent)
}

func (st *state) spend(a agent) {
	if a.function == "" || st.link.conn == nil {
		return
	}
	st.spent = append(st.spent, handle{st.link.conn, a.function})
	st.swept()
}
