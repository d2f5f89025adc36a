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
	Target  ActorID       // the document the script is about, if it is not the console's own: when that target dies, the evaluation fails with a GoneError although its console lives on
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
	wait := e.Timeout
	if wait == 0 {
		wait = c.limits.Result
	}
	x := exchange{to: console, about: e.Target, method: "evaluateJSAsync", kind: evaluate, wait: wait}
	p, err := c.exchange(ctx, x, arguments(e))
	if err != nil {
		return Value{}, err
	}
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
		return c.whole(ctx, fetch{grip: g, console: console, about: e.Target})
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
	message, _ := parseGrip(o.Message)
	text := message.text
	if message.Type == longString {
		text = message.Initial
	}
	return &ExceptionError{Message: text, Stack: o.stack()}
}

// stack renders the frames, ten at most, one a line. File names may be whole
// scripts (data: addresses, Evaluation.URL) and are cut.
func (o outcome) stack() string {
	var b strings.Builder
	for i, f := range o.Stack {
		if i == 10 {
			b.WriteString("…\n")
			break
		}
		fmt.Fprintf(&b, "%s@%s:%d:%d\n", cut(f.Function), cut(f.File), f.Line, f.Column)
	}
	return b.String()
}
