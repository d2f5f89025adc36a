package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

func TestNoticeGoesWithTheNextAnswer(t *testing.T) {
	type content struct {
		URL    string `json:"url"`
		Notice string `json:"notice,omitempty"`
	}
	tests := map[string]struct {
		reply   Reply
		err     error
		text    string
		content string
		message string // of the fault
		taken   bool
	}{
		"reply":                {Reply{Text: "done", Structured: content{URL: "http://a/?b&c"}}, nil, "Note: replaced\ndone", `{"notice":"replaced","url":"http://a/?b&c"}`, "", true},
		"reply with a remark":  {Reply{Text: "done", Structured: content{Notice: "slow"}}, nil, "Note: replaced\ndone", `{"notice":"slow; replaced","url":""}`, "", true},
		"fault":                {Reply{}, session.Faultf(session.StaleElement, "e1 is gone"), "", "null", "e1 is gone; note: replaced", true},
		"fault of a cancelled": {Reply{}, errCancelled, "", "null", "the call was cancelled", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			left := "replaced"
			s := &Server{notice: func(context.Context) string { notice := left; left = ""; return notice }}
			reply, err := s.noticed(t.Context(), tt.reply, tt.err)
			raw, jsonErr := json.Marshal(reply.Structured)
			if jsonErr != nil {
				t.Fatal(jsonErr)
			}
			message := ""
			if err != nil {
				message = session.AsFault(err).Message
			}
			if reply.Text != tt.text || unescaped(raw) != tt.content || message != tt.message || (left == "") != tt.taken {
				t.Errorf("%q, %s, %q; left %q", reply.Text, raw, message, left)
			}
			if again, err := s.noticed(t.Context(), tt.reply, tt.err); tt.taken && (again.Text != tt.reply.Text || err != tt.err) { //nolint:errorlint // the very same
				t.Errorf("and again: %q, %v", again.Text, err)
			}
		})
	}
}

// unescaped undoes what json.Marshal does to an ampersand.
func unescaped(raw []byte) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSpace(out.String())
}
