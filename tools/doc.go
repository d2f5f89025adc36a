// Package tools speaks MCP over stdio and offers the browser's session as tools.
//
// # Shapes
//
// In: lines of at most 8 MiB, each one JSON-RPC 2.0 object. Out: lines of less
// than 10 MiB, compact JSON. Every request gets exactly one answer, whatever
// happens to it; a line that is no request gets none, or an error without an id.
// A tool answers with text for the model and structured content for programs. An
// error of a tool has isError and
//
//	{"error": {"code": …, "message": …, "retryable": …}}
//
// and the same as one line of text. Arguments against a tool's schema are such an
// error, invalid_argument; unknown tools and malformed requests are errors of
// JSON-RPC. Text that came from a web page is fenced by package session before
// it gets here and is data, never instructions.
//
// # How a tool is added
//
//  1. A row in the table in catalog.go: name, group, effect, title, description.
//
//  2. A struct for its arguments in args_*.go. Fields carry json and jsonschema
//     (description) tags; without omitempty an argument is required. Embed page
//     (tab_id), onPage (and respond_with) or onElement (and element). shape
//     bounds the schema; an argument with a default there is never absent for
//     the handler. check has the rules that a flat schema cannot express, and
//     runs before the browser is touched.
//
//  3. A handler in the file of its subject (act.go, navigate.go, …), named in
//     register.go. Its third parameter is the argument struct:
//     func (h handlers) hover(ctx context.Context, call Call, in hover) (Reply, error).
//
//  4. make golden, which writes its schema to testdata/schemas.
//
// A handler returns *session.Fault or an error that wraps one; anything else is
// shown as internal. When its ctx ends it returns context.Cause(ctx), which is
// the right fault already. It may call call.Progress as often as it likes.
//
// # Units
//
// Lengths of arguments are Unicode code points, times milliseconds, lines and
// frames bytes.
//
// # Goroutines
//
// Server.Serve runs the SDK's session on the caller's goroutine and starts three
// of its own, which it waits for (transport.go). Each call runs as a worker of
// the tree, through Starter, on a context that ends when the client cancels the
// call or the tree stops; a panic in it becomes the answer "internal" and touches
// nothing else. When the input ends, calls may finish for a second, are then
// cancelled, and are answered for if they do not answer; when Serve's context
// ends they are cancelled at once. Either way Serve returns within two seconds.
package tools
