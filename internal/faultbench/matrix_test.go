package faultbench

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// family is a kind of call. Its effect can be counted.
type family struct {
	name   string
	tool   string
	args   func(c *cell) map[string]any
	packet string // by which its request to Firefox is known
	count  func(b *bench, c *cell) int
	well   string // the code when nothing is wrong
	once   int    // effects when nothing is wrong
	bound  bool   // it names an element: after another connection it is stale
}

// cell is one run: what it needs to know of its page.
type cell struct {
	n    int
	refs result
	file string
}

var families = []family{
	{
		name: "read", tool: "snapshot_page", packet: `_self(\"snapshot\"`,
		args: func(*cell) map[string]any { return nil }, count: func(*bench, *cell) int { return 0 },
	},
	{
		name: "act", tool: "click", packet: `_self(\"click\"`, once: 1, bound: true,
		args:  func(c *cell) map[string]any { return map[string]any{"element": c.refs.Elements[0].Ref} },
		count: func(b *bench, _ *cell) int { return b.number(0, "w.hits") },
	},
	{
		name: "navigate", tool: "navigate", packet: `"type":"navigateTo"`, once: 1,
		args: func(c *cell) map[string]any {
			return map[string]any{"url": c.file, "timeout_ms": 9000}
		},
		count: func(b *bench, c *cell) int { return b.site.count(strings.TrimPrefix(c.file, b.site.URL)) },
	},
	{
		name: "wait", tool: "wait_for", packet: `_self(\"wait\"`, well: "wait_timeout",
		args:  func(*cell) map[string]any { return map[string]any{"selector": "#never", "timeout_ms": 600} },
		count: func(*bench, *cell) int { return 0 },
	},
	{
		name: "upload", tool: "upload_files", packet: `_self(\"upload_append\"`, once: 1, bound: true,
		args: func(c *cell) map[string]any {
			return map[string]any{"element": c.refs.Elements[2].Ref, "paths": []string{c.file}}
		},
		count: func(b *bench, _ *cell) int { return b.number(0, "w.changes") },
	},
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

var moments = []moment{
	{"idle", nil},
	{"before", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(f.packet)}}}, true
	}},
	{"in the request", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(f.packet)}}, Pass: 20}, true
	}},
	{"sent", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(f.packet)}}, Pass: fp.Everything}, true
	}},
	{"acknowledged", func(f family) (fp.Rule, bool) {
		return fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(f.packet)}, acknowledgement(f)}, Pass: fp.Everything}, true
	}},
	{"between chunks", func(f family) (fp.Rule, bool) {
		chunk := fp.Step{Dir: fp.ToFirefox, Match: has(f.packet)}
		return fp.Rule{Steps: []fp.Step{chunk, chunk, chunk}, Pass: fp.Everything}, f.name == "upload"
	}},
	{"awaiting", func(f family) (fp.Rule, bool) {
		packet, wait := f.packet, 30*time.Millisecond
		if f.name == "act" || f.name == "upload" { // the rest may come in a moment
			packet, wait = `_self(\"settle\"`, 0
		}
		return fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(packet)}, acknowledgement(f)}, Pass: fp.Everything, Wait: wait}, f.name != "read" && f.name != "navigate"
	}},
}

var faults = []fp.Fault{fp.Cut, fp.Reset, fp.Half, fp.Closing, fp.Garbage, fp.NoJSON, fp.Binary, fp.StallIn, fp.StallOut, fp.Slow, fp.Thin, fp.Split}

func isStall(f fp.Fault) bool { return f.Name == fp.StallIn.Name || f.Name == fp.StallOut.Name }

// chosen picks the cells of an ordinary run: all moments of all families under
// the plainest fault, and of every other fault some of each.
func chosen(fault, moment, fam int) bool {
	return os.Getenv("FAULTS") == "all" || fault == 0 || (fault*3+moment+fam)%7 == 0
}

// expected is what a cell may give.
type expected struct {
	codes    []string
	min, max int  // effects
	replaced bool // the connection is another afterwards
}

func expect(fault fp.Fault, m string, f family) expected {
	lost := []string{"connection_lost"}
	switch {
	case fault.Name == fp.NoJSON.Name:
		lost = []string{"rdp_protocol_error"}
	case isStall(fault):
		lost = []string{"rdp_timeout"}
		if f.name == "navigate" {
			lost = append(lost, "navigation_timeout")
		}
	}
	harmless := !fault.Fatal && !isStall(fault)
	switch {
	case harmless:
		return expected{codes: []string{f.well}, min: f.once, max: f.once}
	case m == "idle" && isStall(fault):
		return expected{codes: lost, replaced: true}
	case m == "idle":
		// The call may come before the end of the connection has been noticed.
		well, once := f.well, f.once
		if f.bound {
			well, once = "stale_element", 0
		}
		return expected{codes: append(lost, well), max: once, replaced: true}
	case fault.Name == fp.StallOut.Name && m != "before" && m != "in the request":
		// If nothing more has to be sent, the call may end well.
		return expected{codes: append(lost, f.well), max: f.once}
	case m == "in the request" && isStall(fault):
		// What is sent next breaks the frame, and Firefox closes the connection.
		return expected{codes: append(lost, "connection_lost"), replaced: true}
	case m == "before" || m == "in the request":
		return expected{codes: lost, replaced: true}
	case m == "awaiting":
		return expected{codes: lost, min: f.once, max: f.once, replaced: true}
	case f.name == "upload":
		return expected{codes: lost, replaced: true} // its chunks have no effect
	}
	return expected{codes: lost, max: f.once, replaced: true}
}

// TestMatrix breaks the connection in every way, at every moment, of every kind
// of call.
func TestMatrix(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "upload.txt")
	if err := os.WriteFile(file, bytes.Repeat([]byte("0123456789abcdef"), 1024), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do("select_tab", map[string]any{"index": 0})
	table := newTable(families)
	n := 0
	for i, fault := range faults {
		for j, m := range moments {
			row := table.row(fault.Name, m.name)
			for k, f := range families {
				if !chosen(i, j, k) {
					continue
				}
				var rule fp.Rule
				if m.rule != nil {
					var ok bool
					if rule, ok = m.rule(f); !ok {
						row[k] = "–"
						continue
					}
					rule.Fault = fault
				}
				n++
				row[k] = b.run(&cell{n: n, file: file}, fault, m, f, rule)
				if t.Failed() {
					t.Fatalf("in %s, %s, %s\n%s\n%s", fault.Name, m.name, f.name, table, tail(b.stderr.String(), 60))
				}
			}
		}
	}
	t.Logf("%d cells\n%s", n, table)
}

// run runs one cell and says in short what came out.
func (b *bench) run(c *cell, fault fp.Fault, m moment, f family, rule fp.Rule) string {
	b.t.Helper()
	b.do("navigate", map[string]any{"url": fmt.Sprintf("%s/?cell=%d", b.site.URL, c.n)})
	c.refs = b.do("snapshot_page", nil)
	before := b.do("browser_status", nil)
	if f.name == "navigate" {
		c.file = fmt.Sprintf("%s/to?cell=%d", b.site.URL, c.n)
	}
	var fired <-chan struct{}
	if m.rule == nil {
		b.proxy.Hit(fault)
	} else {
		fired = b.proxy.Arm(rule)
	}
	r := b.try(f.tool, f.args(c))
	if fired != nil {
		select {
		case <-fired:
		case <-time.After(time.Second):
			b.t.Errorf("the fault did not happen; the call gave %q %s", r.Code, r.Message)
			b.proxy.Disarm()
		}
	}
	want := expect(fault, m.name, f)
	if !slices.Contains(want.codes, r.Code) {
		b.t.Errorf("code %q (%s), want one of %q", r.Code, r.Message, want.codes)
	}
	if slices.Contains([]string{"connection_lost", "rdp_timeout"}, r.Code) && m.rule != nil && !isStall(fault) && !tellsDoubt(r.Message) {
		b.t.Errorf("%q does not say that it may have happened", r.Message)
	}
	b.proxy.Heal()
	within := fastEnough
	if isStall(fault) && r.Code == f.well { // nobody has noticed yet: the next request finds it out
		within += deadline
	}
	recovered := b.recovers(within)
	if got := f.count(b, c); got < want.min || got > want.max {
		b.t.Errorf("%d effects, want %d to %d", got, want.min, want.max)
	}
	after := b.do("browser_status", nil)
	if want.replaced && after.Generation <= before.Generation {
		b.t.Errorf("generation %d, was %d", after.Generation, before.Generation)
	}
	if after.SelectedTab == nil || after.SelectedTab.TabID != before.SelectedTab.TabID {
		b.t.Errorf("selected %+v, was %+v", after.SelectedTab, before.SelectedTab)
	}
	if want.replaced && f.name != "navigate" {
		if stale := b.try("click", map[string]any{"element": c.refs.Elements[0].Ref}); stale.Code != "stale_element" {
			b.t.Errorf("an old reference: %q %s", stale.Code, stale.Message)
		}
	}
	return fmt.Sprintf("%s %d× %s", cmp.Or(r.Code, "ok"), f.count(b, c), recovered.Round(time.Millisecond))
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

// table is the matrix as text.
type table struct {
	head []string
	rows []string
	text map[string][]string
}

func newTable(fs []family) *table {
	t := &table{text: map[string][]string{}}
	for _, f := range fs {
		t.head = append(t.head, f.name)
	}
	return t
}

func (t *table) row(fault, moment string) []string {
	name := fault + "\t" + moment
	row := make([]string, len(t.head))
	t.rows = append(t.rows, name)
	t.text[name] = row
	return row
}

func (t *table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "fault\tmoment\t%s\n", strings.Join(t.head, "\t"))
	for _, name := range t.rows {
		if cells := t.text[name]; strings.Join(cells, "") != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, strings.Join(cells, "\t"))
		}
	}
	_ = w.Flush()
	return b.String()
}

// tail returns the last lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
