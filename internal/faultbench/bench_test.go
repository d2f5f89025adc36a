package faultbench

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
	"firefox-rdp-mcp/internal/firefoxtest"
)

// binary is the program, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "faultbench-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "firefox-rdp-mcp")
	if out, err := exec.Command("go", "build", "-o", binary, "firefox-rdp-mcp").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// deadline is how long the server waits for one answer of Firefox here.
const deadline = 5 * time.Second

// bench is a server between a client and a proxy to Firefox, an oracle beside
// it, and a site that counts.
type bench struct {
	*server
	t       *testing.T
	firefox *firefoxtest.Firefox
	proxy   *fp.Proxy
	site    *site
}

func newBench(t *testing.T, env ...string) *bench {
	t.Helper()
	f := firefoxtest.Start(t)
	p := fp.Start(t, f.Port)
	s := newSite(t)
	b := &bench{server: startServer(t, p.Port, env...), t: t, firefox: f, proxy: p, site: s}
	b.settles()
	return b
}

// in is the bench for a subtest.
func (b *bench) in(t *testing.T) *bench {
	s := *b.server
	s.t = t
	return &bench{server: &s, t: t, firefox: b.firefox, proxy: b.proxy, site: b.site}
}

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

// look evaluates an expression about a tab's page from Firefox's own side.
func (b *bench) look(tab int, expression string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 10*time.Second)
	defer cancel()
	c, err := firefoxtest.Dial(ctx, b.firefox.Port, true)
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	v, err := c.Page(ctx, tab, expression)
	if err != nil {
		b.t.Fatalf("oracle: %v", err)
	}
	return string(v)
}

// number is look for a number.
func (b *bench) number(tab int, expression string) int {
	b.t.Helper()
	n, err := strconv.Atoi(b.look(tab, expression))
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// with is args and one more.
func with(args map[string]any, key string, value any) map[string]any {
	out := map[string]any{key: value}
	maps.Copy(out, args)
	return out
}

// works looks that a click in a fresh page happens, and happens once. args name
// its tab, unless it is the selected one.
func (b *bench) works(index int, args map[string]any) {
	b.t.Helper()
	b.do("click", with(args, "element", b.do("snapshot_page", args).ref(b.t, "Press")))
	if hits := b.number(index, "w.hits"); hits != 1 {
		b.t.Errorf("%d hits after one click", hits)
	}
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
