package rdptest_test

import (
	"encoding/json"
	"net"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"firefox-rdp-mcp/router/rdptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// dial connects and returns the greeting.
func dial(t *testing.T, f *rdptest.Firefox) (*websocket.Conn, string) {
	t.Helper()
	client := f.Client()
	ws, _, err := websocket.Dial(t.Context(), "ws://firefox/", &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = ws.CloseNow()
		client.CloseIdleConnections()
	})
	return ws, read(t, ws)
}

func read(t *testing.T, ws *websocket.Conn) string {
	t.Helper()
	_, msg, err := ws.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(msg)
}

// ask sends a packet and returns the next n messages.
func ask(t *testing.T, ws *websocket.Conn, packet string, n int) []string {
	t.Helper()
	if err := ws.Write(t.Context(), websocket.MessageText, []byte(packet)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range n {
		got = append(got, read(t, ws))
	}
	return got
}

// TestShapes checks what Firefox says and in which order, as recorded with
// Firefox 153; only the members that tests rely on.
func TestShapes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ws, greeting := dial(t, rdptest.New(t))
		like(t, greeting, `{"from":"root","applicationType":"browser","testConnectionPrefix":"server1.conn0."}`)
		const tab, watcher = "server1.conn0.tabDescriptor1", "server1.conn0.watcher1"
		const target, console = "server1.conn0.watcher1.process5//windowGlobalTarget3", "server1.conn0.watcher1.process5//consoleActor4"
		steps := []struct {
			ask  string
			hear []string
		}{
			{`{"to":"root","type":"listTabs"}`, []string{`{"from":"root","tabs":[{"actor":"` + tab + `","selected":true,"title":"A","url":"http://127.0.0.1:8000/a"}]}`}},
			{`{"to":"` + tab + `","type":"getWatcher"}`, []string{`{"from":"` + tab + `","actor":"` + watcher + `"}`}},
			{`{"to":"` + watcher + `","type":"watchTargets","targetType":"frame"}`, []string{
				`{"type":"target-available-form","from":"` + watcher + `","target":{"actor":"` + target + `","consoleActor":"` + console + `","isTopLevelTarget":true,"processID":4000}}`,
				`{"from":"` + watcher + `"}`,
			}},
			{`{"to":"` + console + `","type":"evaluateJSAsync","text":"hi"}`, []string{
				`{"from":"` + console + `","resultID":"1796058214960.0-0"}`,
				`{"from":"` + console + `","type":"evaluationResult","resultID":"1796058214960.0-0","hasException":false,"input":"hi","result":"hi"}`,
			}},
			{`{"to":"` + target + `","type":"navigateTo","url":"http://127.0.0.1:8000/b"}`, []string{
				`{"from":"` + target + `"}`,
				`{"type":"target-destroyed-form","from":"` + watcher + `","target":{"actor":"` + target + `"}}`,
				`{"type":"forwardingCancelled","from":"root","prefix":"server1.conn0.watcher1.process5/"}`,
				`{"type":"target-available-form","from":"` + watcher + `","target":{"url":"http://127.0.0.1:8000/b"}}`,
			}},
			{`{"to":"` + console + `","type":"evaluateJSAsync","text":"hi"}`, []string{`{"from":"` + console + `","error":"noSuchActor"}`}},
			{`{"to":"root","type":"nope"}`, []string{`{"from":"root","error":"unrecognizedPacketType"}`}},
			{`{"to":"nosuch","type":"x"}`, []string{`{"from":"nosuch","error":"noSuchActor","message":"No such actor for ID: nosuch"}`}},
			{`{"to":"root","type":"getProcess","id":4000}`, []string{`{"from":"root","processDescriptor":{"actor":"server1.conn0.processDescriptor4000","id":4000}}`}},
			{`{"to":"server1.conn0.processDescriptor4000","type":"getTarget"}`, []string{`{"from":"server1.conn0.processDescriptor4000","process":{"processID":4000,"consoleActor":"server1.conn0.content-process4000/console2"}}`}},
		}
		for _, s := range steps {
			for i, got := range ask(t, ws, s.ask, len(s.hear)) {
				like(t, got, s.hear[i])
			}
		}
	})
}

// like checks that got has at least the members of want.
func like(t *testing.T, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, only(g, w)); diff != "" {
		t.Errorf("packet (-want +got):\n%s\nin %s", diff, got)
	}
}

// only cuts got down to the members that want has.
func only(got, want any) any {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return got
		}
		cut := map[string]any{}
		for name := range w {
			if v, ok := g[name]; ok {
				cut[name] = only(v, w[name])
			}
		}
		return cut
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return got
		}
		cut := make([]any, len(g))
		for i := range w {
			cut[i] = only(g[i], w[i])
		}
		return cut
	default:
		return got
	}
}

func TestListen(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, greeting := dial(t, rdptest.Listen(t, l))
	like(t, greeting, `{"from":"root"}`)
}

func TestTwoConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := rdptest.New(t)
		_, first := dial(t, f)
		_, second := dial(t, f)
		like(t, first, `{"testConnectionPrefix":"server1.conn0."}`)
		like(t, second, `{"testConnectionPrefix":"server1.conn1."}`)
		if got := f.Peer().Prefix(); got != "server1.conn1." {
			t.Errorf("Peer is %s", got)
		}
	})
}
