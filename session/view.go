package session

import (
	"context"
	"regexp"
	"slices"
	"strconv"

	"firefox-rdp-mcp/session/outline"
)

// SnapshotArgs say what of a page is wanted. Zero values mean the configured
// defaults, which are also the upper bounds.
type SnapshotArgs struct {
	Tab         TabID
	View        outline.View
	Scope       string // a reference, landmark or CSS selector; "" for the whole page
	MaxElements int    // controls
	MaxText     int    // code points of page text
	Budget      int    // tokens of the answer
	Cursor      string // reads on in a snapshot taken before
	Diff        bool   // only what has changed since the snapshot before
}

// Snapshot is a rendered snapshot.
type Snapshot struct {
	outline.Result

	ID         string
	Tab        TabID
	Generation Generation
	URL        string
	Title      string
	Dialog     *Dialog
}

// Snapshot takes a snapshot of a tab's page, or reads on in an earlier one.
func (s *Session) Snapshot(ctx context.Context, a SnapshotArgs) (*Snapshot, error) {
	s.bound(&a)
	if a.Cursor != "" {
		return s.readOn(ctx, a)
	}
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	sh, err := t.freeze(ctx, a)
	if err != nil {
		return nil, err
	}
	old, err := ask(ctx, s, func(r reply[*sheet]) message { return keepSheet{sh, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	o := sh.options(a)
	out := sh.rendered(o)
	if a.Diff && old != nil {
		out.apply(outline.Diff(old.Snapshot, sh.Snapshot, o))
	}
	if t.modal {
		if err := t.noticeDialog(ctx, &out.Dialog); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// apply makes a rendered difference the answer.
func (s *Snapshot) apply(d outline.ChangeResult) {
	s.Text, s.Elements, s.Stats.Tokens = d.Text, slices.Concat(d.Added, d.Changed), d.Tokens
	s.Stats.Listed = len(s.Elements)
}

// freeze takes the snapshot that the arguments ask for.
func (t *turn) freeze(ctx context.Context, a SnapshotArgs) (*sheet, error) {
	args := t.walkArgs(a.View)
	begin, err := t.scope(ctx, a.Scope, args)
	if err != nil {
		return nil, err
	}
	sh, err := t.look(ctx, begin, args)
	if err != nil {
		return nil, err
	}
	if !t.cfg.Privileged {
		sh.hints = append(sh.hints, "read in the page's own realm, where the page could deceive")
	}
	return sh, nil
}

// bound applies the configured limits.
func (s *Session) bound(a *SnapshotArgs) {
	if a.View == "" {
		a.View = outline.ViewControls
	}
	if a.MaxElements <= 0 || a.MaxElements > s.cfg.MaxElements {
		a.MaxElements = s.cfg.MaxElements
	}
	if a.MaxText < 0 || a.MaxText > s.cfg.MaxText {
		a.MaxText = s.cfg.MaxText
	}
	if a.Budget == 0 {
		a.Budget = s.cfg.Budget
	}
}

// frozenElements is how many controls of a page are looked at. What one answer
// does not hold is there for the cursor.
const frozenElements = 20_000

// walkArgs are the agent's arguments for a snapshot. The agent is asked for the
// whole page; how much of it an answer shows is decided when it is rendered.
func (s *Session) walkArgs(view outline.View) map[string]any {
	return map[string]any{"view": string(view), "maxElements": max(frozenElements, s.cfg.MaxElements), "maxText": s.cfg.MaxText}
}

// regionForm is what outline calls a landmark or dialog: r12, f1r12 in a frame.
var regionForm = regexp.MustCompile(`^(f[0-9]{1,9})?r([0-9]{1,15})$`)

// scope narrows a snapshot to what a reference, a region or a selector names.
// It returns the document to begin in.
func (t *turn) scope(ctx context.Context, scope string, args map[string]any) (*document, error) {
	if scope == "" {
		return t.top, nil
	}
	if refForm.MatchString(scope) {
		d, loc, err := t.locate(ctx, Ref(scope))
		if err != nil {
			return nil, err
		}
		args["scope"] = loc.Node
		return d, nil
	}
	if m := regionForm.FindStringSubmatch(scope); m != nil {
		node, _ := strconv.ParseInt(m[2], 10, 64)
		args["scope"] = node
		for i := range t.frames {
			if m[1] == frameKey(&t.frames[i]) {
				return &t.frames[i], nil
			}
		}
		if m[1] == "" {
			return t.top, nil
		}
		return nil, Faultf(StaleElement, "the frame of region %q is gone; take a new snapshot", scope)
	}
	args["scope"] = scope
	return t.top, nil
}

// frameKey begins the references in a frame; it is "" for the top document.
func frameKey(d *document) string {
	if d.frame == 0 {
		return ""
	}
	return "f" + strconv.Itoa(d.frame)
}

// keepSheet freezes a snapshot for cursors and differences. The answer is the
// one that it replaces, nil if there is none or if it is of another generation.
type keepSheet struct {
	sheet *sheet
	reply reply[*sheet]
}

func (m keepSheet) fail(err error) { m.reply.fail(err) }

func (m keepSheet) apply(st *state) {
	t := st.tabs[m.sheet.tab]
	if t == nil {
		m.reply.fail(st.gone(m.sheet.tab))
		return
	}
	old := t.frozen
	t.frozen = m.sheet
	m.reply.send(old, nil)
}

// frozen asks for the snapshot with an id.
type frozen struct {
	id    string
	reply reply[*sheet]
}

func (m frozen) fail(err error) { m.reply.fail(err) }

func (m frozen) apply(st *state) {
	for _, t := range st.tabs {
		if t.frozen != nil && t.frozen.id() == m.id {
			m.reply.send(t.frozen, nil)
			return
		}
	}
	m.reply.fail(Faultf(InvalidArgument, "cursor: snapshot %s is no longer kept (a newer one was taken, or the tab is closed); take a new snapshot", outline.Clean(m.id, 20)))
}

// readOn renders the next part of a frozen snapshot. The page is not looked at.
func (s *Session) readOn(ctx context.Context, a SnapshotArgs) (*Snapshot, error) {
	cursor, err := outline.ParseCursor(a.Cursor)
	if err != nil {
		return nil, Faultf(InvalidArgument, "cursor: not one that snapshot_page has given")
	}
	sh, err := ask(ctx, s, func(r reply[*sheet]) message { return frozen{cursor.Snapshot, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	o := sh.options(a)
	o.Cursor = cursor
	return sh.rendered(o), nil
}

func (sh *sheet) options(a SnapshotArgs) outline.Options {
	return outline.Options{
		View: a.View, Snapshot: sh.id(), Tab: string(sh.tab), Generation: int(sh.generation), //nolint:gosec // far from overflow
		Budget: a.Budget, MaxElements: a.MaxElements, MaxText: a.MaxText, WholeText: a.View == outline.ViewText, Hints: sh.hints,
	}
}

func (sh *sheet) rendered(o outline.Options) *Snapshot {
	return &Snapshot{
		Result: outline.Render(sh.Snapshot, o), ID: sh.id(), Tab: sh.tab, Generation: sh.generation,
		URL: sh.URL, Title: sh.Title,
	}
}
