package session

import (
	"context"
	"errors"
	"maps"
	"time"
)

// WaitArgs hold exactly one condition.
type WaitArgs struct {
	Tab         TabID
	Text        string // visible text that is there
	TextGone    string // visible text that is there no more
	Selector    string // CSS
	URLContains string
	Element     Ref
	State       string // present (default) or absent; for an element also enabled, disabled …
	Timeout     time.Duration
	Poll        time.Duration // cadence for what no observer sees
	Progress    func(elapsed time.Duration)
}

// Waited is how a wait ended.
type Waited struct {
	Tab        TabID
	URL        string
	Title      string
	Generation Generation
	Elapsed    time.Duration
}

// waitSlice is how long one promise in the page waits before we look around:
// for dialogs, for another document, for the client's patience.
const waitSlice = 2 * time.Second

// WaitFor waits until a condition holds. It takes the turn only to begin, so
// that what makes the condition come true can be done meanwhile. The page wakes
// us by its own events; across navigations the wait goes on in the new document.
func (s *Session) WaitFor(ctx context.Context, a WaitArgs) (*Waited, error) {
	setDefault(&a.State, "present")
	start := time.Now()
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	args, doc, err := t.condition(ctx, a)
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeoutCause(ctx, a.Timeout+framePatience, errWaitOver)
	defer cancel()
	for first := true; ; first = false {
		left := a.Timeout - time.Since(start)
		met, err := t.waitOnce(wait, doc, args, max(0, min(left, waitSlice)))
		if first {
			t.end()
		}
		switch {
		case errors.Is(err, errWaitOver): // the page has not answered: is it only the page?
			if err := t.pulse(ctx); err != nil {
				return nil, err
			}
			return nil, t.lateFor(ctx, a)
		case err != nil:
			return nil, err
		case met:
			return t.waited(ctx, time.Since(start))
		case time.Since(start) >= a.Timeout:
			return nil, t.lateFor(ctx, a)
		}
		if a.Progress != nil {
			a.Progress(time.Since(start))
		}
		switch err := t.againBy(wait, start.Add(a.Timeout), &doc, a); {
		case errors.Is(err, errWaitOver):
			return nil, t.lateFor(ctx, a)
		case err != nil:
			return nil, err
		}
	}
}

// errWaitOver ends a wait whose page does not say by itself that its time is up.
var errWaitOver = Faultf(WaitTimeout, "the wait's time is up")

// condition writes the arguments of the agent's method wait.
func (t *turn) condition(ctx context.Context, a WaitArgs) (map[string]any, *document, error) {
	args := map[string]any{"state": a.State, "poll": a.Poll.Milliseconds()}
	doc := t.top
	for key, value := range map[string]string{"text": a.Text, "text_gone": a.TextGone, "selector": a.Selector, "url_contains": a.URLContains} {
		if value != "" {
			args[key] = value
		}
	}
	if a.Element != "" {
		d, loc, err := t.locate(ctx, a.Element)
		if err != nil {
			return nil, nil, err
		}
		doc = d
		maps.Copy(args, loc.expectation())
	}
	return args, doc, nil
}

// waitOnce lets the page wait for one slice.
func (t *turn) waitOnce(ctx context.Context, d *document, args map[string]any, slice time.Duration) (bool, error) {
	var out struct {
		Met bool `json:"met"`
	}
	args["timeout"] = slice.Milliseconds()
	err := t.in(ctx, d, call{method: "wait", args: args, await: true, limit: slice + framePatience}, &out)
	switch f, ok := errors.AsType[*Fault](err); {
	case err == nil:
		return out.Met, nil
	case ok && (f.Code == TargetReplaced || f.Code == PageUnresponsive):
		return false, nil // another document may come, a dialog may close, a loop may end
	}
	return false, err
}

// againBy is again until a moment.
func (t *turn) againBy(ctx context.Context, end time.Time, doc **document, a WaitArgs) error {
	ctx, cancel := context.WithDeadlineCause(ctx, end, errWaitOver)
	defer cancel()
	return t.again(ctx, doc, a)
}

// again finds the document to go on waiting in.
func (t *turn) again(ctx context.Context, doc **document, a WaitArgs) error {
	if err := t.refresh(ctx); err != nil {
		return err
	}
	if a.Element != "" {
		d, _, err := t.locate(ctx, a.Element)
		*doc = d
		return err
	}
	// Nothing can be asked of an error page or a crashed one, but another may come.
	for t.top == nil || t.foreign(ctx, t.top) != nil {
		if err := t.heed(ctx); err != nil {
			return fromConnection(err)
		}
	}
	*doc = t.top
	return nil
}

func (a WaitArgs) late() *Fault {
	return Faultf(WaitTimeout, "the condition did not come true within %v", a.Timeout)
}

// lateFor says what the page may be waiting for itself.
func (t *turn) lateFor(ctx context.Context, a WaitArgs) error {
	f := a.late()
	if dialog, err := t.openDialog(ctx); err == nil && dialog != nil {
		f.Message += "; the page shows a dialog (" + dialog.Kind + "), answer it with handle_dialog"
	}
	return f
}

func (t *turn) waited(ctx context.Context, elapsed time.Duration) (*Waited, error) {
	var a Action
	if _, err := t.witness(ctx, &a); err != nil {
		return nil, err
	}
	return &Waited{Tab: t.ID, URL: a.URL, Title: a.Title, Generation: a.Generation, Elapsed: elapsed}, nil
}
