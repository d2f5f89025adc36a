package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// linkState is what the link last said.
type linkState struct {
	conn    *router.Conn // nil while there is none
	last    *router.Conn // the one before, for what can be told of its end
	since   time.Time    // of the present connection
	stage   string       // what the dial under way waits for, "" when none is
	attempt int
	cause   error  // why there is no connection
	ended   error  // why the last one ended
	notice  string // that the connection was replaced, until a result has told it
}

// hear takes in one piece of news.
func (st *state) hear(n router.News) {
	switch n := n.(type) {
	case router.Connecting:
		st.link.stage, st.link.attempt = n.Stage, n.Attempt
	case router.Up:
		st.up(n)
	case router.Down:
		st.down(n)
	case router.TargetAvailable:
		st.targetAvailable(n)
	case router.TargetDestroyed:
		st.targetDestroyed(n)
	case router.DescriptorDestroyed:
		st.descriptorDestroyed(n)
	case router.DocumentEvent:
		st.documentEvent(n)
	case router.Resource:
		st.resource(n)
	}
}

func (st *state) up(n router.Up) {
	if st.link.ended != nil && st.browser.epoch != 0 {
		st.link.notice = fmt.Sprintf("the connection to Firefox was replaced (%s); element references from before are stale", outline.Clean(st.link.ended.Error(), 200))
	}
	st.link = linkState{conn: n.Conn, last: st.link.last, since: time.Now(), ended: st.link.ended, notice: st.link.notice}
	for _, w := range st.waiting {
		w.reply.send(n.Conn, nil)
	}
	st.waiting = nil
}

// on reports whether the present connection is the one with this number.
func (st *state) on(epoch int) bool { return st.link.conn != nil && st.link.conn.Epoch() == epoch }

// dial asks the link to dial now. A kick that is already on its way is enough.
func (st *state) dial() {
	select {
	case st.kick <- struct{}{}:
	default:
	}
}

// down ends all that belonged to the connection. Everything known of the tabs
// but their names and ids dies with it.
func (st *state) down(n router.Down) {
	last := st.link.last
	if n.Epoch != 0 {
		last = st.link.conn
	}
	ended := st.link.ended
	if n.Epoch != 0 {
		ended = n.Cause
	}
	st.link = linkState{last: last, cause: n.Cause, ended: ended, attempt: n.Attempt, notice: st.link.notice}
	if n.Epoch == 0 { // a dial that failed
		for _, w := range st.waiting {
			w.fail(notConnected(n.Cause))
		}
		st.waiting = nil
		return
	}
	lost := fromConnection(&router.ClosedError{Sent: true, Cause: n.Cause})
	clear(st.procs)
	if len(st.waiting) > 0 {
		st.dial()
	}
	for _, t := range st.tabs {
		if st.detach(t, lost) || t.ID == st.selected {
			st.raise(t, "connection lost")
		}
	}
}

// notConnected is the fault for a call that needs a connection, with the
// link's own words on what is wrong and how to mend it.
func notConnected(cause error) *Fault {
	if cause == nil {
		return Faultf(NotConnected, "no connection to Firefox")
	}
	return &Fault{Code: NotConnected, Message: outline.Clean(cause.Error(), 600), Err: cause}
}

// connect asks for the connection, and for a dial when there is none.
type connect struct {
	ctx   context.Context //nolint:containedctx // of the request, to let go of the waiting when its caller has gone
	reply reply[*router.Conn]
}

func (m connect) fail(err error) { m.reply.fail(err) }

// apply hands out the connection. One that has just ended, of which the link
// has not told yet, is none: the caller waits for the next.
func (m connect) apply(st *state) {
	if c := st.link.conn; c != nil {
		select {
		case <-c.Done():
		default:
			m.reply.send(c, nil)
			return
		}
	} else {
		st.dial()
	}
	st.waiting = append(alive(st.waiting, func(w connect) context.Context { return w.ctx }), m)
}

// alive drops the waiters whose callers have gone.
func alive[W any](waiters []W, of func(W) context.Context) []W {
	kept := waiters[:0]
	for _, w := range waiters {
		if of(w).Err() == nil {
			kept = append(kept, w)
		}
	}
	return kept
}

// errDialSlow ends a call's wait for a dial.
var errDialSlow = errors.New("dial still under way")

// connect returns the connection to Firefox. Without one it waits for the one
// dial that it triggers, and fails with NotConnected and the cause.
func (s *Session) connect(ctx context.Context) (*router.Conn, error) {
	wait, cancel := context.WithTimeoutCause(ctx, dialPatience, errDialSlow)
	defer cancel()
	conn, err := ask(wait, s, func(r reply[*router.Conn]) message { return connect{wait, r} })
	if !errors.Is(err, errDialSlow) {
		return conn, err
	}
	link, err := ask(ctx, s, func(r reply[linkState]) message { return linkQuery{r} })
	if err != nil {
		return nil, err
	}
	return nil, link.slow(fmt.Sprintf("%s:%d", s.cfg.Host, s.cfg.Port))
}

// slow tells what a dial waits for that has not ended in time.
func (l linkState) slow(address string) *Fault {
	switch l.stage {
	case "greeting":
		return Faultf(NotConnected, "%s speaks WebSocket but has not greeted: Firefox is probably asking its user to allow the connection (answer its dialog, or set devtools.debugger.prompt-connection to false); it may also be another program", address)
	case "upgrade":
		return Faultf(NotConnected, "%s accepts connections but does not answer the WebSocket handshake: it is not Firefox's debugger server, or Firefox hangs; start Firefox with --start-debugger-server ws:PORT", address)
	default:
		if l.cause != nil {
			return notConnected(l.cause)
		}
		return Faultf(NotConnected, "%s does not accept the connection in time", address)
	}
}

// takeNotice asks for what is to be told of the connection. It is given once.
type takeNotice struct{ reply reply[string] }

func (m takeNotice) fail(err error) { m.reply.fail(err) }

func (m takeNotice) apply(st *state) {
	m.reply.send(st.link.notice, nil)
	st.link.notice = ""
}

// Notice returns what whoever is answered next is to be told, whatever was asked
// and whether or not that succeeded: that the connection was replaced, and why.
// It is "" if there is nothing to tell, or if it has been told.
func (s *Session) Notice(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, rootPatience)
	defer cancel()
	notice, err := ask(ctx, s, func(r reply[string]) message { return takeNotice{r} })
	if err != nil {
		return "" // it is told with a later answer
	}
	return notice
}

type linkQuery struct{ reply reply[linkState] }

func (m linkQuery) fail(err error)  { m.reply.fail(err) }
func (m linkQuery) apply(st *state) { m.reply.send(st.link, nil) }

// fromConnection translates an error of the router's into a Fault. Contexts'
// causes that are Faults already come through unchanged.
func fromConnection(err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if closed, ok := errors.AsType[*router.ClosedError](err); ok {
		return lostConnection(closed)
	}
	if gone, ok := errors.AsType[*router.GoneError](err); ok {
		if gone.Sent {
			return &Fault{Code: TargetReplaced, Message: "the page went away while it was being asked; what was asked may have happened, take a new snapshot", Err: err}
		}
		return &Fault{Code: TargetReplaced, Message: "the page went away; take a new snapshot", Err: err}
	}
	if actor, ok := errors.AsType[*router.ActorError](err); ok {
		if actor.Name == "noSuchActor" {
			return &Fault{Code: TargetReplaced, Message: "the page went away; take a new snapshot", Err: err}
		}
		return &Fault{Code: RDPProtocolError, Message: fmt.Sprintf("firefox refused a request: %s: %q", outline.Clean(actor.Name, 60), outline.Clean(actor.Message, 200)), Err: err}
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &Fault{Code: Cancelled, Message: "the call was cancelled", Err: err}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, router.ErrTimeout), errors.Is(err, router.ErrResultTimeout):
		return &Fault{Code: RDPTimeout, Message: "firefox did not answer in time", Err: err}
	case errors.Is(err, router.ErrTooLong):
		return &Fault{Code: PageScriptFailed, Message: "the page's answer is too long", Err: err}
	case errors.Is(err, router.ErrProtocol):
		return &Fault{Code: RDPProtocolError, Message: "firefox sent something that is no valid answer", Err: err}
	}
	return &Fault{Code: Internal, Message: "unexpected failure in the server", Err: err}
}

// lostConnection tells why a connection ended and what that means for the
// request that was under way.
func lostConnection(closed *router.ClosedError) *Fault {
	code, what := ConnectionLost, "the connection to Firefox was lost"
	switch {
	case errors.Is(closed.Cause, router.ErrTimeout):
		code, what = RDPTimeout, "firefox did not answer in time, so the connection was given up"
	case errors.Is(closed.Cause, router.ErrProtocol):
		code, what = RDPProtocolError, "firefox, or what poses as it, broke the protocol, so the connection was given up"
	}
	if closed.Cause != nil {
		what += fmt.Sprintf(" (%s)", outline.Clean(closed.Cause.Error(), 200))
	}
	if closed.Sent {
		what += "; what was asked may have happened, look before you repeat it"
	} else {
		what += "; nothing was sent"
	}
	return &Fault{Code: code, Message: what, Err: closed}
}
