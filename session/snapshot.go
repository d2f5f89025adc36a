package session

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"firefox-rdp-mcp/session/outline"
)

// sheet is a page as it was seen, frames merged, with references.
type sheet struct {
	outline.Snapshot
	seen
	tab   TabID
	hints []string // our own
}

// id names the snapshot for callers.
func (sh *sheet) id() string { return fmt.Sprintf("s%d", sh.snapshot) }

// source is a document that a snapshot was taken of.
type source struct {
	*document
	url string // location.href at that time
}

// look takes the snapshot of a document (mostly the top one) and the frames in
// it: each document's own agent walks it, and the session hands out references.
// args are those of the agent's method snapshot; scope is for the first document.
func (t *turn) look(ctx context.Context, begin *document, args map[string]any) (*sheet, error) {
	scoped := begin != t.top || args["scope"] != nil
	whole, sources, err := t.gather(ctx, begin, args)
	if err != nil {
		return nil, err
	}
	return t.sight(ctx, whole, sources, !scoped)
}

// gather is look without references.
func (t *turn) gather(ctx context.Context, begin *document, args map[string]any) (outline.Snapshot, map[string]source, error) {
	root, err := t.walk(ctx, begin, args, 0)
	if err != nil {
		return outline.Snapshot{}, nil, err
	}
	delete(args, "scope")
	sources := map[string]source{"": {begin, root.URL}}
	whole := outline.Merge(*root, func(context int64) (outline.Frame, bool) {
		d := t.frameIn(context)
		if d == nil { // as one that loads only when it is scrolled to
			return outline.Frame{Fault: "has not loaded yet"}, true
		}
		f := outline.Frame{Key: frameKey(d)}
		f.Snapshot, f.Fault = t.walkFrame(ctx, d, args)
		if f.Snapshot != nil {
			sources[f.Key] = source{d, f.Snapshot.URL}
		}
		return f, true
	})
	return whole, sources, nil
}

// frameIn finds the document of a frame by its browsing context.
func (t *turn) frameIn(context int64) *document {
	for i := range t.frames {
		if t.frames[i].BrowsingContextID == context {
			return &t.frames[i]
		}
	}
	return nil
}

// walkFrame gives a frame its own deadline: one that hangs costs no more.
func (t *turn) walkFrame(ctx context.Context, d *document, args map[string]any) (s *outline.Snapshot, why string) {
	why = t.unread(ctx, d, func() (err error) {
		s, err = t.walk(ctx, d, args, framePatience)
		return err
	})
	return s, why
}

// unread looks at a frame and says why that could not be done, "" if it could.
func (t *turn) unread(ctx context.Context, d *document, look func() error) string {
	if t.foreign(ctx, d) != nil {
		return "belongs to the browser itself"
	}
	switch err := look(); {
	case err == nil:
		return ""
	case AsFault(err).Code == PageUnresponsive:
		return "does not answer"
	}
	return "could not be read"
}

func (t *turn) walk(ctx context.Context, d *document, args map[string]any, limit time.Duration) (*outline.Snapshot, error) {
	var raw json.RawMessage
	if err := t.in(ctx, d, call{method: "snapshot", args: args, await: t.cfg.Privileged, limit: limit}, &raw); err != nil {
		return nil, err
	}
	s, err := outline.Decode(raw)
	if err != nil {
		return nil, &Fault{Code: PageScriptFailed, Message: "the page script's answer cannot be read", Err: err}
	}
	return &s, nil
}

// sight reports the controls of a snapshot to the session and writes their
// references into it. all says that these are all controls of the page.
func (t *turn) sight(ctx context.Context, whole outline.Snapshot, sources map[string]source, all bool) (*sheet, error) {
	report := sighting{id: t.ID, document: t.top.key(), keep: true, whole: all}
	for i := range whole.Nodes {
		n := &whole.Nodes[i]
		if src, ok := sources[n.Frame]; ok && n.Kind == outline.Control {
			report.add(src, n)
		}
	}
	if sources[""].document == t.top {
		report.url, report.title = whole.URL, whole.Title
	}
	s, err := t.sighted(ctx, report)
	if err != nil {
		return nil, err
	}
	next := 0
	whole.Assign(func(n *outline.Node) string {
		if _, ok := sources[n.Frame]; !ok || next == len(s.refs) {
			return ""
		}
		next++
		return string(s.refs[next-1])
	})
	return &sheet{Snapshot: whole, seen: s, tab: t.ID}, nil
}
