package faultbench

import (
	"fmt"
	"testing"
	"time"
)

func TestPageInAnEndlessLoop(t *testing.T) {
	b := newBench(t)
	_, other := b.twoTabs("/loop")
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
	b.code(<-press, "page_unresponsive")
	n := b.do("navigate", map[string]any{"url": b.site.URL + "/?freed"})
	t.Logf("freed by navigate in %v", n.Took)
	if hits := b.number(0, "w.hits"); hits != 0 {
		t.Errorf("%d hits on the fresh page", hits)
	}
	b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Press")})
	if hits := b.number(0, "w.hits"); hits != 1 {
		t.Errorf("%d hits after one click", hits)
	}
	b.others(other)
}

// TestNothingActsLate clicks in a page that is frozen for longer than the call
// waits: when it thaws, the click must not happen.
func TestNothingActsLate(t *testing.T) {
	b := newBench(t)
	b.do("select_tab", map[string]any{"index": 0})
	b.do("navigate", map[string]any{"url": b.site.URL + "/"})
	refs := b.do("snapshot_page", nil)
	frozen := deadline + 5*time.Second
	begun := time.Now()
	c := b.oracle()
	thawed := make(chan error, 1)
	go func() {
		_, err := c.Page(t.Context(), 0, fmt.Sprintf("(() => { const end = Date.now() + %d; while (Date.now() < end); })()", frozen.Milliseconds()))
		thawed <- err
	}()
	time.Sleep(time.Second)
	r := b.try("click", map[string]any{"element": refs.ref(t, "Press")})
	b.code(r, "page_unresponsive")
	if r.Took >= frozen {
		t.Errorf("answered after %v, when the page had thawed", r.Took)
	}
	if err := <-thawed; err != nil || time.Since(begun) < frozen-100*time.Millisecond { // the page's clock is coarser than ours
		t.Fatalf("the page was frozen for %v: %v", time.Since(begun), err)
	}
	time.Sleep(time.Second)
	if hits := b.number(0, "w.hits"); hits != 0 {
		t.Errorf("the click happened late: %d hits", hits)
	}
	b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Press")})
	if hits := b.number(0, "w.hits"); hits != 1 {
		t.Errorf("%d hits after one click", hits)
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
	b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Press")})
	if hits := b.number(0, "w.hits"); hits != 1 {
		t.Errorf("%d hits after one click", hits)
	}
}
