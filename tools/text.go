package tools

import (
	"context"
	"fmt"
	"strings"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// textResult is extract_text in structured content. Text is the page's and not
// to be trusted.
type textResult struct {
	TabID     string   `json:"tab_id,omitempty"`
	URL       string   `json:"url"`
	Title     string   `json:"title"`
	Lang      string   `json:"lang,omitempty"`
	Part      string   `json:"part"`
	Text      string   `json:"text"`
	Chars     int      `json:"chars"`
	Total     int      `json:"total_chars"`
	Truncated bool     `json:"truncated,omitempty"`
	Untrusted bool     `json:"untrusted"`
	Warnings  []string `json:"warnings,omitempty"`
}

func (h handlers) extractText(ctx context.Context, _ Call, in extractText) (Reply, error) {
	t, err := h.s.Text(ctx, session.TextArgs{
		Tab: in.tab(), URL: in.URL, Selector: in.Selector, Whole: !in.MainOnly, Links: in.Links, MaxChars: in.MaxChars,
	})
	if err != nil {
		return Reply{}, err
	}
	out := textResult{
		TabID: string(t.Tab), URL: outline.Clean(t.URL, urlLimit), Title: outline.Clean(t.Title, titleLimit), Lang: t.Lang, Part: t.Part,
		Text: t.Text, Chars: t.Chars, Total: t.Total, Truncated: t.Cut, Untrusted: true, Warnings: t.Warnings,
	}
	return Reply{Text: out.text(), Structured: out}, nil
}

func (r textResult) text() string {
	lines := []string{"Page: " + outline.Quote(r.Title, titleLimit), "URL: " + outline.ShownURL(r.URL)}
	shown := fmt.Sprintf("Text: %d characters", r.Chars)
	if r.Truncated {
		shown = fmt.Sprintf("Text: %d of %d characters (cut)", r.Chars, r.Total)
	}
	if part := partNames[r.Part]; part != "" {
		shown += ", " + part
	}
	lines = append(lines, shown)
	for _, w := range r.Warnings {
		lines = append(lines, "Warning: "+w)
	}
	return strings.Join(lines, "\n") + "\n" + outline.Fence(r.Text)
}

// partNames say what of the page was taken.
var partNames = map[string]string{
	"main": "the page's main part", "article": "the page's article", "densest": "the part with most text",
	"selector": "what the selector matches", "whole": "the whole page",
}
