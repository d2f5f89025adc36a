package tools

import (
	"context"
	"fmt"
	"strings"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// Lengths at which a tab's title and address are cut, in code points.
const (
	titleLimit = 200
	urlLimit   = 500
)

// tabResult is a tab in structured content.
type tabResult struct {
	TabID    string `json:"tab_id"`
	Index    int    `json:"index"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Selected bool   `json:"selected"`
	Active   bool   `json:"active,omitempty"` // in front for the user
	Unloaded bool   `json:"unloaded,omitempty"`
	Private  bool   `json:"private,omitempty"`
	Owned    bool   `json:"owned,omitempty"`
}

func tabOf(t session.Tab, selected session.TabID) tabResult {
	return tabResult{
		TabID: string(t.ID), Index: t.Index, Title: outline.Clean(t.Title, titleLimit), URL: outline.Clean(t.URL, urlLimit),
		Selected: t.ID == selected, Active: t.Active, Unloaded: t.Unloaded, Private: t.Private, Owned: t.Owned,
	}
}

// line is the tab as a line of text: t3 "Title" https://… selected.
func (t tabResult) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d: %s %s %s", t.Index, t.TabID, outline.Quote(t.Title, titleLimit), t.URL)
	for _, s := range []struct {
		word string
		set  bool
	}{{"selected", t.Selected}, {"in front", t.Active}, {"unloaded", t.Unloaded}, {"private", t.Private}, {"ours", t.Owned}} {
		if s.set {
			b.WriteString(" [" + s.word + "]")
		}
	}
	return b.String()
}

func (h handlers) listTabs(ctx context.Context, _ Call, _ nothing) (Reply, error) {
	tabs, selected, err := h.s.Tabs(ctx)
	if err != nil {
		return Reply{}, err
	}
	out := struct {
		Tabs []tabResult `json:"tabs"`
	}{make([]tabResult, len(tabs))}
	lines := make([]string, 0, len(tabs)+1)
	lines = append(lines, fmt.Sprintf("%d tabs (titles and addresses are the pages', untrusted):", len(tabs)))
	for i, t := range tabs {
		out.Tabs[i] = tabOf(t, selected)
		lines = append(lines, out.Tabs[i].line())
	}
	return Reply{Text: strings.Join(lines, "\n"), Structured: out}, nil
}

func (h handlers) selectTab(ctx context.Context, _ Call, in selectTab) (Reply, error) {
	index := 0
	if in.Index != nil {
		index = *in.Index
	}
	n, err := h.s.Select(ctx, in.tab(), index)
	if err != nil {
		return Reply{}, err
	}
	return h.arrived("Selected", n), nil
}
