package session_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/internal/firefoxtest"
	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// The sites are pages made to look like real ones: testdata/pages/sites.
var (
	sitePages     = filepath.Join("..", "testdata", "pages", "sites")
	siteSnapshots = filepath.Join("..", "testdata", "snapshots")
)

// siteNames lists the pages that are no mere frames of others.
func siteNames(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(sitePages, "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	var names []string
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".html"); !strings.HasPrefix(name, "frame-") {
			names = append(names, name)
		}
	}
	return names
}

// sites serves the pages, on two origins.
type sites struct {
	t      testing.TB
	server *httptest.Server
	oracle *firefoxtest.Client
}

func serveSites(t testing.TB) *sites {
	t.Helper()
	s := &sites{t: t, server: httptest.NewServer(http.HandlerFunc(serveSite))}
	t.Cleanup(s.server.Close)
	var err error
	if s.oracle, err = firefoxtest.Dial(t.Context(), firefox.Port, true); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.oracle.Close)
	return s
}

// serveSite answers with a page, or with a picture of one pixel for all pictures.
func serveSite(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/img/") {
		w.Header().Set("Content-Type", "image/gif")
		_, _ = w.Write([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
		return
	}
	raw, err := os.ReadFile(filepath.Join(sitePages, filepath.Base(r.URL.Path)))
	if err != nil || !strings.HasPrefix(r.URL.Path, "/sites/") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(strings.ReplaceAll(string(raw), "{{other}}", strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1))))
}

// visit loads a page, waits until it and its frames are complete, and only then
// gives a session that has never seen it: references are numbered in the page's
// order.
func (s *sites) visit(t *testing.T, name string) *session.Session {
	t.Helper()
	if err := s.oracle.Go(t.Context(), 0, s.server.URL+"/sites/"+name+".html"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for !s.settled(t) {
		if time.Now().After(deadline) {
			t.Fatal("the page does not settle")
		}
	}
	ses := connect(t, session.Config{Host: "127.0.0.1", Port: firefox.Port, Privileged: true, Budget: 1_000_000, MaxElements: 5000})
	if _, err := ses.Select(t.Context(), "", 0); err != nil {
		t.Fatal(err)
	}
	return ses
}

// settled: all documents are complete, and a page that says when it is ready has said so.
func (s *sites) settled(t *testing.T) bool {
	t.Helper()
	frames, err := s.oracle.Frames(t.Context(), 0)
	if err != nil || len(frames) == 0 {
		return false
	}
	for _, f := range frames {
		v, err := s.oracle.InFrame(t.Context(), f, `doc.readyState === "complete" && !(doc.documentElement.dataset.renders && !doc.documentElement.dataset.ready) && doc.location.href !== "about:blank"`)
		if err != nil || string(v) != "true" {
			return false
		}
	}
	return true
}

// shape makes text the same in every run: names of the two origins, numbers of frames, which come as their processes
// answer, the nonce, and the tokens that these cost.
func (s *sites) shape(text string, frames map[string]string) string {
	text = frameKey.ReplaceAllStringFunc(text, func(key string) string { return cmp.Or(frames[key], key) })
	text = strings.ReplaceAll(text, s.server.URL, "https://site.example")
	text = strings.ReplaceAll(text, strings.Replace(s.server.URL, "127.0.0.1", "localhost", 1), "https://other.example")
	if m := fence.FindStringSubmatch(text); m != nil {
		text = strings.ReplaceAll(text, m[1], "7f3a9c")
	}
	text = estimate.ReplaceAllString(text, ", about 999 tokens\n")
	return estimate.ReplaceAllString(text, fmt.Sprintf(", about %d tokens\n", outline.Tokens(text)))
}

// frameOrder numbers the frames in the order of a snapshot's lines.
func frameOrder(text string) map[string]string {
	order := map[string]string{}
	for _, m := range frameLine.FindAllStringSubmatch(text, -1) {
		order[m[1]] = fmt.Sprintf("f%d", len(order)+1)
	}
	return order
}

var (
	frameLine = regexp.MustCompile(`(?m)^ *frame (f[0-9]+)`)
	frameKey  = regexp.MustCompile(`\bf[0-9]+`)
	fence     = regexp.MustCompile(`(?m)^--- page content ([0-9a-f]{6}) \(untrusted\) ---$`)
	estimate  = regexp.MustCompile(`, about [0-9]+ tokens\n`)
)

// look takes a snapshot in which nothing is left out.
func look(t *testing.T, s *session.Session, view outline.View) *session.Snapshot {
	t.Helper()
	sn, err := s.Snapshot(t.Context(), session.SnapshotArgs{View: view})
	if err != nil {
		t.Fatal(err)
	}
	if !sn.Complete && view != outline.ViewOutline {
		t.Errorf("view %s is not complete: %+v", view, sn.Omitted)
	}
	return sn
}

// structured writes a snapshot's facts for programs, one element a line.
func structured(t *testing.T, sn *session.Snapshot) string {
	t.Helper()
	var b strings.Builder
	line := func(v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	sn.Stats.Tokens = 0 // of the text, which has the golden file for it
	line(map[string]any{"url": sn.URL, "title": sn.Title, "view": sn.View, "complete": sn.Complete, "stats": sn.Stats, "omitted": sn.Omitted, "hints": sn.Hints})
	for _, r := range sn.Regions {
		line(r)
	}
	for _, e := range sn.Elements {
		line(e)
	}
	return b.String()
}

// TestSites looks at each page in every view, and then at it in parts.
func TestSites(t *testing.T) {
	s := serveSites(t)
	for _, name := range siteNames(t) {
		t.Run(name, func(t *testing.T) {
			ses := s.visit(t, name)
			whole := s.checkViews(t, ses, name)
			checkDiff(t, ses)
			checkPages(t, ses, whole)
			checkReferences(t, ses, whole)
		})
	}
}

// siteSecrets are in the pages and never in an answer.
var siteSecrets = []string{"correct horse", "123456", "4111", "737", "11 / 27"}

// checkViews compares what the views show with the golden files, and gives the view controls.
func (s *sites) checkViews(t *testing.T, ses *session.Session, name string) *session.Snapshot {
	t.Helper()
	controls := look(t, ses, outline.ViewControls)
	frames := frameOrder(controls.Text)
	facts := s.shape(structured(t, controls), frames)
	golden(t, filepath.Join(siteSnapshots, name+".jsonl"), facts)
	said := facts
	for _, view := range []outline.View{outline.ViewControls, outline.ViewFull, outline.ViewOutline, outline.ViewText} {
		sn := controls
		if view != outline.ViewControls {
			sn = look(t, ses, view)
		}
		text := s.shape(sn.Text, frames)
		golden(t, filepath.Join(siteSnapshots, name+"."+string(view)+".txt"), text)
		said += text
	}
	for _, secret := range siteSecrets {
		if strings.Contains(said, secret) {
			t.Errorf("a secret, %q, in\n%s", secret, said)
		}
	}
	return controls
}

// checkDiff: where nothing happens, nothing has changed.
func checkDiff(t *testing.T, ses *session.Session) {
	t.Helper()
	for _, view := range []outline.View{outline.ViewControls, outline.ViewFull} {
		look(t, ses, view)
		sn, err := ses.Snapshot(t.Context(), session.SnapshotArgs{View: view, Diff: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(sn.Elements) > 0 || !strings.Contains(sn.Text, "\n(no change)\n") {
			t.Errorf("view %s changed by itself:\n%s", view, sn.Text)
		}
	}
}

// checkPages reads the page in small parts: each control is given once, and as the whole gave it.
func checkPages(t *testing.T, ses *session.Session, whole *session.Snapshot) {
	t.Helper()
	want := map[string]outline.Element{}
	for _, e := range whole.Elements {
		want[e.Ref] = e
	}
	for _, limits := range []session.SnapshotArgs{{Budget: 400}, {Budget: 900, View: outline.ViewFull}, {MaxElements: 7}} {
		given := map[string]bool{}
		for a := limits; ; {
			sn, err := ses.Snapshot(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range sn.Elements {
				if diff := gocmp.Diff(want[e.Ref], e); diff != "" || given[e.Ref] {
					t.Errorf("%+v: %s is given as (-whole +part), before %v:\n%s", limits, e.Ref, given[e.Ref], diff)
				}
				given[e.Ref] = true
			}
			if a.Cursor = sn.Next.String(); a.Cursor == "" {
				break
			}
		}
		if len(given) != len(want) {
			t.Errorf("%+v: %d controls in parts, %d in the whole", limits, len(given), len(want))
		}
	}
}

// checkReferences: what was seen of a part of the page takes nothing from what is known of the rest. Each reference still
// means what it meant; that it can be acted on is not asked.
func checkReferences(t *testing.T, ses *session.Session, whole *session.Snapshot) {
	t.Helper()
	if len(whole.Regions) > 0 {
		if _, err := ses.Snapshot(t.Context(), session.SnapshotArgs{Scope: whole.Regions[0].ID}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ses.Find(t.Context(), session.FindArgs{Role: "button", Limit: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := ses.Snapshot(t.Context(), session.SnapshotArgs{MaxElements: 1}); err != nil {
		t.Fatal(err)
	}
	const few = 12 // of a page are tried
	for i := 0; i < len(whole.Elements); i += max(len(whole.Elements)/few, 1) {
		e := whole.Elements[i]
		_, err := ses.Hover(t.Context(), session.On{Element: session.Ref(e.Ref)})
		switch code(err) {
		case "", session.ElementNotInteractable, session.ElementCovered:
		default:
			t.Errorf("hover %s %s %q = %v", e.Ref, e.Role, e.Name, err)
		}
	}
}
