package faultbench

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// TestContentProcessDies kills the process of a page, between calls and under
// one.
func TestContentProcessDies(t *testing.T) {
	b := newBench(t)
	for _, during := range []bool{false, true} {
		t.Run(fmt.Sprintf("during a call %t", during), func(t *testing.T) {
			_, other := b.twoTabs("/")
			b.do("snapshot_page", map[string]any{"tab_id": other})
			refs := b.do("snapshot_page", nil)
			frames, err := b.oracle().Frames(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			kill := func() {
				if err := syscall.Kill(frames[0].Pid, syscall.SIGKILL); err != nil {
					t.Error(err)
				}
			}
			if during {
				fired := b.proxy.Arm(fp.Rule{
					Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(`_self(\"wait\"`)}, {Dir: fp.ToServer, Match: has(`"resultID"`)}},
					Fault: fp.Slow, Pass: fp.Everything,
				})
				go func() { <-fired; kill() }()
				r := b.try("wait_for", map[string]any{"selector": "#never", "timeout_ms": 3000})
				if r.Code == "" || r.Code == "rdp_timeout" || r.Took > 6*time.Second {
					t.Errorf("the wait gave %q %s after %v", r.Code, r.Message, r.Took)
				}
				t.Logf("the wait gave %q %s after %v", r.Code, r.Message, r.Took)
				b.proxy.Heal()
			} else {
				kill()
			}
			r := b.try("click", map[string]any{"element": refs.ref(t, "Press")})
			if r.Code != "stale_element" && r.Code != "unsupported_page" && r.Code != "target_replaced" {
				t.Errorf("a click on the dead page gave %q %s", r.Code, r.Message)
			}
			if r.Took > 6*time.Second {
				t.Errorf("it took %v", r.Took)
			}
			t.Logf("a click on the dead page gave %q %s after %v", r.Code, r.Message, r.Took)
			b.others(other)
			n := b.do("navigate", map[string]any{"url": b.site.URL + "/?again"})
			t.Logf("revived by navigate in %v", n.Took)
			b.works(0, nil)
			if r := b.do("browser_status", nil); !strings.Contains(r.Text, "Connected") {
				t.Errorf("status: %s", r.Text)
			}
			if err := b.oracle().CloseTab(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestFirefoxRestarts kills the whole browser under a call, finds its port
// empty, and then the next browser there.
func TestFirefoxRestarts(t *testing.T) {
	b := newBench(t)
	b.do("select_tab", map[string]any{"index": 0})
	b.do("navigate", map[string]any{"url": b.site.URL + "/"})
	before := b.do("browser_status", nil)
	refs := b.do("snapshot_page", nil)
	waiting := make(chan result, 1)
	go func() { waiting <- b.try("wait_for", map[string]any{"selector": "#never", "timeout_ms": 20000}) }()
	time.Sleep(500 * time.Millisecond)
	killed := time.Now()
	b.firefox.Kill()
	r := <-waiting
	b.code(r, "connection_lost")
	if took := time.Since(killed); took > time.Second {
		t.Errorf("the call heard of it after %v", took)
	}
	r = b.try("list_tabs", nil)
	b.code(r, "not_connected")
	if r.Took > 2500*time.Millisecond {
		t.Errorf("the next call took %v", r.Took)
	}
	if err := b.firefox.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	up := time.Now()
	r = b.try("list_tabs", nil)
	took := time.Since(up)
	t.Logf("recovered in %v", took)
	b.code(r, "")
	if took > fastEnough || !strings.Contains(r.Text, replacedNote) {
		t.Errorf("after %v: %s", took, r.Text)
	}
	r = b.try("snapshot_page", map[string]any{"tab_id": before.SelectedTab.TabID})
	b.code(r, "tab_not_found")
	r = b.try("click", map[string]any{"element": refs.ref(t, "Press")})
	if r.Code != "no_tab_selected" && r.Code != "stale_element" {
		t.Errorf("a click by an old reference: %q %s", r.Code, r.Message)
	}
	b.do("select_tab", map[string]any{"index": 0})
	if again := b.do("browser_status", nil); again.SelectedTab.TabID == before.SelectedTab.TabID {
		t.Errorf("the id %s came back for another tab", again.SelectedTab.TabID)
	}
}

// TestFirefoxSleeps stops the whole browser, as the sleep of the machine or a
// debugger does, for longer than a call waits.
func TestFirefoxSleeps(t *testing.T) {
	b := newBench(t)
	b.do("select_tab", map[string]any{"index": 0})
	b.do("navigate", map[string]any{"url": b.site.URL + "/"})
	refs := b.do("snapshot_page", nil)
	b.firefox.Signal(syscall.SIGSTOP)
	r := b.try("click", map[string]any{"element": refs.ref(t, "Press")})
	b.code(r, "rdp_timeout")
	if r.Took > deadline+4*time.Second {
		t.Errorf("the call took %v", r.Took)
	}
	r = b.try("list_tabs", nil)
	b.code(r, "not_connected")
	b.firefox.Signal(syscall.SIGCONT)
	took := b.recovers(fastEnough)
	t.Logf("recovered in %v", took)
	time.Sleep(time.Second)
	if hits := b.number(0, "w.hits"); hits != 0 {
		t.Errorf("the click happened late: %d hits", hits)
	}
	b.works(0, nil)
}
