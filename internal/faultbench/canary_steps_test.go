package faultbench

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	fp "firefox-rdp-mcp/internal/faultproxy"
	"firefox-rdp-mcp/internal/firefoxtest"
)

// canary is a secret.
type canary struct {
	text   string
	silent bool // no answer tells it
	shown  bool // the status tells it, since it is where the selected tab is
}

// canaries are secrets by what they are. None may appear in what tells how the
// server fares.
var canaries = map[string]canary{
	"password":      {text: "cnry-pw-7f3a", silent: true},
	"cookie":        {text: "cnry-cookie-1c2d", silent: true},
	"authorization": {text: "cnry-auth-3e4f", silent: true},
	"typed text":    {text: "cnry-typed-1b2c"},
	"filled text":   {text: "cnry-filled-9d8e"},
	"option":        {text: "cnry-option-6b7c"},
	"wanted text":   {text: "cnry-wanted-8d9e"},
	"script":        {text: "cnry-script-0f1a"},
	"file":          {text: "cnry-bytes-5a6b"},
	"folder":        {text: "cnry-folder-3c4d"},
	"page text":     {text: "cnry-text-0e1f"},
	"title":         {text: "cnry-title-2a3b", shown: true},
	"thrown":        {text: "cnry-thrown-4c5d"},
	"console":       {text: "cnry-console-2b3c"},
	"dialog":        {text: "cnry-dialog-6e7f"},
	"answer":        {text: "cnry-answer-4d5e"},
	"query":         {text: "cnry-query-8a9b", shown: true},
	"fragment":      {text: "cnry-fragment-6f7a", shown: true},
}

// secret is one of them.
func secret(what string) string { return canaries[what].text }

// canaryPage has all that the steps use.
func canaryPage() string {
	return `<!doctype html><title>` + secret("title") + `</title><p>` + secret("page text") + `</p>
<label>Name <input></label><label>Password <input type=password value="` + secret("password") + `"></label><label>File <input type=file></label>
<label>Kind <select><option>one<option>` + secret("option") + `</select></label><button draggable=true>Drag</button><button>Bin</button>
<button onclick="throw new Error('` + secret("thrown") + `')">Throw</button><button onclick="prompt('` + secret("dialog") + `')">Ask</button>
<script>document.cookie = "c=` + secret("cookie") + `"; console.warn("` + secret("console") + `");
fetch("/api?` + secret("query") + `", {headers: {Authorization: "Bearer ` + secret("authorization") + `"}})</script>`
}

// canaryRun is one run of the steps.
type canaryRun struct {
	t     *testing.T
	b     *bench
	file  string // to be uploaded, in a folder whose name is a secret
	trace string
	refs  result // of the page as it is now
	last  result
	page  string            // of the server's own
	told  map[string]string // what was written, by where
}

func newCanaryRun(t *testing.T) *canaryRun {
	t.Helper()
	r := &canaryRun{t: t, trace: filepath.Join(t.TempDir(), "trace"), told: map[string]string{}}
	dir := filepath.Join(t.TempDir(), secret("folder"))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.file = filepath.Join(dir, "upload.txt")
	if err := os.WriteFile(r.file, []byte(strings.Repeat(secret("file"), 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	f := firefoxtest.Start(t)
	p := fp.Start(t, f.Port)
	s := startServer(t, p.Port, "FIREFOX_MCP_TRACE="+r.trace, "FIREFOX_MCP_ENABLE_EVALUATE=all")
	r.b = &bench{server: s, t: t, firefox: f, proxy: p, site: newSite(t)}
	r.b.site.shows(canaryPage())
	r.b.settles()
	return r
}

// canaryStep is a call. args are asked for when its time has come.
type canaryStep struct {
	tool string
	code string // when nothing is wrong
	args func() map[string]any
}

// canarySteps are all tools that take or bring something secret.
func canarySteps(r *canaryRun) []canaryStep {
	type m = map[string]any
	on := func(name string, more m) func() m {
		return func() m { return with(more, "element", r.refs.ref(r.t, name)) }
	}
	plain := func(args m) func() m { return func() m { return args } }
	address := r.b.site.URL + "/?" + secret("query") + "#" + secret("fragment")
	missing := filepath.Join(filepath.Dir(r.file), "missing")
	return []canaryStep{
		{"select_tab", "", plain(m{"index": 0})},
		{"list_network_requests", "", plain(nil)}, // from now on they are known
		{"navigate", "", plain(m{"url": address})},
		{"navigate", "invalid_argument", plain(m{"url": "ftp://" + secret("wanted text")})},
		{"snapshot_page", "", plain(m{"view": "full"})},
		{"snapshot_page", "invalid_selector", plain(m{"scope": "[[" + secret("wanted text")})},
		{"find_elements", "", plain(m{"text": secret("wanted text")})},
		{"fill", "", on("Name", m{"value": secret("filled text")})},
		{"fill", "", on("Password", m{"value": secret("password")})},
		{"fill_form", "", func() m {
			return m{"fields": []m{{"element": r.refs.ref(r.t, "Name"), "value": secret("filled text")}}}
		}},
		{"type_text", "", on("Name", m{"text": secret("typed text")})},
		{"type_text", "", on("Password", m{"text": secret("password")})},
		{"press_key", "", on("Password", m{"key": "End"})},
		{"select_option", "", on("Kind", m{"values": []string{secret("option")}})},
		{"select_option", "option_not_found", on("Kind", m{"values": []string{secret("wanted text")}})},
		{"hover", "", on("Throw", nil)},
		{"drag", "", func() m { return m{"element": r.refs.ref(r.t, "Drag"), "target": r.refs.ref(r.t, "Bin")} }},
		{"scroll", "", plain(m{"to": "bottom"})},
		{"upload_files", "", on("File", m{"paths": []string{r.file}})},
		{"upload_files", "upload_file_invalid", on("File", m{"paths": []string{missing}})},
		{"wait_for", "wait_timeout", plain(m{"text": secret("wanted text"), "timeout_ms": 100})},
		{"wait_for", "invalid_selector", plain(m{"selector": "[[" + secret("wanted text"), "timeout_ms": 100})},
		{"click", "", on("Throw", nil)},
		{"click", "", on("Ask", nil)},
		{"handle_dialog", "", plain(m{"action": "accept", "text": secret("answer")})},
		{"evaluate", "", plain(m{"expression": "'" + secret("script") + "'"})},
		{"evaluate", "page_script_failed", plain(m{"expression": "throw new Error('" + secret("script") + "')"})},
		{"screenshot", "", plain(m{"save_to": filepath.Join(filepath.Dir(r.file), "shot.png")})},
		{"extract_text", "", plain(nil)},
		{"extract_text", "", plain(m{"url": address})},
		{"fetch_page", "", plain(m{"url": address})},
		{"open_page", "", plain(m{"url": address})},
		{"close_page", "", func() m { return m{"session_id": r.page} }},
		{"list_console_messages", "", plain(m{"contains": secret("console")})},
		{"list_network_requests", "", plain(m{"filter": "/api"})},
		{"get_network_request", "", func() m { return m{"id": requestID.FindString(r.last.Text), "body": true} }},
		{"fill", "invalid_argument", plain(m{"element": secret("typed text"), "value": secret("filled text"), secret("filled text"): 1})},
	}
}

var requestID = regexp.MustCompile(`\bn[0-9]+\b`)

// step makes one call. A fault strikes at the first thing that it asks of a page or of
// the browser; then the connection is waited for, and the page is looked at again.
func (r *canaryRun) step(s canaryStep, fault *fp.Fault) {
	r.t.Helper()
	args := s.args()
	if fault != nil {
		r.b.proxy.Arm(fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(`_self(`)}}, Pass: fp.Everything, Fault: *fault})
	}
	before := r.last
	r.last = r.b.try(s.tool, args)
	r.b.proxy.Disarm()
	r.told["answers"] += r.last.Text + r.last.Raw
	if fault == nil && r.last.Code != s.code {
		r.t.Errorf("%s: code %q (%s), want %q; before that %s", s.tool, r.last.Code, r.last.Message, s.code, before.Text)
	}
	if r.last.SessionID != "" {
		r.page = r.last.SessionID
	}
	if r.last.Dialog != nil || s.tool == "select_tab" || s.tool == "list_network_requests" {
		return
	}
	if fault != nil {
		r.b.recovers(fastEnough)
		r.b.try("handle_dialog", map[string]any{"action": "dismiss"}) // the fault may have struck behind it
	}
	if fault != nil || strings.HasPrefix(s.tool, "navigate") {
		r.refs = r.b.do("snapshot_page", nil)
		r.told["answers"] += r.refs.Text + r.refs.Raw
	}
}
