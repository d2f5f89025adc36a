package session_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/internal/firefoxtest"
	"firefox-rdp-mcp/session"
)

// loaded opens an address in a tab in the background, waits until it has loaded and
// closes the tab: what is left of a fetch without a look at the page.
const loaded = `(async () => {
  const url = %q, { gBrowser } = Services.wm.getMostRecentWindow("navigator:browser");
  const tab = gBrowser.addTrustedTab("about:blank", { inBackground: true });
  await new Promise((done) => {
    const { STATE_STOP, STATE_IS_WINDOW } = Ci.nsIWebProgressListener;
    const listener = {
      onStateChange(browser, progress, request, flags) {
        if (browser !== tab.linkedBrowser || !progress.isTopLevel || !(flags & STATE_STOP) || !(flags & STATE_IS_WINDOW) || browser.currentURI.spec !== url) return;
        gBrowser.removeTabsProgressListener(listener);
        done();
      },
    };
    gBrowser.addTabsProgressListener(listener);
    tab.linkedBrowser.loadURI(Services.io.newURI(url), { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
  });
  gBrowser.removeTab(tab, { animate: false, skipPermitUnload: true });
})()`

// BenchmarkFetch: a hundred pages, four at a time, beside the same pages opened,
// loaded and closed by bare clients, in turns of twenty.
func BenchmarkFetch(b *testing.B) {
	const pages, turn, lanes = 100, 20, 4
	s := newStage(b, session.Config{Privileged: true, MaxSessions: lanes}, nil)
	s.odd = func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Page %[1]s</title><h1>Page %[1]s</h1>%[2]s", r.URL.Path, prose(200))
		return true
	}
	bare := make(chan *firefoxtest.Client, lanes)
	for range lanes {
		c, err := firefoxtest.Dial(b.Context(), firefox.Port, true)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		bare <- c
	}
	fetch := func(ctx context.Context, path string) error {
		som, err := s.Fetch(ctx, session.FetchArgs{URL: s.site.URL + path, Script: true})
		if err == nil && !strings.Contains(som.Text(), fmt.Sprintf(`"Page %s"`, path)) {
			err = fmt.Errorf("page %s: %s", path, som.Text())
		}
		return err
	}
	floor := func(ctx context.Context, path string) error {
		c := <-bare
		defer func() { bare <- c }()
		console, err := c.Process(ctx, 0)
		if err == nil {
			_, err = c.Evaluate(ctx, console, fmt.Sprintf(loaded, s.site.URL+path), map[string]any{"mapped": map[string]bool{"await": true}})
		}
		return err
	}
	before := s.browser(countTabs)
	s.batch(turn, lanes, fetch) // first times are other times
	s.batch(turn, lanes, floor)
	var ours, theirs []time.Duration
	var total, least time.Duration
	for b.Loop() {
		for range pages / turn {
			each, all := s.batch(turn, lanes, fetch)
			ours, total = append(ours, each...), total+all
			each, all = s.batch(turn, lanes, floor)
			theirs, least = append(theirs, each...), least+all
		}
	}
	if got := s.browser(countTabs); got != before {
		b.Errorf("%s tabs are left, there were %s", got, before)
	}
	b.ReportMetric(float64(median(ours).Microseconds())/1000, "ms/page-ours")
	b.ReportMetric(float64(median(theirs).Microseconds())/1000, "ms/page-floor")
	b.ReportMetric(float64(total.Milliseconds())/float64(b.N), "ms/100-ours")
	b.ReportMetric(float64(least.Milliseconds())/float64(b.N), "ms/100-floor")
	b.ReportMetric(float64(total)/float64(least), "ratio")
	b.ReportMetric(0, "ns/op")
}

// batch does a thing for n pages, some at a time, and tells how long each took, and
// all together.
func (s *stage) batch(n, lanes int, do func(context.Context, string) error) (each []time.Duration, all time.Duration) {
	s.t.Helper()
	work, done := make(chan string, n), make(chan time.Duration, n)
	for i := range n {
		work <- fmt.Sprintf("/%d", i)
	}
	close(work)
	begun := time.Now()
	for range lanes {
		go func() {
			for path := range work {
				start := time.Now()
				if err := do(s.t.Context(), path); err != nil {
					s.t.Errorf("%s: %v", path, err)
				}
				done <- time.Since(start)
			}
		}()
	}
	for range n {
		each = append(each, <-done)
	}
	return each, time.Since(begun)
}
