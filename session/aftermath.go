package session

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"firefox-rdp-mcp/session/outline"
)

// aftermath watches the page after a step: until it is quiet, until another
// document has come, or until the time is up.
func (t *turn) aftermath(ctx context.Context, d *document, start view, limit time.Duration, out *Action) (*Action, error) {
	end := time.Now().Add(limit)
	var rest settled
	if limit > 0 {
		dialog, err := t.perform(ctx, d, call{
			method: "settle", await: true, limit: limit + t.cfg.stepLimit(),
			args: map[string]any{"wait": limit.Milliseconds(), "until": end.UnixMilli(), "changes": !out.untold},
		}, &rest)
		switch code := AsFault(err).Code; {
		case err != nil && code == PageUnresponsive: // busy with what the step set off: that is no failure of the step
			out.Result.Warnings = append(out.Result.Warnings, "the step was done, but the page has not answered since: what came of it is not known")
			out.URL, out.Title, out.Generation = t.URL, t.Title, t.Generation
			return out, nil
		case err != nil && code != TargetReplaced:
			return nil, afterwards(err)
		}
		out.Dialog = dialog
	}
	if out.Dialog == nil && t.modal {
		if err := t.noticeDialog(ctx, &out.Dialog); err != nil {
			return nil, afterwards(err)
		}
	}
	if rest.URL != "" && d == t.top {
		t.fresh = &probed{URL: rest.URL, Title: rest.Title}
	}
	if err := out.reread(rest); err != nil {
		return nil, err
	}
	if out.Dialog == nil {
		if err := t.follow(ctx, start, end, out); err != nil {
			return nil, afterwards(err)
		}
	}
	if out, err := t.witness(ctx, out); err != nil {
		return out, afterwards(err)
	}
	t.elsewhere(ctx, out)
	return out, t.report(ctx, d, rest.Changes, limit, out)
}

// afterwards is a failure that came when the step was done already.
func afterwards(err error) error {
	f := *AsFault(err)
	f.Message = "the step was done, but then: " + f.Message
	return &f
}

// settled is what the agent saw after a step.
type settled struct {
	Quiet      bool            `json:"quiet"`
	URL        string          `json:"url"`
	Title      string          `json:"title"`
	Changes    json.RawMessage `json:"changes"`
	ValueAfter *string         `json:"value_after"`
	Rejected   bool            `json:"rejected"` // the field no longer holds what it held after the step
}

// reread takes over what a field holds once the page has come to rest. A page
// that undid a value only then has not kept it.
func (a *Action) reread(rest settled) error {
	a.Quiet = rest.Quiet
	if rest.Rejected {
		shows := ""
		if rest.ValueAfter != nil && !a.Result.Secret {
			shows = "; the field shows " + outline.Quote(*rest.ValueAfter, 200)
		}
		return Faultf(FillRejected, "the page did not keep the value%s", shows)
	}
	if rest.ValueAfter != nil {
		a.Result.ValueAfter = rest.ValueAfter
	}
	return nil
}

// report gives the controls among the changes their references and writes the
// changes as text.
func (t *turn) report(ctx context.Context, d *document, raw json.RawMessage, within time.Duration, out *Action) error {
	if len(raw) == 0 || string(raw) == "null" || out.Navigated {
		return nil
	}
	changes, err := outline.DecodeChanges(raw, frameKey(d))
	if err != nil {
		return &Fault{Code: PageScriptFailed, Message: "the page script's answer cannot be read", Err: err}
	}
	src := source{d, d.URL}
	if d == t.top {
		src.url = out.URL
	}
	if err := t.assignChanges(ctx, src, &changes); err != nil && AsFault(err).Code != TargetReplaced {
		return err
	}
	r := outline.RenderChanges(changes, outline.ChangeOptions{Within: within})
	out.Changes = &r
	return nil
}

// assignChanges asks the session for the references of changed controls: new
// ones for what is there, the old ones for what has gone.
func (t *turn) assignChanges(ctx context.Context, src source, c *outline.Changes) error {
	report := sighting{id: t.ID, document: t.top.key()}
	gone := map[int64]bool{}
	for i := range c.Removed {
		gone[c.Removed[i].ID] = true
	}
	c.Assign(func(n *outline.Node) string {
		if gone[n.ID] {
			report.gone = append(report.gone, nodeKey{src.key(), n.ID})
		} else {
			report.add(src, n)
		}
		return ""
	})
	s, err := t.sighted(ctx, report)
	if err != nil {
		return err
	}
	c.Assign(func(n *outline.Node) string {
		from := &s.refs
		if gone[n.ID] {
			from = &s.gone
		}
		ref := (*from)[0]
		*from = (*from)[1:]
		return string(ref)
	})
	return nil
}

// follow waits for the document that a started load brings, as long as the
// step's time lasts.
func (t *turn) follow(ctx context.Context, start view, end time.Time, out *Action) error {
	if err := t.refresh(ctx); err != nil {
		return err
	}
	errLate := errors.New("not arrived yet")
	wait, cancel := context.WithDeadlineCause(ctx, end, errLate)
	defer cancel()
	for t.view.onTheWay(start) {
		err := t.heed(wait)
		if errors.Is(err, errLate) {
			break
		}
		if err != nil {
			return fromConnection(err)
		}
	}
	if out.Navigated = !t.view.sameDocument(start); out.Navigated {
		t.fresh = nil
	}
	if !out.Navigated && t.view.onTheWay(start) {
		out.Loading = t.coming
	}
	return nil
}

// sameDocument reports whether the tab still shows the document of a former view.
func (v *view) sameDocument(old view) bool {
	return v.top != nil && old.top != nil && v.top.key() == old.top.key()
}

// onTheWay reports whether a load that has started since a former view has yet
// to arrive: its document is not there, not readable, or still the old one.
func (v *view) onTheWay(old view) bool {
	switch {
	case v.top == nil:
		return true
	case v.sameDocument(old):
		return v.starts > old.starts && v.top.complete <= max(1, old.top.complete)
	}
	return v.top.ready < interactive
}
