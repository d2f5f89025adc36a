package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The error codes of JSON-RPC, short enough to read in a table.
const (
	codeParse          = jsonrpc.CodeParseError
	codeInvalidRequest = jsonrpc.CodeInvalidRequest
	codeNoMethod       = jsonrpc.CodeMethodNotFound
	codeInvalidParams  = jsonrpc.CodeInvalidParams
	codeInternal       = jsonrpc.CodeInternalError
)

// The methods that mean something to the transport itself.
const (
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodListTools  = "tools/list"
	methodCallTool   = "tools/call"
	methodCancelled  = "notifications/cancelled"
)

// maxID is the largest integer that every JSON implementation keeps exactly.
const maxID = 1<<53 - 1

// noID stands for the id of a request that has none, or none that can be told.
var noID jsonrpc.ID

// arrival is one line of input after the checks that need no memory of other
// lines. Exactly one of request, refusal, dropped and end is set.
type arrival struct {
	request *jsonrpc.Request
	cancels jsonrpc.ID // beside request: the call that a cancellation names, if it names one
	refusal *refusal
	dropped string // why nobody will hear of this line; a constant phrase for the log
	end     error  // io.EOF, or what else ended the input
}

// refusal is an error answer that the transport gives by itself.
type refusal struct {
	id      jsonrpc.ID // noID is written as null
	code    int64
	message string
}

func refuse(id jsonrpc.ID, code int64, message string) arrival {
	return arrival{refusal: &refusal{id: id, code: code, message: message}}
}

// check applies the rules for one message, in their order: strict UTF-8, not
// blank, one JSON value, an object, then its members.
func check(line []byte) arrival {
	if !utf8.Valid(line) {
		return refuse(noID, codeParse, "parse error: not UTF-8")
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return refuse(noID, codeParse, "parse error: empty line")
	}
	var members map[string]json.RawMessage
	err := json.Unmarshal(line, &members)
	if _, mistyped := errors.AsType[*json.UnmarshalTypeError](err); mistyped || err == nil && members == nil {
		return refuse(noID, codeInvalidRequest, "invalid request: not a JSON object; batches are not part of MCP")
	}
	if err != nil {
		return refuse(noID, codeParse, "parse error: not one JSON value")
	}
	return checkMembers(members)
}

// checkMembers tells requests, notifications and responses apart. Without an id
// nobody can be answered, so a bad notification is dropped.
func checkMembers(members map[string]json.RawMessage) arrival {
	rawID, hasID := members["id"]
	_, hasMethod := members["method"]
	_, hasResult := members["result"]
	_, hasError := members["error"]
	if !hasMethod && (hasResult || hasError) {
		return arrival{dropped: "response that nobody asked for"}
	}
	if !hasMethod && !hasID {
		return refuse(noID, codeInvalidRequest, "invalid request: neither a method nor an id")
	}
	id, ok := parseID(rawID)
	if hasID && !ok {
		return refuse(noID, codeInvalidRequest, "invalid request: the id must be a string or an integer within 2^53")
	}
	req, problem := parseRequest(members)
	switch {
	case problem != "" && hasID:
		return refuse(id, codeInvalidRequest, "invalid request: "+problem)
	case problem != "":
		return arrival{dropped: "malformed notification"}
	case hasID:
		req.ID = id
		req.Extra = callLabel(id)
		return arrival{request: req}
	case req.Method == methodCancelled:
		return checkCancellation(req)
	default:
		return arrival{request: req}
	}
}

// parseRequest makes a request of the members other than the id, or says what is
// wrong with them. Building it here and not with jsonrpc.DecodeMessage keeps one
// parser in charge: of repeated members everyone sees the same one.
func parseRequest(members map[string]json.RawMessage) (*jsonrpc.Request, string) {
	if v, ok := parseString(members["jsonrpc"]); !ok || v != "2.0" {
		return nil, `"jsonrpc" must be "2.0"`
	}
	method, ok := parseString(members["method"])
	if !ok {
		return nil, "the method must be a string"
	}
	params, hasParams := members["params"]
	if hasParams && params[0] != '{' {
		return nil, "the params must be an object"
	}
	return &jsonrpc.Request{Method: method, Params: params}, ""
}

// checkCancellation reads which call is meant. What names no valid id is dropped
// here, because the SDK would round 5.5 to 5 and cancel that call.
func checkCancellation(req *jsonrpc.Request) arrival {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(req.Params, &params) != nil {
		return arrival{dropped: "malformed notification"}
	}
	id, ok := parseID(params.RequestID)
	if !ok {
		return arrival{dropped: "cancellation without a valid id"}
	}
	return arrival{request: cancellation(id, "cancelled by the client"), cancels: id}
}

// cancellation is the notification that makes the SDK cancel a request.
func cancellation(id jsonrpc.ID, reason string) *jsonrpc.Request {
	params, err := json.Marshal(map[string]any{"requestId": id.Raw(), "reason": reason})
	if err != nil {
		panic("tools: an id that was parsed cannot be marshalled: " + err.Error())
	}
	return &jsonrpc.Request{Method: methodCancelled, Params: params}
}

// parseID accepts what can be echoed exactly: integers within 2^53 in their
// plain form, and strings without characters that JSON decoding replaces.
func parseID(raw json.RawMessage) (jsonrpc.ID, bool) {
	if s, ok := parseString(raw); ok {
		id, err := jsonrpc.MakeID(s)
		return id, err == nil && !strings.ContainsRune(s, utf8.RuneError)
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n > maxID || n < -maxID || strconv.FormatInt(n, 10) != string(raw) {
		return noID, false
	}
	id, err := jsonrpc.MakeID(float64(n))
	return id, err == nil
}

func parseString(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// labelHeader carries the id of a request to its handler, for the log: handlers
// of the SDK do not see ids, but they do see the headers of a transport.
const labelHeader = "Call"

// callLabel is the id as it may stand in a log line: ASCII and short.
func callLabel(id jsonrpc.ID) *mcp.RequestExtra {
	quoted := strconv.QuoteToASCII(clip(fmt.Sprint(id.Raw()), 40))
	return &mcp.RequestExtra{Header: http.Header{labelHeader: {quoted[1 : len(quoted)-1]}}}
}
