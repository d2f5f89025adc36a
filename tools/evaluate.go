package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// evaluatedResult is evaluate in structured content. Result is the page's word.
type evaluatedResult struct {
	TabID     string          `json:"tab_id"`
	Type      string          `json:"type"`
	Result    json.RawMessage `json:"result,omitempty"`
	Truncated string          `json:"truncated,omitempty"` // the beginning of a result that is too long
	NotJSON   string          `json:"not_json,omitempty"`  // why result is only what the value says of itself
	Untrusted bool            `json:"untrusted"`
	Dialog    *dialogResult   `json:"dialog,omitempty"`
}

func (h handlers) evaluate(ctx context.Context, _ Call, in evaluate) (Reply, error) {
	v, err := h.s.Evaluate(ctx, session.EvaluateArgs{Tab: in.tab(), Expression: in.Expression, Timeout: milliseconds(in.TimeoutMS)})
	if err != nil {
		return Reply{}, err
	}
	out := evaluatedResult{TabID: string(v.Tab), Type: v.Kind, NotJSON: v.Why, Untrusted: true, Dialog: dialogOf(v.Dialog)}
	if out.Dialog != nil {
		return Reply{Text: "The script waits: " + out.Dialog.line(), Structured: out}, nil
	}
	text := fmt.Sprintf("Result in %s: %s", out.TabID, v.Kind)
	switch {
	case v.Cut:
		out.Truncated = v.JSON
		text += ", cut because it is too long"
	case v.JSON != "" && json.Valid([]byte(v.JSON)):
		out.Result = wellFormed(v.JSON)
	}
	if v.Why != "" {
		text += ", as the string that it gives of itself: it has no JSON (" + outline.Quote(v.Why, 200) + ")"
	}
	if v.JSON != "" {
		text += "\n" + outline.Fence(outline.CleanCode(v.JSON))
	}
	return Reply{Text: text, Structured: out}, nil
}

// wellFormed gives JSON without halves of surrogate pairs, which JavaScript lets
// through and other readers trip over.
func wellFormed(text string) json.RawMessage {
	if !strings.Contains(strings.ToLower(text), `\ud`) {
		return json.RawMessage(text)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	return json.RawMessage(outline.JSON(v))
}
