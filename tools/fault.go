package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"firefox-rdp-mcp/session"
)

// requests are the methods that this server answers. The SDK would answer more,
// of features that are not advertised.
var requests = []string{methodInitialize, methodPing, methodListTools, methodCallTool}

// maxMessage bounds the message of a tool error, in bytes.
const maxMessage = 1500

// gate is the one receiving middleware: it lets only the advertised methods
// through and gives two results a form of our own.
func gate(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !isNotification(method) && !slices.Contains(requests, method) {
			return nil, &jsonrpc.Error{Code: codeNoMethod, Message: fmt.Sprintf("method not found: %q", clip(method, 100))}
		}
		result, err := next(ctx, method, req)
		if err != nil { // asked first: beside an error there may be a typed nil
			return nil, err
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			return greetingOf(r), nil
		case *mcp.CallToolResult:
			return plain(r), nil
		default:
			return result, nil
		}
	}
}

// greeting is the result of initialize with listChanged spelled out; the SDK
// leaves out what is false.
type greeting struct {
	mcp.ResultBase
	Version      string              `json:"protocolVersion"`
	Capabilities toolsOnly           `json:"capabilities"`
	Server       *mcp.Implementation `json:"serverInfo"`
	Instructions string              `json:"instructions,omitempty"`
}

// toolsOnly says that there are tools, that their list never changes, and that
// there is nothing else.
type toolsOnly struct {
	Tools struct {
		ListChanged bool `json:"listChanged"`
	} `json:"tools"`
}

func greetingOf(r *mcp.InitializeResult) *greeting {
	return &greeting{Version: r.ProtocolVersion, Server: r.ServerInfo, Instructions: r.Instructions}
}

// callResult is the result of a tool call with isError always there. Being a
// plain struct, it is encoded without the HTML escapes that the SDK's own
// marshallers put in, which make page text up to six times longer.
type callResult struct {
	mcp.ResultBase
	Content    []content `json:"content"`
	Structured any       `json:"structuredContent,omitempty"`
	IsError    bool      `json:"isError"`
}

// content is a block of text or an image.
type content struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	Data     []byte `json:"data,omitempty"` // encoded as base64
	MIMEType string `json:"mimeType,omitempty"`
}

func plain(r *mcp.CallToolResult) *callResult {
	out := &callResult{Content: []content{}, Structured: r.StructuredContent, IsError: r.IsError}
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			out.Content = append(out.Content, content{Type: "text", Text: c.Text})
		case *mcp.ImageContent:
			out.Content = append(out.Content, content{Type: "image", Data: c.Data, MIMEType: c.MIMEType})
		default:
			panic(fmt.Sprintf("tools: no handler makes content of type %T", c))
		}
	}
	return out
}

// faultBody is the stable shape of a tool error's structured content.
type faultBody struct {
	Error faultFields `json:"error"`
}

type faultFields struct {
	Code      session.Code `json:"code"`
	Message   string       `json:"message"`
	Retryable bool         `json:"retryable"`
}

// faultResult gives a fault as the result of a call: structured, and the same as
// one line of text for clients that show nothing else.
func faultResult(f *session.Fault) *mcp.CallToolResult {
	fields := faultFields{Code: f.Code, Message: oneLine(f.Message), Retryable: f.Code.Retryable()}
	text := fmt.Sprintf("%s: %s", fields.Code, fields.Message)
	if fields.Retryable {
		text += " (retryable)"
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: faultBody{fields},
		IsError:           true,
	}
}

// oneLine makes a message fit for one line: bounded, never empty, and without
// characters that break lines or steer terminals.
func oneLine(message string) string {
	line := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, clip(message, maxMessage))
	if strings.TrimSpace(line) == "" {
		return "no details"
	}
	return line
}
