package session

import (
	"context"
	"encoding/json"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/page"
)

// TryPrivileged reports why the fixed snippets cannot run in the parent process
// of the browser at the other end, or nil if they can. It runs one that only
// looks, at a tab that does not exist. It is for the doctor, and needs no
// Session.
func TryPrivileged(ctx context.Context, conn *router.Conn) error {
	p, err := openProcess(ctx, conn, 0)
	if err != nil {
		return err
	}
	v, err := conn.Evaluate(ctx, p.console, router.Evaluation{Text: privileged, Timeout: parentPatience})
	if err != nil {
		return fromConnection(err)
	}
	if v.Object == "" {
		return Faultf(Internal, "the snippets gave no function")
	}
	script, err := page.Call("dialogs", map[string]any{"browserId": 0})
	if err != nil {
		return &Fault{Code: Internal, Message: "arguments cannot be written", Err: err}
	}
	if v, err = conn.Evaluate(ctx, p.console, router.Evaluation{Text: script, Self: v.Object, Timeout: parentPatience}); err != nil {
		return fromConnection(err)
	}
	var dialogs []Dialog
	if err := json.Unmarshal([]byte(v.Text), &dialogs); err != nil {
		return &Fault{Code: Internal, Message: "the browser's answer cannot be read", Err: err}
	}
	return nil
}
