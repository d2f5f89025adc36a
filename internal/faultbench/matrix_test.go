package faultbench

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// TestMatrix breaks the connection in every way, at every moment, of every kind of
// call. An ordinary run takes all moments of all families under the plainest fault,
// and of every other fault some of each.
func TestMatrix(t *testing.T) {
	together(t)
	newBench(t, "FIREFOX_MCP_ENABLE_EVALUATE=all").matrix(onTheWire(), func(fault, moment, fam int) bool {
		return fault == 0 || (fault*3+moment+fam)%29 == 0
	})
}

// TestMatrixOfTheBrowser lets the browser fare badly instead: it is killed, its page's
// process is, it stands still, another program takes its port, and so on. An ordinary
// run takes a moment of each with one family.
func TestMatrixOfTheBrowser(t *testing.T) {
	together(t)
	b := newBench(t, "FIREFOX_MCP_ENABLE_EVALUATE=all")
	b.matrix(b.ofTheBrowser(), func(fault, moment, fam int) bool {
		return moment == 1+2*(fault%2) && fam == fault%len(families)
	})
}

// all says that all cells are wanted.
func all() bool { return os.Getenv("FAULTS") == "all" }

// together runs the matrices side by side when they are long: most of the time they
// wait.
func together(t *testing.T) {
	t.Helper()
	if all() {
		t.Parallel()
	}
}

// matrix runs the cells, all of them if FAULTS is all, else those that are chosen.
func (b *bench) matrix(blows []blow, chosen func(blow, moment, fam int) bool) {
	t := b.t
	t.Helper()
	file := filepath.Join(t.TempDir(), "upload.txt")
	if err := os.WriteFile(file, bytes.Repeat([]byte("0123456789abcdef"), 1024), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do("select_tab", arguments{"index": 0})
	table := newTable(families)
	n := 0
	defer func() { t.Logf("%d cells\n%s", n, table) }()
	for i, how := range blows {
		for j, m := range moments {
			row := table.row(how.Name, m.name)
			for k, f := range families {
				if !all() && !chosen(i, j, k) {
					continue
				}
				rule, ok := m.of(f)
				if !ok {
					row[k] = "–"
					continue
				}
				n++
				row[k] = "failed"
				t.Run(fmt.Sprintf("%s, %s, %s", how.Name, m.name, f.name), func(t *testing.T) {
					old := len(b.stderr.String())
					row[k] = b.in(t).run(&cell{n: n, file: file}, how, m, f, rule)
					if t.Failed() {
						row[k] += " failed"
						t.Log(tail(b.stderr.String()[old:], 60))
					}
				})
			}
		}
	}
}

// of is the rule for calls of a kind; there is none for what happens before a call.
func (m moment) of(f family) (fp.Rule, bool) {
	if m.rule == nil {
		return fp.Rule{}, true
	}
	return m.rule(f)
}

// run runs one cell and says in short what came out.
func (b *bench) run(c *cell, how blow, m moment, f family, rule fp.Rule) string {
	b.t.Helper()
	b.do("navigate", arguments{"url": fmt.Sprintf("%s/?cell=%d", b.site.URL, c.n)})
	if f.before != nil {
		f.before(b)
	} else {
		c.refs = b.do("snapshot_page", nil)
	}
	before := b.do("browser_status", nil)
	f.address(b, c)
	want := how.expect(m.name, f)
	r := b.struck(c, how, m, f, rule)
	if !slices.Contains(want.codes, r.Code) {
		b.t.Errorf("code %q (%s), want one of %q", r.Code, r.Message, want.codes)
	}
	if slices.Contains([]string{"connection_lost", "rdp_timeout"}, r.Code) && m.rule != nil && how.Fatal && !tellsDoubt(r.Message) {
		b.t.Errorf("%q does not say that it may have happened", r.Message)
	}
	how.mend(b)
	within := fastEnough
	if how.late && (r.Code == f.well || f.browser) { // nobody has noticed yet: the next request finds it out
		within += deadline
	}
	recovered := b.recovers(within)
	effects := b.effects(c, how, f, want)
	b.again(before, how, f, want, c)
	b.cleanUp(r)
	return fmt.Sprintf("%s %s %s", cmp.Or(r.Code, "ok"), effects, recovered.Round(time.Millisecond))
}

// struck makes the call and the fault happen.
func (b *bench) struck(c *cell, how blow, m moment, f family, rule fp.Rule) result {
	b.t.Helper()
	if m.rule == nil {
		b.proxy.Hit(how.Fault)
		return b.try(f.tool, f.args(c))
	}
	rule.Fault = how.Fault
	fired := b.proxy.Arm(rule)
	r := b.try(f.tool, f.args(c))
	select {
	case <-fired:
	case <-time.After(time.Second):
		b.t.Errorf("the fault did not happen; the call gave %q %s", r.Code, r.Message)
		b.proxy.Disarm()
	}
	return r
}

// effects counts what the call did, where that can be known.
func (b *bench) effects(c *cell, how blow, f family, want expected) string {
	b.t.Helper()
	if how.gone && !f.outside {
		return "?×"
	}
	got := f.count(b, c)
	if got < want.min || got > want.max {
		b.t.Errorf("%d effects, want %d to %d", got, want.min, want.max)
	}
	return fmt.Sprintf("%d×", got)
}

// again looks that the server goes on where it was: with the same tab, but by no old
// reference when the connection is another.
func (b *bench) again(before result, how blow, f family, want expected, c *cell) {
	b.t.Helper()
	if how.other {
		if r := b.try("snapshot_page", nil); r.Code != "no_tab_selected" {
			b.t.Errorf("in another Firefox a tab is selected: %q %s", r.Code, r.Text)
		}
		b.do("select_tab", arguments{"index": 0})
	}
	after := b.do("browser_status", nil)
	if want.replaced && after.Generation <= before.Generation {
		b.t.Errorf("generation %d, was %d", after.Generation, before.Generation)
	}
	if after.SelectedTab == nil || (after.SelectedTab.TabID == before.SelectedTab.TabID) == how.other {
		b.t.Errorf("selected %+v, was %+v", after.SelectedTab, before.SelectedTab)
	}
	if want.replaced && f.name != "navigate" && len(c.refs.Elements) > 0 {
		stale := b.try("click", arguments{"element": c.refs.Elements[0].Ref})
		if stale.Code != "stale_element" && (!how.gone || stale.Code != "unsupported_page") {
			b.t.Errorf("an old reference: %q %s", stale.Code, stale.Message)
		}
	}
}

// cleanUp looks that nothing is left: no dialog, no tab.
func (b *bench) cleanUp(r result) {
	b.t.Helper()
	if r.SessionID != "" {
		b.try("close_page", arguments{"session_id": r.SessionID})
	}
	if r := b.do("browser_status", nil); r.Dialog != nil {
		b.do("handle_dialog", arguments{"action": "dismiss"})
	}
	b.alone()
}
