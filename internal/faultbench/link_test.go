package faultbench

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

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

// replacedNote begins what the next answer says when the connection was replaced.
const replacedNote = "the connection to Firefox was replaced ("

// TestOneNotice looks that the next answer, whatever was asked and also if it is an
// error, and only that, tells that the connection was replaced, and why.
func TestOneNotice(t *testing.T) {
	b := newBench(t)
	b.do("navigate", map[string]any{"url": b.site.URL + "/"})
	for _, next := range []string{"snapshot_page", "list_tabs", "browser_status", "click"} {
		var args map[string]any
		if next == "click" { // by a reference that has died
			args = map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Press")}
		}
		b.replaced()
		if r := b.try(next, args); strings.Count(r.Text, replacedNote) != 1 || !strings.Contains(r.Text, "EOF") {
			t.Errorf("%s does not tell of it: %s", next, r.Text)
		}
		if r := b.do("snapshot_page", nil); strings.Contains(r.Text, replacedNote) {
			t.Errorf("after %s it is told again: %s", next, r.Text)
		}
	}
	st := b.do("browser_status", map[string]any{"verbose": true})
	for _, want := range []string{"The connection before ended: ", "Connection 5: lived ", "Connection 4: lived ", "ended by: "} {
		if !strings.Contains(st.Text, want) {
			t.Errorf("the status lacks %q:\n%s", want, st.Text)
		}
	}
}

// replaced cuts the connection and waits, without a call, until there is another.
func (b *bench) replaced() {
	b.t.Helper()
	dials := b.proxy.Dials()
	b.proxy.Hit(fp.Cut)
	for deadline := time.Now().Add(10 * time.Second); b.proxy.Dials() == dials || b.proxy.Open() != 1; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatal("no other connection")
		}
	}
	time.Sleep(300 * time.Millisecond) // Firefox greets
}

// meanwhile replaces the connection and runs a function body in Firefox's parent
// process while there is none.
func (b *bench) meanwhile(body string) {
	b.t.Helper()
	b.proxy.Impostor(func(net.Conn) {})
	b.proxy.Hit(fp.Cut)
	b.parent(body)
	b.proxy.Impostor(nil)
	b.recovers(fastEnough)
}

// TestSameTabIsSelected replaces the connection while the tabs change places and
// have the same title: the selected one is the same as before, and so are pages of
// ours; what was closed is not selected any more.
func TestSameTabIsSelected(t *testing.T) {
	b := newBench(t)
	first, second := b.twoTabs("/")
	b.do("select_tab", map[string]any{"tab_id": second})
	refs := b.do("snapshot_page", nil)
	ours := b.do("open_page", map[string]any{"url": b.site.URL + "/ours"})
	b.meanwhile(strip + `.moveTabTo(` + strip + `.tabs[0], {tabIndex: 1})`)
	if sn := b.do("snapshot_page", nil); sn.TabID != second || !strings.Contains(sn.Text, "/other") {
		t.Errorf("the selected tab is %s, was %s:\n%s", sn.TabID, second, sn.Text)
	}
	b.code(b.try("click", map[string]any{"element": refs.ref(t, "Press")}), "stale_element")
	if text := b.do("extract_text", map[string]any{"session_id": ours.SessionID}); text.TabID != ours.SessionID || !strings.Contains(text.Text, "/ours") {
		t.Errorf("the page of ours is another: %s", text.Text)
	}
	b.do("close_page", map[string]any{"session_id": ours.SessionID})
	b.meanwhile(`const g = ` + strip + `; g.removeTab(g.tabs.find((t) => t.linkedBrowser.currentURI.spec.endsWith("/other")))`)
	b.code(b.try("snapshot_page", nil), "no_tab_selected")
	b.code(b.try("snapshot_page", map[string]any{"tab_id": second}), "tab_not_found")
	b.do("snapshot_page", map[string]any{"tab_id": first})
}

// TestHalfWatchedTab holds back what a navigation asks first of a tab, so that it
// gives up in the middle and has the browser load. The tab must be followed all the
// same: only Firefox's news of a load tell of one that gives no page.
func TestHalfWatchedTab(t *testing.T) {
	b := newBench(t)
	b.proxy.Hit(fp.Cut) // the next connection has not used the tab
	b.recovers(fastEnough)
	held := b.proxy.Arm(fp.Rule{
		Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(`"type":"watchTargets"`)}},
		Fault: fp.Meanwhile("slow", func() { time.Sleep(3 * time.Second) }),
	})
	b.do("navigate", map[string]any{"url": b.site.URL + "/?held"})
	<-held
	b.works(0, nil)
	r := b.try("navigate", map[string]any{"url": b.site.URL + "/empty", "timeout_ms": 9000})
	b.code(r, "navigation_failed")
	if r.Took > 4*time.Second {
		t.Errorf("after %v: %s", r.Took, r.Message)
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
