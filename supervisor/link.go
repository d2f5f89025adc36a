package supervisor

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/coder/websocket"

	"firefox-rdp-mcp/router"
)

// socket is what a connection needs; *websocket.Conn is one.
type socket interface {
	Read(ctx context.Context) (websocket.MessageType, []byte, error)
	Write(ctx context.Context, kind websocket.MessageType, msg []byte) error
	CloseNow() error // drops the connection without ceremony
}

// Link keeps a connection to Firefox. It dials at the first kick and from then
// on whenever there is no connection, waiting between dials as delay says or
// until it is kicked. It tells the session each step: Connecting for every
// stage of a dial, then either Down with the reason, or Up, everything that the
// connection says, and Down. There is one connection at a time.
type Link struct {
	kick <-chan struct{}
	news chan<- router.News
	log  *slog.Logger

	// dial makes one connection and says which stage it enters.
	dial func(ctx context.Context, enter func(Stage) error) (socket, router.Packet, error)
	// connect wires the actors of one connection.
	connect func(epoch int, ws socket) (actor, *router.Conn)

	// epoch is a field, not a local of Serve, so that it goes on rising when
	// the link is restarted: callers may still hold a connection from before.
	epoch int
}

// Serve dials and serves connections until ctx ends.
func (l *Link) Serve(ctx context.Context) error {
	select {
	case <-l.kick:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	failures, active := 0, time.Now()
	var known Kind // of the failure that was logged last
	for {
		down, conn := l.try(ctx, failures+1)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if failures++; down.Lived >= steady {
			failures = 0
		}
		// Whoever kicked meanwhile was waiting for this very dial and is about
		// to hear of it. Only a kick after the news asks for another.
		if l.kicked() || down.Epoch != 0 {
			active = time.Now()
		}
		kind := kindOf(down.Cause)
		down.Attempt, down.Retry = failures+1, delay(failures, time.Since(active), kind)
		if down.Epoch == 0 {
			l.unreachable(ctx, down, kind != known)
			known = kind
		} else {
			l.lost(ctx, down, conn)
			known = ""
		}
		if err := l.tell(ctx, down); err != nil {
			return err
		}
		asked, err := l.wait(ctx, down.Retry)
		if err != nil {
			return err
		}
		if asked {
			active = time.Now()
		}
	}
}

// String names the actor.
func (l *Link) String() string { return "link" }

// try dials and, if that succeeds, serves the connection to its end.
func (l *Link) try(ctx context.Context, attempt int) (router.Down, *router.Conn) {
	ws, greeting, err := l.dial(ctx, func(s Stage) error {
		return l.tell(ctx, router.Connecting{Attempt: attempt, Stage: string(s)})
	})
	if err != nil {
		return router.Down{Cause: err}, nil
	}
	l.epoch++
	born := time.Now()
	// The socket is closed on every way out, a panic included.
	defer func() { _ = ws.CloseNow() }()
	members, conn := l.connect(l.epoch, ws)
	if err := l.tell(ctx, router.Up{Conn: conn, Greeting: greeting}); err != nil {
		return router.Down{Epoch: l.epoch, Cause: err}, conn
	}
	l.log.Info("connected", slog.Int("epoch", l.epoch), slog.Int("attempt", attempt))
	err = members.Serve(ctx)
	return router.Down{Epoch: l.epoch, Cause: err, Lived: time.Since(born)}, conn
}

// wait waits for some time or for a kick, and reports which.
func (l *Link) wait(ctx context.Context, d time.Duration) (asked bool, err error) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-l.kick:
		return true, nil
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// tell sends news to the session.
func (l *Link) tell(ctx context.Context, n router.News) error {
	select {
	case l.news <- n:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// kicked takes a kick that has come already.
func (l *Link) kicked() bool {
	select {
	case <-l.kick:
		return true
	default:
		return false
	}
}

// kindOf is the kind of a failed dial, or empty.
func kindOf(err error) Kind {
	if e, ok := errors.AsType[*DialError](err); ok {
		return e.Kind
	}
	return ""
}

// unreachable logs a dial that failed: loudly when it failed in a new way, since
// the same failure may come every few seconds for hours.
func (l *Link) unreachable(ctx context.Context, down router.Down, fresh bool) {
	level := slog.LevelDebug
	if fresh {
		level = slog.LevelWarn
	}
	l.log.LogAttrs(ctx, level, "no connection", slog.Any("cause", down.Cause), slog.Int("attempt", down.Attempt), slog.Duration("delay", down.Retry))
}

// lost logs the end of a connection, in one place all that explains it: how
// long it lived, why it ended, when anything last came and went, and what was
// pending.
func (l *Link) lost(ctx context.Context, down router.Down, conn *router.Conn) {
	log := l.log.With(slog.Int("epoch", down.Epoch))
	attrs := []slog.Attr{
		slog.Duration("dur", down.Lived.Round(time.Millisecond)), slog.Any("cause", down.Cause),
		slog.Int("attempt", down.Attempt), slog.Duration("delay", down.Retry),
	}
	if code := websocket.CloseStatus(down.Cause); code != -1 {
		attrs = append(attrs, slog.Int("close_code", int(code)))
	}
	if !over(conn) {
		log.LogAttrs(ctx, slog.LevelWarn, "connection lost", attrs...)
		return
	}
	last := conn.Stats()
	log.LogAttrs(ctx, slog.LevelWarn, "connection lost", append(attrs, slog.Any("last", last))...)
	for _, p := range last.Pending {
		log.LogAttrs(ctx, slog.LevelWarn, "was pending", slog.String("to", string(p.Actor)), slog.String("type", p.Method), slog.String("phase", string(p.Phase)), slog.Duration("dur", p.Age))
	}
	for _, s := range conn.Unmatched() {
		log.LogAttrs(ctx, slog.LevelDebug, "was unmatched", slog.String("from", s.From), slog.String("type", s.Type), slog.String("err", s.Error), slog.Int("bytes", s.Bytes), slog.Duration("dur", time.Since(s.At)))
	}
}

// over reports whether a connection's router has said its last word. One that
// did not stop in time would leave us waiting for it.
func over(conn *router.Conn) bool {
	if conn == nil {
		return false
	}
	select {
	case <-conn.Done():
		return true
	default:
		return false
	}
}
