package faultbench

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// site serves the pages, and counts what is asked of it by path and query.
type site struct {
	*httptest.Server
	mu   sync.Mutex
	body string // of every page; empty: pageAt
	hits map[string]int
}

// shows makes every page the same; "" makes each its own again.
func (s *site) shows(body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.body = body
}

// page has a control for each kind of call, and counts their effects in its own
// globals.
const page = `<!doctype html><title>Bench</title>
<script>var hits = 0, inputs = 0, changes = 0, answers = 0, evaluated = 0;</script>
<button onclick="hits++; out.textContent = 'hits ' + hits">Press</button>
<label>Name <input id=name oninput="inputs++"></label>
<label>File <input type=file onchange="changes++"></label>
<button onclick="answers += confirm('Sure?')">Sure</button>
<p id=out>nothing</p>`

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{hits: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.hits[r.URL.RequestURI()]++
		body := cmp.Or(s.body, pageAt(r.URL.Path))
		s.mu.Unlock()
		switch r.URL.Path {
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
			return
		case "/api":
			body = "ok"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

// pageAt is what the site shows at a path.
func pageAt(path string) string {
	switch path {
	case "/loop":
		return page + `<button onclick="for(;;);">Hang</button>`
	case "/dialogs":
		return page + `<button onclick="for(let i=0;;i++)alert('again '+i)">Ask</button>`
	}
	return page
}

// count returns how often an address was asked for.
func (s *site) count(uri string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[uri]
}

// total is how often addresses with a path were asked for.
func (s *site) total(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for uri, hits := range s.hits {
		if before, _, _ := strings.Cut(uri, "?"); before == path {
			n += hits
		}
	}
	return n
}

// other is the site under another host, so that Firefox gives it a process of
// its own.
func (s *site) other(path string) string {
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + path
}
