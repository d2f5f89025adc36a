package faultbench

import (
	"context"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// stoppedCall is a call under which the browser is stopped, when the packet by which
// it would act is on its way.
type stoppedCall struct {
	tool   string
	args   map[string]any
	packet string // "": it is called when the browser has been stopped already
}

// TestStoppedBrowserActsLate stops the whole browser for longer than calls wait, in
// the moment when each has sent what the browser's own side is to do. When it goes
// on, it must open no tab, answer no dialog (it might be another by then) and load
// nothing. Each call comes from a server of its own.
func TestStoppedBrowserActsLate(t *testing.T) {
	b := newBench(t)
	b.do("select_tab", map[string]any{"index": 0})
	b.do("navigate", map[string]any{"url": b.site.URL + "/dialogs"})
	asleep := b.behind(b.site.other("/asleep"))
	b.lost(losses[0].lose)
	if err := b.oracle().OpenTab(t.Context(), "about:blank"); err != nil {
		t.Fatal(err)
	}
	if err := b.oracle().Go(t.Context(), 2, b.site.URL+"/loaded"); err != nil {
		t.Fatal(err)
	}
	b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Ask")})
	late := b.site.URL + "/late"
	answers := b.stoppedUnder([]stoppedCall{
		{tool: "open_page", args: map[string]any{"url": late}, packet: `_self(\"open\"`},
		{tool: "fetch_page", args: map[string]any{"url": late}, packet: `_self(\"open\"`},
		{tool: "handle_dialog", args: map[string]any{"tab_id": "t1", "action": "accept"}, packet: `_self(\"answer\"`},
		{tool: "navigate", args: map[string]any{"tab_id": "t2", "url": late}, packet: `_self(\"load\"`},
		{tool: "navigate", args: map[string]any{"tab_id": "t3", "url": late}},
		{tool: "navigate_history", args: map[string]any{"tab_id": "t3", "direction": "reload"}},
	})
	for _, r := range answers {
		if r.Code != "rdp_timeout" && r.Code != "connection_lost" {
			t.Errorf("a call under which the browser stopped: %q %s", r.Code, r.Message)
		}
	}
	b.recovers(fastEnough)
	time.Sleep(time.Second) // for what would happen late
	if now := b.do("list_tabs", nil).Tabs; len(now) != 3 {
		t.Errorf("tabs: %+v", now)
	}
	if r := b.do("browser_status", nil); r.Dialog == nil || r.Dialog.Text != "again 0" {
		t.Errorf("the dialog is %+v", r.Dialog)
	}
	if !b.asleep() {
		t.Errorf("tab %s was loaded late", asleep["tab_id"])
	}
	if n, m := b.site.count("/late"), b.site.count("/loaded"); n != 0 || m != 1 {
		t.Errorf("%d late loads, %d of the loaded page", n, m)
	}
}

// stoppedUnder makes the calls, stops the browser when each has come to its packet,
// and has it go on when all have been answered.
func (b *bench) stoppedUnder(calls []stoppedCall) []result {
	b.t.Helper()
	servers := make([]*server, len(calls))
	stopped := make(chan struct{})
	var met, under sync.WaitGroup
	for i, c := range calls {
		p := fp.Start(b.t, b.firefox.Port)
		servers[i] = startServer(b.t, p.Port, "FIREFOX_MCP_LOG_LEVEL=warn")
		servers[i].do("list_tabs", nil)
		if c.packet == "" {
			servers[i].do("snapshot_page", map[string]any{"tab_id": c.args["tab_id"]})
			continue
		}
		met.Add(1)
		p.Arm(fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(c.packet)}}, Fault: fp.Meanwhile("stop", func() { met.Done(); <-stopped })})
	}
	answers := make([]result, len(calls))
	for i, c := range calls {
		under.Go(func() {
			if c.packet == "" {
				<-stopped
			}
			answers[i] = servers[i].try(c.tool, c.args)
		})
	}
	met.Wait()
	b.firefox.Signal(syscall.SIGSTOP)
	close(stopped)
	under.Wait()
	b.firefox.Signal(syscall.SIGCONT)
	return answers
}

// TestLostOpenLeavesNoTab loses the answer to the opening of a tab: the browser has
// opened it, and nobody knows which it is.
func TestLostOpenLeavesNoTab(t *testing.T) {
	b := newBench(t)
	for _, tool := range []string{"open_page", "fetch_page"} {
		before := b.tabsOpened()
		fired := b.proxy.Arm(fp.Rule{
			Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(`_self(\"open\"`)}, {Dir: fp.ToServer, Match: has(`browserId\"`)}},
			Fault: fp.Cut,
		})
		b.code(b.try(tool, map[string]any{"url": b.site.URL + "/stray"}), "connection_lost")
		<-fired
		if n := b.tabsOpened() - before; n != 1 {
			t.Errorf("%s: %d tabs were opened, want 1", tool, n)
		}
		b.alone()
	}
}

// TestCancelledOpenLeavesNoTab has the client give up a call while its tab opens.
func TestCancelledOpenLeavesNoTab(t *testing.T) {
	b := newBench(t)
	before := b.tabsOpened()
	ctx, cancel := context.WithCancel(t.Context())
	fired := b.proxy.Arm(fp.Rule{
		Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(`_self(\"open\"`)}},
		Fault: fp.Meanwhile("cancel", func() { cancel(); time.Sleep(300 * time.Millisecond) }),
	})
	_, _ = b.client.CallTool(ctx, &mcp.CallToolParams{Name: "open_page", Arguments: map[string]any{"url": b.site.URL}})
	<-fired
	for deadline := time.Now().Add(5 * time.Second); b.tabsOpened() == before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no tab was opened")
		}
	}
	b.alone()
}

// tabsOpened counts the tabs that the browser has opened since it was first called.
func (b *bench) tabsOpened() int {
	b.t.Helper()
	n, err := strconv.Atoi(b.parent(`const w = Services.wm.getMostRecentWindow("navigator:browser");
		if (w.tabsOpened === undefined) { w.tabsOpened = 0; w.gBrowser.tabContainer.addEventListener("TabOpen", () => w.tabsOpened++); }
		return w.tabsOpened`))
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}
