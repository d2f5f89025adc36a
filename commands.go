package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"firefox-rdp-mcp/supervisor"
)

// Bounds of the end. Together they are less than the 2 s after which clients
// send the next signal.
const (
	stopTime  = 1800 * time.Millisecond // for everything to stop after a signal
	flushTime = 100 * time.Millisecond  // for the last lines of the log
)

// openLog makes the program's logger, and what writes out its last lines. With
// a trace, the same events go there as well, at every level.
func openLog(cfg supervisor.Config) (log *slog.Logger, flush func(), err error) {
	stderr := supervisor.NewStderr(os.Stderr)
	log = newLogger(stderr, cfg.LogLevel, colourful(os.Stderr))
	if cfg.Trace == "" {
		return log, func() { stderr.Close(flushTime) }, nil
	}
	trace, err := supervisor.OpenTrace(cfg.Trace, version())
	if err != nil {
		return nil, nil, err
	}
	return trace.Beside(log), func() {
		stderr.Close(flushTime)
		trace.Close(flushTime)
	}, nil
}

// doctor looks at the connection to Firefox, or at a trace of one.
func doctor(cfg supervisor.Config, stdout io.Writer) int {
	if len(cfg.Args) > 0 {
		return wrong(fmt.Errorf("doctor takes no %q (see --help)", cfg.Args[0]))
	}
	healthy, err := false, error(nil)
	if cfg.Trace != "" {
		healthy, err = supervisor.ReadTrace(cfg.Trace, stdout)
	} else {
		cfg = quiet(cfg)
		log, flush, _ := openLog(cfg) // without a trace there is no error
		defer flush()
		ctx, stop := untilSignal()
		defer stop()
		healthy = supervisor.Doctor(ctx, cfg, stdout, log)
	}
	switch {
	case err != nil:
		return wrong(err)
	case !healthy:
		return 1
	}
	return 0
}

// quiet leaves out what a command's user did not ask to see.
func quiet(cfg supervisor.Config) supervisor.Config {
	if cfg.LogLevel == slog.LevelInfo {
		cfg.LogLevel = slog.LevelError
	}
	return cfg
}

// call calls one tool and prints its answer.
func call(cfg supervisor.Config, stdin io.Reader, stdout io.Writer) int {
	log, flush, err := openLog(quiet(cfg))
	if err != nil {
		return wrong(err)
	}
	defer flush()
	tree, err := supervisor.NewCall(cfg, stdin, stdout, log)
	if err != nil {
		return wrong(err)
	}
	ctx, stop := untilSignal()
	defer stop()
	switch err := tree.Run(ctx); {
	case err == nil:
		return 0
	case !supervisor.Answered(err):
		log.Error("ended", slog.Any("cause", err))
	}
	return 1
}

// untilSignal gives a context that ends with the first signal. A second signal
// ends the process at once, and so does something that ignores its context.
func untilSignal() (context.Context, func()) {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	unhook := context.AfterFunc(ctx, func() {
		restore()
		time.AfterFunc(stopTime, func() { os.Exit(1) })
	})
	return ctx, func() { unhook(); restore() }
}
