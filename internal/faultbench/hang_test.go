package faultbench

import (
	"fmt"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

func TestPageInAnEndlessLoop(t *testing.T) {
	b := newBench(t)
	_, other := b.twoTabs("/loop")
	if err := b.oracle().OpenTab(t.Context(), b.site.other("/never-used")); err != nil {
		t.Fatal(err)
	}
	never := b.do("list_tabs", nil).Tabs[2].TabID
	b.do("snapshot_page", map[string]any{"tab_id": other})
	refs := b.do("snapshot_page", nil)
	r := b.try("click", map[string]any{"element": refs.ref(t, "Hang")})
	b.code(r, "page_unresponsive")
	if r.Took > deadline+4*time.Second {
		t.Errorf("the call took %v", r.Took)
	}
	b.others(other)
	press := make(chan result, 1)
	go func() { press <- b.try("click", map[string]any{"element": refs.ref(t, "Press")}) }()
	b.others(other)
	b.others(never) // Firefox asks every process, and waits a second for the one that hangs
	b.code(<-press, "page_unresponsive")
	n := b.do("navigate", map[string]any{"url": b.site.URL + "/?freed"})
	t.Logf("freed by navigate in %v", n.Took)
	if hits := b.number(0, "w.hits"); hits != 0 {
		t.Errorf("%d hits on the fresh page", hits)
	}
	b.works(0, nil)
	b.others(other)
}

// freeze keeps the page of the first tab busy, and returns a function that waits
// until it has thawed.
func (b *bench) freeze(d time.Duration) (thawed func()) {
	b.t.Helper()
	begun := time.Now()
	c := b.oracle()
	over := make(chan error, 1)
	go func() {
		_, err := c.Page(b.t.Context(), 0, fmt.Sprintf("(() => { const end = Date.now() + %d; while (Date.now() < end); })()", d.Milliseconds()))
		over <- err
	}()
	time.Sleep(time.Second) // the loop runs
	return func() {
		b.t.Helper()
		if err := <-over; err != nil || time.Since(begun) < d-100*time.Millisecond { // the page's clock is coarser than ours
			b.t.Fatalf("the page was frozen for %v: %v", time.Since(begun), err)
		}
	}
}

// TestThawedTabIsFollowed uses a tab of a connection for the first time while its
// page is frozen. Afterwards its loads must be known of: also one that gives no
// page, which nothing but Firefox's news of the load tells.
func TestThawedTabIsFollowed(t *testing.T) {
	b := newBench(t)
	for i, first := range []struct {
		tool, code string
		args       map[string]any
	}{
		{"snapshot_page", "page_unresponsive", nil},
		{"navigate", "", map[string]any{"url": b.site.URL + "/?freed"}},
	} {
		t.Run(first.tool, func(t *testing.T) {
			b := b.in(t)
			b.do("navigate", map[string]any{"url": b.site.URL + "/?before"})
			b.proxy.Hit(fp.Cut) // the next connection has not used the tab
			b.recovers(fastEnough)
			thawed := b.freeze(deadline + 3*time.Second)
			b.code(b.try(first.tool, first.args), first.code)
			thawed()
			b.works(0, nil)
			empty := fmt.Sprintf("/empty?%d", i)
			r := b.try("navigate", map[string]any{"url": b.site.URL + empty, "timeout_ms": 9000})
			b.code(r, "navigation_failed")
			if n := b.site.count(empty); r.Took > 4*time.Second || n != 1 {
				t.Errorf("after %v and %d requests: %s", r.Took, n, r.Message)
			}
		})
	}
}

func TestPageThatAsksForEver(t *testing.T) {
	b := newBench(t)
	_, other := b.twoTabs("/dialogs")
	r := b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Ask")})
	if r.Dialog == nil {
		t.Fatalf("no dialog in %s", r.Text)
	}
	for range 3 {
		b.others(other)
		b.do("handle_dialog", map[string]any{"action": "accept"})
	}
	n := b.do("navigate", map[string]any{"url": b.site.URL + "/?freed"})
	t.Logf("left by navigate in %v", n.Took)
	b.works(0, nil)
}
