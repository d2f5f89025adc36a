package outline

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Source is a document that is no web page and that Firefox shows in a viewer of its own: plain text, JSON, XML, a
// picture, a PDF.
type Source struct {
	Kind          string // html for all that is a page
	Type          string // media type
	Text          string // as it came, clean
	More          bool   // the text is not the whole
	Pages         int    // of a PDF
	Width, Height int    // of a picture
}

// DecodeSource reads the value that an agent's method "source" gave.
func DecodeSource(raw []byte) (Source, error) {
	var w struct {
		Kind, Type, Text     string
		More                 truth
		Pages, Width, Height int
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Source{}, fmt.Errorf("decode source: %w", err)
	}
	return Source{word(w.Kind), contentType(w.Type), cleanCode(w.Text), bool(w.More), count(w.Pages), count(w.Width), count(w.Height)}, nil
}

// As gives the source with the media type that it came with, where the browser was told another.
func (s Source) As(mediaType string) Source {
	if t := contentType(mediaType); t != "" {
		s.Type = t
	}
	return s
}

// Warnings say what is odd about a source beside a web page.
func (s Source) Warnings() []string {
	if s.Kind == "" || s.Kind == "html" {
		return nil
	}
	out := []string{"this is no web page: " + s.Type}
	switch {
	case s.Kind == "pdf" && s.Text == "":
		out = append(out, "the PDF has no text that can be read; a screenshot of a page opened with open_page may show it")
	case s.Kind == "image" || s.Kind == "media":
		out = append(out, "there is no text in it; open_page and screenshot show it")
	}
	return out
}

// sourcePiece is how long the pieces are, in bytes, that a source is cut into.
const sourcePiece = 1500

// SOM makes a model of the source: one region of pieces, cut between lines where possible.
func (s Source) SOM(url, title string) SOM {
	out := SOM{Version: SOMVersion, URL: ShownURL(url), Title: Clean(title, nameLimit), Untrusted: Untrusted, Regions: []SOMRegion{}}
	r := SOMRegion{ID: "r_content", Role: "content"}
	role := "code"
	switch s.Kind {
	case "text", "pdf":
		role = "paragraph"
	case "image":
		r.Elements = append(r.Elements, SOMElement{Role: "image", Attrs: map[string]any{"src": out.URL, "width": s.Width, "height": s.Height}})
	}
	for text := s.Text; text != ""; {
		piece := cutPiece(text)
		r.Elements = append(r.Elements, SOMElement{Role: role, Text: strings.Trim(piece, "\n")})
		text = text[len(piece):]
	}
	if len(r.Elements) > 0 {
		out.Regions = append(out.Regions, r)
	}
	out.Meta = SOMMeta{HTMLBytes: len(s.Text), ElementCount: len(r.Elements), Complete: !s.More}
	return out
}

// cutPiece gives the beginning of a text up to an empty line, a line's end or a character, whichever fits first.
func cutPiece(text string) string {
	if len(text) <= sourcePiece {
		return text
	}
	for _, end := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(text[:sourcePiece], end); at > sourcePiece/3 {
			return text[:at+len(end)]
		}
	}
	at := sourcePiece
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return text[:at]
}

// Prose makes a text of the source that can be rendered like that of a page.
func (s Source) Prose(url, title string) Prose {
	p := Prose{URL: url, Title: title, ContentType: s.Type, Part: "whole", Matched: 1, More: s.More, Ready: "complete"}
	if s.Text != "" {
		p.Blocks = []Block{{Kind: Raw, Text: s.Text}}
	}
	return p
}
