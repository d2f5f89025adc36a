package supervisor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"firefox-rdp-mcp/router"
)

// Doctor looks at everything between this program and a page of Firefox, from
// the bottom up, and writes a line for each thing that it looked at: what it
// found, and how to mend it where that is needed. It reports whether the server
// can work; what only makes it slower, smaller or less safe is a warning.
//
// It dials once, changes nothing in the browser and is called once.
func Doctor(ctx context.Context, cfg Config, out io.Writer, log *slog.Logger) bool {
	return diagnose(ctx, cfg, newDialer(cfg.Host, cfg.Port), out, log)
}

// ailment is what a check found wrong.
type ailment struct {
	finding string
	cure    string // empty where the finding says it
	mild    bool   // the server works all the same
}

func (a *ailment) Error() string { return a.finding }

// verdicts are the words that begin a line.
const (
	verdictOK   = "ok"
	verdictWarn = "warn"
	verdictFail = "FAIL"
	verdictNone = "-"
)

// sheet is what the doctor writes on.
type sheet struct {
	out     io.Writer
	healthy bool
}

// note writes a line for one check.
func (s *sheet) note(name, finding string, err error) {
	verdict, cure := verdictOK, ""
	if err != nil {
		verdict, finding = verdictFail, err.Error()
	}
	if a, ok := errors.AsType[*ailment](err); ok {
		cure = a.cure
		if a.mild {
			verdict = verdictWarn
		}
	}
	s.line(verdict, name, finding)
	if cure != "" {
		s.line("", "", "mend: "+cure)
	}
	s.healthy = s.healthy && verdict != verdictFail
}

func (s *sheet) line(verdict, name, text string) {
	_, _ = fmt.Fprintf(s.out, "%-5s %-11s %s\n", verdict, name, text)
}

// dialChecks are the stages of a dial as the doctor calls them.
var dialChecks = []struct {
	stage Stage
	name  string
	found string
}{
	{StageConnect, "listening", "something accepts connections"},
	{StageUpgrade, "websocket", "it speaks WebSocket"},
	{StageGreeting, "firefox", "it greets as Firefox's debugger"},
}

// diagnose is Doctor with the way to dial given.
func diagnose(ctx context.Context, cfg Config, d dialer, out io.Writer, log *slog.Logger) bool {
	s := &sheet{out: out, healthy: true}
	s.line("", "", "Firefox's debugger server at "+d.addr())
	ws, _, err := d.dial(ctx, func(Stage) error { return nil })
	if s.dialled(err) {
		defer func() { _ = ws.CloseNow() }()
		examine(ctx, cfg, ws, s, log)
	} else {
		for _, c := range checks {
			s.line(verdictNone, c.name, "not looked at")
		}
	}
	s.note("port", fmt.Sprintf("pages cannot reach port %d", cfg.Port), openPort(cfg.Port))
	if s.healthy {
		s.line("", "", "The server can work with this Firefox.")
	} else {
		s.line("", "", "The server cannot work with this Firefox until what failed is mended.")
	}
	return s.healthy
}

// dialled writes the lines of the dial and reports whether it succeeded.
func (s *sheet) dialled(err error) bool {
	failed, _ := errors.AsType[*DialError](err)
	for _, c := range dialChecks {
		switch {
		case err == nil:
			s.note(c.name, c.found, nil)
		case !s.healthy:
			s.line(verdictNone, c.name, "not looked at")
		case failed == nil || failed.Stage == c.stage:
			s.note(c.name, "", err)
		default:
			s.note(c.name, c.found, nil)
		}
	}
	return err == nil
}

// errExamined ends the group of an examination.
var errExamined = errors.New("examined")

// examine goes through the checks on a connection of its own. The checks are a
// member of the connection's group: its end ends them and the other way round.
func examine(ctx context.Context, cfg Config, ws socket, s *sheet, log *slog.Logger) {
	news := make(chan router.News)
	members, conn := wiring{limits: cfg.limits(), news: news, log: log}.connect(1, ws)
	unheard := task{"news", func(ctx context.Context) error {
		for {
			select {
			case <-news:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}}
	p := &patient{cfg: cfg, conn: conn}
	doctor := task{"doctor", func(ctx context.Context) error {
		for _, c := range checks {
			finding, err := c.look(p, ctx)
			s.note(c.name, finding, err)
		}
		return errExamined
	}}
	g := group{name: "examination", members: func() []actor { return []actor{unheard, members, doctor} }, log: log}
	if err := g.Serve(ctx); !errors.Is(err, errExamined) {
		s.note("connection", "", &ailment{finding: fmt.Sprintf("it ended during the examination: %v", err)})
	}
}

// openPort warns of a port that pages can reach.
func openPort(port int) error {
	if blockedPort(port) {
		return nil
	}
	return &ailment{
		finding: fmt.Sprintf("any page in this Firefox can connect to port %d and take the browser over: the debugger does not look at the origin", port),
		cure:    fmt.Sprintf("start Firefox with --start-debugger-server ws:%d, a port that browsers let no page connect to, and leave FIREFOX_RDP_PORT alone", safePort),
		mild:    true,
	}
}

// blockedPort reports whether Firefox lets no page connect to a port (tried with
// 6566 and 6000: not even a TCP connection).
func blockedPort(port int) bool {
	switch port {
	case safePort, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697:
		return true
	}
	return false
}
