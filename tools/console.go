package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// Lengths at which texts of the console and the network are cut, in code points.
const (
	messageLimit = 1000
	clockForm    = "15:04:05.000"
)

// consoleResult is the console in structured content. Texts are the page's and
// not to be trusted.
type consoleResult struct {
	TabID     string          `json:"tab_id"`
	Messages  []messageResult `json:"messages"`
	Matching  int             `json:"matching"`
	Kept      int             `json:"kept"`
	Lost      int             `json:"lost,omitempty"`
	Since     time.Time       `json:"watched_since"`
	Untrusted bool            `json:"untrusted"`
}

type messageResult struct {
	Level  string    `json:"level"`
	Kind   string    `json:"kind"` // console or page
	Text   string    `json:"text"`
	Source string    `json:"source,omitempty"`
	Line   int       `json:"line,omitempty"`
	Column int       `json:"column,omitempty"`
	Time   time.Time `json:"time"`
	Count  int       `json:"count"`
}

func (h handlers) consoleMessages(ctx context.Context, _ Call, in listConsoleMessages) (Reply, error) {
	c, err := h.s.Console(ctx, session.ConsoleArgs{
		Tab: in.tab(), Level: session.ParseLevel(in.Level), Contains: in.Contains, Limit: in.Limit, Clear: in.Clear,
	})
	if err != nil {
		return Reply{}, err
	}
	out := consoleResult{
		TabID: string(c.Tab), Messages: make([]messageResult, len(c.Messages)), Matching: c.Matching, Kept: c.Kept, Lost: c.Lost,
		Since: c.Since.UTC(), Untrusted: true,
	}
	var lines []string
	for i, m := range c.Messages {
		out.Messages[i] = messageOf(m)
		lines = append(lines, out.Messages[i].line())
	}
	head := fmt.Sprintf("Console of %s: %s", out.TabID, shownOf(len(c.Messages), c.Matching, "message"))
	return Reply{Text: listing(head, span{c.Since, c.Fresh, c.Lost, in.Clear}, lines), Structured: out}, nil
}

func messageOf(m session.ConsoleMessage) messageResult {
	kind := "console"
	if m.Page {
		kind = "page"
	}
	return messageResult{
		Level: m.Level.String(), Kind: kind, Text: outline.Clean(m.Text, messageLimit), Source: outline.Clean(m.Source, urlLimit),
		Line: m.Line, Column: m.Column, Time: m.Time.UTC(), Count: m.Count,
	}
}

// line is the message as a line of text: error 12:04:21.022 "Error: x" at http://….js:3:14.
func (m messageResult) line() string {
	var b strings.Builder
	b.WriteString(m.Level)
	if m.Kind == "page" {
		b.WriteString(" (page)")
	}
	b.WriteString(" " + m.Time.Format(clockForm) + " " + outline.Quote(m.Text, messageLimit))
	if m.Source != "" {
		fmt.Fprintf(&b, " at %s:%d:%d", outline.ShownURL(m.Source), m.Line, m.Column)
	}
	if m.Count > 1 {
		fmt.Fprintf(&b, " %d times", m.Count)
	}
	return b.String()
}

// shownOf counts what is shown of what there is.
func shownOf(shown, matching int, what string) string {
	switch {
	case matching == 0:
		return "no " + what + "s"
	case shown < matching:
		return fmt.Sprintf("the newest %d of %d %ss", shown, matching, what)
	case matching == 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", matching, what)
}

// span is what a list covers.
type span struct {
	since   time.Time
	fresh   bool // watching began with this call
	lost    int
	cleared bool
}

// listing puts a list of the page's words below what we have to say of it.
func listing(head string, s span, lines []string) string {
	head += ", watched since " + s.since.UTC().Format("15:04:05") + " UTC"
	if s.fresh {
		head += " (this call)"
	}
	if s.lost > 0 {
		head += fmt.Sprintf(", %d older ones are lost", s.lost)
	}
	if s.cleared {
		head += ", now cleared"
	}
	out := head + "."
	if len(lines) > 0 {
		out += "\n" + outline.Fence(strings.Join(lines, "\n"))
	}
	return out
}
