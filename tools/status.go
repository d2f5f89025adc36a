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
	Notice         string              `json:"notice,omitempty"`
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

func (h handlers) status(ctx context.Context, _ Call, _ nothing) (Reply, error) {
	st, err := h.s.Status(ctx, false)
	if err != nil {
		return Reply{}, err
	}
	out := statusResult{
		Connected: st.Connected, Host: st.Host, Port: st.Port, Generation: st.Generation, UploadsEnabled: true,
		Firefox: outline.Clean(st.Firefox, 40), Dialog: dialogOf(st.Dialog), Notice: st.Notice,
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
	return strings.Join(lines, "\n")
}
