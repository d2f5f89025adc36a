// Package reader moves messages from a WebSocket to the router.
//
// In comes a [Source], out go the payloads of text messages, each a []byte that
// the receiver owns. Lengths are bytes. The size limit is the source's, and a
// message above it ends the connection.
//
// Errors, all of which end the connection: what the source said, wrapped, with
// the code and reason of a close frame in it (websocket.CloseStatus finds the
// code); [ErrBinary] and [ErrUTF8] for messages that RDP does not have.
//
// Serve runs on the goroutine that its supervisor gives it and is the only
// reader of the source. It ends with the source, with a bad message, or with
// its context. A context that ends during a read closes the socket; that is the
// socket's way, and right here, since its context is the connection's.
package reader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

var (
	// ErrBinary means that Firefox sent a binary message.
	ErrBinary = errors.New("binary message")
	// ErrUTF8 means that Firefox sent a text message that is not UTF-8.
	// websocket does not look, and encoding/json would repair it silently.
	ErrUTF8 = errors.New("text message is not UTF-8")
)

// Source is where messages come from; *websocket.Conn is one.
type Source interface {
	Read(ctx context.Context) (websocket.MessageType, []byte, error)
}

// Reader is the only one who reads a socket.
type Reader struct {
	src Source
	out chan<- []byte
	log *slog.Logger
}

// New returns a reader of src that hands messages to out.
func New(src Source, out chan<- []byte, log *slog.Logger) *Reader {
	return &Reader{src: src, out: out, log: log.With(slog.String("actor", "reader"))}
}

// String names the actor for its supervisor.
func (r *Reader) String() string { return "reader" }

// Serve moves messages until the source or ctx ends. It never returns nil.
func (r *Reader) Serve(ctx context.Context) error {
	for {
		msg, err := r.next(ctx)
		if err != nil {
			return err
		}
		handed := time.Now()
		select {
		case r.out <- msg:
			r.slow(ctx, len(msg), time.Since(handed))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// next reads one message and checks that it is text.
func (r *Reader) next(ctx context.Context) ([]byte, error) {
	kind, msg, err := r.src.Read(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx) // the read failed because the connection was ended, not the other way round
	case err != nil:
		return nil, fmt.Errorf("read: %w", err)
	case kind != websocket.MessageText:
		return nil, fmt.Errorf("read: %w of %d bytes", ErrBinary, len(msg))
	case !utf8.Valid(msg):
		return nil, fmt.Errorf("read: %w, %d bytes", ErrUTF8, len(msg))
	}
	return msg, nil
}

// slow tells of a router that keeps the socket waiting: sooner or later Firefox
// would wait as well.
func (r *Reader) slow(ctx context.Context, bytes int, waited time.Duration) {
	if waited >= time.Second {
		r.log.LogAttrs(ctx, slog.LevelWarn, "message waited for the router", slog.Int("bytes", bytes), slog.Duration("dur", waited))
	}
}
