package faultbench

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// family is a kind of call. Its effect can be counted.
type family struct {
	name   string
	tool   string
	packet string         // by which its request to Firefox is known
	before func(b *bench) // makes the page ready for it
	args   func(c *cell) arguments
	count  func(b *bench, c *cell) int
	well   string // the code when nothing is wrong
	once   int    // effects when nothing is wrong

	bound   bool // it names an element: after another connection it is stale
	settles bool // it watches what comes of it, behind its effect
	plain   bool // its request is no evaluation: nothing is acknowledged
	outside bool // its effect is counted by the site, not by the page
	browser bool // Firefox's own side does it, not the page
}

type arguments = map[string]any

// cell is one run: what it needs to know of its page.
type cell struct {
	n    int
	refs result
	file string
	path string // of the site, that only this run asks for
}

// element names the control at an index of the snapshot.
func element(i int, more arguments) func(*cell) arguments {
	return func(c *cell) arguments { return with(more, "element", c.refs.Elements[i].Ref) }
}

// global counts by a global of the page.
func global(name string) func(*bench, *cell) int {
	return func(b *bench, _ *cell) int { return b.number(0, "w."+name) }
}

func never(*bench, *cell) int { return 0 }

func loads(b *bench, c *cell) int { return b.site.count(c.path) }

var families = []family{
	{name: "read", tool: "snapshot_page", packet: `_self(\"snapshot\"`, args: func(*cell) arguments { return nil }, count: never},
	{name: "act", tool: "click", packet: `_self(\"click\"`, args: element(0, nil), count: global("hits"), once: 1, bound: true, settles: true},
	{name: "fill", tool: "fill", packet: `_self(\"fill\"`, args: element(1, arguments{"value": "x"}), count: global("inputs"), once: 1, bound: true, settles: true},
	{
		name: "navigate", tool: "navigate", packet: `"type":"navigateTo"`, once: 1, outside: true, count: loads,
		args: func(c *cell) arguments { return arguments{"url": c.file, "timeout_ms": 9000} },
	},
	{
		name: "wait", tool: "wait_for", packet: `_self(\"wait\"`, well: "wait_timeout", count: never,
		args: func(*cell) arguments { return arguments{"selector": "#never", "timeout_ms": 600} },
	},
	{
		name: "upload", tool: "upload_files", packet: `_self(\"upload_append\"`, once: 1, bound: true, settles: true, count: global("changes"),
		args: func(c *cell) arguments { return element(2, arguments{"paths": []string{c.file}})(c) },
	},
	{
		name: "dialog", tool: "handle_dialog", packet: `_self(\"answer\"`, once: 1, count: global("answers"), browser: true,
		before: func(b *bench) {
			b.do("click", arguments{"element": b.do("snapshot_page", nil).ref(b.t, "Sure")})
		},
		args: func(*cell) arguments { return arguments{"action": "accept"} },
	},
	{
		name: "open", tool: "open_page", packet: `_self(\"open\"`, once: 1, outside: true, count: loads, browser: true,
		args: func(c *cell) arguments { return arguments{"url": c.file} },
	},
	{name: "picture", tool: "screenshot", packet: `"type":"capture"`, args: func(*cell) arguments { return nil }, count: never, plain: true},
	{
		name: "evaluate", tool: "evaluate", packet: `evaluated++`, once: 1, count: global("evaluated"),
		args: func(*cell) arguments { return arguments{"expression": "evaluated++"} },
	},
}

// address gives a run the address that only it goes to, where it goes anywhere.
func (f *family) address(b *bench, c *cell) {
	if f.outside {
		c.path = fmt.Sprintf("/to?cell=%d", c.n)
		c.file = b.site.URL + c.path
	}
}

// moment is when a fault happens, from the view of a call.
type moment struct {
	name string
	rule func(f family) (fp.Rule, bool) // false: there is no such moment in calls of this kind
}

func has(part string) func([]byte) bool {
	return func(p []byte) bool { return bytes.Contains(p, []byte(part)) }
}

// acknowledgement is the packet by which Firefox takes an evaluation, or answers
// navigateTo.
func acknowledgement(f family) fp.Step {
	if f.name == "navigate" {
		return fp.Step{Dir: fp.ToServer, Match: func(p []byte) bool {
			return bytes.Contains(p, []byte("windowGlobalTarget")) && len(p) < 200
		}}
	}
	return fp.Step{Dir: fp.ToServer, Match: func(p []byte) bool {
		return bytes.Contains(p, []byte(`"resultID"`)) && !bytes.Contains(p, []byte("evaluationResult"))
	}}
}

// request is the step in which a call asks Firefox for what it is about.
func request(f family) fp.Step { return fp.Step{Dir: fp.ToFirefox, Match: has(f.packet)} }

var moments = []moment{
	{"idle", nil},
	{"before", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{request(f)}}, true
	}},
	{"in the request", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{request(f)}, Pass: 20}, true
	}},
	{"sent", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{request(f)}, Pass: fp.Everything}, true
	}},
	{"acknowledged", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{request(f), acknowledgement(f)}, Pass: fp.Everything}, !f.plain
	}},
	{"between chunks", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{request(f), request(f), request(f)}, Pass: fp.Everything}, f.name == "upload"
	}},
	{"awaiting", func(f family) (fp.Rule, bool) {
		if f.settles { // the rest may come in a moment
			return fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(`_self(\"settle\"`)}, acknowledgement(f)}, Pass: fp.Everything}, true
		}
		return fp.Rule{Steps: []fp.Step{request(f), acknowledgement(f)}, Pass: fp.Everything, Wait: 30 * time.Millisecond}, f.name == "wait"
	}},
}

// tellsDoubt reports whether a message says that the call may have had its effect,
// that it had, or why it had none.
func tellsDoubt(message string) bool {
	for _, part := range []string{"may have happened", "was done", "nothing was submitted"} {
		if strings.Contains(message, part) {
			return true
		}
	}
	return false
}
