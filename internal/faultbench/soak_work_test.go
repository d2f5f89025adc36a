package faultbench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"time"

	"firefox-rdp-mcp/internal/firefoxtest"
)

// worker is one of the four: it has one tab, and knows what it last saw there.
type worker struct {
	*soak
	server *server
	index  int
	tab    string
	life   int
	page   int
	refs   []struct{ Ref, Name string }
	rng    *rand.Rand
}

// work calls tools until the time is up.
func (s *soak) work(i int, rng *rand.Rand) {
	w := &worker{soak: s, server: s.servers[i%2], index: i, life: -1, rng: rng}
	for time.Now().Before(s.end) && !s.t.Failed() {
		s.turn.RLock()
		w.step()
		s.turn.RUnlock()
	}
}

func (w *worker) try(tool string, args map[string]any) result {
	if args == nil {
		args = map[string]any{}
	}
	args["tab_id"] = w.tab
	r := w.server.try(tool, args)
	w.note(tool, r)
	if r.Took > 25*time.Second {
		w.t.Errorf("%s took %v (%q %s)", tool, r.Took, r.Code, r.Message)
	}
	return r
}

func (s *soak) lifeNow() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.life
}

func (w *worker) step() {
	if w.tab == "" || w.life != w.lifeNow() {
		w.find()
		return
	}
	switch n := w.rng.IntN(100); {
	case w.page == 0 || n < 6:
		w.navigate()
	case n < 30:
		if r := w.try("snapshot_page", nil); r.Code == "" {
			w.refs = r.Elements
		} else {
			w.lost(r)
		}
	case n < 75:
		w.click()
	case n < 82:
		if e := w.control("Name"); e != "" {
			w.lost(w.try("fill", map[string]any{"element": e, "value": fmt.Sprint("v", n), "respond_with": "none"}))
		}
	case n < 88:
		w.lost(w.try("wait_for", map[string]any{"text": "B7", "timeout_ms": 300}))
	case n < 92:
		w.upload()
	case n < 95:
		w.visit()
	case n < 97:
		w.fetch()
	default:
		tool := []string{"list_tabs", "browser_status"}[n%2]
		w.free(tool, nil)
	}
}

// find learns the id of the worker's tab.
func (w *worker) find() {
	r := w.server.try("list_tabs", nil)
	w.note("list_tabs", r)
	if r.Code == "" && len(r.Tabs) > w.index {
		w.tab, w.life, w.page, w.refs = r.Tabs[w.index].TabID, w.lifeNow(), 0, nil
	}
}

// lost looks whether the page has gone with an error.
func (w *worker) lost(r result) {
	switch r.Code {
	case "unsupported_page", "page_unresponsive":
		w.page = 0
	case "tab_not_found":
		w.tab = ""
	}
}

func (w *worker) navigate() {
	w.mu.Lock()
	w.pages++
	n := w.pages
	w.current[w.index] = n
	w.mu.Unlock()
	host := w.site.URL
	if w.index%2 == 1 {
		host = w.site.other("")
	}
	r := w.try("navigate", map[string]any{"url": fmt.Sprintf("%s/soak?p=%d", host, n), "wait": "complete", "timeout_ms": 12000})
	w.refs = nil
	if w.page = 0; r.Code == "" {
		w.page = n
	}
	switch r.Code {
	case "tab_not_found":
		w.tab = ""
	case "tab_unloaded":
		w.wake()
	}
}

// wake goes to the tab, as its user would: that alone revives one whose process
// died in the background.
func (w *worker) wake() {
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Second)
	defer cancel()
	c, err := firefoxtest.Dial(ctx, w.firefox.Port, true)
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = c.Parent(ctx, fmt.Sprintf(`const g = Services.wm.getMostRecentWindow("navigator:browser").gBrowser; g.selectedTab = g.tabs[%d]`, w.index))
	time.Sleep(200 * time.Millisecond)
}

// visit opens a page of the server's own and closes it again.
func (w *worker) visit() {
	r := w.free("open_page", map[string]any{"url": w.site.URL + "/visited"})
	if r.Code != "" {
		return
	}
	for range 20 {
		switch c := w.free("close_page", map[string]any{"session_id": r.SessionID}); c.Code {
		case "", "session_not_found":
			return
		case "invalid_argument":
			w.t.Errorf("open_page gave the session %q: %s", r.SessionID, r.Text)
		}
	}
}

func (w *worker) fetch() { w.free("fetch_page", map[string]any{"url": w.site.other("/fetched")}) }

// free calls a tool for no tab of the worker's.
func (w *worker) free(tool string, args map[string]any) result {
	r := w.server.try(tool, args)
	w.note(tool, r)
	return r
}

func (w *worker) control(name string) string {
	for _, e := range w.refs {
		if e.Name == name {
			return e.Ref
		}
	}
	return ""
}

// click clicks a button and books what may have come of it.
func (w *worker) click() {
	name := "B" + strconv.Itoa(w.rng.IntN(12))
	e := w.control(name)
	if e == "" {
		return
	}
	// An answer with changes would tell that other references have other labels
	// now; this worker knows only what its last snapshot said.
	r := w.try("click", map[string]any{"element": e, "wait_after_ms": 50, "respond_with": "none"})
	w.book(name, r)
	w.lost(r)
}

func (w *worker) upload() {
	e := w.control("File")
	if e == "" {
		return
	}
	r := w.try("upload_files", map[string]any{"element": e, "paths": []string{w.file}, "respond_with": "none"})
	w.book("file", r)
	w.lost(r)
}

// book notes an effect as sure, as possible or, where the answer rules it out,
// not at all.
func (w *worker) book(what string, r result) {
	key := told(w.page, what)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch r.Code {
	case "":
		w.sure[key]++
	case "stale_element", "element_not_found", "element_covered", "tab_not_found", "not_connected", "unsupported_page", "no_tab_selected", "element_not_interactable":
	default:
		w.maybe[key]++
	}
}

func told(page int, what string) string {
	return fmt.Sprintf("/told?p=%d&k=%s", page, url.QueryEscape(what))
}
