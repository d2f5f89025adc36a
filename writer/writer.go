// Package writer moves frames from the router to a WebSocket.
//
// In come frames, each the whole payload of one text message; out they go to a
// [Sink], one after the other, each under its own deadline. Lengths are bytes.
//
// Errors, all of which end the connection: what the sink said, wrapped, and
// [ErrTimeout] for a frame that could not be written in time. Whether a frame
// of which the writing failed has arrived, nobody knows.
//
// Serve runs on the goroutine that its supervisor gives it and is the only
// writer of data to the sink (the reading side answers pings). It ends with the
// first failed write or with its context. No caller's context reaches the
// socket, because one that ends during a write closes the connection.
package writer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/coder/websocket"
)

// ErrTimeout means that a frame could not be written in time: Firefox, or the
// machine, has stopped.
var ErrTimeout = errors.New("frame not written in time")

// Sink is where frames go; *websocket.Conn is one.
type Sink interface {
	Write(ctx context.Context, kind websocket.MessageType, frame []byte) error
}

// Writer is the only one who writes frames to a socket.
type Writer struct {
	dst     Sink
	frames  <-chan []byte
	timeout time.Duration
	log     *slog.Logger
}

// New returns a writer of frames to dst. timeout is for each of them.
func New(dst Sink, frames <-chan []byte, timeout time.Duration, log *slog.Logger) *Writer {
	return &Writer{dst: dst, frames: frames, timeout: timeout, log: log.With(slog.String("actor", "writer"))}
}

// String names the actor for its supervisor.
func (w *Writer) String() string { return "writer" }

// Serve moves frames until a write fails or ctx ends. It never returns nil.
func (w *Writer) Serve(ctx context.Context) error {
	for {
		select {
		case frame := <-w.frames:
			if err := w.write(ctx, frame); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// write writes one frame.
func (w *Writer) write(ctx context.Context, frame []byte) error {
	limited, cancel := context.WithTimeoutCause(ctx, w.timeout, ErrTimeout)
	defer cancel()
	begun := time.Now()
	err := w.dst.Write(limited, websocket.MessageText, frame)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx) // the write failed because the connection was ended, not the other way round
	case err != nil && limited.Err() != nil:
		return fmt.Errorf("write %d bytes in %s: %w", len(frame), w.timeout, context.Cause(limited))
	case err != nil:
		return fmt.Errorf("write %d bytes: %w", len(frame), err)
	}
	if waited := time.Since(begun); waited >= time.Second {
		w.log.LogAttrs(ctx, slog.LevelWarn, "frame waited for the socket", slog.Int("bytes", len(frame)), slog.Duration("dur", waited))
	}
	return nil
}
