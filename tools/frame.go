package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"firefox-rdp-mcp/session"
)

// maxFrame bounds one line of output, in bytes. The official Node client breaks
// at 10 MiB.
const maxFrame = 10<<20 - 1

// frameOf writes a message as one line. A result that is too large for clients
// becomes a tool error, so that the call still has its answer.
func frameOf(msg jsonrpc.Message) ([]byte, error) {
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return nil, fmt.Errorf("encode a message: %w", err)
	}
	answer, isAnswer := msg.(*jsonrpc.Response)
	if isAnswer && len(line) >= maxFrame {
		large := faultResult(session.Faultf(session.Internal, "the answer has %d bytes, more than clients accept; ask for less", len(line)))
		if line, err = jsonrpc.EncodeMessage(resultAnswer(answer.ID, large)); err != nil {
			return nil, fmt.Errorf("encode a message: %w", err)
		}
	}
	return append(line, '\n'), nil
}

// frame writes the refusal as one line. Its id is there even when it is null, as
// JSON-RPC asks; the SDK's encoder would leave it out.
func (r *refusal) frame() []byte {
	type wireError struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	line, err := json.Marshal(struct {
		Version string    `json:"jsonrpc"`
		ID      any       `json:"id"`
		Error   wireError `json:"error"`
	}{"2.0", r.id.Raw(), wireError{r.code, r.message}})
	if err != nil {
		panic("tools: a refusal cannot be marshalled: " + err.Error())
	}
	return append(line, '\n')
}

// resultAnswer answers with a result that marshals by construction.
func resultAnswer(id jsonrpc.ID, result any) *jsonrpc.Response {
	raw, err := json.Marshal(result)
	if err != nil {
		panic("tools: a result cannot be marshalled: " + err.Error())
	}
	return &jsonrpc.Response{ID: id, Result: raw}
}

// cancelledAnswer answers a tool call whose handler did not.
func cancelledAnswer(id jsonrpc.ID, why *session.Fault) *jsonrpc.Response {
	return resultAnswer(id, faultResult(why))
}

// isNotification reports whether a method is one of those that take no id.
func isNotification(method string) bool { return strings.HasPrefix(method, "notifications/") }

// clip cuts s after at most n bytes, between characters, and marks the cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
