package supervisor

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"firefox-rdp-mcp/tools"
)

// NewCall wires the program for one call of a tool from the shell: cfg.Args
// names the tool and holds its arguments, or "-" for arguments that are read
// from in. Run ends with the call, whose answer has then been written to out,
// and returns an error that Answered knows if the call failed. NewCall itself
// fails for a tool that is not listed, and for arguments that are no JSON object.
func NewCall(cfg Config, in io.Reader, out io.Writer, log *slog.Logger) (*Tree, error) {
	q := tools.Question{JSON: cfg.JSON}
	switch args := cfg.Args; {
	case len(args) == 2 && args[1] == "-":
		var err error
		if q.Args, err = io.ReadAll(in); err != nil {
			return nil, fmt.Errorf("read the arguments: %w", err)
		}
	case len(args) == 2:
		q.Args = []byte(args[1])
	case len(args) != 1:
		return nil, errors.New("usage: firefox-rdp-mcp call TOOL [JSON] [--json] (see --help)")
	}
	q.Tool = cfg.Args[0]
	t, s := plant(cfg, newDialer(cfg.Host, cfg.Port), log)
	once, err := tools.NewOnce(cfg.tools(), s, t.start, q, out, log)
	if err != nil {
		return nil, err
	}
	t.stdio = once
	return t, nil
}

// Answered reports whether an error of Run is that of a call whose answer has
// been written, and says what is wrong.
func Answered(err error) bool {
	_, ok := errors.AsType[*tools.CallError](err)
	return ok
}
