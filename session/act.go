package session

import (
	"context"
	"errors"
	"maps"
	"time"

	"firefox-rdp-mcp/session/outline"
)

// Action is what a call that acts on a page saw happen.
type Action struct {
	Tab        TabID
	Element    Ref // that was acted on, "" when the page as a whole was
	Relocated  bool
	URL        string
	Title      string
	Ready      string // document.readyState, where it was asked for
	Generation Generation
	Navigated  bool                  // another document is there now
	Loading    string                // address of a load that had started but not arrived
	Quiet      bool                  // the page had come to rest when we looked
	Changes    *outline.ChangeResult // nil when they were not looked for
	Result     ActionResult          // what the page script said of the step itself
	Opened     []Tab
	Dialog     *Dialog

	untold bool // nobody is to hear of the changes
}

// ActionResult is the page script's own account of a step. Every field is the
// page's word; texts are cleaned before they are shown.
type ActionResult struct {
	Relocated  bool     `json:"relocated"`
	ValueAfter *string  `json:"value_after"` // nil for what has none; "filled" or "empty" for secrets
	Secret     bool     `json:"secret"`
	Checked    *bool    `json:"checked"`
	Emulated   []string `json:"emulated"` // default actions that the script stood in for
	Warnings   []string `json:"warnings"`
	Submitted  bool     `json:"submitted"`
	Popup      *struct {
		URL   string `json:"url"`
		Taken bool   `json:"taken"` // the script has prevented Firefox's own attempt
	} `json:"popup"`
	Scroll *struct {
		X, Y  float64
		AtEnd *bool `json:"at_end"` // only where scrolling was the step
	} `json:"scroll"`
}

// deed is one step to be done in a page.
type deed struct {
	tab     TabID
	element Ref // "" for the active element, where the method allows it
	method  string
	args    map[string]any // beyond the target
	settle  time.Duration  // how long to watch what comes of it
	untold  bool           // see On
	limit   time.Duration  // for the step itself; 0 means stepLimit
}

// act does one step on an element and watches what comes of it. Nothing is
// repeated; when the outcome is not known, the fault says that it may have
// happened.
func (s *Session) act(ctx context.Context, d deed) (*Action, error) {
	t, err := s.beginPage(ctx, d.tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	return t.do(ctx, d)
}

// do is act for a call that holds the turn already.
func (t *turn) do(ctx context.Context, d deed) (*Action, error) {
	doc, args, err := t.target(ctx, d)
	if err != nil {
		return nil, err
	}
	start := t.view
	out := &Action{Tab: t.ID, Element: d.element, untold: d.untold}
	dialog, err := t.perform(ctx, doc, call{method: d.method, args: args, await: true, limit: d.limit}, &out.Result)
	switch {
	case err != nil:
		return nil, err
	case dialog != nil:
		out.Dialog = dialog
		return t.witness(ctx, out)
	}
	out.Relocated = out.Result.Relocated
	t.followPopup(ctx, out)
	return t.aftermath(ctx, doc, start, d.settle, out)
}

// target finds the document and the arguments that say on what to act.
func (t *turn) target(ctx context.Context, d deed) (*document, map[string]any, error) {
	limit := d.limit
	if limit == 0 {
		limit = t.cfg.stepLimit()
	}
	args := map[string]any{"until": before(limit), "baseline": d.settle > 0}
	maps.Copy(args, d.args)
	if d.element == "" {
		return t.top, args, nil
	}
	doc, loc, err := t.locate(ctx, d.element)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(args, loc.expectation())
	return doc, args, nil
}

// locate finds the document in which a reference's element lives.
func (t *turn) locate(ctx context.Context, ref Ref) (*document, Locator, error) {
	loc, err := ask(ctx, t.Session, func(r reply[Locator]) message { return lookup{t.ID, ref, r} })
	if err != nil {
		return nil, Locator{}, fromConnection(err)
	}
	if t.top.key() == loc.Document {
		return t.top, loc, nil
	}
	for i := range t.frames {
		if t.frames[i].key() == loc.Document {
			return &t.frames[i], loc, nil
		}
	}
	return nil, Locator{}, Faultf(StaleElement, "the document that %s was in is gone; take a new snapshot", ref)
}

// expectation is what the agent checks before it acts: the node, and that it
// is still what the caller saw.
func (l *Locator) expectation() map[string]any {
	out := map[string]any{
		"node": l.Node, "url": l.URL, "selector": l.Selector, "unique": l.Unique,
		"expect": map[string]string{"tag": l.Tag, "role": l.Role, "type": l.Type, "name": l.Name, "href": l.Href},
	}
	if l.Row.Up > 0 {
		out["row"] = map[string]any{"up": l.Row.Up, "text": l.Row.Text}
	}
	return out
}

// errSilent ends a look at a step that takes long.
var errSilent = errors.New("no answer yet")

// perform does the step. A dialog that the step opened holds its evaluation
// until somebody answers the dialog: perform then returns the dialog instead
// of waiting.
func (t *turn) perform(ctx context.Context, d *document, c call, into any) (*Dialog, error) {
	pending, ctx, done, err := t.start(ctx, d, c)
	if err != nil {
		return nil, err
	}
	defer done()
	for wait := dialogPatience; ; wait = 2 * dialogPatience {
		look, cancel := context.WithTimeoutCause(ctx, wait, errSilent)
		v, err := pending.Wait(look)
		cancel()
		switch {
		case err == nil:
			return nil, t.decode(ctx, v.Text, into)
		case !errors.Is(err, errSilent):
			return nil, t.unresponsive(ctx, t.pageError(ctx, err))
		}
		dialog, err := t.openDialog(ctx)
		if err != nil && AsFault(err).Code != PrivilegedDisabled {
			return nil, t.unresponsive(ctx, err)
		}
		if dialog != nil {
			return dialog, nil
		}
	}
}

// witness reads where the tab is now and tells the session.
func (t *turn) witness(ctx context.Context, out *Action) (*Action, error) {
	if err := t.refresh(ctx); err != nil {
		return nil, err
	}
	if err := t.lost(); err != nil {
		return nil, err
	}
	out.URL, out.Title, out.Generation = t.URL, t.Title, t.Generation
	if t.top == nil || !t.usable(ctx, t.top) {
		return out, nil
	}
	p, err := t.freshProbe(ctx)
	switch {
	case err == nil:
	case out.Dialog != nil || AsFault(err).Code == TargetReplaced:
		return out, nil
	default:
		return nil, err
	}
	out.URL, out.Title, out.Ready = p.URL, p.Title, p.Ready
	s, err := t.sighted(ctx, sighting{id: t.ID, document: t.top.key(), url: p.URL, title: p.Title})
	if err == nil {
		out.Generation = s.generation
	}
	return out, nil
}

// freshProbe probes the top document, unless an answer that has just come from
// it told the same.
func (t *turn) freshProbe(ctx context.Context) (probed, error) {
	if p := t.fresh; p != nil {
		t.fresh = nil
		return *p, nil
	}
	return t.probe(ctx, t.top)
}

// probed is where a document is and how far it has loaded.
type probed struct {
	URL         string `json:"url"`
	DocumentURI string `json:"documentURI"`
	Title       string `json:"title"`
	Ready       string `json:"ready"`
	ContentType string `json:"contentType"`
	Modal       bool   `json:"modal"`
}

func (t *turn) probe(ctx context.Context, d *document) (probed, error) {
	var p probed
	err := t.in(ctx, d, call{method: "probe"}, &p)
	return p, err
}
