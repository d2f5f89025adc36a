package faultbench

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
	"firefox-rdp-mcp/internal/firefoxtest"
)

// oracle is a connection of the test's own, beside the proxy.
func (b *bench) oracle() *firefoxtest.Client {
	b.t.Helper()
	c, err := firefoxtest.Dial(b.t.Context(), b.firefox.Port, true)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(c.Close)
	return c
}

// parent runs a function body in Firefox's parent process.
func (b *bench) parent(body string) string {
	b.t.Helper()
	v, err := b.oracle().Parent(b.t.Context(), body)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(v)
}

// twoTabs opens a second tab, whose page lives in another process, and returns
// the ids of both. The first is selected.
func (b *bench) twoTabs(path string) (first, second string) {
	b.t.Helper()
	if err := b.oracle().OpenTab(b.t.Context(), b.site.other("/other")); err != nil {
		b.t.Fatal(err)
	}
	b.do("select_tab", map[string]any{"index": 0})
	b.do("navigate", map[string]any{"url": b.site.URL + path})
	tabs := b.do("list_tabs", nil).Tabs
	for deadline := time.Now().Add(10 * time.Second); len(tabs) < 2 || !strings.HasSuffix(tabs[1].URL, "/other"); tabs = b.do("list_tabs", nil).Tabs {
		if time.Now().After(deadline) {
			b.t.Fatalf("the second tab does not come: %+v", tabs)
		}
	}
	return tabs[0].TabID, tabs[1].TabID
}

// code complains unless a result has the code.
func (b *bench) code(r result, want string) {
	b.t.Helper()
	if r.Code != want {
		b.t.Errorf("code %q (%s), want %q", r.Code, r.Message, want)
	}
}

// others checks that status, list and another tab go on answering, each within
// a second or so.
func (b *bench) others(tab string) {
	b.t.Helper()
	for _, q := range []struct {
		tool string
		args map[string]any
	}{{"browser_status", nil}, {"list_tabs", nil}, {"snapshot_page", map[string]any{"tab_id": tab}}} {
		if r := b.try(q.tool, q.args); r.Code != "" || r.Took > 3*time.Second {
			b.t.Errorf("meanwhile %s gave %q %s after %v", q.tool, r.Code, r.Message, r.Took)
		}
	}
}

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
			b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Press")})
			if hits := b.number(0, "w.hits"); hits != 1 {
				t.Errorf("%d hits after one click", hits)
			}
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
	took := b.recovers(fastEnough)
	t.Logf("recovered in %v", took)
	r = b.try("snapshot_page", map[string]any{"tab_id": before.SelectedTab.TabID})
	b.code(r, "tab_not_found")
	r = b.try("click", map[string]any{"element": refs.ref(t, "Press")})
	if r.Code != "no_tab_selected" && r.Code != "stale_element" {
		t.Errorf("a click by an old reference: %q %s", r.Code, r.Message)
	}
	sel := b.do("select_tab", map[string]any{"index": 0})
	if !strings.Contains(sel.Text+sel.Notice, "replaced") {
		t.Errorf("nothing tells that the connection was replaced: %s", sel.Text)
	}
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
	b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Press")})
	if hits := b.number(0, "w.hits"); hits != 1 {
		t.Errorf("%d hits after one click", hits)
	}
}

// TestPortTakenByAnother finds a web server, and then nothing that speaks, in
// Firefox's place.
func TestPortTakenByAnother(t *testing.T) {
	b := newBench(t)
	b.do("select_tab", map[string]any{"index": 0})
	before := b.do("browser_status", nil)
	for _, tt := range []struct {
		name, says string
		serve      func(net.Conn)
	}{
		{"web server", "is a web server (HTTP status 404)", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
			_, _ = io.Copy(io.Discard, c)
		}},
		{"silence", "does not answer", func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }},
	} {
		b.proxy.Impostor(tt.serve)
		b.proxy.Hit(fp.Cut)
		r := b.try("list_tabs", nil)
		if r.Code == "connection_lost" { // it came before the end was noticed
			r = b.try("list_tabs", nil)
		}
		b.code(r, "not_connected")
		if !strings.Contains(r.Message, tt.says) || r.Took > 2500*time.Millisecond {
			t.Errorf("%s: after %v: %s", tt.name, r.Took, r.Message)
		}
		b.proxy.Impostor(nil)
		if tt.name == "silence" {
			continue // the dial under way has its own deadline
		}
		b.recovers(fastEnough)
	}
	b.recovers(6 * time.Second)
	if after := b.do("browser_status", nil); after.SelectedTab == nil || after.SelectedTab.TabID != before.SelectedTab.TabID {
		t.Errorf("selected %+v, was %+v", after.SelectedTab, before.SelectedTab)
	}
}

// TestCutAtAnyByte cuts connections behind every so many bytes of Firefox's,
// from the first of the handshake on, and looks that the next one works.
func TestCutAtAnyByte(t *testing.T) {
	b := newBench(t)
	codes := map[string]int{}
	for n := 0; n < 3000; n += max(1, n/8) {
		b.proxy.CutNextAfter(n)
		b.proxy.Hit(fp.Cut)
		r := b.try("list_tabs", nil)
		switch r.Code {
		case "", "not_connected", "connection_lost":
		default:
			t.Errorf("behind %d bytes: %q %s", n, r.Code, r.Message)
		}
		codes[r.Code]++
		b.proxy.CutNextAfter(-1)
		b.recovers(fastEnough)
	}
	t.Logf("codes: %v", codes)
}

// TestOneNotice looks that the next result, and only that, tells that the
// connection was replaced, and why.
func TestOneNotice(t *testing.T) {
	b := newBench(t)
	b.do("select_tab", map[string]any{"index": 0})
	b.do("navigate", map[string]any{"url": b.site.URL + "/"})
	b.proxy.Hit(fp.Cut)
	b.recovers(fastEnough)
	r := b.do("snapshot_page", nil)
	if !strings.Contains(r.Notice, "replaced") || !strings.Contains(r.Notice, "EOF") {
		t.Errorf("the notice is %q", r.Notice)
	}
	if r := b.do("snapshot_page", nil); r.Notice != "" {
		t.Errorf("and again: %q", r.Notice)
	}
	st := b.do("browser_status", map[string]any{"verbose": true})
	for _, want := range []string{"The connection before ended: ", "Connection 2: lived ", "Connection 1: lived ", "ended by: "} {
		if !strings.Contains(st.Text, want) {
			t.Errorf("the status lacks %q:\n%s", want, st.Text)
		}
	}
}

// TestLinkOfOne looks that the program keeps a single connection, however often
// it is cut.
func TestLinkOfOne(t *testing.T) {
	b := newBench(t)
	b.recovers(10 * time.Second)
	for range 5 {
		b.proxy.Hit(fp.Reset)
		b.recovers(fastEnough)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for b.proxy.Open() != 1 && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	if n := b.proxy.Open(); n != 1 {
		t.Errorf("%s connections are open", strconv.Itoa(n))
	}
}
