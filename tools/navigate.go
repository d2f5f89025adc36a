package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// navigationResult is where a tab is after a load.
type navigationResult struct {
	TabID        string             `json:"tab_id"`
	SessionID    string             `json:"session_id,omitempty"` // where a page of ours was opened
	URL          string             `json:"url"`
	Title        string             `json:"title"`
	ReadyState   string             `json:"ready_state,omitempty"`
	Generation   session.Generation `json:"generation"`
	SameDocument bool               `json:"same_document,omitempty"`
	Dialog       *dialogResult      `json:"dialog,omitempty"`
	Notice       string             `json:"notice,omitempty"`
}

// arrived writes where a tab is; what says how it got there.
func (h handlers) arrived(what string, n *session.Navigation) Reply {
	out := navigationResult{
		TabID: string(n.Tab), URL: outline.Clean(n.URL, urlLimit), Title: outline.Clean(n.Title, titleLimit), ReadyState: n.Ready,
		Generation: n.Generation, SameDocument: n.Same, Dialog: dialogOf(n.Dialog), Notice: n.Notice,
	}
	lines := []string{fmt.Sprintf("%s %s: %s %s (generation %d)", what, out.TabID, outline.Quote(out.Title, titleLimit), out.URL, out.Generation)}
	if out.SameDocument {
		lines = append(lines, "The document stayed; only its address changed.")
	}
	if out.Dialog != nil {
		lines = append(lines, out.Dialog.line())
	}
	if out.Notice != "" {
		lines = append(lines, "Note: "+out.Notice)
	}
	return Reply{Text: strings.Join(lines, "\n"), Structured: out}
}

func (h handlers) navigate(ctx context.Context, _ Call, in navigate) (Reply, error) {
	n, err := h.s.Navigate(ctx, session.NavigateArgs{Tab: in.tab(), URL: in.URL, Wait: in.Wait, Timeout: milliseconds(in.TimeoutMS)})
	if err != nil {
		return Reply{}, err
	}
	return h.followedBy(ctx, h.arrived("Loaded in", n), in.page, in.respond)
}

func (h handlers) navigateHistory(ctx context.Context, _ Call, in navigateHistory) (Reply, error) {
	n, err := h.s.History(ctx, session.HistoryArgs{Tab: in.tab(), Direction: in.Direction, Wait: in.Wait, Timeout: milliseconds(in.TimeoutMS)})
	if err != nil {
		return Reply{}, err
	}
	return h.followedBy(ctx, h.arrived(map[string]string{"back": "Went back in", "forward": "Went forward in", "reload": "Reloaded"}[in.Direction], n), in.page, in.respond)
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }
