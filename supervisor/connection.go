package supervisor

import (
	"log/slog"
	"time"

	"firefox-rdp-mcp/reader"
	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/writer"
)

// writeTimeout bounds one write, in the case that Firefox has stopped reading.
// The largest frame we send goes to a healthy one in a fraction of a second.
const writeTimeout = 10 * time.Second

// wiring makes the actors of connections.
type wiring struct {
	limits router.Limits
	news   chan<- router.News
	log    *slog.Logger
}

// connect wires one connection: the two channels that only it has, and its four
// actors, which live and die together. The group is served once.
//
//	socket ─▶ reader ─▶ in ─▶ router ─▶ news
//	socket ◀─ writer ◀─ out ◀─ router ◀─ serializer ◀─ Conn
func (w wiring) connect(epoch int, ws socket) (actor, *router.Conn) {
	log := w.log.With(slog.Int("epoch", epoch))
	in, out := make(chan []byte), make(chan []byte)
	r, s, conn := router.New(epoch, in, out, w.news, w.limits, log)
	members := []actor{
		reader.New(ws, in, log),
		writer.New(ws, out, writeTimeout, log),
		s,
		r,
	}
	return group{name: "connection", members: func() []actor { return members }, log: log}, conn
}
