package tools

import (
	"context"
	"fmt"
	"strings"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// shotResult is screenshot in structured content; the picture itself comes as an
// image.
type shotResult struct {
	TabID    string   `json:"tab_id"`
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	MIMEType string   `json:"mime_type"`
	Width    int      `json:"width"`
	Height   int      `json:"height"`
	Bytes    int      `json:"bytes"`
	SavedTo  string   `json:"saved_to,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

func (h handlers) screenshot(ctx context.Context, _ Call, in screenshot) (Reply, error) {
	s, err := h.s.Screenshot(ctx, session.ShotArgs{
		Tab: in.tab(), Element: session.Ref(in.Element), FullPage: in.FullPage, Format: in.Format, Quality: in.Quality, MaxWidth: in.MaxWidth, SaveTo: in.SaveTo,
	})
	if err != nil {
		return Reply{}, err
	}
	out := shotResult{
		TabID: string(s.Tab), URL: outline.Clean(s.URL, urlLimit), Title: outline.Clean(s.Title, titleLimit), MIMEType: s.MIME,
		Width: s.Width, Height: s.Height, Bytes: s.Bytes, SavedTo: s.Path, Warnings: s.Warnings,
	}
	lines := []string{fmt.Sprintf("Screenshot of %s %s %s: %d x %d pixels, %s, %d bytes.", out.TabID, outline.Quote(out.Title, titleLimit), outline.ShownURL(out.URL), out.Width, out.Height, out.MIMEType, out.Bytes)}
	if out.SavedTo != "" {
		lines = append(lines, "Saved to "+outline.Quote(out.SavedTo, urlLimit)+".")
	}
	for _, w := range out.Warnings {
		lines = append(lines, "Warning: "+w)
	}
	reply := Reply{Text: strings.Join(lines, "\n"), Structured: out}
	if s.Data != nil {
		reply.Images = []Image{{MIMEType: s.MIME, Data: s.Data}}
	}
	return reply, nil
}
