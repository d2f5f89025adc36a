package session

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
	"firefox-rdp-mcp/session/page"
)

// FetchArgs say what page is to be read.
type FetchArgs struct {
	URL      string
	Selector string
	Budget   int
	Script   bool          // the page may run its scripts
	Timeout  time.Duration // 0 means the request time-out
}

// How long a page that was just loaded may take to show what it has.
const (
	parseTime  = 6 * time.Second        // for the rest of a page that has begun to come
	ripeTime   = 4 * time.Second        // to show what it is going to show
	loadTime   = 2 * time.Second        // of these for what it embeds
	framesTime = 500 * time.Millisecond // for news of the frames in it
)

// Fetch reads a page in a scratch tab, with the user's cookies, and closes the
// tab.
func (s *Session) Fetch(ctx context.Context, a FetchArgs) (*outline.SOM, error) {
	var som *outline.SOM
	err := s.inScratch(ctx, a, func(t *turn, got response) error {
		var err error
		som, err = t.fetched(ctx, a, got)
		return err
	})
	return som, err
}

// inScratch loads an address in a tab that lives for this, waits until the page
// shows what it is going to show, and lets look read it.
func (s *Session) inScratch(ctx context.Context, a FetchArgs, look func(*turn, response) error) error {
	address, err := s.CheckURL(a.URL)
	if err != nil {
		return err
	}
	t, err := s.openTab(ctx, lodging{scratch: true, script: a.Script && !s.cfg.NoJavaScript, towards: address})
	if err != nil {
		return err
	}
	defer t.end()
	defer t.discard(ctx)
	if err := t.visitPast(ctx, a); err != nil {
		return err
	}
	if err := t.foreign(ctx, t.top); err != nil {
		return err
	}
	if err := t.keepFiles(ctx); err != nil { // the page may be in another browsing context than the tab began with
		return err
	}
	got, err := t.ripen(ctx)
	if err != nil {
		return err
	}
	if got.Source.Kind != "html" { // the browser was told another type if it does not show this one
		got.Source = got.Source.As(t.traffic(ctx, false).Heard.Type)
	}
	return look(t, got)
}

// keepFiles has the browser save no files for the pages of a scratch tab, whatever
// they do: what it would download is no page, and it shows none.
func (t *turn) keepFiles(ctx context.Context) error {
	for range 3 {
		p, err := t.process(ctx, t.conn, t.top.ProcessID)
		if err != nil {
			return err
		}
		v, err := t.conn.Evaluate(ctx, p.console, router.Evaluation{Text: page.NoDownloads(t.top.InnerWindowID), URL: "firefox-rdp-mcp"})
		if err == nil && v.Text != page.Stale {
			return nil
		}
		if err := t.refresh(ctx); err != nil {
			return err
		}
		if err := t.ready(ctx); err != nil {
			return err
		}
	}
	return replaced("the tab that was just opened cannot be made ready")
}

// visitPast loads the address, and dismisses the questions that come in the way:
// nobody is there to answer them. A page that goes on coming is taken as far as it
// has come.
func (t *turn) visitPast(ctx context.Context, a FetchArgs) error {
	n, err := t.visit(ctx, OpenArgs{URL: a.URL, Wait: begun, Timeout: a.Timeout})
	const questions = 5
	for i := 0; err == nil; i++ {
		if n.Dialog != nil && i == questions {
			return Faultf(DialogOpen, "the page goes on asking questions")
		}
		if n.Dialog != nil {
			t.tell(ctx, asked{t.ID})
			var done struct{ Answered bool }
			if err := t.parent(ctx, t.conn, "answer", map[string]any{"browserId": t.browserID, "accept": false, "text": nil}, &done); err != nil {
				return err
			}
		}
		if n, err = t.parsed(ctx, a.URL); err == nil && n.Dialog == nil {
			return nil
		}
	}
	return err
}

// parsed waits until the page that has come is there as a whole, or for parseTime.
func (t *turn) parsed(ctx context.Context, address string) (*Navigation, error) {
	before := t.view
	before.top = nil // whatever there is now counts
	wait, cancel := context.WithTimeoutCause(ctx, parseTime, Faultf(NavigationTimeout, "the page goes on coming"))
	defer cancel()
	n, err := t.landed(ctx, wait, before, address, "dom")
	if err != nil && AsFault(err).Code == NavigationTimeout && t.top != nil {
		return &Navigation{Tab: t.ID}, nil
	}
	return n, err
}

// response is what is known of the answer that a page came with.
type response struct {
	Status      int            `json:"status"`    // HTTP, 0 if it is not known
	Redirects   int            `json:"redirects"` // within one origin
	Ready       string         `json:"ready"`     // document.readyState
	Quiet       bool           `json:"quiet"`     // nothing more was happening
	Frames      []int64        `json:"frames"`    // browsing contexts of the frames that are shown
	URL         string         `json:"-"`
	Title       string         `json:"-"`
	ContentType string         `json:"-"`
	Source      outline.Source `json:"-"`
}

// ripen waits until the page shows what it is going to show. Pages that move on
// by themselves are followed.
func (t *turn) ripen(ctx context.Context) (response, error) {
	end := time.Now().Add(ripeTime)
	for {
		var got response
		left := max(time.Until(end), 200*time.Millisecond)
		err := t.in(ctx, t.top, call{
			method: "ripen", await: true, limit: left + framePatience,
			args: map[string]any{"wait": left.Milliseconds(), "complete": loadTime.Milliseconds()},
		}, &got)
		if err == nil {
			if err = t.awaitFrames(ctx, got.Frames); err == nil {
				got, err = t.identify(ctx, got)
			}
		}
		if err == nil || AsFault(err).Code != TargetReplaced || !time.Now().Before(end) {
			return got, err
		}
		if err := t.refresh(ctx); err != nil {
			return got, err
		}
		if err := t.ready(ctx); err != nil {
			return got, err
		}
	}
}

// awaitFrames waits until Firefox has told of the documents in frames that are
// there: that may come a moment after the page.
func (t *turn) awaitFrames(ctx context.Context, frames []int64) error {
	ctx, cancel := context.WithTimeoutCause(ctx, framesTime, errSilent)
	defer cancel()
	err := t.refresh(ctx)
	for err == nil && slices.ContainsFunc(frames, func(context int64) bool { return t.frameIn(context) == nil }) {
		err = t.heed(ctx)
	}
	if errors.Is(err, errSilent) {
		return nil
	}
	return fromConnection(err)
}

// identify adds where the page is and what it is.
func (t *turn) identify(ctx context.Context, got response) (response, error) {
	p, err := t.probe(ctx, t.top)
	if err != nil {
		return got, err
	}
	got.URL, got.Title, got.ContentType = p.URL, p.Title, p.ContentType
	got.Source, err = t.source(ctx)
	return got, err
}

// source asks what the page is, if it is no web page.
func (t *turn) source(ctx context.Context) (outline.Source, error) {
	var raw json.RawMessage
	if err := t.in(ctx, t.top, call{method: "source", await: true}, &raw); err != nil {
		return outline.Source{}, err
	}
	src, err := outline.DecodeSource(raw)
	if err != nil {
		return src, &Fault{Code: PageScriptFailed, Message: "the page script's answer cannot be read", Err: err}
	}
	return src, nil
}

// fetched makes the model of the scratch tab's page. Its elements have ids that
// mean nothing to other tools: the page is about to be gone.
func (t *turn) fetched(ctx context.Context, a FetchArgs, got response) (*outline.SOM, error) {
	whole, err := t.model(ctx, a, got)
	if err != nil {
		return nil, err
	}
	whole.Name()
	whole.Meta.HTTPStatus, whole.Meta.Redirects = got.Status, got.Redirects
	whole.Warnings = append(whole.Warnings, got.warnings()...)
	return t.page(ctx, whole, a.Budget)
}

// model makes the whole model of the scratch tab's page.
func (t *turn) model(ctx context.Context, a FetchArgs, got response) (outline.SOM, error) {
	if got.Source.Kind != "html" {
		return got.Source.SOM(got.URL, got.Title), nil
	}
	args := t.walkArgs(outline.ViewFull)
	if a.Selector != "" {
		args["scope"] = a.Selector
	}
	snap, _, err := t.gather(ctx, t.top, args)
	if err == nil {
		return outline.BuildSOM(snap, t.extras(ctx, snap)), nil
	}
	empty, err := t.nothing(ctx, err, SOMArgs{Selector: a.Selector})
	if err != nil {
		return outline.SOM{}, err
	}
	return *empty, nil
}

// warnings say what is odd about the answer that a page came with.
func (r response) warnings() []string {
	var out []string
	if r.Status >= 400 {
		out = append(out, "the server answered with an error status; this is its error page")
	}
	switch {
	case readyNames[r.Ready] == loading:
		out = append(out, "the page was still coming in when it was read")
	case !r.Quiet:
		out = append(out, "the page was still changing when it was read")
	}
	return append(out, r.Source.Warnings()...)
}
