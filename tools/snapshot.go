package tools

import (
	"context"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// snapshotResult is a snapshot in structured content (design 5).
type snapshotResult struct {
	SnapshotID string             `json:"snapshot_id"`
	TabID      string             `json:"tab_id"`
	Generation session.Generation `json:"generation"`
	URL        string             `json:"url"`
	Title      string             `json:"title"`
	View       outline.View       `json:"view"`
	Complete   bool               `json:"complete"`
	Regions    []outline.Region   `json:"regions,omitempty"`
	Elements   []outline.Element  `json:"elements"`
	Stats      outline.Stats      `json:"stats"`
	Omitted    outline.Omitted    `json:"omitted,omitzero"`
	NextCursor string             `json:"next_cursor,omitempty"`
	Dialog     *dialogResult      `json:"dialog,omitempty"`
	Hints      []string           `json:"hints,omitempty"`
}

func resultOfSnapshot(s *session.Snapshot) snapshotResult {
	out := snapshotResult{
		SnapshotID: s.ID, TabID: string(s.Tab), Generation: s.Generation,
		URL: outline.Clean(s.URL, urlLimit), Title: outline.Clean(s.Title, titleLimit),
		View: s.View, Complete: s.Complete, Regions: s.Regions, Elements: s.Elements, Stats: s.Stats, Omitted: s.Omitted,
		Dialog: dialogOf(s.Dialog), Hints: s.Hints,
	}
	if s.Next != (outline.Cursor{}) {
		out.NextCursor = s.Next.String()
	}
	if out.Elements == nil {
		out.Elements = []outline.Element{}
	}
	return out
}

func (h handlers) snapshot(ctx context.Context, _ Call, in snapshotPage) (Reply, error) {
	view, _ := outline.ParseView(in.View) // the schema lets only views through
	if in.IncludeAllText && view == outline.ViewControls {
		view = outline.ViewFull
	}
	s, err := h.s.Snapshot(ctx, session.SnapshotArgs{
		Tab: in.tab(), View: view, Scope: in.Scope, MaxElements: in.MaxElements, MaxText: in.MaxTextChars,
		Budget: in.Budget, Cursor: in.Cursor, Diff: in.Diff,
	})
	if err != nil {
		return Reply{}, err
	}
	out := resultOfSnapshot(s)
	text := s.Text
	if out.Dialog != nil {
		text = out.Dialog.line() + "\n" + text
	}
	return Reply{Text: text, Structured: out}, nil
}
