package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// EvaluateIn says in which tabs Evaluate runs scripts.
type EvaluateIn int

// The choices.
const (
	EvaluateNowhere EvaluateIn = iota
	EvaluatePages              // tabs of ours
	EvaluateAnywhere
)

// EvaluateArgs say what is to be run.
type EvaluateArgs struct {
	Tab        TabID
	Expression string
	Timeout    time.Duration // of the result; 0 means a little less than the request time-out
}

// Evaluated is what a script gave.
type Evaluated struct {
	Tab    TabID
	JSON   string // what JSON.stringify made of the result; "" for undefined and what has no JSON
	Kind   string // typeof the result
	Cut    bool   // JSON is not the whole, and so not valid
	Why    string // why JSON is only what the result says of itself, "" if it is the result
	Dialog *Dialog
}

// maxResult bounds a script's result, in UTF-16 units of its JSON.
const maxResult = 100_000

// What stands around a script. What has no JSON (a node, an error, a map, NaN) is told
// as a string, and what cannot be written for another reason with that reason. It runs on the page's own console, so with the
// rights of the page's scripts and no others: what it breaks out of these lines
// is nothing that it could not do anyway. All of head stands in the script's
// first line, so that the lines in errors are the caller's. A tab without
// scripts settles no promises, so nothing is awaited there. A page that is frozen
// for longer than the call waits does not run the script late.
const (
	headAsync = `(async()=>{` + headRest
	headSync  = `(()=>{` + headRest
	headRest  = `if(Date.now()>%d)return'{"late":true}';` + said + told + `try{const v=`
	tail      = `;return t(v)}catch(e){let l;try{l=Number(e.lineNumber)}catch{}return JSON.stringify({error:s(e).slice(0,2000),line:l||0})}})()`
	said      = `const s=(v)=>{try{return String(v)}catch{return"something that cannot be told"}};`
	told      = `const t=(v)=>{let j,w;try{j=JSON.stringify(v);if(j==="null"&&v!==null||j==="{}"&&Object.prototype.toString.call(v)!=="[object Object]")j=JSON.stringify(s(v))}` +
		`catch(e){j=JSON.stringify(s(v));w=typeof v==="bigint"?"":s(e).slice(0,300)}return JSON.stringify({kind:v===null?"null":typeof v,json:j?.slice(0,100001),why:w})};`
)

// forms are the ways to read a script: as an expression, or else as the body of a
// function, whose return gives the result. A script that is not of a form does
// not run at all in it. until is when it is too late to begin, in milliseconds
// since 1970.
func forms(script string, mute bool, until int64) []string {
	if mute {
		head := fmt.Sprintf(headSync, until)
		return []string{head + "(" + script + "\n)" + tail, head + "(()=>{" + script + "\n})()" + tail}
	}
	head := fmt.Sprintf(headAsync, until)
	return []string{head + "await (" + script + "\n)" + tail, head + "await (async()=>{" + script + "\n})()" + tail}
}

// Evaluate runs a script in a tab's page, where that is allowed. Promises are
// awaited. What the script throws is a fault with its message and line.
func (s *Session) Evaluate(ctx context.Context, a EvaluateArgs) (*Evaluated, error) {
	if s.cfg.Evaluate == EvaluateNowhere {
		return nil, Faultf(EvaluateDisabled, "scripts are not run: --enable-evaluate allows it for pages that open_page opened, --enable-evaluate=all for all tabs")
	}
	setDefault(&a.Timeout, s.cfg.patience())
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	if !t.Owned && s.cfg.Evaluate != EvaluateAnywhere {
		return nil, Faultf(EvaluateDisabled, "tab %s is its user's, and scripts are run only in pages that open_page opened; --enable-evaluate=all allows more", t.ID)
	}
	late := Faultf(PageUnresponsive, "the script gave no result within %v; it may still be running, but will not begin any more", a.Timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, a.Timeout, late)
	defer cancel()
	ctx, leave := join(ctx, t.top.ctx)
	defer leave()
	if err := t.awake(ctx); err != nil {
		return nil, err
	}
	begin := before(min(a.Timeout, t.cfg.patience())) // however long it may run
	for _, form := range forms(a.Expression, t.mute, begin) {
		var v router.Value
		var dialog *Dialog
		v, dialog, err = t.run(ctx, form, a.Timeout)
		e, failed := errors.AsType[*router.ExceptionError](err)
		switch {
		case failed && strings.Contains(e.Message, "SyntaxError"): // it has not run: everything that it throws is caught
			err = &Fault{Code: PageScriptFailed, Message: "the script cannot be read: " + outline.Quote(e.Message, 300), Err: err}
			continue
		case err != nil:
			return nil, t.unresponsive(ctx, t.pageError(ctx, err))
		case dialog != nil:
			return &Evaluated{Tab: t.ID, Dialog: dialog}, nil
		}
		return t.evaluated(v)
	}
	return nil, err
}

// awake looks whether the page answers at all. One that hangs is to cost its own call:
// a script may be given more time than the deadline of a direct reply, whose end would
// cost the connection.
func (t *turn) awake(ctx context.Context) error {
	silent := Faultf(PageUnresponsive, "the page in tab %s does not answer, so the script was not run", t.ID)
	quick, cancel := context.WithTimeoutCause(ctx, t.cfg.stepLimit(), silent)
	defer cancel()
	return t.unresponsive(ctx, t.pageError(ctx, t.answers(quick)))
}

// run evaluates on the page's own console. A dialog that the script opens holds
// its result; run then returns the dialog.
func (t *turn) run(ctx context.Context, text string, limit time.Duration) (router.Value, *Dialog, error) {
	pending, err := t.conn.Start(ctx, t.top.ConsoleActor, router.Evaluation{Text: text, Target: t.top.Actor, Await: !t.mute, Timeout: limit, URL: "evaluate"})
	if err != nil {
		return router.Value{}, nil, err
	}
	for wait := dialogPatience; ; wait = 2 * dialogPatience {
		look, cancel := context.WithTimeoutCause(ctx, wait, errSilent)
		v, err := pending.Wait(look)
		cancel()
		if err == nil || !errors.Is(err, errSilent) {
			return v, nil, err
		}
		dialog, err := t.openDialog(ctx)
		if err != nil && AsFault(err).Code != PrivilegedDisabled {
			return v, nil, err
		}
		if dialog != nil {
			return v, dialog, nil
		}
	}
}

// evaluated reads what the lines around the script made of its result.
func (t *turn) evaluated(v router.Value) (*Evaluated, error) {
	var got struct {
		Kind  string
		JSON  string
		Error *string
		Line  int
		Late  bool
		Why   string
	}
	if err := json.Unmarshal([]byte(v.Text), &got); err != nil {
		return nil, &Fault{Code: PageScriptFailed, Message: "the script's result cannot be read", Err: err}
	}
	if got.Late {
		return nil, Faultf(PageUnresponsive, "the page came to the script too late, so it was not run")
	}
	if got.Error != nil {
		where := ""
		if got.Line > 0 {
			where = fmt.Sprintf(" (line %d)", got.Line)
		}
		return nil, Faultf(PageScriptFailed, "the script threw %s%s", outline.Quote(*got.Error, 500), where)
	}
	out := &Evaluated{Tab: t.ID, JSON: got.JSON, Kind: outline.Clean(got.Kind, 20), Why: outline.Clean(got.Why, 200)}
	if len(got.JSON) > maxResult { // code units are never more than bytes
		out.JSON, out.Cut = outline.CutText(got.JSON, maxResult), !json.Valid([]byte(got.JSON))
	}
	return out, nil
}
