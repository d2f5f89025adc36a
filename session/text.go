package session

import (
	"context"
	"encoding/json"
	"time"

	"firefox-rdp-mcp/session/outline"
)

// TextArgs say whose text is wanted: a tab's, or that of an address when URL is
// not empty.
type TextArgs struct {
	Tab      TabID
	URL      string
	Selector string // CSS: only what is in the elements that it matches
	Whole    bool   // with everything around the main part
	Links    bool   // with the addresses behind links
	MaxChars int    // code points; 0 means no limit but the largest answer
}

// Text is what a person would read on a page.
type Text struct {
	outline.ProseText

	Tab      TabID // "" when the page was fetched for this
	URL      string
	Title    string
	Lang     string
	Part     string
	Warnings []string
}

// maxExtract bounds the text of a page, in UTF-16 units and in code points: with
// all its escapes it still fits into one answer.
const maxExtract = 1 << 20

// Text reads a page in reading order.
func (s *Session) Text(ctx context.Context, a TextArgs) (*Text, error) {
	if a.MaxChars <= 0 || a.MaxChars > maxExtract {
		a.MaxChars = maxExtract
	}
	if a.URL != "" {
		return s.textOf(ctx, a)
	}
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	return t.text(ctx, a)
}

// textOf reads an address in a scratch tab.
func (s *Session) textOf(ctx context.Context, a TextArgs) (*Text, error) {
	var text *Text
	err := s.inScratch(ctx, FetchArgs{URL: a.URL, Script: true}, func(t *turn, got response) error {
		var err error
		if got.Source.Kind != "html" {
			text = t.told(got.Source.Prose(got.URL, got.Title), a)
		} else if text, err = t.text(ctx, a); err != nil {
			return err
		}
		text.Tab, text.Warnings = "", append(text.Warnings, got.warnings()...)
		return nil
	})
	return text, err
}

// text reads the tab's page and the frames in it.
func (t *turn) text(ctx context.Context, a TextArgs) (*Text, error) {
	args := map[string]any{"whole": a.Whole, "links": a.Links, "limit": maxExtract}
	if a.Selector != "" {
		args["scope"] = a.Selector
	}
	root, err := t.prose(ctx, t.top, args, 0)
	if err != nil {
		return nil, err
	}
	if !isPage(root.ContentType) {
		src, err := t.source(ctx)
		if err == nil && src.Kind != "html" {
			return t.told(src.Prose(root.URL, root.Title), a), nil
		}
	}
	delete(args, "scope")
	args["whole"] = true // of a frame that is in what was asked for, everything counts
	whole := outline.MergeProse(*root, func(context int64) (outline.Prose, bool) {
		d := t.frameIn(context)
		if d == nil || t.foreign(ctx, d) != nil {
			return outline.Prose{}, false
		}
		p, err := t.prose(ctx, d, args, framePatience)
		if err != nil {
			return outline.Prose{}, false
		}
		return *p, true
	})
	return t.told(whole, a), nil
}

// isPage reports whether a media type is that of a web page.
func isPage(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml" || mediaType == "image/svg+xml"
}

// told writes the text and says what is odd about it.
func (t *turn) told(whole outline.Prose, a TextArgs) *Text {
	out := &Text{
		ProseText: outline.RenderProse(whole, a.MaxChars), Tab: t.ID, URL: whole.URL, Title: whole.Title, Lang: whole.Lang, Part: whole.Part,
	}
	switch {
	case a.Selector != "" && whole.Matched == 0:
		out.Warnings = append(out.Warnings, "the selector matches nothing on this page")
	case out.Text == "":
		out.Warnings = append(out.Warnings, "there is no text to read; a screenshot may show more")
	}
	if whole.Ready == "loading" {
		out.Warnings = append(out.Warnings, "the page is still loading")
	}
	return out
}

// prose asks a document's agent for its text.
func (t *turn) prose(ctx context.Context, d *document, args map[string]any, limit time.Duration) (*outline.Prose, error) {
	var raw json.RawMessage
	if err := t.in(ctx, d, call{method: "extract", args: args, limit: limit}, &raw); err != nil {
		return nil, err
	}
	p, err := outline.DecodeProse(raw)
	if err != nil {
		return nil, &Fault{Code: PageScriptFailed, Message: "the page script's answer cannot be read", Err: err}
	}
	return &p, nil
}
