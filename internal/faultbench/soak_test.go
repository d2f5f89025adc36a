package faultbench

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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
	before, held := s.measure(), s.held()
	var workers sync.WaitGroup
	for i := range 4 {
		workers.Go(func() { s.work(i, rand.New(rand.NewPCG(seed, uint64(i)))) })
	}
	workers.Go(func() { s.harm(rand.New(rand.NewPCG(seed, 99))) })
	warm := make(chan figures, 1)
	time.AfterFunc(d/4, func() { warm <- s.measure() })
	workers.Wait()
	s.judge(before, <-warm, held)
}

func newSoak(t *testing.T, d time.Duration) *soak {
	t.Helper()
	s := &soak{
		t: t, firefox: firefoxtest.Start(t), site: newSite(t), file: filepath.Join(t.TempDir(), "soak.txt"), end: time.Now().Add(d),
		dirty: map[int]bool{}, sure: map[string]int{}, maybe: map[string]int{}, calls: map[string]int{}, harmed: map[string]int{}, current: map[int]int{},
	}
	s.site.shows(soakPage)
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

// held is what Firefox holds for servers that have only listed its tabs.
func (s *soak) held() firefoxtest.Held {
	s.t.Helper()
	c := s.oracle()
	defer c.Close()
	h, err := c.Held(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	if h.Connections != len(s.servers) || h.Tabs != 4 {
		s.t.Fatalf("at first Firefox holds %+v", h)
	}
	return h
}

// note counts a call.
func (s *soak) note(tool string, r result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[tool+" "+r.Code]++
}
