package supervisor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"
)

// A trace is what the log says at debug level, as one JSON object a line, so
// that a program can read it: every packet by direction, actor, type and size,
// every step of the link, every call by tool and outcome. What is not on the
// list below is left out, and nothing on it ever holds a payload.

// traced are the keys that a trace shows, with how each is made harmless.
var traced = map[string]bool{
	slog.TimeKey: true, slog.LevelKey: true, slog.MessageKey: true,
	"actor": true, "epoch": true, "generation": true, "call": true, "tool": true, "tab": true, "to": true, "from": true, "type": true,
	"bytes": true, "dur": true, "attempt": true, "delay": true, "cause": true, "err": true, "phase": true, "close_code": true, "last": true,
	"lived": true, "since_in": true, "since_out": true, "packets_in": true, "packets_out": true, "bytes_in": true, "bytes_out": true,
	"unmatched": true, "pending": true, "version": true, "system": true, "port": true, "pid": true, "lines": true,
}

// Bounds of a trace, in bytes.
const (
	traceLimit = 64 << 20 // of the file; then it says so and ends
	traceText  = 300      // of one value
)

// traceHeader and traceFull are messages of the trace itself.
const (
	traceHeader = "trace begins"
	traceFull   = "trace ends here, it is full"
)

// Trace is a file that events are written to. Like Stderr, which it uses, it
// drops and counts rather than make an actor wait for the disk.
type Trace struct {
	file    *os.File
	lines   *Stderr
	handler slog.Handler
}

// OpenTrace begins a trace in a file, in place of what was in it. Only its owner
// may read the file.
func OpenTrace(name, version string) (*Trace, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, &ConfigError{Env: "FIREFOX_MCP_TRACE", Value: name, Err: reason(err)}
	}
	t := &Trace{file: file, lines: NewStderr(&bounded{dst: file, left: traceLimit})}
	t.handler = slog.NewJSONHandler(t.lines, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: redact})
	slog.New(t.handler).Info(traceHeader, slog.String("version", version), slog.String("system", runtime.GOOS+"/"+runtime.GOARCH))
	return t, nil
}

// reason is an error of the file system without the path, which stands beside it.
func reason(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}

// Close writes what is queued, waiting for at most the given time, and closes
// the file.
func (t *Trace) Close(within time.Duration) {
	t.lines.Close(within)
	_ = t.file.Close()
}

// Beside gives a logger that writes to log and to the trace.
func (t *Trace) Beside(log *slog.Logger) *slog.Logger {
	return slog.New(both{log.Handler(), t.handler})
}

// redact leaves out what a trace does not show.
func redact(groups []string, a slog.Attr) slog.Attr {
	if !traced[a.Key] {
		return slog.Attr{}
	}
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.String(a.Key, a.Value.Time().UTC().Format(time.RFC3339Nano))
	}
	switch v := a.Value.Any().(type) {
	case error:
		return slog.String(a.Key, short(v.Error()))
	case string:
		return slog.String(a.Key, short(v))
	case time.Duration:
		return slog.Float64(a.Key, float64(v.Microseconds())/1000) // milliseconds
	}
	return a
}

// short cuts a text.
func short(s string) string {
	if len(s) <= traceText {
		return s
	}
	return strings.ToValidUTF8(s[:traceText], "") + "…"
}

// both is two handlers in one.
type both struct{ first, second slog.Handler }

func (b both) Enabled(ctx context.Context, l slog.Level) bool {
	return b.first.Enabled(ctx, l) || b.second.Enabled(ctx, l)
}

func (b both) Handle(ctx context.Context, r slog.Record) error {
	var errs []error
	for _, h := range []slog.Handler{b.first, b.second} {
		if h.Enabled(ctx, r.Level) {
			errs = append(errs, h.Handle(ctx, r.Clone()))
		}
	}
	return errors.Join(errs...)
}

func (b both) WithAttrs(attrs []slog.Attr) slog.Handler {
	return both{b.first.WithAttrs(attrs), b.second.WithAttrs(attrs)}
}

func (b both) WithGroup(name string) slog.Handler {
	return both{b.first.WithGroup(name), b.second.WithGroup(name)}
}

// bounded is a writer that has had enough after some bytes, and says so once.
type bounded struct {
	dst  io.Writer
	left int64
}

// Write writes all of p or nothing.
func (b *bounded) Write(p []byte) (int, error) {
	if b.left <= 0 {
		return len(p), nil
	}
	if b.left -= int64(len(p)); b.left <= 0 {
		_, _ = fmt.Fprintf(b.dst, "{\"time\":%q,\"level\":\"WARN\",\"msg\":%q}\n", time.Now().UTC().Format(time.RFC3339Nano), traceFull)
		return len(p), nil
	}
	return b.dst.Write(p)
}
