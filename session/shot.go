package session

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
)

// ShotArgs say of what a picture is wanted.
type ShotArgs struct {
	Tab      TabID
	Element  Ref  // "" for the page
	FullPage bool // not only what is in view
	Format   string
	Quality  int    // of jpeg, 1 to 100
	MaxWidth int    // pixels; wider is scaled down
	SaveTo   string // absolute path of a file that is not there yet; "" to get the picture
}

// Shot is a picture of a page.
type Shot struct {
	Tab      TabID
	URL      string
	Title    string
	MIME     string
	Data     []byte // nil when it was saved
	Bytes    int
	Width    int // pixels
	Height   int
	Path     string // where it was saved
	Warnings []string
}

// Bounds of pictures. Models see nothing more in larger ones.
const (
	usualWidth  = 1568
	shotBytes   = 1 << 20 // of a picture in an answer
	askedBytes  = 5 << 20 // the same when the caller wanted it wider than usual
	shotHeight  = 8000    // pixels of a picture in an answer
	savedHeight = 30_000  // of one that is saved; Firefox draws no higher
	shotArea    = 24 << 20
)

// rect is a part of a document in CSS pixels.
type rect struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Screenshot takes a picture. The tab need not be in front.
func (s *Session) Screenshot(ctx context.Context, a ShotArgs) (*Shot, error) {
	if a.MaxWidth == 0 {
		a.MaxWidth = usualWidth
	}
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	out := &Shot{Tab: t.ID}
	d, part, err := t.measure(ctx, a)
	if err != nil {
		return nil, err
	}
	raw, err := t.capture(ctx, d, part, a, out)
	if err != nil && AsFault(err).Code != PageScriptFailed {
		return nil, err
	}
	// Firefox shows whatever the frame held at that moment, or nothing if its process died.
	if lost := t.refresh(ctx); lost != nil {
		return nil, lost
	}
	if d.ctx.Err() != nil {
		return nil, replaced("the page was replaced while the picture was taken")
	}
	if err != nil {
		return nil, err
	}
	if p, err := t.probe(ctx, t.top); err == nil {
		out.URL, out.Title = p.URL, p.Title
	}
	if err := out.finish(raw, a, s.cfg.Upload.Roots); err != nil {
		return nil, err
	}
	return out, nil
}

// measure finds the part of a document that is to be in the picture.
func (t *turn) measure(ctx context.Context, a ShotArgs) (*document, rect, error) {
	d, args := t.top, map[string]any{}
	if a.Element != "" {
		doc, loc, err := t.locate(ctx, a.Element)
		if err != nil {
			return nil, rect{}, err
		}
		d, args = doc, loc.expectation()
	}
	var got struct {
		View, Page rect
		Element    *rect
	}
	if err := t.in(ctx, d, call{method: "shot", args: args}, &got); err != nil {
		return nil, rect{}, err
	}
	switch {
	case got.Element != nil:
		return d, *got.Element, nil
	case a.FullPage:
		return d, got.Page, nil
	}
	return d, got.View, nil
}

// capture lets Firefox draw a part of a document as PNG.
func (t *turn) capture(ctx context.Context, d *document, part rect, a ShotArgs, out *Shot) ([]byte, error) {
	start := time.Now()
	part, scale := within(part, a, out)
	actor, err := t.screenshotActor(ctx)
	if err != nil {
		return nil, err
	}
	what := map[string]any{"browsingContextID": d.BrowsingContextID, "rect": part, "fullpage": a.FullPage, "snapshotScale": scale, "disableFlash": true}
	if a.Element == "" && !a.FullPage {
		what["rect"] = nil // the view as it is, with what stands fast in it
	}
	late := Faultf(PageUnresponsive, "the page in tab %s has not let itself be drawn for %v", t.ID, t.cfg.patience())
	slow, cancel := context.WithTimeoutCause(ctx, t.cfg.patience(), late) // large pages take long
	defer cancel()
	p, err := t.conn.DoInPage(slow, actor, "capture", map[string]any{"args": what})
	if err != nil {
		return nil, t.unresponsive(ctx, fromConnection(err))
	}
	var picture struct {
		Value struct {
			Data string `json:"data"`
		} `json:"value"`
	}
	if err := p.Decode(&picture); err != nil {
		return nil, &Fault{Code: RDPProtocolError, Message: "firefox gave no picture", Err: err}
	}
	text, ok := strings.CutPrefix(picture.Value.Data, "data:image/png;base64,")
	raw, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil {
		return nil, &Fault{Code: PageScriptFailed, Message: "firefox could not draw the page", Err: err}
	}
	t.step(ctx, "picture taken", slog.Int("bytes", len(raw)), dur(start))
	return raw, nil
}

// within cuts a part to what can be drawn, and gives the scale that makes it as
// wide as wanted. It notes in the picture what it did.
func within(part rect, a ShotArgs, out *Shot) (rect, float64) {
	part.Left, part.Top = math.Floor(part.Left), math.Floor(part.Top)
	part.Width, part.Height = max(math.Ceil(part.Width), 1), max(math.Ceil(part.Height), 1)
	if part.Width > savedHeight {
		out.Warnings = append(out.Warnings, fmt.Sprintf("cut at %d pixels of width", savedHeight))
		part.Width = savedHeight
	}
	scale := min(1, float64(a.MaxWidth)/part.Width)
	highest := float64(shotHeight)
	if a.SaveTo != "" {
		highest = savedHeight
	}
	highest = min(highest, shotArea/(part.Width*scale)) / scale
	if part.Height > highest {
		what := "page"
		if a.Element != "" {
			what = "element"
		}
		out.Warnings = append(out.Warnings, fmt.Sprintf("the %s is %.0f CSS pixels high; the picture shows the first %.0f", what, part.Height, highest))
		part.Height = math.Floor(highest)
	}
	if scale < 1 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("scaled to %.0f%% to be at most %d pixels wide", 100*scale, a.MaxWidth))
	}
	return part, scale
}

// screenshotActor asks root for the actor that draws.
func (t *turn) screenshotActor(ctx context.Context) (router.ActorID, error) {
	p, err := t.conn.Do(ctx, router.Root, "getRoot", nil)
	if err != nil {
		return "", fromConnection(err)
	}
	var root struct {
		Actor router.ActorID `json:"screenshotActor"`
	}
	if err := p.Decode(&root); err != nil || root.Actor == "" {
		return "", &Fault{Code: RDPProtocolError, Message: "firefox gave no screenshot actor", Err: err}
	}
	return root.Actor, nil
}
