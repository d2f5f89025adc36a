package tools

import (
	"context"
	"fmt"
	"strings"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// foundResult is find_elements in structured content. Names and texts are the
// page's and not to be trusted.
type foundResult struct {
	TabID       string                 `json:"tab_id"`
	Generation  session.Generation     `json:"generation"`
	URL         string                 `json:"url"`
	Title       string                 `json:"title"`
	Found       int                    `json:"found"`
	Elements    []outline.FoundElement `json:"elements"`
	Documents   int                    `json:"documents_searched"`
	Lines       int                    `json:"lines_searched"`
	Unreachable []string               `json:"not_searched,omitempty"`
	OtherRoles  string                 `json:"other_roles,omitempty"`
	Hints       []string               `json:"hints,omitempty"`
	Untrusted   bool                   `json:"untrusted"`
}

func (h handlers) findElements(ctx context.Context, _ Call, in findElements) (Reply, error) {
	f, err := h.s.Find(ctx, session.FindArgs{Tab: in.tab(), Text: in.Text, Role: in.Role, Name: in.Name, Selector: in.Selector, Limit: in.Limit})
	if err != nil {
		return Reply{}, err
	}
	out := foundResult{
		TabID: string(f.Tab), Generation: f.Generation, URL: outline.Clean(f.URL, urlLimit), Title: outline.Clean(f.Title, titleLimit),
		Found: f.Total, Elements: f.Elements, Documents: f.Documents, Lines: f.Lines, Unreachable: f.Unreachable,
		OtherRoles: f.Others, Hints: hintsOf(f), Untrusted: true,
	}
	lines := []string{"Page: " + outline.Quote(f.Title, titleLimit), "URL: " + outline.ShownURL(f.URL), out.summary(in)}
	for _, hint := range out.Hints {
		lines = append(lines, "Hint: "+hint)
	}
	return Reply{Text: strings.Join(lines, "\n") + "\n" + f.Text, Structured: out}, nil
}

// summary says how many there are, of what, and what was looked at.
func (r foundResult) summary(in findElements) string {
	var what []string
	for _, c := range []struct{ name, value string }{{"text", in.Text}, {"role", in.Role}, {"name", in.Name}, {"selector", in.Selector}} {
		if c.value != "" {
			what = append(what, c.name+" "+outline.Quote(c.value, titleLimit))
		}
	}
	number := "nothing"
	switch {
	case len(r.Elements) < r.Found:
		number = fmt.Sprintf("%d, the first %d shown,", r.Found, len(r.Elements))
	case r.Found > 0:
		number = fmt.Sprint(r.Found)
	}
	documents := "1 document"
	if r.Documents != 1 {
		documents = fmt.Sprintf("%d documents", r.Documents)
	}
	return fmt.Sprintf("Found: %s for %s in %s, %d lines.", number, strings.Join(what, " and "), documents, r.Lines)
}

// hintsOf tells what a reader could not know of how far the search went.
func hintsOf(f *session.Found) []string {
	var hints []string
	say := func(when bool, text string) {
		if when {
			hints = append(hints, text)
		}
	}
	say(f.Others != "", "without the role there are: "+f.Others)
	say(f.Modal, "a modal dialog is open and hides the rest of the page, which was not searched")
	say(f.Stopped, "the page is too large: searching stopped before its end")
	say(f.Loading, "the page is still loading")
	say(len(f.Unreachable) > 0, "not searched: "+strings.Join(f.Unreachable, ", "))
	return hints
}
