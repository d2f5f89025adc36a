package session

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"firefox-rdp-mcp/session/outline"
)

// searchPatience is for a search of a whole page. It is longer than that for
// other steps: the walk has its own, after which it tells what it has found.
const searchPatience = 2 * pagePatience

// FindArgs say what is looked for. All that are given must match; texts match
// whatever their case.
type FindArgs struct {
	Tab      TabID
	Text     string // part of what is visible, or of what a field holds
	Role     string
	Name     string // part of the accessible name
	Selector string // CSS, also inside shadow trees
	Limit    int    // hits; 0 means 20
}

// Found is what was found, the best first, and what was looked at.
type Found struct {
	Text        string // fenced lines, "" for none
	Elements    []outline.FoundElement
	Total       int // that match, shown or not
	Lines       int // of the page that were looked at
	Documents   int
	Unreachable []string // frames that could not be looked at, and why
	Others      string   // what matches but for its role, when nothing does
	Modal       bool
	Stopped     bool
	Loading     bool

	Tab        TabID
	Generation Generation
	URL        string
	Title      string
}

// Find looks for elements in a tab's page and all frames in it. That there are
// none is an answer, not a fault.
func (s *Session) Find(ctx context.Context, a FindArgs) (*Found, error) {
	setDefault(&a.Limit, 20)
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	return t.find(ctx, a)
}

// find asks each document's agent, and has the session hand out references to
// the controls that are shown.
func (t *turn) find(ctx context.Context, a FindArgs) (*Found, error) {
	args := map[string]any{"text": a.Text, "role": a.Role, "name": a.Name, "selector": a.Selector, "limit": a.Limit}
	root, err := t.findIn(ctx, t.top, args, min(searchPatience, t.cfg.Request))
	if err != nil {
		return nil, err
	}
	out := &Found{Documents: 1, Tab: t.ID, URL: root.URL, Title: root.Title, Loading: root.Ready == "loading"}
	sources := map[string]source{"": {t.top, root.URL}}
	whole := outline.MergeFound(*root, a.Limit, func(context int64) (outline.Found, bool) {
		d := t.frameIn(context)
		if d == nil {
			return outline.Found{}, false
		}
		f, why := t.findInFrame(ctx, d, args)
		if f == nil {
			out.Unreachable = append(out.Unreachable, fmt.Sprintf("frame %s %s", frameKey(d), why))
			return outline.Found{}, false
		}
		out.Documents++
		sources[frameKey(d)] = source{d, f.URL}
		return *f, true
	})
	if err := t.sightFound(ctx, &whole, sources, out); err != nil {
		return nil, err
	}
	out.Text, out.Elements = outline.RenderFound(whole, "")
	out.Total, out.Lines, out.Others, out.Modal, out.Stopped = whole.Total, whole.Lines, whole.OtherRoles(), whole.Modal, whole.Stopped
	return out, nil
}

// findInFrame gives a frame its own deadline: one that hangs costs no more.
func (t *turn) findInFrame(ctx context.Context, d *document, args map[string]any) (found *outline.Found, why string) {
	why = t.unread(ctx, d, func() (err error) {
		found, err = t.findIn(ctx, d, args, framePatience)
		return err
	})
	return found, why
}

func (t *turn) findIn(ctx context.Context, d *document, args map[string]any, limit time.Duration) (*outline.Found, error) {
	var raw json.RawMessage
	if err := t.in(ctx, d, call{method: "find", args: args, await: t.cfg.Privileged, limit: limit}, &raw); err != nil {
		return nil, err
	}
	f, err := outline.DecodeFound(raw, frameKey(d))
	if err != nil {
		return nil, &Fault{Code: PageScriptFailed, Message: "the page script's answer cannot be read", Err: err}
	}
	return &f, nil
}

// sightFound reports the controls that were found, and writes their references
// into what was found. It is no snapshot: of which of them the page has no other
// alike is not known.
func (t *turn) sightFound(ctx context.Context, whole *outline.Found, sources map[string]source, out *Found) error {
	report := sighting{id: t.ID, document: t.top.key(), url: whole.URL, title: whole.Title}
	whole.Assign(func(n *outline.Node) string {
		report.add(sources[n.Frame], n)
		return ""
	})
	s, err := t.sighted(ctx, report)
	if err != nil {
		return err
	}
	out.Generation = s.generation
	next := 0
	whole.Assign(func(*outline.Node) string {
		next++
		return string(s.refs[next-1])
	})
	return nil
}
