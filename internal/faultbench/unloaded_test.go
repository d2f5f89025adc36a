package faultbench

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// strip is an expression of the parent process for the user's tabs.
const strip = `Services.wm.getMostRecentWindow("navigator:browser").gBrowser`

// losses are the ways in which the tab at index 1, in the background, loses its
// page.
var losses = []struct {
	name string
	lose func(b *bench)
}{
	{"put to sleep", func(b *bench) {
		b.t.Helper()
		b.parent(`return ` + strip + `.discardBrowser(` + strip + `.tabs[1], true)`)
	}},
	{"process killed", func(b *bench) {
		b.t.Helper()
		frames, err := b.oracle().Frames(b.t.Context(), 1)
		if err != nil {
			b.t.Fatal(err)
		}
		if err := syscall.Kill(frames[0].Pid, syscall.SIGKILL); err != nil {
			b.t.Fatal(err)
		}
	}},
}

// lost has the tab lose its page and waits until the browser says so.
func (b *bench) lost(lose func(*bench)) {
	b.t.Helper()
	lose(b)
	for deadline := time.Now().Add(10 * time.Second); !b.asleep(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatal("the tab is still loaded")
		}
	}
}

// asleep reports whether the browser says that the tab at index 1 is not loaded.
func (b *bench) asleep() bool {
	b.t.Helper()
	return b.parent(`return `+strip+`.tabs[1].hasAttribute("pending")`) == "true"
}

// behind opens a page in the background, at index 1, and returns the arguments
// that name its tab. It is closed with the test.
func (b *bench) behind(address string) map[string]any {
	b.t.Helper()
	c := b.oracle()
	if err := c.OpenTab(b.t.Context(), "about:blank"); err != nil {
		b.t.Fatal(err)
	}
	if err := c.Go(b.t.Context(), 1, address); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := c.CloseTab(context.Background(), 1); err != nil {
			b.t.Error(err)
		}
	})
	return map[string]any{"tab_id": b.do("list_tabs", nil).Tabs[1].TabID}
}

// TestUnloadedTabs takes the page of a tab away in the background, and looks that
// the tab is named as what it is, that nothing but a load wakes it, and that both
// loads do, without bringing it to the front.
func TestUnloadedTabs(t *testing.T) {
	b := newBench(t)
	b.do("select_tab", map[string]any{"index": 0})
	for i, loss := range losses {
		for _, used := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, used before %t", loss.name, used), func(t *testing.T) {
				b := b.in(t)
				page := b.site.other(fmt.Sprintf("/?unloaded=%d-%t", i, used))
				tab := b.behind(page)
				if used {
					b.do("snapshot_page", tab)
				}
				b.lost(loss.lose)
				b.staysAsleep(tab)
				t.Logf("reloaded in %v", b.do("navigate_history", with(tab, "direction", "reload")).Took)
				b.presses(tab, page)
				b.lost(loss.lose)
				page = strings.Replace(page, "unloaded", "left", 1)
				t.Logf("left by navigate in %v", b.do("navigate", with(tab, "url", page)).Took)
				b.presses(tab, page)
				if front := b.parent(`return ` + strip + `.tabContainer.selectedIndex`); front != "0" {
					t.Errorf("tab %s is in front", front)
				}
			})
		}
	}
}

// TestTabOfTheLastSession reloads a tab that the browser has not loaded yet since
// its start.
func TestTabOfTheLastSession(t *testing.T) {
	b := newBench(t)
	page := b.site.other("/?last-session")
	b.parent(strip + `.addTrustedTab("` + page + `", {inBackground: true, createLazyBrowser: true, lazyTabTitle: "Bench"})`)
	tab := map[string]any{"tab_id": b.do("list_tabs", nil).Tabs[1].TabID}
	b.staysAsleep(tab)
	b.do("navigate_history", with(tab, "direction", "reload"))
	b.presses(tab, page)
}

// staysAsleep looks that calls for the page name its state and change nothing in
// it.
func (b *bench) staysAsleep(tab map[string]any) {
	b.t.Helper()
	look := b.try("snapshot_page", tab)
	if look.Code == "target_replaced" { // the news of it came while the page was being asked
		look = b.try("snapshot_page", tab)
	}
	b.code(look, "tab_unloaded")
	b.code(b.try("navigate_history", with(tab, "direction", "back")), "tab_unloaded")
	if r := b.do("select_tab", tab); !strings.Contains(r.Text, "not loaded") {
		b.t.Errorf("select_tab says %q", r.Text)
	}
	if !b.asleep() {
		b.t.Error("the tab was woken")
	}
}

// underPressure has Firefox put to sleep the tab that was used least recently, as it
// does when memory is short. The module has moved since 140.
func underPressure(b *bench) {
	b.t.Helper()
	b.parent(`let unloader;
		try { unloader = ChromeUtils.importESModule("moz-src:///browser/components/tabbrowser/TabUnloader.sys.mjs"); }
		catch { unloader = ChromeUtils.importESModule("resource:///modules/TabUnloader.sys.mjs"); }
		unloader.TabUnloader.unloadLeastRecentlyUsedTab(0); return 0`)
}

// TestTabWokenByItsUser has Firefox put a tab that is in use to sleep, and its user go
// to it: Firefox has another browser in it then.
func TestTabWokenByItsUser(t *testing.T) {
	b := newBench(t)
	page := b.site.other("/?woken")
	tab := b.behind(page)
	before := b.do("snapshot_page", tab)
	b.lost(underPressure)
	b.goesTo()
	b.presses(tab, page)
	b.code(b.try("click", with(tab, "element", before.ref(t, "Press"))), "stale_element")
	again := page + "-again"
	b.do("navigate", with(tab, "url", again))
	b.presses(tab, again)
}

// TestUnloadedWithoutPrivileges looks that a server that may not load such tabs
// says so, and uses them once their user has gone to them.
func TestUnloadedWithoutPrivileges(t *testing.T) {
	b := newBench(t)
	s := startServer(t, b.proxy.Port, "FIREFOX_MCP_PRIVILEGED=false")
	b = &bench{server: s, t: t, firefox: b.firefox, proxy: b.proxy, site: b.site}
	page := b.site.other("/?unprivileged")
	tab := b.behind(page)
	b.lost(losses[0].lose)
	for _, r := range []result{
		b.try("snapshot_page", tab), b.try("navigate", with(tab, "url", page)), b.try("navigate_history", with(tab, "direction", "reload")),
	} {
		b.code(r, "tab_unloaded")
		if !strings.Contains(r.Message, "FIREFOX_MCP_PRIVILEGED") {
			t.Errorf("it says %q", r.Message)
		}
	}
	b.goesTo()
	b.presses(tab, page)
}

// goesTo has the user go to the tab at index 1, which loads it.
func (b *bench) goesTo() {
	b.t.Helper()
	b.parent(strip + `.selectedTab = ` + strip + `.tabs[1]`)
	for deadline := time.Now().Add(10 * time.Second); b.asleep() || b.look(1, "doc.readyState + !!doc.title") != `"completetrue"`; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatal("the tab is not loaded")
		}
	}
}

// presses looks that the tab at index 1 has the address and that it works.
func (b *bench) presses(tab map[string]any, address string) {
	b.t.Helper()
	b.works(1, tab)
	if got := b.look(1, "doc.URL"); got != fmt.Sprintf("%q", address) {
		b.t.Errorf("the tab shows %s, want %s", got, address)
	}
}
