package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// statusResult is browser_status in structured content (A 10.1 and design 4).
type statusResult struct {
	Connected      bool                `json:"connected"`
	Host           string              `json:"host"`
	Port           int                 `json:"port"`
	SelectedTab    *tabResult          `json:"selected_tab"`
	Generation     *session.Generation `json:"generation"`
	UploadsEnabled bool                `json:"uploads_enabled"`
	Firefox        string              `json:"firefox_version,omitempty"`
	Link           linkResult          `json:"link"`
	Dialog         *dialogResult       `json:"dialog,omitempty"`

	Traffic   *trafficResult `json:"traffic,omitempty"`   // of the connection
	Before    *trafficResult `json:"before,omitempty"`    // of the one before, at its end
	Unmatched []packetResult `json:"unmatched,omitempty"` // the last packets that nobody waited for
}

// trafficResult is what passed over one connection, and what was not answered
// when it was looked at.
type trafficResult struct {
	Connection int      `json:"connection"`
	LivedMS    int64    `json:"lived_ms"`
	SinceInMS  int64    `json:"since_in_ms"`
	SinceOutMS int64    `json:"since_out_ms"`
	PacketsIn  int      `json:"packets_in"`
	PacketsOut int      `json:"packets_out"`
	BytesIn    int64    `json:"bytes_in"`
	BytesOut   int64    `json:"bytes_out"`
	Pending    []string `json:"pending,omitempty"`
	Cause      string   `json:"cause,omitempty"`
}

// packetResult is a packet without its contents.
type packetResult struct {
	AgoMS int64  `json:"ago_ms"`
	From  string `json:"from"`
	Type  string `json:"type,omitempty"`
	Error string `json:"error,omitempty"`
	Bytes int    `json:"bytes"`
}

// mostListed bounds the packets and requests that are listed one by one.
const mostListed = 20

// traffic fills in what was asked for with verbose.
func (r *statusResult) traffic(st *session.Status) {
	for _, t := range []struct {
		from *session.Traffic
		to   **trafficResult
	}{{st.Stats, &r.Traffic}, {st.Before, &r.Before}} {
		s := t.from
		if s == nil {
			continue
		}
		out := &trafficResult{
			Connection: s.Epoch, LivedMS: s.Lived.Milliseconds(), SinceInMS: s.SinceIn.Milliseconds(), SinceOutMS: s.SinceOut.Milliseconds(),
			PacketsIn: s.PacketsIn, PacketsOut: s.PacketsOut, BytesIn: s.BytesIn, BytesOut: s.BytesOut,
		}
		if s.Cause != nil {
			out.Cause = outline.Clean(s.Cause.Error(), 300)
		}
		for _, p := range s.Pending[:min(len(s.Pending), mostListed)] {
			out.Pending = append(out.Pending, outline.Clean(p.String(), 200))
		}
		*t.to = out
	}
	for _, u := range st.Unmatched[max(0, len(st.Unmatched)-mostListed):] {
		r.Unmatched = append(r.Unmatched, packetResult{
			AgoMS: time.Since(u.At).Milliseconds(), From: outline.Clean(u.From, 100), Type: outline.Clean(u.Type, 60), Error: outline.Clean(u.Error, 60), Bytes: u.Bytes,
		})
	}
}

// line tells the same in one line.
func (t *trafficResult) line() string {
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	line := fmt.Sprintf("lived %v; %d packets in (%d bytes, the last %v ago), %d out (%d bytes, the last %v ago)",
		ms(t.LivedMS), t.PacketsIn, t.BytesIn, ms(t.SinceInMS), t.PacketsOut, t.BytesOut, ms(t.SinceOutMS))
	if t.Cause != "" {
		line += "; ended by: " + t.Cause
	}
	if len(t.Pending) > 0 {
		line += "; not answered: " + strings.Join(t.Pending, " | ")
	}
	return fmt.Sprintf("Connection %d: %s", t.Connection, line)
}

// linkResult is how the connection does.
type linkResult struct {
	State      string `json:"state"` // connected, connecting or down
	Attempt    int    `json:"attempt,omitempty"`
	Connection int    `json:"connection,omitempty"` // its number since the start
	LivedMS    int64  `json:"lived_ms,omitempty"`
	LastCause  string `json:"last_cause,omitempty"`
}

// dialogResult is a dialog of a page.
type dialogResult struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"` // the page's
	Value string `json:"value,omitempty"`
}

func dialogOf(d *session.Dialog) *dialogResult {
	if d == nil {
		return nil
	}
	return &dialogResult{Kind: outline.Clean(d.Kind, 20), Text: outline.Clean(d.Text, 300), Value: outline.Clean(d.Value, 200)}
}

// line says that a dialog is open and what to do.
func (d *dialogResult) line() string {
	return fmt.Sprintf("Dialog: the page shows a %s %s (untrusted text); answer it with handle_dialog", d.Kind, outline.Quote(d.Text, 300))
}

func (h handlers) status(ctx context.Context, _ Call, in browserStatus) (Reply, error) {
	st, err := h.s.Status(ctx, in.Verbose)
	if err != nil {
		return Reply{}, err
	}
	out := statusResult{
		Connected: st.Connected, Host: st.Host, Port: st.Port, Generation: st.Generation, UploadsEnabled: true,
		Firefox: outline.Clean(st.Firefox, 40), Dialog: dialogOf(st.Dialog),
		Link: linkResult{State: "down", Attempt: st.Attempt, Connection: st.Epoch, LivedMS: st.Lived.Milliseconds(), LastCause: outline.Clean(st.Cause, 600)},
	}
	switch {
	case st.Connected:
		out.Link.State = "connected"
	case st.Stage != "":
		out.Link.State = "connecting"
	}
	if st.Selected != nil {
		tab := tabOf(*st.Selected, st.Selected.ID)
		out.SelectedTab = &tab
	}
	out.traffic(st)
	return Reply{Text: out.text(), Structured: out}, nil
}

func (r statusResult) text() string {
	var lines []string
	if r.Connected {
		lines = append(lines, fmt.Sprintf("Connected to Firefox %s at %s:%d for %v.", r.Firefox, r.Host, r.Port, time.Duration(r.Link.LivedMS)*time.Millisecond))
	} else {
		lines = append(lines, fmt.Sprintf("Not connected to Firefox at %s:%d: %s", r.Host, r.Port, r.Link.LastCause))
	}
	switch {
	case r.SelectedTab != nil:
		lines = append(lines, fmt.Sprintf("Selected tab, generation %d: %s", *r.Generation, r.SelectedTab.line()))
	case r.Connected:
		lines = append(lines, "No tab is selected.")
	}
	if r.Connected && r.Link.LastCause != "" {
		lines = append(lines, "The connection before ended: "+r.Link.LastCause)
	}
	if r.Dialog != nil {
		lines = append(lines, r.Dialog.line())
	}
	for _, t := range []*trafficResult{r.Traffic, r.Before} {
		if t != nil {
			lines = append(lines, t.line())
		}
	}
	for _, u := range r.Unmatched {
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprintf("Unmatched packet %d ms ago: from %s %s %s %d bytes", u.AgoMS, u.From, u.Type, u.Error, u.Bytes)), " "))
	}
	return strings.Join(lines, "\n")
}
