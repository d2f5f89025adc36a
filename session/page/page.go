package page

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 js/entry.js --bundle --minify --format=iife --charset=ascii --target=firefox128 --log-level=warning --outfile=agent.gen.js

var (
	//go:embed agent.gen.js
	agent string
	//go:embed js/isolate.js
	isolate string
	//go:embed js/inpage.js
	inPage string
)

// Stale is what the evaluation of an Install text gives, instead of a function,
// when the window is not the current one of its frame any more.
const Stale = "STALE"

// ErrEnvelope says that an answer is not one of the agent's.
var ErrEnvelope = errors.New("the answer is not an envelope of the page agent")

// Error is a failure that the agent reported.
type Error struct {
	Code    string          // one of session's codes
	Message string          // for people; page text in it is quoted
	Details json.RawMessage // what the method adds, or nil
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Install returns an expression that makes the agent of one document and
// evaluates to the function to call. With isolated it belongs on the console of
// the document's content process, and may give Stale; without, on the console
// of the document itself, where innerWindowID has no meaning.
func Install(innerWindowID int64, isolated bool) string {
	if isolated {
		return Maker() + "(" + strconv.FormatInt(innerWindowID, 10) + ")"
	}
	return "(()=>{\"use strict\";const agent={__proto__:null};" + agent + "\nreturn " + strings.TrimSpace(inPage) + "(agent.install)})()"
}

// Maker returns an expression that evaluates to a function for Make, on the console
// of a content process. The agent travels to that process once and not for each
// document: Firefox sends the text of an evaluation back with its result.
func Maker() string {
	return "((make,source)=>(id)=>make(id,source))(" + strings.TrimSpace(isolate) + "," + literal(agent) + ")"
}

// Make returns an expression that does what Install does for an isolated agent,
// with the function of Maker bound as _self.
func Make(innerWindowID int64) string { return "_self(" + strconv.FormatInt(innerWindowID, 10) + ")" }

// NoDownloads returns an expression after which the browsing context of a window,
// whatever it comes to show, hands nothing to the browser's downloads and helper
// programs. It belongs on the console of the window's content process, and gives
// Stale when the window is not there any more.
func NoDownloads(innerWindowID int64) string {
	return fmt.Sprintf(`((shell)=>shell?(shell.allowContentRetargeting=false,""):%q)(Services.wm.getCurrentInnerWindowWithId(%d)?.docShell)`, Stale, innerWindowID)
}

// Call returns an expression that calls a method of the agent bound as _self.
// args is nil or anything that encoding/json writes as an object.
func Call(method string, args any) (string, error) {
	if args == nil {
		args = struct{}{}
	}
	text, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("arguments of %s: %w", method, err)
	}
	return "_self(" + literal(method) + "," + literal(string(text)) + ")", nil
}

// literal writes a string as a JavaScript literal. encoding/json escapes what
// could end one early: quotes, backslashes, line ends of both languages, and
// the angle brackets of markup. Bytes that are not UTF-8 become U+FFFD.
func literal(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(text)
}

// Decode reads an answer of the agent into a value; into may be nil. In the
// page's realm the answer may be the page's own invention, so that nothing but
// an exact envelope is believed.
func Decode(text string, into any) error {
	var envelope struct {
		OK    *bool           `json:"ok"`
		Value json.RawMessage `json:"value"`
		Error *struct {
			Code    string          `json:"code"`
			Message string          `json:"message"`
			Details json.RawMessage `json:"details"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(text), &envelope); err != nil {
		return fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	switch e := envelope.Error; {
	case envelope.OK == nil, *envelope.OK == (e != nil), e != nil && !word(e.Code):
		return ErrEnvelope
	case e != nil:
		return &Error{Code: e.Code, Message: e.Message, Details: e.Details}
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(envelope.Value, into); err != nil {
		return fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	return nil
}

// Modal reports whether an answer says that the page showed a dialog (alert,
// confirm, prompt) when it was given. Only isolated agents know.
func Modal(text string) bool { return strings.HasSuffix(text, `,"modal":true}`) }

// word reports whether s looks like an error code.
func word(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for _, c := range s {
		if c != '_' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
