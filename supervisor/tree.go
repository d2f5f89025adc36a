package supervisor

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/thejerf/suture/v4"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/tools"
)

// Tree is the program: all actors, wired and not yet running.
type Tree struct {
	stdio   actor
	calls   *suture.Supervisor
	browser actor
	leave   func(context.Context) // closes the tabs that we opened
	log     *slog.Logger
}

// New wires the program. It reads requests from in and answers on out, which
// must be used by nobody else. Nothing runs before Run.
func New(cfg Config, in io.Reader, out io.Writer, log *slog.Logger) *Tree {
	if !blockedPort(cfg.Port) {
		log.Warn("pages in this Firefox can reach the debugger's port; 6000 is closed to them", slog.Int("port", cfg.Port))
	}
	return assemble(cfg, newDialer(cfg.Host, cfg.Port), in, out, log)
}

// safePort is on the list of ports that browsers let no page connect to. The
// debugger takes connections from anywhere on this machine and does not look at
// their origin.
const safePort = 6000

// assemble wires the program that serves MCP.
func assemble(cfg Config, d dialer, in io.Reader, out io.Writer, log *slog.Logger) *Tree {
	t, s := plant(cfg, d, log)
	t.stdio = tools.New(cfg.tools(), s, t.start, in, out, log)
	return t
}

// plant makes the channels between the actors that live as long as the program,
// and a tree that lacks only its stdio.
func plant(cfg Config, d dialer, log *slog.Logger) (*Tree, *session.Session) {
	t := &Tree{calls: suture.New("calls", spec(log)), log: log}
	news := make(chan router.News)
	kick := make(chan struct{}, 1)
	s := session.New(cfg.session(), news, kick, log)
	w := wiring{limits: cfg.limits(), news: news, log: log}
	link := &Link{kick: kick, news: news, log: log.With(slog.String("actor", "link")), dial: d.dial, connect: w.connect}
	t.browser = group{name: "browser", members: func() []actor { return []actor{s, link, session.Keeper{Session: s}, session.Sweeper{Session: s}} }, log: log}
	t.leave = s.Leave
	return t, s
}

// start runs work once, under calls. It is called by stdio only, and calls
// outlives that.
func (t *Tree) start(name string, work func(ctx context.Context) error) {
	t.calls.Add(once{task{name, work}, t.log})
}

// Run serves until the input ends, the output fails, or ctx ends. It returns
// nil for the first and the last of these, and is called once.
func (t *Tree) Run(ctx context.Context) error {
	// The end of ctx reaches stdio alone, so that it finds everything else
	// still at work while it brings calls to their end.
	stdio := task{t.stdio.String(), func(own context.Context) error {
		own, cancel := context.WithCancelCause(own)
		defer cancel(nil)
		release := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
		defer release()
		err := t.stdio.Serve(own)
		t.leave(context.WithoutCancel(own)) // while the connection is still there
		return err
	}}
	root := suture.New("firefox-mcp", spec(t.log))
	root.Add(t.calls)
	root.Add(t.browser)
	root.Add(vital{stdio, t.log})
	return verdict(ctx, root.Serve(context.WithoutCancel(ctx)))
}

// verdict is what the end of the tree means for the program: an end that was
// asked for, through the input or ctx, is no error.
func verdict(ctx context.Context, end error) error {
	if e, ok := errors.AsType[*ended](end); ok {
		end = e.cause
	}
	asked := errors.Is(end, io.EOF) || ctx.Err() != nil
	if asked {
		return nil
	}
	return end
}
