package faultbench

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
	"firefox-rdp-mcp/internal/firefoxtest"
)

// soakPage tells the site of every click by the label that the button has in
// that moment, and changes the labels of its buttons all the time: whoever
// clicks the right node at the wrong time has clicked the wrong element.
const soakPage = `<!doctype html><title>Soak</title>
<script>
const page = new URLSearchParams(location.search).get("p");
const tell = (what) => navigator.sendBeacon("/told?p=" + page + "&k=" + encodeURIComponent(what));
</script>
<div id=box></div><label>Name <input id=name></label><label>File <input type=file onchange="tell('file')"></label>
<script>
for (let i = 0; i < 12; i++) {
  const b = document.createElement("button");
  b.textContent = "B" + i;
  b.onclick = () => tell(b.textContent);
  box.append(b);
}
let n = 0;
new MutationObserver(() => {}).observe(box, {childList: true});
const shuffle = () => {
  const [a, b] = [box.children[n % 12], box.children[(n * 5 + 3) % 12]];
  n++;
  if (n % 3 === 0) box.append(a);
  else if (n % 3 === 1) { const c = a.cloneNode(true); c.onclick = () => tell(c.textContent); a.replaceWith(c); }
  else [a.textContent, b.textContent] = [b.textContent, a.textContent];
};
setInterval(shuffle, 70);
</script>`

// soak is one run.
type soak struct {
	t       *testing.T
	firefox *firefoxtest.Firefox
	site    *site
	servers []*server
	proxies []*fp.Proxy
	file    string
	end     time.Time

	turn sync.RWMutex // workers hold it for reading; who restarts Firefox, for writing

	mu      sync.Mutex
	life    int            // of Firefox
	pages   int            // given out
	dirty   map[int]bool   // pages that were killed or frozen: what they have to tell may be lost
	sure    map[string]int // clicks that succeeded, by page and label
	maybe   map[string]int // clicks that may have happened
	calls   map[string]int // by tool and code
	harmed  map[string]int // faults by name
	current map[int]int    // tab index → page
}

// TestSoak mixes calls and faults for as long as SOAK says.
func TestSoak(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("SOAK"))
	if err != nil {
		t.Skip("a soak takes long: set SOAK to a duration (make soak)")
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("SOAK=%v SEED=%d", d, seed)
	s := newSoak(t, d)
	before := s.measure()
	var workers sync.WaitGroup
	for i := range 4 {
		workers.Go(func() { s.work(i, rand.New(rand.NewPCG(seed, uint64(i)))) })
	}
	workers.Go(func() { s.harm(rand.New(rand.NewPCG(seed, 99))) })
	warm := make(chan figures, 1)
	time.AfterFunc(d/4, func() { warm <- s.measure() })
	workers.Wait()
	s.judge(before, <-warm)
}

func newSoak(t *testing.T, d time.Duration) *soak {
	t.Helper()
	s := &soak{
		t: t, firefox: firefoxtest.Start(t), site: newSite(t), file: filepath.Join(t.TempDir(), "soak.txt"), end: time.Now().Add(d),
		dirty: map[int]bool{}, sure: map[string]int{}, maybe: map[string]int{}, calls: map[string]int{}, harmed: map[string]int{}, current: map[int]int{},
	}
	s.site.body = soakPage
	if err := os.WriteFile(s.file, []byte(strings.Repeat("soak ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p := fp.Start(t, s.firefox.Port)
		s.proxies = append(s.proxies, p)
		s.servers = append(s.servers, startServer(t, p.Port, "FIREFOX_MCP_REQUEST_TIMEOUT_MS=4000", "FIREFOX_MCP_LOG_LEVEL=warn"))
	}
	s.fourTabs()
	for _, server := range s.servers {
		server.recovers(10 * time.Second)
	}
	return s
}

// fourTabs gives each worker a tab. Those of one server lie in one process.
func (s *soak) fourTabs() {
	s.t.Helper()
	c := s.oracle()
	defer c.Close()
	for i := 1; i < 4; i++ {
		if err := c.OpenTab(s.t.Context(), "about:blank"); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *soak) oracle() *firefoxtest.Client {
	s.t.Helper()
	c, err := firefoxtest.Dial(s.t.Context(), s.firefox.Port, true)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// note counts a call.
func (s *soak) note(tool string, r result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[tool+" "+r.Code]++
}

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
	case n < 94:
		w.upload()
	default:
		tool := []string{"list_tabs", "browser_status"}[n%2]
		w.note(tool, w.server.try(tool, nil))
	}
}

func (s *soak) lifeNow() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.life
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

// harm lets faults happen at random until shortly before the end.
func (s *soak) harm(rng *rand.Rand) {
	restart := time.Now().Add(time.Until(s.end) / 2)
	for time.Until(s.end) > 8*time.Second && !s.t.Failed() {
		time.Sleep(time.Duration(300+rng.IntN(2500)) * time.Millisecond)
		p := s.proxies[rng.IntN(2)]
		switch n := rng.IntN(100); {
		case time.Now().After(restart):
			restart = s.end
			s.count("firefox restarted")
			s.restart()
		case n < 55:
			f := faults[rng.IntN(7)]
			s.count(f.Name)
			p.Hit(f)
		case n < 62:
			f := faults[7+rng.IntN(2)]
			s.count(f.Name)
			p.Hit(f)
		case n < 75:
			f := faults[9+rng.IntN(3)]
			s.count(f.Name)
			p.Hit(f)
			time.Sleep(time.Second)
			p.Heal()
		case n < 90:
			s.count("page frozen")
			s.freeze(rng.IntN(4), time.Duration(1+rng.IntN(6))*time.Second)
		default:
			s.count("content process killed")
			s.kill(rng.IntN(4))
		}
	}
}

func (s *soak) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.harmed[what]++
}

// spoil notes that the pages of a process may not tell everything.
func (s *soak) spoil() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, page := range s.current {
		s.dirty[page] = true
	}
}

func (s *soak) freeze(tab int, d time.Duration) {
	s.spoil()
	ctx, cancel := context.WithTimeout(s.t.Context(), d+5*time.Second)
	defer cancel()
	c, err := firefoxtest.Dial(ctx, s.firefox.Port, true)
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = c.Page(ctx, tab, fmt.Sprintf("(() => { const end = Date.now() + %d; while (Date.now() < end); })()", d.Milliseconds()))
}

func (s *soak) kill(tab int) {
	s.spoil()
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Second)
	defer cancel()
	c, err := firefoxtest.Dial(ctx, s.firefox.Port, true)
	if err != nil {
		return
	}
	defer c.Close()
	frames, err := c.Frames(ctx, tab)
	if err == nil && len(frames) > 0 && frames[0].Pid > 0 && !strings.HasPrefix(frames[0].URL, "about:tabcrashed") {
		if own, err := c.Parent(ctx, "return Services.appinfo.processID"); err == nil && string(own) != strconv.Itoa(frames[0].Pid) {
			_ = syscall.Kill(frames[0].Pid, syscall.SIGKILL)
		}
	}
}

// restart kills Firefox under whatever is going on, and begins anew.
func (s *soak) restart() {
	s.spoil()
	s.firefox.Kill()
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.firefox.Run(s.t.Context()); err != nil {
		s.t.Error(err)
		return
	}
	s.fourTabs()
	for _, server := range s.servers {
		if took := server.recovers(fastEnough); took > 0 {
			s.count("recovered from it")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life++
}

// figures are what should be the same before and after.
type figures struct {
	rss   []int // of the servers, in KiB
	files []int // open in them
	tabs  int
}

func (s *soak) measure() figures {
	var f figures
	for _, server := range s.servers {
		f.rss = append(f.rss, residentOf(server.cmd.Process.Pid))
		f.files = append(f.files, filesOf(server.cmd.Process.Pid))
	}
	c, err := firefoxtest.Dial(context.Background(), s.firefox.Port, true)
	if err != nil {
		return f
	}
	defer c.Close()
	if raw, err := c.Parent(context.Background(), `return Services.wm.getMostRecentWindow("navigator:browser").gBrowser.tabs.length`); err == nil {
		f.tabs, _ = strconv.Atoi(string(raw))
	}
	return f
}

func residentOf(pid int) int {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	kb, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	return kb
}

func filesOf(pid int) int {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(entries)
}

// judge looks at the end whether all is as it should be.
func (s *soak) judge(before, warm figures) {
	for _, p := range s.proxies {
		p.Heal()
		p.Hit(fp.Cut)
	}
	for _, server := range s.servers {
		server.recovers(5 * time.Second)
	}
	time.Sleep(2 * time.Second) // beacons arrive, connections close
	after := s.measure()
	s.effects()
	for i := range s.servers {
		if after.files[i] > before.files[i]+2 {
			s.t.Errorf("server %d has %d files open, had %d", i, after.files[i], before.files[i])
		}
		if after.rss[i] > warm.rss[i]+40<<10 {
			s.t.Errorf("server %d holds %d KiB, after a quarter %d", i, after.rss[i], warm.rss[i])
		}
	}
	if after.tabs != 4 {
		s.t.Errorf("%d tabs are open, want 4", after.tabs)
	}
	fresh := startServer(s.t, s.proxies[0].Port)
	fresh.recovers(5 * time.Second)
	idle := fresh.goroutines()
	for i, server := range s.servers {
		if n := server.goroutines(); n > idle+3 {
			s.t.Errorf("server %d has %d goroutines, a fresh one %d:\n%s", i, n, idle, tail(server.stderr.String(), 400))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	total := 0
	for _, n := range s.calls {
		total += n
	}
	s.t.Logf("%d calls on %d pages; before %+v, after a quarter %+v, at the end %+v, goroutines of a fresh server %d", total, s.pages, before, warm, after, idle)
	for _, table := range []map[string]int{s.calls, s.harmed} {
		for _, k := range slices.Sorted(maps.Keys(table)) {
			s.t.Logf("%6d %s", table[k], k)
		}
	}
}

// effects compares what the pages told with what was booked.
func (s *soak) effects() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.mu.Lock()
	defer s.site.mu.Unlock()
	sure, maybe, happened := 0, 0, 0
	for uri, n := range s.site.hits {
		if !strings.HasPrefix(uri, "/told?") {
			continue
		}
		happened += n
		if most := s.sure[uri] + s.maybe[uri]; n > most {
			s.t.Errorf("%s happened %d times, asked for %d times (wrong element or twice)", uri, n, most)
		}
	}
	for uri, n := range s.sure {
		sure += n
		var page int
		_, _ = fmt.Sscanf(uri, "/told?p=%d&", &page)
		if s.site.hits[uri] < n && !s.dirty[page] {
			s.t.Errorf("%s was reported %d times and happened %d times", uri, n, s.site.hits[uri])
		}
	}
	for _, n := range s.maybe {
		maybe += n
	}
	s.t.Logf("effects: %d reported, %d possible, %d happened", sure, maybe, happened)
}

// goroutines ends the program with SIGQUIT and counts them in its dump.
func (s *server) goroutines() int {
	s.t.Helper()
	old := len(s.stderr.String())
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	_ = s.cmd.Wait()
	s.answers.check(s.t)
	dump := s.stderr.String()[old:]
	n := 0
	for line := range strings.Lines(dump) {
		if strings.HasPrefix(line, "goroutine ") && strings.Contains(line, "[") {
			n++
		}
	}
	if n == 0 {
		s.t.Errorf("no goroutines in %q", dump)
	}
	return n
}
