// Package page holds the page agent: the JavaScript that reads and operates one
// document, and the few expressions by which Go reaches it.
//
// In: method names and arguments that encoding/json can write. Out: script text
// for evaluateJSAsync (Install, Call) and decoded answers (Decode). The package
// talks to nobody itself.
//
// The agent is a closure, made by evaluating what Install gives, once for each
// document. That evaluation results in a function; every call is an evaluation
// of what Call gives, with that function bound as _self. Isolated agents live
// in a sandbox with the page's rights, made through the content process's
// console, and can be neither seen nor fooled by the page; the others live in
// the page's realm, where any built-in may be the page's own.
//
// Units: all counts and lengths in the agent are UTF-16 units unless a name says
// code points. Answers are pure ASCII.
//
// Errors: Decode returns an *Error for what the page or the arguments did wrong,
// with the codes of the product (session.Code), and ErrEnvelope for an answer
// that is no envelope at all.
//
// The JavaScript under js is bundled into agent.gen.js by go generate; edit the
// sources and generate anew. There are no goroutines here.
package page
