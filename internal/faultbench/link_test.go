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
