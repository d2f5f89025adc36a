package router

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Evaluation is a script and how to run it.
type Evaluation struct {
	Text    string
	Self    ActorID       // the object bound as _self (selectedObjectActor); empty for none
	Target  ActorID       // the document the script is about: when that target dies, the evaluation fails with a GoneError although its console may live on; and when it hangs, only its own caller suffers (see DoInPage)
	Await   bool          // wait for the promise that the script gives
	Timeout time.Duration // for the result after the acknowledgement; 0 means Limits.Result
	URL     string        // the file name in stacks
}

// Value is the result of an evaluation.
type Value struct {
	Text   string          // a string, whole; lone surrogates have become U+FFFD
	IsText bool            // the result was a string
	Object ActorID         // a handle on an object, for the caller to release
	Raw    json.RawMessage // as Firefox sent it; of a long string its whole literal
}

// Evaluate runs a script on a console actor and returns its result. Strings are
// fetched whole, and what Firefox kept for them is released. A script that
// throws is an ExceptionError, a rejected promise ErrRejected.
func (c *Conn) Evaluate(ctx context.Context, console ActorID, e Evaluation) (Value, error) {
	r, err := c.Start(ctx, console, e)
	if err != nil {
		return Value{}, err
	}
	return r.Wait(ctx)
}

// Running is a script that has been sent and whose result is still to come. It
// belongs to one goroutine.
type Running struct {
	conn    *Conn
	console ActorID
	about   ActorID
	answers <-chan answer
	packet  *Packet // the result, once it has come
}

// Start sends a script as Evaluate does and returns without waiting. ctx is that
// of the request: when it ends before the request's turn has come, nothing is
// sent.
func (c *Conn) Start(ctx context.Context, console ActorID, e Evaluation) (*Running, error) {
	wait := e.Timeout
	if wait == 0 {
		wait = c.limits.Result
	}
	x := exchange{to: console, about: e.Target, page: e.Target != "", method: "evaluateJSAsync", kind: evaluate, wait: wait}
	answers, err := c.begin(ctx, x, arguments(e))
	if err != nil {
		return nil, err
	}
	return &Running{conn: c, console: console, about: e.Target, answers: answers}, nil
}

// Wait returns the result as Evaluate does. When ctx ends first, its cause is
// returned, the script goes on, and Wait may be called again; but a long string
// whose fetching was broken off is lost. Once Wait has returned anything else,
// it is over.
func (r *Running) Wait(ctx context.Context) (Value, error) {
	if r.packet == nil {
		a, err := await(ctx, r.answers)
		if err != nil {
			return Value{}, err
		}
		if a.err != nil {
			return Value{}, a.err
		}
		r.packet = &a.packet
	}
	return r.value(ctx, *r.packet)
}

// value reads the packet of a result, and fetches the string that it may only
// announce.
func (r *Running) value(ctx context.Context, p Packet) (Value, error) {
	c := r.conn
	out, err := parseOutcome(p)
	if err != nil {
		return Value{}, err
	}
	switch {
	case out.HasException:
		return Value{}, c.exception(ctx, out)
	case out.Rejected:
		return Value{}, ErrRejected
	}
	g, err := parseGrip(out.Result)
	if err != nil {
		return Value{}, err
	}
	if g.Type == longString {
		return c.whole(ctx, fetch{grip: g, console: r.console, about: r.about})
	}
	return Value{Text: g.text, IsText: g.isText, Object: g.object(), Raw: out.Result}, nil
}

// arguments are those of evaluateJSAsync. disableBreaks keeps the script out of
// the sight of debuggers.
func arguments(e Evaluation) any {
	type mapped struct {
		Await bool `json:"await"`
	}
	a := struct {
		Text          string  `json:"text"`
		Self          ActorID `json:"selectedObjectActor,omitempty"`
		URL           string  `json:"url,omitempty"`
		Mapped        *mapped `json:"mapped,omitempty"`
		DisableBreaks bool    `json:"disableBreaks"`
	}{Text: e.Text, Self: e.Self, URL: e.URL, DisableBreaks: true}
	if e.Await {
		a.Mapped = &mapped{Await: true}
	}
	return a
}

// outcome is what an evaluationResult says.
type outcome struct {
	HasException bool            `json:"hasException"`
	Rejected     bool            `json:"topLevelAwaitRejected"`
	Result       json.RawMessage `json:"result"`
	Exception    json.RawMessage `json:"exception"`
	Message      json.RawMessage `json:"exceptionMessage"`
	Stack        []struct {
		File     string `json:"filename"`
		Function string `json:"functionName"`
		Line     int    `json:"lineNumber"`
		Column   int    `json:"columnNumber"`
	} `json:"exceptionStack"`
}

func parseOutcome(p Packet) (outcome, error) {
	var o outcome
	if err := p.Decode(&o); err != nil {
		return outcome{}, err
	}
	if !o.HasException && !o.Rejected && o.Result == nil {
		return outcome{}, fmt.Errorf("%w: evaluation result without a result", ErrProtocol)
	}
	return o, nil
}

// exception makes the error and lets go of the actors that came with it: the
// thrown object would live as long as its document.
func (c *Conn) exception(ctx context.Context, o outcome) error {
	for _, raw := range []json.RawMessage{o.Exception, o.Message} {
		if g, err := parseGrip(raw); err == nil && g.Actor != "" {
			c.discard(ctx, g.Actor)
		}
	}
	// A message that is none, or a long one of which the beginning must do.
	message, _ := parseGrip(o.Message)
	return &ExceptionError{Message: message.text + message.Initial, Stack: o.stack()}
}

// stack renders the frames, ten at most, one a line. File names may be whole
// scripts (data: addresses, Evaluation.URL), so lines are cut. Firefox leaves out
// exceptionStack for scripts with a URL, but not the thrown error's own stack.
func (o outcome) stack() string {
	var lines []string
	for _, f := range o.Stack {
		lines = append(lines, fmt.Sprintf("%s@%s:%d:%d", cut(f.Function), cut(f.File), f.Line, f.Column))
	}
	if len(lines) == 0 {
		var thrown struct {
			Preview struct {
				Stack json.RawMessage `json:"stack"`
			} `json:"preview"`
		}
		if json.Unmarshal(o.Exception, &thrown) != nil {
			return "" // not an object
		}
		for line := range strings.Lines(text(thrown.Preview.Stack)) {
			lines = append(lines, cut(strings.TrimSuffix(line, "\n")))
		}
	}
	return strings.Join(lines[:min(10, len(lines))], "\n")
}
