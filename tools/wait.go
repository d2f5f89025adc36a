package tools

import (
	"context"
	"fmt"
	"time"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// waitResult is how a wait ended.
type waitResult struct {
	TabID      string             `json:"tab_id"`
	ElapsedMS  int64              `json:"elapsed_ms"`
	URL        string             `json:"url"`
	Title      string             `json:"title"`
	Generation session.Generation `json:"generation"`
}

func (h handlers) waitFor(ctx context.Context, call Call, in waitFor) (Reply, error) {
	total := milliseconds(in.TimeoutMS)
	w, err := h.s.WaitFor(ctx, session.WaitArgs{
		Tab: in.tab(), Text: in.Text, TextGone: in.TextGone, Selector: in.Selector, URLContains: in.URLContains,
		Element: session.Ref(in.Element), State: in.State, Timeout: total, Poll: milliseconds(in.PollMS),
		Progress: func(elapsed time.Duration) {
			call.Progress(ctx, float64(elapsed.Milliseconds()), float64(total.Milliseconds()), "waiting")
		},
	})
	if err != nil {
		return Reply{}, err
	}
	out := waitResult{TabID: string(w.Tab), ElapsedMS: w.Elapsed.Milliseconds(), URL: outline.Clean(w.URL, urlLimit), Title: outline.Clean(w.Title, titleLimit), Generation: w.Generation}
	text := fmt.Sprintf("The condition holds after %d ms. The page is %s %s (generation %d).", out.ElapsedMS, outline.Quote(out.Title, titleLimit), out.URL, out.Generation)
	return Reply{Text: text, Structured: out}, nil
}
