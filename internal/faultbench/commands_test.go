package faultbench

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	fp "firefox-rdp-mcp/internal/faultproxy"
	"firefox-rdp-mcp/internal/firefoxtest"
)

// command runs the program with some words and returns what it printed.
func command(t *testing.T, port int, words ...string) (stdout string, code int) {
	t.Helper()
	cmd := exec.Command(binary, words...)
	var out, errs bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{"FIREFOX_RDP_PORT=" + strconv.Itoa(port)}, &out, &errs
	_ = cmd.Run()
	if errs.Len() > 0 {
		t.Errorf("%q wrote on stderr: %s", words, &errs)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func TestCommandsOnFirefox(t *testing.T) {
	f := firefoxtest.Start(t)
	report, code := command(t, f.Port, "doctor")
	if code != 0 || strings.Contains(report, "FAIL") || strings.Count(report, "\nok ") != 8 || strings.Count(report, "\nwarn  port") != 1 {
		t.Errorf("doctor: exit %d\n%s", code, report)
	}
	text, code := command(t, f.Port, "call", "list_tabs")
	if code != 0 || !strings.Contains(text, "t1 ") {
		t.Errorf("call: exit %d, %q", code, text)
	}
	text, code = command(t, f.Port, "call", "snapshot_page", `{"tab_id":"t1"}`, "--json")
	var sn struct {
		TabID string `json:"tab_id"`
	}
	if err := json.Unmarshal([]byte(text), &sn); code != 0 || err != nil || sn.TabID != "t1" {
		t.Errorf("call --json: exit %d, %v, %q", code, err, text)
	}
	text, code = command(t, f.Port, "call", "snapshot_page", `{"tab_id":"t99"}`)
	if code != 1 || !strings.HasPrefix(text, "tab_not_found: ") {
		t.Errorf("a call that fails: exit %d, %q", code, text)
	}
}

// TestTraceOfACut has the doctor read what a bug report would carry.
func TestTraceOfACut(t *testing.T) {
	f := firefoxtest.Start(t)
	p := fp.Start(t, f.Port)
	trace := filepath.Join(t.TempDir(), "trace")
	s := startServer(t, p.Port, "FIREFOX_MCP_TRACE="+trace)
	s.do("list_tabs", nil)
	p.Hit(fp.Cut)
	s.recovers(fastEnough)
	s.stop()
	story, code := command(t, p.Port, "doctor", "--trace", trace)
	for _, want := range []string{"Connections: 2, of which 1 were lost", "EOF", "Firefox ended: it was closed, restarted or crashed", "× list_tabs"} {
		if !strings.Contains(story, want) {
			t.Errorf("the story lacks %q", want)
		}
	}
	if code != 1 || t.Failed() {
		t.Errorf("exit %d\n%s", code, story)
	}
}
