package firefoxtest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestOracleSeesThePage(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>hello</title><script>answer = 42</script>`))
	}))
	defer srv.Close()
	f := Start(t)
	c, err := Dial(t.Context(), f.Port, true)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Go(t.Context(), 0, srv.URL+"/"); err != nil {
		t.Fatal(err)
	}
	got, err := c.Page(t.Context(), 0, `[doc.title, w.answer]`)
	if err != nil {
		t.Fatal(err)
	}
	if want := `["hello",42]`; string(got) != want {
		t.Errorf("Page = %s, want %s", got, want)
	}
}

// What another client holds is counted, and not counted any more when it has gone.
func TestHeldSeesWhatOthersHold(t *testing.T) {
	f := Start(t)
	oracle, other := dialed(t, f), dialed(t, f)
	before := held(t, oracle, func(h Held) bool { return h.Connections == 1 })
	if before.Parent["root"] == 0 || before.Agents != 0 || before.Tabs != 1 || before.Marked != 0 {
		t.Errorf("at first it holds %+v", before)
	}
	if _, err := other.Parent(t.Context(), `const g = Services.wm.getMostRecentWindow("navigator:browser").gBrowser;
		g.addTrustedTab("about:blank", {inBackground: true}).firefoxRdpMcp = "x";
		globalThis.agent = Cu.Sandbox([Services.io.newURI("http://a.example").spec], {sandboxName: "page agent"}); return 0`); err != nil {
		t.Fatal(err)
	}
	held(t, oracle, func(h Held) bool {
		return h.Tabs == 2 && h.Marked == 1 && h.Agents == 1 && h.Parent["console"] > before.Parent["console"]
	})
	other.Close()
	held(t, oracle, func(h Held) bool { return h.Connections == 0 && len(h.Parent) == 1 })
}

func dialed(t *testing.T, f *Firefox) *Client {
	t.Helper()
	c, err := Dial(t.Context(), f.Port, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// held looks until what Firefox holds is as wanted.
func held(t *testing.T, c *Client, as func(Held) bool) Held {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		h, err := c.Held(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if as(h) {
			return h
		}
		if time.Now().After(end) {
			t.Fatalf("it holds %+v", h)
		}
	}
}
