package tools

import (
	"context"
	"fmt"
	"strings"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// actionResult is what an action saw, in structured content (design 4).
type actionResult struct {
	TabID      string             `json:"tab_id"`
	Element    string             `json:"element,omitempty"`
	Synthetic  bool               `json:"synthetic"`
	URL        string             `json:"url"`
	Title      string             `json:"title,omitempty"`
	Generation session.Generation `json:"generation"`
	Relocated  bool               `json:"relocated,omitempty"`
	Navigated  bool               `json:"navigated,omitempty"`
	Loading    string             `json:"loading,omitempty"`
	Changes    *changesResult     `json:"changes,omitempty"`
	ValueAfter *string            `json:"value_after,omitempty"`
	Checked    *bool              `json:"checked,omitempty"`
	Submitted  bool               `json:"submitted,omitempty"`
	Emulated   []string           `json:"emulated,omitempty"`
	Scroll     *scrollResult      `json:"scroll,omitempty"`
	OpenedTabs []tabResult        `json:"opened_tabs,omitempty"`
	Dialog     *dialogResult      `json:"dialog,omitempty"`
	Warnings   []string           `json:"warnings,omitempty"`
}

// changesResult is the difference that an action made, in structured content.
type changesResult struct {
	Added   []outline.Element `json:"added,omitempty"`
	Changed []outline.Element `json:"changed,omitempty"`
	Removed []outline.Element `json:"removed,omitempty"`
	Omitted int               `json:"omitted,omitempty"`
}

// scrollResult is where the page is scrolled to, in CSS pixels.
type scrollResult struct {
	X     int  `json:"x"`
	Y     int  `json:"y"`
	AtEnd bool `json:"at_end"`
}

func resultOfAction(a *session.Action) actionResult {
	out := actionResult{
		TabID: string(a.Tab), Element: string(a.Element), Synthetic: true,
		URL: outline.Clean(a.URL, urlLimit), Title: outline.Clean(a.Title, titleLimit), Generation: a.Generation,
		Relocated: a.Relocated, Navigated: a.Navigated, Loading: outline.Clean(a.Loading, urlLimit),
		Checked: a.Result.Checked, Submitted: a.Result.Submitted,
		Emulated: cleanAll(a.Result.Emulated), Dialog: dialogOf(a.Dialog), Warnings: cleanAll(a.Result.Warnings),
	}
	if v := a.Result.ValueAfter; v != nil {
		value := outline.Clean(*v, titleLimit)
		out.ValueAfter = &value
	}
	if c := a.Changes; c != nil {
		out.Changes = &changesResult{Added: c.Added, Changed: c.Changed, Removed: c.Removed, Omitted: c.Omitted}
	}
	if p := a.Result.Scroll; p != nil && p.AtEnd != nil {
		out.Scroll = &scrollResult{X: int(p.X), Y: int(p.Y), AtEnd: *p.AtEnd}
	}
	for _, t := range a.Opened {
		out.OpenedTabs = append(out.OpenedTabs, tabOf(t, ""))
	}
	return out
}

// cleanAll makes texts that may hold the page's words fit for one line each.
func cleanAll(texts []string) []string {
	for i, t := range texts {
		texts[i] = outline.Clean(t, 400)
	}
	return texts
}

// text says in words what was done (did: "Clicked") and what was seen.
func (r actionResult) text(did string) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(did+" "+r.Element) + " (synthetic events).")
	if r.Relocated {
		b.WriteString(" The element had been replaced by its equal, which was used.")
	}
	if r.ValueAfter != nil {
		b.WriteString(" Value now: " + outline.Quote(*r.ValueAfter, titleLimit) + ".")
	}
	if r.Checked != nil {
		fmt.Fprintf(&b, " Checked: %t.", *r.Checked)
	}
	if r.Submitted {
		b.WriteString(" The form was submitted.")
	}
	if r.Scroll != nil {
		fmt.Fprintf(&b, " Scrolled to x=%d y=%d, end reached: %t.", r.Scroll.X, r.Scroll.Y, r.Scroll.AtEnd)
	}
	for _, e := range r.Emulated {
		b.WriteString(" Default action stood in for: " + e + ".")
	}
	for _, line := range r.lines() {
		b.WriteString("\n" + line)
	}
	return b.String()
}

// lines are the parts of the text that stand on lines of their own.
func (r actionResult) lines() []string {
	var lines []string
	for _, w := range r.Warnings {
		lines = append(lines, "Warning: "+w)
	}
	switch {
	case r.Navigated:
		lines = append(lines, fmt.Sprintf("Another page is there now: %s %s (generation %d); references from before are stale.", outline.Quote(r.Title, titleLimit), r.URL, r.Generation))
	case r.Loading != "":
		lines = append(lines, "A load has started and not arrived yet: "+r.Loading)
	}
	if !r.Navigated {
		lines = append(lines, fmt.Sprintf("URL: %s (generation %d)", r.URL, r.Generation))
	}
	for _, t := range r.OpenedTabs {
		lines = append(lines, "Opened a tab: "+t.line())
	}
	if r.Dialog != nil {
		lines = append(lines, r.Dialog.line())
	}
	return lines
}

// acted writes the answer of an action, with as much of the page as was asked.
func (h handlers) acted(ctx context.Context, did string, a *session.Action, p page, r respond) (Reply, error) {
	out := resultOfAction(a)
	text := out.text(did)
	if a.Changes != nil {
		text += "\n" + a.Changes.Text
	}
	return h.followedBy(ctx, Reply{Text: text, Structured: out}, p, r)
}

// tells reports whether an answer tells what changed.
func tells(p page, r respond) bool {
	return r.RespondWith != "none" && (r.RespondWith != "" || p.SessionID == "")
}

// followedBy adds a snapshot or a model of the page to an answer when the caller
// asked for one; who calls the tab a session is given the model.
func (h handlers) followedBy(ctx context.Context, reply Reply, p page, r respond) (Reply, error) {
	switch {
	case r.RespondWith == "som", r.RespondWith == "" && p.SessionID != "":
		return h.modelled(ctx, reply, p)
	case r.RespondWith != "snapshot":
		return reply, nil
	}
	sn, err := h.s.Snapshot(ctx, session.SnapshotArgs{Tab: p.tab()})
	if err != nil {
		reply.Text += "\nThe snapshot afterwards failed: " + oneLine(session.AsFault(err).Message)
		return reply, nil
	}
	reply.Text += "\n" + sn.Text
	reply.Structured = struct {
		Result   any            `json:"result"`
		Snapshot snapshotResult `json:"snapshot"`
	}{reply.Structured, resultOfSnapshot(sn)}
	return reply, nil
}

// on is the target of an action and how long to watch what comes of it.
func on(p page, element string, r respond, watch int) session.On {
	o := session.On{Tab: p.tab(), Element: session.Ref(element), Watch: milliseconds(watch), Untold: !tells(p, r)}
	if r.RespondWith == "none" && watch == waitAfter {
		o.Watch = 0
	}
	return o
}

func (h handlers) click(ctx context.Context, _ Call, in click) (Reply, error) {
	a, err := h.s.Click(ctx, session.ClickArgs{On: on(in.page, in.Element, in.respond, in.WaitAfterMS), Button: in.Button, Count: in.Count, Modifiers: in.Modifiers})
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Clicked", a, in.page, in.respond)
}

func (h handlers) hover(ctx context.Context, _ Call, in hover) (Reply, error) {
	a, err := h.s.Hover(ctx, on(in.page, in.Element, in.respond, waitAfter))
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Pointer moved over (styles for :hover do not apply)", a, in.page, in.respond)
}

func (h handlers) fill(ctx context.Context, _ Call, in fill) (Reply, error) {
	a, err := h.s.Fill(ctx, session.FillArgs{On: on(in.page, in.Element, in.respond, waitAfter), Value: in.Value, Submit: in.Submit})
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Filled", a, in.page, in.respond)
}

func (h handlers) fillForm(ctx context.Context, _ Call, in fillForm) (Reply, error) {
	args := session.FillFormArgs{Tab: in.tab(), Submit: in.Submit, Watch: milliseconds(waitAfter), Untold: !tells(in.page, in.respond)}
	for _, f := range in.Fields {
		args.Fields = append(args.Fields, session.Field{Element: session.Ref(f.Element), Value: f.Value})
	}
	done, err := h.s.FillForm(ctx, args)
	if err != nil {
		return Reply{}, err
	}
	texts := make([]string, len(done))
	results := make([]actionResult, len(done))
	for i, a := range done {
		results[i] = resultOfAction(a)
		texts[i] = results[i].text("Filled")
		if a.Changes != nil {
			texts[i] += "\n" + a.Changes.Text
		}
	}
	reply := Reply{Text: strings.Join(texts, "\n"), Structured: struct {
		Fields []actionResult `json:"fields"`
	}{results}}
	return h.followedBy(ctx, reply, in.page, in.respond)
}

func (h handlers) selectOption(ctx context.Context, _ Call, in selectOption) (Reply, error) {
	a, err := h.s.SelectOption(ctx, session.SelectArgs{On: on(in.page, in.Element, in.respond, waitAfter), Values: in.Values})
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Selected in", a, in.page, in.respond)
}

func (h handlers) typeText(ctx context.Context, call Call, in typeText) (Reply, error) {
	a, err := h.s.Type(ctx, session.TypeArgs{
		On: on(in.page, in.Element, in.respond, waitAfter), Text: in.Text, Delay: milliseconds(in.DelayMS), Replace: in.Mode == "replace", Submit: in.Submit,
		Done: func(typed, total int) { call.Progress(ctx, float64(typed), float64(total), "typing") },
	})
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Typed into", a, in.page, in.respond)
}

func (h handlers) pressKey(ctx context.Context, _ Call, in pressKey) (Reply, error) {
	a, err := h.s.Press(ctx, session.PressArgs{On: on(in.page, in.Element, in.respond, waitAfter), Key: in.Key, Modifiers: in.Modifiers, Count: in.Count})
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Pressed "+in.Key+" on", a, in.page, in.respond)
}

func (h handlers) scroll(ctx context.Context, _ Call, in scroll) (Reply, error) {
	a, err := h.s.Scroll(ctx, session.ScrollArgs{On: on(in.page, in.Element, in.respond, waitAfter), To: in.To, DX: in.DX, DY: in.DY})
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Scrolled", a, in.page, in.respond)
}

func (h handlers) drag(ctx context.Context, _ Call, in drag) (Reply, error) {
	a, err := h.s.Drag(ctx, on(in.page, in.Element, in.respond, waitAfter), session.Ref(in.Target))
	if err != nil {
		return Reply{}, err
	}
	return h.acted(ctx, "Dragged", a, in.page, in.respond)
}

func (h handlers) handleDialog(ctx context.Context, _ Call, in handleDialog) (Reply, error) {
	var text *string
	if in.Text != "" {
		text = &in.Text
	}
	d, err := h.s.AnswerDialog(ctx, in.tab(), in.Action == "accept", text)
	if err != nil {
		return Reply{}, err
	}
	did := "Dismissed"
	if d.Accepted {
		did = "Accepted"
	}
	return h.acted(ctx, did+" the page's "+outline.Clean(d.Kind, 20), &d.Action, in.page, in.respond)
}
