package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"firefox-rdp-mcp/session"
)

// Question is one call of a tool from the shell.
type Question struct {
	Tool string
	Args []byte // a JSON object; empty for none
	JSON bool   // answer with the structured part instead of the text
}

// Once stands in the place of a Server for a single call: the same tools, the
// same checks, but no MCP around them.
type Once struct {
	server *Server
	call   mcp.ToolHandler
	q      Question
	out    io.Writer
}

// CallError means that the call failed; its answer, which says why, has been
// written.
type CallError struct{ Code session.Code }

func (e *CallError) Error() string { return "the call failed: " + string(e.Code) }

// NewOnce makes the call of one tool. Errors say that the tool is not listed or
// that the arguments are no JSON object; nothing has been done then.
func NewOnce(cfg Config, s *session.Session, start Starter, q Question, out io.Writer, log *slog.Logger) (*Once, error) {
	r := newRegistry(cfg)
	register(r, s)
	listed := r.listed()
	at := slices.IndexFunc(listed, func(t tool) bool { return t.entry.name == q.Tool })
	if at < 0 {
		names := make([]string, len(listed))
		for i, t := range listed {
			names[i] = t.entry.name
		}
		return nil, fmt.Errorf("there is no tool %q; there are %s", q.Tool, strings.Join(names, ", "))
	}
	if len(bytes.TrimSpace(q.Args)) == 0 {
		q.Args = []byte("{}")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(q.Args, &object); err != nil || object == nil {
		return nil, fmt.Errorf("the arguments of %s must be one JSON object, such as {\"tab_id\":\"t1\"}", q.Tool)
	}
	server := &Server{start: start, log: log}
	return &Once{server: server, call: server.handler(listed[at]), q: q, out: out}, nil
}

// String names the actor.
func (o *Once) String() string { return "call" }

// Serve makes the call and writes its answer. It never returns nil: its error is
// io.EOF after a call that succeeded, a CallError after one that did not.
func (o *Once) Serve(ctx context.Context) error {
	result, err := o.call(ctx, &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: o.q.Tool, Arguments: o.q.Args}})
	if err != nil {
		return fmt.Errorf("call: %w", err)
	}
	if err := o.answer(result); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	if !result.IsError {
		return fmt.Errorf("call: %w", io.EOF)
	}
	body, _ := result.StructuredContent.(faultBody) // as faultResult makes it
	return &CallError{body.Error.Code}
}

// answer writes what was asked for.
func (o *Once) answer(result *mcp.CallToolResult) error {
	if o.q.JSON {
		enc := json.NewEncoder(o.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(result.StructuredContent)
	}
	for _, c := range result.Content {
		line := ""
		switch c := c.(type) {
		case *mcp.TextContent:
			line = harmless(c.Text)
		case *mcp.ImageContent:
			line = fmt.Sprintf("[%s, %d bytes; save_to keeps it in a file]", c.MIMEType, len(c.Data))
		}
		if _, err := fmt.Fprintln(o.out, line); err != nil {
			return err
		}
	}
	return nil
}

// harmless keeps a text from steering the terminal that it is shown on.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)) {
			return ' '
		}
		return r
	}, text)
}
