package supervisor

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// flagged is a flag as given: which one, and its text.
type flagged struct{ name, text string }

// value gives the text that the setting's variable would have.
func (f flagged) value(s setting) (string, error) {
	if s.fromFlag == nil {
		return f.text, nil
	}
	return s.fromFlag(f.text)
}

// parseFlags takes the flags out of args and leaves the command and what
// follows it in c. It returns the flags by their setting's place in the table.
func (c *Config) parseFlags(args []string) (map[int]flagged, error) {
	given := map[int]flagged{}
	fs := flag.NewFlagSet("firefox-rdp-mcp", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are returned; the help is Help's
	for i, s := range settings {
		note := func(text string) error {
			given[i] = flagged{s.flag, text}
			return nil
		}
		if s.unit == "" {
			fs.BoolFunc(s.flag, s.help, note)
		} else {
			fs.Func(s.flag, s.help, note)
		}
		if s.env == "FIREFOX_MCP_LOG_LEVEL" {
			for _, name := range []string{"v", "verbose"} {
				fs.BoolFunc(name, "", func(text string) error {
					if text != "true" {
						return errors.New("takes no value")
					}
					given[i] = flagged{name, "debug"}
					return nil
				})
			}
		}
	}
	fs.BoolVar(&c.JSON, "json", false, "")
	for rest := args; ; rest = fs.Args()[1:] { // flags may stand between the words
		if err := fs.Parse(rest); err != nil {
			return nil, err
		}
		switch {
		case fs.NArg() == 0:
			return given, nil
		case c.Command == "":
			c.Command = fs.Arg(0)
		default:
			c.Args = append(c.Args, fs.Arg(0))
		}
	}
}

// Help is the text of --help: every setting with its flag, variable and default.
func Help() string {
	var b strings.Builder
	b.WriteString(`usage: firefox-rdp-mcp [flags]              serve MCP on stdin and stdout
       firefox-rdp-mcp doctor               look at everything from the port to a page,
                                            and say how to mend what does not work
       firefox-rdp-mcp doctor --trace FILE  say what a trace shows
       firefox-rdp-mcp call TOOL [JSON]     call one tool and print its answer: its text, or
                                            with --json the structured part. JSON holds the
                                            arguments; - reads them from stdin. References and
                                            the selected tab last for one call: pass tab_id
       firefox-rdp-mcp version              print the version

Start Firefox with --start-debugger-server ws:6000 first.

Each setting is a flag or an environment variable; the flag wins.

`)
	for _, s := range settings {
		name := "--" + s.flag
		if s.unit != "" {
			name += " " + s.unit
		}
		fmt.Fprintf(&b, "  %-28s %s (default %s)\n      %s\n", name, s.env, cmp.Or(s.fallback, "empty"), s.help)
	}
	b.WriteString("  -v, --verbose                the same as --log-level debug\n")
	b.WriteString("  --json                       of call: print the structured part of the answer\n")
	return b.String()
}
