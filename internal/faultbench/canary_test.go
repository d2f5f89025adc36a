package faultbench

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	fp "firefox-rdp-mcp/internal/faultproxy"
	"firefox-rdp-mcp/internal/firefoxtest"
)

// canaries are secrets by what they are. None may appear in the log or a trace.
var canaries = map[string]string{
	"password":  "cnry-pw-7f3a",
	"typed":     "cnry-typed-1b2c",
	"filled":    "cnry-filled-9d8e",
	"file":      "cnry-bytes-5a6b",
	"folder":    "cnry-folder-3c4d",
	"page text": "cnry-text-0e1f",
	"title":     "cnry-title-2a3b",
	"thrown":    "cnry-thrown-4c5d",
	"dialog":    "cnry-dialog-6e7f",
	"query":     "cnry-query-8a9b",
}

// TestCanaries uses every kind of secret in every kind of call, with faults in
// between, and looks for them on stderr at debug level and in the trace.
func TestCanaries(t *testing.T) {
	f := firefoxtest.Start(t)
	p := fp.Start(t, f.Port)
	dir := filepath.Join(t.TempDir(), canaries["folder"])
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "upload.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat(canaries["file"], 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	s := startServer(t, p.Port, "FIREFOX_MCP_TRACE="+trace)
	b := &bench{server: s, t: t, firefox: f, proxy: p, site: newSite(t)}
	b.site.shows(`<!doctype html><title>` + canaries["title"] + `</title><p>` + canaries["page text"] + `</p>
		<label>Name <input></label><label>Password <input type=password value="` + canaries["password"] + `"></label>
		<label>File <input type=file></label><button onclick="throw new Error('` + canaries["thrown"] + `')">Throw</button>
		<button onclick="alert('` + canaries["dialog"] + `')">Ask</button>`)
	b.do("select_tab", map[string]any{"index": 0})
	for _, fault := range []*fp.Fault{nil, &fp.Cut, &fp.NoJSON} {
		b.do("navigate", map[string]any{"url": b.site.URL + "/?" + canaries["query"]})
		refs := b.do("snapshot_page", map[string]any{"view": "full"})
		if !strings.Contains(refs.Text, canaries["page text"]) || strings.Contains(refs.Text, canaries["password"]) {
			t.Errorf("the snapshot is\n%s", refs.Text)
		}
		arm := func(packet string) {
			if fault != nil {
				p.Arm(fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(packet)}}, Pass: fp.Everything, Fault: *fault})
			}
		}
		again := func() {
			b.recovers(fastEnough)
			refs = b.do("snapshot_page", nil)
		}
		arm(`_self(\"fill\"`)
		b.try("fill", map[string]any{"element": refs.ref(t, "Name"), "value": canaries["filled"]})
		again()
		b.try("fill", map[string]any{"element": refs.ref(t, "Password"), "value": canaries["password"]})
		arm(`_self(\"type\"`)
		b.try("type_text", map[string]any{"element": refs.ref(t, "Name"), "text": canaries["typed"]})
		again()
		arm(`_self(\"upload_append\"`)
		b.try("upload_files", map[string]any{"element": refs.ref(t, "File"), "paths": []string{file}})
		b.try("upload_files", map[string]any{"element": refs.ref(t, "File"), "paths": []string{file + "-missing"}})
		again()
		b.try("wait_for", map[string]any{"text": canaries["typed"], "timeout_ms": 100})
		b.try("wait_for", map[string]any{"selector": "[[" + canaries["typed"], "timeout_ms": 100})
		b.try("click", map[string]any{"element": refs.ref(t, "Throw")})
		b.try("fill", map[string]any{"element": canaries["typed"], "value": canaries["filled"], canaries["filled"]: 1})
		b.try("click", map[string]any{"element": refs.ref(t, "Ask")})
		b.try("handle_dialog", map[string]any{"action": "accept"})
		b.do("browser_status", map[string]any{"verbose": true})
	}
	s.stop()
	raw, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	log := s.stderr.String()
	if len(log) < 10_000 || len(raw) < 10_000 {
		t.Errorf("the log has %d bytes, the trace %d", len(log), len(raw))
	}
	for what, secret := range canaries {
		for name, text := range map[string]string{"log": log, "trace": string(raw)} {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("the %s is in the %s: %q", what, name, text[max(0, i-300):min(len(text), i+100)])
			}
		}
	}
}

// TestProxyVariablesAreIgnored starts the program with every variable that names
// a proxy.
func TestProxyVariablesAreIgnored(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Error("the proxy was asked")
			c.Close()
		}
	}()
	address := "http://" + l.Addr().String()
	var env []string
	for _, name := range []string{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "socks_proxy"} {
		env = append(env, name+"="+address)
	}
	p := fp.Start(t, 1)
	s := startServer(t, p.Port, append(env, "FIREFOX_RDP_HOST=localhost", "FIREFOX_RDP_PORT="+strconv.Itoa(p.Port))...)
	if r := s.try("list_tabs", nil); r.Code != "not_connected" || p.Dials() == 0 {
		t.Errorf("%d dials; %q %s", p.Dials(), r.Code, r.Message)
	}
}
