package session

import (
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/page"
)

// privileged holds the fixed snippets that run in Firefox's parent process: an
// expression that evaluates to the function that runs one of them.
//
//go:embed privileged.js
var privileged string

// parent runs a snippet in the parent process and reads its JSON answer. Values
// get into it as JSON literals and in no other way. A browser that comes to it when
// the call has been given up, because it stood still meanwhile, does nothing.
func (s *Session) parent(ctx context.Context, conn *router.Conn, name string, args map[string]any, into any) error {
	timed := maps.Clone(args)
	timed["until"] = before(s.parentLimit(ctx))
	return s.parentAnyTime(ctx, conn, name, timed, into)
}

// parentLimit is how long a snippet is waited for, at least.
func (s *Session) parentLimit(ctx context.Context) time.Duration {
	limit := min(parentPatience, s.cfg.Request)
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end))
	}
	return limit
}

// parentAnyTime is parent for what may happen however late.
func (s *Session) parentAnyTime(ctx context.Context, conn *router.Conn, name string, args, into any) error {
	if !s.cfg.Privileged {
		return Faultf(PrivilegedDisabled, "this needs the browser's own rights, which FIREFOX_MCP_PRIVILEGED=false has switched off")
	}
	script, err := page.Call(name, args)
	if err != nil {
		return &Fault{Code: Internal, Message: "arguments cannot be written", Err: err}
	}
	p, err := s.process(ctx, conn, 0)
	if err != nil {
		return err
	}
	v, err := conn.Evaluate(ctx, p.console, router.Evaluation{Text: script, Self: p.snippets, Timeout: parentPatience})
	if err != nil {
		return fromConnection(err)
	}
	return readSnippet(v.Text, into)
}

// tooLate is what a snippet answers that has done nothing because of the time.
const tooLate = `{"late":true}`

func readSnippet(text string, into any) error {
	if text == tooLate {
		return Faultf(RDPTimeout, "the browser came to it too late, so nothing was done")
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return &Fault{Code: Internal, Message: "the browser's answer cannot be read", Err: err}
	}
	return nil
}
