package tools

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// networkResult is the list of requests in structured content.
type networkResult struct {
	TabID     string          `json:"tab_id"`
	Requests  []requestResult `json:"requests"`
	Matching  int             `json:"matching"`
	Kept      int             `json:"kept"`
	Lost      int             `json:"lost,omitempty"`
	Since     time.Time       `json:"watched_since"`
	Untrusted bool            `json:"untrusted"`
}

// requestResult is one request. Sizes are bytes.
type requestResult struct {
	ID          string    `json:"id"`
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	Type        string    `json:"type"`
	MIME        string    `json:"mime,omitempty"`
	Status      int       `json:"status,omitempty"`
	State       string    `json:"state"` // pending, done or failed
	Reason      string    `json:"reason,omitempty"`
	Cached      bool      `json:"cached,omitempty"`
	Size        *int64    `json:"size,omitempty"`
	Transferred *int64    `json:"transferred,omitempty"`
	DurationMS  float64   `json:"duration_ms"`
	Started     time.Time `json:"started"`
}

func requestOf(r *session.NetworkRequest) requestResult {
	out := requestResult{
		ID: r.ID, Method: r.Method, URL: outline.Clean(r.URL, 2*urlLimit), Type: r.Type, MIME: r.MIME, Status: r.Status, State: "pending", Reason: r.Reason,
		Cached: r.Cached, DurationMS: float64(r.Duration) / float64(time.Millisecond), Started: r.Started.UTC(),
	}
	switch {
	case r.Failed:
		out.State = "failed"
	case r.Done:
		out.State = "done"
	}
	if r.Size >= 0 {
		out.Size = &r.Size
	}
	if r.Transferred >= 0 {
		out.Transferred = &r.Transferred
	}
	return out
}

// plainWord is what may stand in a line without quotes.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_./+-]*$`)

// asWord gives a word of Firefox's or the page's as it may stand in a line.
func asWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return outline.Quote(s, 80)
}

// line is the request as a line of text: n7 POST 200 fetch application/json 11 B 1 ms https://….
func (r requestResult) line() string {
	words := []string{r.ID, asWord(r.Method)}
	switch {
	case r.Status > 0:
		words = append(words, fmt.Sprint(r.Status))
	case r.State == "pending":
		words = append(words, "pending")
	}
	if r.State == "failed" {
		words = append(words, "failed")
		if r.Reason != "" {
			words = append(words, "("+asWord(r.Reason)+")")
		}
	}
	for _, w := range []string{r.Type, r.MIME} {
		if w != "" {
			words = append(words, asWord(w))
		}
	}
	if r.Size != nil {
		words = append(words, fmt.Sprintf("%d B", *r.Size))
	}
	if r.State == "done" {
		words = append(words, fmt.Sprintf("%.0f ms", r.DurationMS))
	}
	if r.Cached {
		words = append(words, "cached")
	}
	return strings.Join(append(words, outline.ShownURL(r.URL)), " ")
}

func (h handlers) networkRequests(ctx context.Context, _ Call, in listNetworkRequests) (Reply, error) {
	n, err := h.s.Network(ctx, session.NetworkArgs{Tab: in.tab(), Filter: in.Filter, Status: in.Status, Limit: in.Limit, Clear: in.Clear})
	if err != nil {
		return Reply{}, err
	}
	out := networkResult{
		TabID: string(n.Tab), Requests: make([]requestResult, len(n.Requests)), Matching: n.Matching, Kept: n.Kept, Lost: n.Lost,
		Since: n.Since.UTC(), Untrusted: true,
	}
	var lines []string
	for i := range n.Requests {
		out.Requests[i] = requestOf(&n.Requests[i])
		lines = append(lines, out.Requests[i].line())
	}
	head := fmt.Sprintf("Network of %s: %s", out.TabID, shownOf(len(n.Requests), n.Matching, "request"))
	text := listing(head, span{n.Since, n.Fresh, n.Lost, in.Clear}, lines)
	if n.Fresh {
		text += "\nEarlier requests are not known; reload the page to see them."
	}
	return Reply{Text: text, Structured: out}, nil
}

// exchangeResult is one request with its headers and body.
type exchangeResult struct {
	requestResult

	TabID     string           `json:"tab_id"`
	Request   []session.Header `json:"request_headers"`
	Response  []session.Header `json:"response_headers"`
	Body      string           `json:"body,omitempty"`
	BodyNote  string           `json:"body_note,omitempty"`
	Gone      bool             `json:"details_gone,omitempty"`
	Untrusted bool             `json:"untrusted"`
}

func (h handlers) networkRequest(ctx context.Context, _ Call, in getNetworkRequest) (Reply, error) {
	x, err := h.s.Request(ctx, session.RequestArgs{Tab: in.tab(), ID: in.ID, Body: in.Body})
	if err != nil {
		return Reply{}, err
	}
	out := exchangeResult{
		requestResult: requestOf(&x.NetworkRequest), TabID: string(x.Tab), Request: x.Request, Response: x.Response,
		Body: x.Body, BodyNote: x.BodyNote, Gone: x.Gone, Untrusted: true,
	}
	return Reply{Text: out.text(in.Body), Structured: out}, nil
}

func (r exchangeResult) text(body bool) string {
	head := fmt.Sprintf("Request %s of %s. Credentials are hidden.", r.ID, r.TabID)
	if r.Gone {
		head += " Firefox has let go of its details, as it does when the page is left."
	}
	if r.BodyNote != "" {
		head += " Body: " + r.BodyNote + "."
	}
	lines := []string{r.line()}
	for _, side := range []struct {
		name    string
		headers []session.Header
	}{{"request", r.Request}, {"response", r.Response}} {
		for _, h := range side.headers {
			lines = append(lines, side.name+" header "+asWord(h.Name)+": "+outline.Quote(h.Value, titleLimit*3))
		}
	}
	if body && r.Body != "" {
		lines = append(lines, "body:", outline.Quotation(r.Body))
	}
	return head + "\n" + outline.Fence(strings.Join(lines, "\n"))
}
