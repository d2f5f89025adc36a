package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pending knows the requests that are not answered yet, and whether the session
// is initialized. It belongs to the desk alone.
type pending struct {
	methods     map[jsonrpc.ID]string
	initialized bool
}

func newPending() *pending {
	return &pending{methods: make(map[jsonrpc.ID]string)}
}

// admit takes a request in. It reports false if its id is in use.
func (p *pending) admit(id jsonrpc.ID, method string) bool {
	if _, used := p.methods[id]; used {
		return false
	}
	p.methods[id] = method
	return true
}

// cancellable reports whether id names a tool call under way. Nothing else may
// be cancelled: initialize must not be, and the rest is over at once.
func (p *pending) cancellable(id jsonrpc.ID) bool { return p.methods[id] == methodCallTool }

// calls returns the ids of the tool calls under way, in no order.
func (p *pending) calls() []jsonrpc.ID {
	var ids []jsonrpc.ID
	for id, method := range p.methods {
		if method == methodCallTool {
			ids = append(ids, id)
		}
	}
	return ids
}

// settle takes the request of an answer out and returns the answer as it may
// leave. It reports false for an answer that nobody waits for.
func (p *pending) settle(answer *jsonrpc.Response) (*jsonrpc.Response, bool) {
	method, ok := p.methods[answer.ID]
	if !ok {
		return nil, false
	}
	delete(p.methods, answer.ID)
	if answer.Error != nil {
		return p.coded(method, answer), true
	}
	p.initialized = p.initialized || method == methodInitialize
	return answer, true
}

// coded gives an error answer a code that is right and a message that is short.
// The SDK leaves some errors without a code, and repeats whole params in some
// messages; only here method and state are known.
func (p *pending) coded(method string, answer *jsonrpc.Response) *jsonrpc.Response {
	wire, ok := errors.AsType[*jsonrpc.Error](answer.Error)
	_, bare := answer.Error.(*jsonrpc.Error) //nolint:errorlint // whether it is wrapped is the question
	switch {
	case method == methodCallTool && !ok && errors.Is(answer.Error, context.Canceled):
		return cancelledAnswer(answer.ID, errCancelled)
	case ok && wire.Code == mcp.CodeUnsupportedProtocolVersion:
		return answer
	case isNotification(method) && ok && wire.Code == codeInvalidRequest:
		return errorAnswer(answer.ID, codeInvalidRequest, "invalid request: a notification has no id")
	case !slices.Contains(requests, method):
		return errorAnswer(answer.ID, codeNoMethod, fmt.Sprintf("method not found: %q", clip(method, 100)))
	case ok && wire.Code == codeInvalidParams && !bare: // its text has the params in it
		return errorAnswer(answer.ID, codeInvalidParams, "invalid params: not of the types that the method takes")
	case ok && wire.Code != 0:
		return errorAnswer(answer.ID, wire.Code, clip(answer.Error.Error(), 200))
	case method == methodInitialize && p.initialized:
		return errorAnswer(answer.ID, codeInvalidRequest, "invalid request: already initialized")
	case method == methodInitialize:
		return errorAnswer(answer.ID, codeInvalidParams, "invalid params: protocolVersion must be a string, capabilities and clientInfo objects")
	case !p.initialized:
		return errorAnswer(answer.ID, codeInvalidRequest, "invalid request: initialize comes first")
	default:
		return errorAnswer(answer.ID, codeInternal, "internal error")
	}
}

func errorAnswer(id jsonrpc.ID, code int64, message string) *jsonrpc.Response {
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: code, Message: message}}
}
