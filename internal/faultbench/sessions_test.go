package faultbench

import (
	"fmt"
	"strings"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// limited is a bench with a server of its own that allows one page of its own,
// closed after some time without use.
func (b *bench) limited(t *testing.T, timeout time.Duration) *bench {
	t.Helper()
	p := fp.Start(t, b.firefox.Port)
	s := startServer(t, p.Port, "FIREFOX_MCP_MAX_SESSIONS=1", fmt.Sprintf("FIREFOX_MCP_SESSION_TIMEOUT_MS=%d", timeout.Milliseconds()))
	return &bench{server: s, t: t, firefox: b.firefox, proxy: p, site: b.site}
}

// page opens a page of the server's own and returns the arguments that name it.
func (b *bench) page(path string) map[string]any {
	b.t.Helper()
	return map[string]any{"session_id": b.do("open_page", map[string]any{"url": b.site.other(path)}).SessionID}
}

// owned reports whether the server still has a page.
func (b *bench) owned(page map[string]any) bool {
	b.t.Helper()
	for _, tab := range b.do("list_tabs", nil).Tabs {
		if tab.TabID == page["session_id"] {
			return tab.Owned
		}
	}
	return false
}

// tabs is how many the browser has.
func (b *bench) tabs() string {
	b.t.Helper()
	return b.parent(`return ` + strip + `.tabs.length`)
}

// alone waits until the user's tab is the only one.
func (b *bench) alone() {
	b.t.Helper()
	for deadline := time.Now().Add(time.Minute); b.tabs() != "1"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s tabs are left", b.tabs())
		}
	}
}

// ended looks that calls for a page say how it ended, also on the next connection,
// and that there is room for another.
func (b *bench) ended(page map[string]any, code, says string) {
	b.t.Helper()
	for range 2 {
		for _, tool := range []string{"extract_text", "close_page"} {
			r := b.try(tool, page)
			b.code(r, code)
			if !strings.Contains(r.Message, says) {
				b.t.Errorf("%s says %q, want %q", tool, r.Message, says)
			}
		}
		b.replaced()
	}
	b.do("close_page", b.page("/another"))
	b.alone()
}

// TestSleepingPages has the browser take the page of a tab of ours away: the tab
// stays ours, under its name and in the count, and goes when it is closed or nobody
// uses it, also when the connection was replaced meanwhile.
func TestSleepingPages(t *testing.T) {
	first := newBench(t)
	for i, loss := range losses {
		for _, cut := range []bool{false, true} {
			name := fmt.Sprintf("%s, connection replaced %t", loss.name, cut)
			sleeping := func(t *testing.T, timeout time.Duration) (b *bench, page map[string]any) {
				t.Helper()
				b = first.limited(t, timeout)
				page = b.page("/?sleeps")
				b.lost(loss.lose)
				if cut {
					b.replaced()
				}
				return b, page
			}
			t.Run(name+", closed", func(t *testing.T) {
				b, page := sleeping(t, time.Hour)
				if !b.owned(page) {
					t.Error("the page is not ours any more")
				}
				b.code(b.try("extract_text", page), "tab_unloaded")
				b.code(b.try("open_page", map[string]any{"url": b.site.URL}), "max_sessions_reached")
				b.do("close_page", page)
				b.ended(page, "session_not_found", "has been closed")
			})
			t.Run(name+", woken", func(t *testing.T) {
				b, page := sleeping(t, time.Hour)
				b.do("navigate_history", with(page, "direction", "reload"))
				b.presses(page, b.site.other("/?sleeps"))
				b.do("close_page", page)
				b.alone()
			})
			if cut != (i == 0) {
				continue // waiting takes long, and each loss and each connection has been waited for
			}
			t.Run(name+", left", func(t *testing.T) {
				b, page := sleeping(t, 12*time.Second) // time enough to lose it first
				b.alone()
				b.ended(page, "session_expired", "without use")
			})
		}
	}
}

// TestPagesThatOthersEnd ends pages of ours from outside: what is left of them is
// told as what it is, and their room is free.
func TestPagesThatOthersEnd(t *testing.T) {
	b := newBench(t).limited(t, time.Hour)
	remove := `const g = ` + strip + `; g.removeTab(g.tabs[1], {animate: false})`
	t.Run("closed by its user", func(t *testing.T) {
		b := b.in(t)
		page := b.page("/?closed")
		b.parent(remove)
		b.ended(page, "session_not_found", "closed in the browser")
	})
	t.Run("closed while there is no connection", func(t *testing.T) {
		b := b.in(t)
		page := b.page("/?closed")
		b.meanwhile(remove)
		b.ended(page, "session_not_found", "closed in the browser")
	})
	t.Run("closed by a call that did not hear of it", func(t *testing.T) {
		b := b.in(t)
		page := b.page("/?unheard")
		b.proxy.Arm(fp.Rule{Fault: fp.Cut, Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(`_self(\"close\"`)}, {Dir: fp.ToServer, Match: has(`"resultID"`)}}})
		b.code(b.try("close_page", page), "connection_lost")
		b.ended(page, "session_not_found", "has been closed")
	})
	t.Run("taken by its user", func(t *testing.T) {
		b := b.in(t)
		page := b.page("/?taken")
		b.parent(strip + `.selectedTab = ` + strip + `.tabs[1]`)
		if b.owned(page) {
			t.Error("the page that its user has gone to is still ours")
		}
		b.presses(page, b.site.other("/?taken"))
		another := b.page("/?another")
		b.code(b.try("close_page", page), "session_not_found")
		b.do("close_page", another)
		b.parent(`const g = ` + strip + `; g.selectedTab = g.tabs[0]; g.removeTab(g.tabs[1], {animate: false})`)
	})
	t.Run("of a browser that was killed", func(t *testing.T) {
		b := b.in(t)
		page := b.page("/?killed")
		b.firefox.Kill()
		if err := b.firefox.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.settles()
		if b.parent(`return `+strip+`.tabs.length`) != "1" {
			t.Fatal("the other browser has more than one tab")
		}
		b.ended(page, "session_not_found", "restarted")
	})
}

// lanePage counts what happens to it, shows it beside its own address, and tells the
// site of each click with what was typed.
const lanePage = `<!doctype html><title>Lane</title><script>var typed = 0, hits = 0;</script>
<label>Name <input id=field oninput="typed++"></label>
<button onclick="hits++; fetch('/pressed' + location.search + '&' + field.value + '&' + hits); show()">Press</button>
<p id=out></p><script>const show = () => out.textContent = location.search + " " + field.value + " typed " + typed + " hits " + hits;</script>`

// TestTenPagesAtOnce drives ten pages of one server at the same time: each gets what
// is meant for it, once, and nothing else.
func TestTenPagesAtOnce(t *testing.T) {
	b := newBench(t)
	// Ten pages that load at once may each take long on a busy machine.
	b = &bench{server: startServer(t, b.proxy.Port, "FIREFOX_MCP_REQUEST_TIMEOUT_MS=50000"), t: t, firefox: b.firefox, proxy: b.proxy, site: b.site}
	const lanes, rounds = 10, 3
	b.site.shows(lanePage)
	done := make(chan error)
	for i := range lanes {
		go func() { done <- b.lane(i, rounds) }()
	}
	for range lanes {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if t.Failed() {
		return
	}
	b.alone()
	for deadline := time.Now().Add(10 * time.Second); b.site.total("/pressed") < lanes*rounds && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
	}
	for i := range lanes {
		for r := range rounds {
			pressed := fmt.Sprintf("/pressed?lane=%d&%s&%d", i, laneText(i, r), r+1)
			if n := b.site.count(pressed); n != 1 {
				t.Errorf("%s was asked for %d times", pressed, n)
			}
		}
	}
	if n := b.site.total("/pressed"); n != lanes*rounds {
		t.Errorf("%d clicks, want %d", n, lanes*rounds)
	}
}

func laneText(lane, round int) string { return fmt.Sprintf("l%dr%d", lane, round) }

// lane opens a page, and types, clicks and reads in it by turns.
func (b *bench) lane(i, rounds int) error {
	opened := b.try("open_page", map[string]any{"url": fmt.Sprintf("%s/?lane=%d", b.site.URL, i)})
	if opened.Code != "" {
		return fmt.Errorf("lane %d is not opened: %s", i, opened.Message)
	}
	page := map[string]any{"session_id": opened.SessionID}
	seen := b.try("snapshot_page", page)
	typed := 0
	for r := range rounds {
		text := laneText(i, r)
		typed += len(text)
		for _, step := range []struct {
			tool string
			args map[string]any
		}{
			{"type_text", map[string]any{"element_id": seen.named("Name"), "text": text, "mode": "replace"}},
			{"click", map[string]any{"element_id": seen.named("Press")}},
		} {
			step.args["session_id"] = opened.SessionID
			if r := b.try(step.tool, step.args); r.Code != "" {
				return fmt.Errorf("lane %d: %s: %s", i, step.tool, r.Message)
			}
		}
		want := fmt.Sprintf("?lane=%d %s typed %d hits %d", i, text, typed, r+1)
		if read := b.try("extract_text", page); !strings.Contains(read.Text, want) {
			return fmt.Errorf("lane %d reads %q, want %q", i, read.Text, want)
		}
	}
	if r := b.try("close_page", page); r.Code != "" {
		return fmt.Errorf("lane %d is not closed: %s", i, r.Message)
	}
	return nil
}

// named is the reference of a control in a snapshot, "" if there is none.
func (r result) named(name string) string {
	for _, e := range r.Elements {
		if e.Name == name {
			return e.Ref
		}
	}
	return ""
}
