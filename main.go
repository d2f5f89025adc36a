// Firefox-rdp-mcp is an MCP server on stdio that sees and operates the Firefox
// that its user already runs, through Firefox's debugger server.
//
// It exits with 0 after the end of its input or a signal, with 1 after a
// failure, and with 2 for a bad setting, which it names in one line on stderr.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"firefox-rdp-mcp/supervisor"
)

func main() {
	// Only the server may write to the real stdout. Whatever else prints, by
	// mistake or in a library, must not break the protocol.
	stdout := os.Stdout
	os.Stdout = os.Stderr
	// A client that closes our stderr loses the log, and nothing else; one that
	// closes our stdout is noticed by the write that fails.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, stdout))
}

// run does what the arguments say and returns the exit code.
func run(args []string, stdin io.Reader, stdout io.Writer) int {
	cfg, err := supervisor.FromEnv(os.Getenv, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, _ = fmt.Fprint(stdout, supervisor.Help())
		return 0
	case err != nil:
		return wrong(err)
	}
	switch cfg.Command {
	case "":
		return serve(cfg, stdin, stdout)
	case "doctor":
		return doctor(cfg, stdout)
	case "call":
		return call(cfg, stdin, stdout)
	case "version":
		_, _ = fmt.Fprintln(stdout, "firefox-rdp-mcp", version())
		return 0
	default:
		return wrong(fmt.Errorf("unknown command %q (see --help)", cfg.Command))
	}
}

// wrong tells of a bad setting or argument.
func wrong(err error) int {
	fmt.Fprintln(os.Stderr, "firefox-rdp-mcp:", err)
	return 2
}

// serve speaks MCP until the input ends or a signal comes.
func serve(cfg supervisor.Config, stdin io.Reader, stdout io.Writer) int {
	log, flush, err := openLog(cfg)
	if err != nil {
		return wrong(err)
	}
	defer flush()
	ctx, stop := untilSignal()
	defer stop()
	log.Info("serving", slog.String("version", version()), slog.String("host", cfg.Host), slog.Int("port", cfg.Port))
	if err := supervisor.New(cfg, stdin, stdout, log).Run(ctx); err != nil {
		log.Error("ended", slog.Any("cause", err))
		return 1
	}
	return 0
}

// version is the version of the module as the Go tools know it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}
