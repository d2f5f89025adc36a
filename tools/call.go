package tools

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"firefox-rdp-mcp/session"
)

// Starter runs work once as a supervised worker and returns without waiting for
// it. A worker that panics is not run again and takes nothing with it; ctx ends
// when the tree stops.
type Starter func(name string, work func(ctx context.Context) error)

// Why a call's context may end before the call does. They are faults, so that
// whoever returns context.Cause returns the right answer.
var (
	errCancelled = &session.Fault{Code: session.Cancelled, Message: "the call was cancelled", Err: context.Canceled}
	errStopping  = &session.Fault{Code: session.Cancelled, Message: "the server is stopping", Err: context.Canceled}
	errCallOver  = &session.Fault{Code: session.Cancelled, Message: "the call is over", Err: context.Canceled}
	errPanicked  = &session.Fault{Code: session.Internal, Message: "the tool crashed; it may have acted before; other calls are not affected"}
)

// graceTime is how long a cancelled call may take to answer for itself, for a
// worker knows best what has happened by then. Afterwards it is answered for.
const graceTime = 250 * time.Millisecond

// Call is one call of a tool, for its handler.
type Call struct {
	log      *slog.Logger
	progress func(ctx context.Context, done, total float64, message string)
}

// Log gives the logger that names this call.
func (c Call) Log() *slog.Logger { return c.log }

// Progress tells the client how far the call is, if the client asked to know.
// done rises from call to call; total is 0 when it is not known. Once the call
// is cancelled nothing is sent.
func (c Call) Progress(ctx context.Context, done, total float64, message string) {
	if c.progress != nil && ctx.Err() == nil {
		c.progress(ctx, done, total, message)
	}
}

// Reply is what a handler answers with. Text is for the model, Structured (which
// must marshal to a JSON object) for programs, Images come after the text.
type Reply struct {
	Text       string
	Structured any
	Images     []Image
}

// Image is a picture in a Reply.
type Image struct {
	MIMEType string
	Data     []byte
}

// body is a handler with its arguments in it, ready to run.
type body func(ctx context.Context, call Call) (Reply, error)

// handler makes the SDK's handler of a tool. Arguments are looked at before
// anything is started, so that bad ones never reach the browser.
func (s *Server) handler(t tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		log := s.log.With(slog.String("call", labelOf(req)), slog.String("tool", t.entry.name))
		run, err := t.prepare(req.Params.Arguments)
		if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return nil, wire
		}
		if err != nil {
			return s.failed(log, 0, err), nil
		}
		begun := time.Now()
		log.Debug("call begins")
		reply, err := s.supervise(ctx, t.entry.name, run, Call{log: log, progress: progressOf(req)})
		reply, err = s.noticed(ctx, reply, err)
		if err != nil {
			return s.failed(log, time.Since(begun), err), nil
		}
		log.Debug("call ends", slog.Duration("dur", time.Since(begun)))
		return resultOf(reply), nil
	}
}

func (s *Server) failed(log *slog.Logger, dur time.Duration, err error) *mcp.CallToolResult {
	f := session.AsFault(err)
	if f.Code == session.Internal {
		log.Error("call failed", slog.Duration("dur", dur), slog.String("cause", string(f.Code)))
	} else {
		log.Debug("call failed", slog.Duration("dur", dur), slog.String("cause", string(f.Code)))
	}
	return faultResult(f)
}

// outcome is what a worker gives back.
type outcome struct {
	reply Reply
	err   error
}

// supervise runs one call as a worker and returns its outcome, or an outcome in
// its place: a worker that panics is answered with errPanicked, one that does not
// heed its cancelled context with the cause of that.
func (s *Server) supervise(ctx context.Context, name string, run body, call Call) (Reply, error) {
	outcomes := make(chan outcome, 1) // an outcome that comes too late finds room
	over, finish := context.WithCancelCause(ctx)
	defer finish(errCallOver)
	s.start(name, func(worker context.Context) error {
		out := outcome{err: errPanicked} // stands if run panics
		defer func() { outcomes <- out }()
		joined, leave := join(worker, over)
		defer leave()
		out.reply, out.err = run(joined, call)
		return nil
	})
	select {
	case out := <-outcomes:
		return out.reply, out.err
	case <-ctx.Done():
	}
	select {
	case out := <-outcomes:
		return out.reply, out.err
	case <-time.After(graceTime):
		return Reply{}, errCancelled
	}
}

// join gives a context with the values of worker that ends with either: with
// worker when the tree stops, with call when the client has cancelled it or
// nobody waits for it any more. Its cause is the fault to answer with.
func join(worker, call context.Context) (context.Context, func()) {
	ctx, end := context.WithCancelCause(context.WithoutCancel(worker))
	unstop := context.AfterFunc(worker, func() { end(errStopping) })
	uncall := context.AfterFunc(call, func() { end(errCancelled) })
	return ctx, func() {
		unstop()
		uncall()
		end(errCallOver)
	}
}

// resultOf turns a reply into the SDK's result.
func resultOf(r Reply) *mcp.CallToolResult {
	result := &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: r.Text}},
		StructuredContent: r.Structured,
	}
	for _, image := range r.Images {
		result.Content = append(result.Content, &mcp.ImageContent{Data: image.Data, MIMEType: image.MIMEType})
	}
	return result
}

// progressOf gives the way to report progress, nil when the client did not ask:
// a notification without a token would break the protocol.
func progressOf(req *mcp.CallToolRequest) func(context.Context, float64, float64, string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return func(ctx context.Context, done, total float64, message string) {
		// An error means that the client is gone, which ends the call by other ways.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: total, Message: oneLine(message),
		})
	}
}

// labelOf is the id of the request as the transport has made it fit for the log.
func labelOf(req *mcp.CallToolRequest) string {
	if extra := req.GetExtra(); extra != nil {
		return extra.Header.Get(labelHeader)
	}
	return ""
}
