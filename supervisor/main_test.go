package supervisor

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// logger shows the log with the test that failed.
func logger(t *testing.T) *slog.Logger {
	t.Helper()
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// obedient waits for the end of its context and reports its cause on seen.
func obedient(name string, seen chan<- error) actor {
	return task{name, func(ctx context.Context) error {
		<-ctx.Done()
		seen <- context.Cause(ctx)
		return context.Cause(ctx)
	}}
}

var errBroken = errors.New("broken")
