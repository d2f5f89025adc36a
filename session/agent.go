package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
	"firefox-rdp-mcp/session/page"
)

// dur is the attribute for a duration since a moment.
func dur(since time.Time) slog.Attr { return slog.Duration("dur", time.Since(since)) }

// scriptName is what Firefox's debugger calls the page script.
const scriptName = "firefox-rdp-mcp"

// maker gives a content process with the function that makes agents in it, which is
// sent there once.
func (t *turn) maker(ctx context.Context, pid int) (process, error) {
	known, err := t.process(ctx, t.conn, pid)
	if err != nil {
		return process{}, err
	}
	p := *known
	if p.maker != "" {
		return p, nil
	}
	v, err := t.conn.Evaluate(ctx, p.console, router.Evaluation{Text: page.Maker(), URL: scriptName})
	if err != nil {
		return p, t.pageError(ctx, err)
	}
	p.maker, err = conclude(ctx, t.Session, func(r reply[router.ActorID]) message { return makes{pid, t.conn.Epoch(), v.Object, r} })
	if err != nil || p.maker != v.Object {
		_ = t.conn.Release(context.WithoutCancel(ctx), v.Object)
	}
	return p, fromConnection(err)
}

// agentOf returns the agent of a document and installs it first if need be:
// one evaluation of the whole script per document, then only short calls.
func (t *turn) agentOf(ctx context.Context, d *document) (agent, error) {
	if d.agent != (agent{}) {
		return d.agent, nil
	}
	if err := t.foreign(ctx, d); err != nil { // whoever asks: nothing is evaluated in the browser's own pages
		return agent{}, err
	}
	start := time.Now()
	console, making := d.ConsoleActor, router.Evaluation{Target: d.Actor, URL: scriptName}
	if t.cfg.Privileged {
		p, err := t.maker(ctx, d.ProcessID)
		if err != nil {
			return agent{}, err
		}
		console, making.Self, making.Text = p.console, p.maker, page.Make(d.InnerWindowID)
	} else {
		making.Text = page.Install(0, false)
	}
	v, err := t.conn.Evaluate(ctx, console, making)
	switch {
	case err != nil:
		return agent{}, t.pageError(ctx, err)
	case v.IsText && v.Text == page.Stale:
		return agent{}, replaced("the page went away")
	case v.Object == "":
		return agent{}, Faultf(PageScriptFailed, "the page script could not be installed in this page")
	}
	made := agent{function: v.Object, console: console}
	kept, err := conclude(ctx, t.Session, func(r reply[agent]) message { return installed{t.ID, d.key(), made, r} })
	if err != nil || kept != made {
		_ = t.conn.Release(context.WithoutCancel(ctx), made.function)
	}
	d.agent = kept
	t.step(ctx, "agent installed", dur(start))
	return kept, fromConnection(err)
}

// call is one use of the agent of a document.
type call struct {
	method string
	args   map[string]any
	await  bool          // the method waits in the page
	carry  bool          // args are large
	limit  time.Duration // until the page counts as unresponsive; 0 means stepLimit
}

// patience is the longest that anything in a page is waited for, unless the caller
// asks for more. It ends before the deadline of a direct reply does: a page that hangs
// is to cost its own call, not the connection that other pages use.
func (c Config) patience() time.Duration { return c.Request - c.Request/10 }

// stepLimit is how long one step of a call may take in a page.
func (c Config) stepLimit() time.Duration { return min(pagePatience, c.patience()) }

// before is the wall-clock time, in milliseconds since 1970, after which the
// agent refuses to begin a step. It lies before the end of our own patience, so
// that a step which does begin can still answer.
func before(limit time.Duration) int64 {
	return time.Now().Add(limit - min(limit/4, time.Second)).UnixMilli()
}

// in calls the agent of a document and decodes its value. The call ends early,
// with the true cause, when the document or the connection goes away.
func (t *turn) in(ctx context.Context, d *document, c call, into any) error {
	if t.silent[d.ProcessID] {
		return Faultf(PageUnresponsive, "another frame of the same process has not answered")
	}
	start := time.Now()
	pending, ctx, done, err := t.start(ctx, d, c)
	if err != nil {
		return t.noteSilent(d, err)
	}
	defer done()
	v, err := pending.Wait(ctx)
	t.step(ctx, "page called", slog.String("type", c.method), slog.Int("bytes", len(v.Text)), dur(start))
	if err != nil {
		return t.noteSilent(d, t.unresponsive(ctx, t.pageError(ctx, err)))
	}
	return t.decode(ctx, v.Text, into)
}

// noteSilent notes that the process of a frame does not answer, so that many hung
// frames of a page cost no more time than one.
func (t *turn) noteSilent(d *document, err error) error {
	if d.frame != 0 && AsFault(err).Code == PageUnresponsive && d.ProcessID != t.top.ProcessID {
		if t.silent == nil {
			t.silent = map[int]bool{}
		}
		t.silent[d.ProcessID] = true
	}
	return err
}

// decode reads an answer of an agent, and notes whether a dialog was open.
func (t *turn) decode(ctx context.Context, text string, into any) error {
	t.modal = page.Modal(text)
	return t.pageError(ctx, page.Decode(text, into))
}

// start sends a call to a document's agent. The context that it returns ends
// with the call's time, the document or the connection; done lets it go.
func (t *turn) start(ctx context.Context, d *document, c call) (*router.Running, context.Context, func(), error) {
	if c.limit == 0 {
		c.limit = t.cfg.stepLimit()
	}
	silent := Faultf(PageUnresponsive, "the page in tab %s did not answer for %v; it may be in an endless loop (navigate can free it). What had begun may have happened; what had not will not begin late", t.ID, c.limit)
	ctx, cancel := context.WithTimeoutCause(ctx, c.limit, silent)
	ctx, leave := join(ctx, d.ctx)
	done := func() { leave(); cancel() }
	pending, err := t.send(ctx, d, c)
	if err != nil {
		err = t.unresponsive(ctx, err)
		done()
		return nil, nil, nil, err
	}
	return pending, ctx, done, nil
}

func (t *turn) send(ctx context.Context, d *document, c call) (*router.Running, error) {
	a, err := t.agentOf(ctx, d)
	if err != nil {
		return nil, err
	}
	e := router.Evaluation{Self: a.function, Target: d.Actor, Await: c.await, Timeout: c.limit}
	if c.carry && t.cfg.Privileged {
		e.Text, e.URL, err = page.Carry(c.method, c.args)
	} else {
		e.Text, err = page.Call(c.method, c.args)
	}
	if err != nil {
		return nil, &Fault{Code: Internal, Message: "arguments cannot be written", Err: err}
	}
	pending, err := t.conn.Start(ctx, a.console, e)
	return pending, t.pageError(ctx, err)
}

// join returns a context that ends with either of two, with the cause of the
// first to end.
func join(ctx, other context.Context) (context.Context, func()) {
	joined, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return joined, func() { stop(); cancel(nil) }
}

// pageError translates what an evaluation in a page can end with.
func (t *turn) pageError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*page.Error](err); ok {
		return pageFault(e)
	}
	if e, ok := errors.AsType[*router.ExceptionError](err); ok {
		t.step(ctx, "page script threw", slog.Int("bytes", len(e.Stack)))
		return &Fault{Code: PageScriptFailed, Message: fmt.Sprintf("the page script failed: %q", outline.Clean(e.Message, 200)), Err: err}
	}
	switch {
	case errors.Is(err, router.ErrRejected), errors.Is(err, page.ErrEnvelope):
		return &Fault{Code: PageScriptFailed, Message: "the page script gave no valid answer", Err: err}
	case errors.Is(err, router.ErrResultTimeout):
		return &Fault{Code: PageUnresponsive, Message: fmt.Sprintf("the page in tab %s did not answer", t.ID), Err: err}
	}
	return fromConnection(err)
}

// unresponsive looks whether Firefox as a whole still answers when a page does
// not: if it does, only the call ends; if not, it is Firefox that is silent.
func (t *turn) unresponsive(ctx context.Context, err error) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok || f.Code != PageUnresponsive {
		return err
	}
	if silent := t.pulse(ctx); silent != nil {
		return silent
	}
	return err
}

// pulse returns the fault for a Firefox that does not answer at all; its
// connection has then been given up, so that the next call gets a new one.
func (t *turn) pulse(ctx context.Context) error {
	return fromConnection(t.conn.Pulse(context.WithoutCancel(ctx), pulsePatience))
}

// pageFault makes a Fault of an error that the agent reported. Its codes are
// ours, but in the page's realm the page may have invented them.
func pageFault(e *page.Error) *Fault {
	code := Code(e.Code)
	switch code {
	case StaleElement, ElementNotFound, ElementNotInteractable, ElementCovered, InvalidSelector, InvalidArgument, UnsupportedElement,
		FillRejected, OptionNotFound, TargetReplaced, PageScriptFailed, DialogOpen, WaitTimeout,
		UploadTargetInvalid, UploadTransferFailed, UploadAssignmentFailed:
	case "too_late":
		return &Fault{Code: PageUnresponsive, Message: "the page answered too late, so nothing was done", Err: e}
	default:
		code = PageScriptFailed
	}
	return &Fault{Code: code, Message: outline.Clean(e.Message, 600), Err: e}
}
