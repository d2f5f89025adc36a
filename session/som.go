package session

import (
	"context"
	"encoding/json"
	"time"

	"firefox-rdp-mcp/session/outline"
)

// SOMArgs say of what page, and how much of it, a semantic object model is
// wanted.
type SOMArgs struct {
	Tab      TabID
	Selector string // CSS: only what is in the first element that it matches
	Budget   int    // estimated tokens; 0 means the configured ones
}

// SOM makes the semantic object model of a tab's page. Its elements have the
// references that snapshots give.
func (s *Session) SOM(ctx context.Context, a SOMArgs) (*outline.SOM, error) {
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	return t.som(ctx, a)
}

// som makes the model of the turn's page, with references, and keeps it for
// cursors.
func (t *turn) som(ctx context.Context, a SOMArgs) (*outline.SOM, error) {
	args := t.walkArgs(outline.ViewFull)
	if a.Selector != "" {
		args["scope"] = a.Selector
	}
	sh, err := t.look(ctx, t.top, args)
	if err != nil {
		return t.nothing(ctx, err, a)
	}
	if a.Selector == "" && !isPage(sh.ContentType) {
		if src, err := t.source(ctx); err == nil && src.Kind != "html" {
			whole := src.SOM(sh.URL, sh.Title)
			whole.Warnings = append(whole.Warnings, src.Warnings()...)
			return t.page(ctx, whole, a.Budget)
		}
	}
	whole := outline.BuildSOM(sh.Snapshot, t.extras(ctx, sh.Snapshot))
	return t.page(ctx, whole, a.Budget)
}

// nothing is the model for a selector that matches nothing: empty, and said so.
func (t *turn) nothing(ctx context.Context, err error, a SOMArgs) (*outline.SOM, error) {
	if a.Selector == "" || AsFault(err).Code != ElementNotFound {
		return nil, err
	}
	p, perr := t.probe(ctx, t.top)
	if perr != nil {
		return nil, perr
	}
	som := outline.BuildSOM(outline.Snapshot{URL: p.URL, Title: p.Title}, nil)
	som.Warnings = append(som.Warnings, "the selector matches nothing on this page")
	return &som, nil
}

// extras asks the agents of a snapshot's documents for what only a model tells.
// Documents that do not answer go without.
func (t *turn) extras(ctx context.Context, s outline.Snapshot) map[string]*outline.Extras {
	ids := map[string][]int64{"": {}}
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Kind == outline.Control {
			ids[n.Frame] = append(ids[n.Frame], n.ID)
		}
	}
	out := map[string]*outline.Extras{}
	ask := func(d *document, limit time.Duration) {
		key := frameKey(d)
		if ids[key] == nil {
			return
		}
		var raw json.RawMessage
		err := t.in(ctx, d, call{method: "som", args: map[string]any{"ids": ids[key], "head": key == ""}, limit: limit}, &raw)
		if err != nil {
			return
		}
		if e, err := outline.DecodeExtras(raw, ids[key]); err == nil {
			out[key] = e
		}
	}
	ask(t.top, 0)
	for i := range t.frames {
		ask(&t.frames[i], framePatience)
	}
	return out
}

// page gives the first part of a model that a budget holds. What it leaves out is
// kept for a cursor.
func (s *Session) page(ctx context.Context, whole outline.SOM, budget int) (*outline.SOM, error) {
	if budget == 0 {
		budget = s.cfg.Budget
	}
	page, next := outline.SOMPage(whole, budget, 0)
	if next == 0 {
		return &page, nil
	}
	id, err := ask(ctx, s, func(r reply[int]) message { return keepSOM{&whole, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	page.Next = outline.SOMCursor{ID: id, Offset: next}.String()
	return &page, nil
}

// ReadOn gives the next part of a model that was made before. The page is not
// looked at.
func (s *Session) ReadOn(ctx context.Context, cursor string, budget int) (*outline.SOM, error) {
	c, ok := outline.ParseSOMCursor(cursor)
	if !ok {
		return nil, Faultf(InvalidArgument, "cursor: not one that fetch_page or open_page has given")
	}
	whole, err := ask(ctx, s, func(r reply[*outline.SOM]) message { return keptSOM{c.ID, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	if budget == 0 {
		budget = s.cfg.Budget
	}
	page, next := outline.SOMPage(*whole, budget, c.Offset)
	if next > 0 {
		page.Next = outline.SOMCursor{ID: c.ID, Offset: next}.String()
	}
	return &page, nil
}

// keptModels is how many models are kept for cursors.
const keptModels = 16

// keepSOM keeps a model that an answer did not hold whole.
type keepSOM struct {
	som   *outline.SOM // not changed any more
	reply reply[int]
}

func (m keepSOM) fail(err error) { m.reply.fail(err) }

func (m keepSOM) apply(st *state) {
	st.count.som++
	st.models[st.count.som] = m.som
	delete(st.models, st.count.som-keptModels)
	m.reply.send(st.count.som, nil)
}

// keptSOM asks for a model that was kept.
type keptSOM struct {
	id    int
	reply reply[*outline.SOM]
}

func (m keptSOM) fail(err error) { m.reply.fail(err) }

func (m keptSOM) apply(st *state) {
	som := st.models[m.id]
	if som == nil {
		m.reply.fail(Faultf(InvalidArgument, "cursor: what it belongs to is no longer kept; fetch the page again"))
		return
	}
	m.reply.send(som, nil)
}
