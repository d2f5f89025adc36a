package faultbench

import (
	"cmp"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// actsPage notes every event that an action could cause.
const actsPage = `<!doctype html><title>Acts</title><body style="height:5000px">
<script>
var acts = [];
for (const kind of ["pointerdown", "mousedown", "click", "keydown", "keyup", "beforeinput", "input", "change", "submit", "focusin", "dragstart", "drop", "scroll"])
  addEventListener(kind, (e) => acts.push(kind), true);
</script>
<button draggable=true>Press</button><label>Name <input></label><label>File <input type=file></label>
<label>Kind <select><option>one<option>two</select></label><button ondragover="event.preventDefault()">Bin</button>
<form action=/late><label>Query <input name=q value=x></label></form>
<div role=listbox aria-label=Colour tabindex=0><div role=option>red</div><div role=option>blue</div></div>`

// lateCall is a call that will come to a page that does not answer.
type lateCall struct {
	tool string
	args func(ref func(name string) string) map[string]any
	env  string // of its server
}

// on names one element, and more arguments.
func on(name string, more map[string]any) func(func(string) string) map[string]any {
	return func(ref func(string) string) map[string]any { return with(more, "element", ref(name)) }
}

// plain names none.
func plain(args map[string]any) func(func(string) string) map[string]any {
	return func(func(string) string) map[string]any { return args }
}

// lateCalls are all ways to act in a page.
func lateCalls(address, file string) []lateCall {
	return []lateCall{
		{tool: "click", args: on("Press", nil)},
		{tool: "hover", args: on("Press", nil)},
		{tool: "fill", args: on("Name", map[string]any{"value": "late"})},
		{tool: "fill", args: on("Query", map[string]any{"value": "late", "submit": true})},
		{tool: "fill_form", args: func(ref func(string) string) map[string]any {
			return map[string]any{"submit": true, "fields": []map[string]any{{"element": ref("Name"), "value": "late"}, {"element": ref("Query"), "value": "late"}}}
		}},
		{tool: "type_text", args: on("Name", map[string]any{"text": "late"})},
		{tool: "press_key", args: on("Query", map[string]any{"key": "Enter"})},
		{tool: "select_option", args: on("Kind", map[string]any{"values": []string{"two"}})},
		{tool: "select_option", args: on("Colour", map[string]any{"values": []string{"blue"}})},
		{tool: "scroll", args: plain(map[string]any{"to": "bottom"})},
		{tool: "upload_files", args: on("File", map[string]any{"paths": []string{file}})},
		{tool: "drag", args: func(ref func(string) string) map[string]any {
			return map[string]any{"element": ref("Press"), "target": ref("Bin")}
		}},
		{tool: "evaluate", args: plain(map[string]any{"expression": "acts.push('evaluated')", "timeout_ms": 4000}), env: "FIREFOX_MCP_ENABLE_EVALUATE=all"},
		{tool: "navigate", args: plain(map[string]any{"url": address}), env: "FIREFOX_MCP_PRIVILEGED=false"}, // else it frees the page
	}
}

// TestNothingActsLate acts in every way in a page that is frozen for longer than
// the calls wait: when it thaws, nothing of it must happen. Each call comes from
// a server of its own, since one server takes turns.
func TestNothingActsLate(t *testing.T) {
	b := newBench(t)
	b.site.shows(actsPage)
	file := filepath.Join(t.TempDir(), "late.txt")
	if err := os.WriteFile(file, []byte("late"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do("navigate", map[string]any{"url": b.site.URL + "/"})
	calls := lateCalls(b.site.URL+"/late", file)
	servers, args := make([]*server, len(calls)), make([]map[string]any, len(calls))
	for i, c := range calls {
		s := startServer(t, b.firefox.Port, cmp.Or(c.env, "FIREFOX_MCP_LOG_LEVEL=warn"))
		servers[i] = s
		s.settles()
		refs := s.do("snapshot_page", nil)
		args[i] = c.args(func(name string) string { return refs.ref(t, name) })
	}
	frozen := deadline + 5*time.Second
	thawed := b.freeze(frozen)
	answers := make([]result, len(calls))
	var under sync.WaitGroup
	for i, c := range calls {
		under.Go(func() { answers[i] = servers[i].try(c.tool, args[i]) })
	}
	under.Wait()
	thawed()
	for i, r := range answers {
		b.code(r, "page_unresponsive")
		if r.Took >= frozen-time.Second {
			t.Errorf("%s was answered after %v, when the page had thawed", calls[i].tool, r.Took)
		}
	}
	time.Sleep(time.Second)
	if acts := b.look(0, "[...w.acts].join()"); acts != `""` {
		t.Errorf("these happened late: %s", acts)
	}
	if n := b.site.count("/late") + b.site.count("/late?q=x") + b.site.count("/late?q=late"); n != 0 {
		t.Errorf("the page was left late, %d times", n)
	}
	b.site.shows("")
	b.do("navigate", map[string]any{"url": b.site.URL + "/?thawed"})
	b.works(0, nil)
}

// TestNothingBeginsLate stops the browser in the moment of a step that may take longer
// than Firefox has for taking it on: it must begin in time all the same.
func TestNothingBeginsLate(t *testing.T) {
	b := newBench(t, "FIREFOX_MCP_ENABLE_EVALUATE=all")
	file := filepath.Join(t.TempDir(), "late.txt")
	if err := os.WriteFile(file, []byte("late"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		packet, counted string
		call            lateCall
	}{
		{`_self(\"upload_finish\"`, "changes", lateCall{tool: "upload_files", args: on("File", arguments{"paths": []string{file}})}},
		{"evaluated++", "evaluated", lateCall{tool: "evaluate", args: plain(arguments{"expression": "evaluated++", "timeout_ms": 20000})}},
	} {
		b.do("navigate", arguments{"url": b.site.URL + "/?" + c.counted})
		refs := b.do("snapshot_page", nil)
		args := c.call.args(func(name string) string { return refs.ref(t, name) })
		fired := b.proxy.Arm(fp.Rule{Steps: []fp.Step{{Dir: fp.ToFirefox, Match: has(c.packet)}}, Fault: fp.Meanwhile("sleep", func() { b.firefox.Signal(syscall.SIGSTOP) })})
		b.code(b.try(c.call.tool, args), "rdp_timeout")
		<-fired
		b.firefox.Signal(syscall.SIGCONT)
		b.recovers(fastEnough)
		if n := b.number(0, "w."+c.counted); n != 0 {
			t.Errorf("%s: %d late effects", c.call.tool, n)
		}
	}
}
