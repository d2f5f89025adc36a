package supervisor

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/router/rdptest"
)

// consult lets the doctor look at what d leads to and returns what it wrote.
func consult(t *testing.T, d dialer, env ...string) (healthy bool, report string) {
	t.Helper()
	cfg, err := FromEnv(from(strings.Join(env, " ")), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	healthy = diagnose(t.Context(), cfg, d, &out, logger(t))
	return healthy, out.String()
}

// entry returns the line of one check.
func entry(report, name string) string {
	for line := range strings.Lines(report) {
		if f := strings.Fields(line); len(f) > 1 && f[1] == name {
			return strings.Join(f, " ")
		}
	}
	return ""
}

func TestDoctorTellsWhatIsThere(t *testing.T) {
	for _, tt := range peers {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				healthy, report := consult(t, pipes(tt.serve))
				name := map[Stage]string{StageConnect: "listening", StageUpgrade: "websocket", StageGreeting: "firefox"}[tt.stage]
				got := entry(report, name)
				if healthy || !strings.HasPrefix(got, "FAIL "+name) || !strings.Contains(got, tt.says) {
					t.Errorf("healthy %t; %q, want FAIL with %q", healthy, got, tt.says)
				}
				if strings.Count(report, "FAIL") != 1 || entry(report, "version") != "- version not looked at" || !strings.HasPrefix(entry(report, "port"), "ok ") {
					t.Errorf("report:\n%s", report)
				}
			})
		})
	}
}

func TestDoctorFindsNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	healthy, report := consult(t, newDialer("127.0.0.1", l.Addr().(*net.TCPAddr).Port))
	if got := entry(report, "listening"); healthy || !strings.HasPrefix(got, "FAIL listening nothing listens on") {
		t.Errorf("healthy %t; %q", healthy, got)
	}
}

// standIn answers what the doctor asks as a Firefox does.
type standIn struct {
	version string
	own     bool            // the page is one of the browser's own
	never   map[string]bool // methods that get no answer
	none    bool            // no tabs
	slow    time.Duration   // between acknowledgement and result
	slower  time.Duration   // before any answer
	snippet rdptest.Result  // what installing the snippets gives
	vanish  string          // the method upon which the connection ends
}

func (s standIn) dialer(t *testing.T) dialer {
	t.Helper()
	f := rdptest.New(t)
	f.Evaluate = func(e rdptest.Evaluation) rdptest.Result {
		time.Sleep(s.slow)
		switch {
		case s.never["page"] && strings.Contains(e.Console, "consoleActor"):
			return rdptest.Result{Never: true}
		case strings.Contains(e.Text, "snippets"):
			return s.snippet
		case strings.Contains(e.Text, "dialogs"):
			return rdptest.Result{Value: "[]"}
		}
		return rdptest.Result{Value: 1}
	}
	f.OnRequest = func(p *rdptest.Peer, r rdptest.Request) bool {
		time.Sleep(s.slower)
		switch {
		case r.Type == s.vanish:
			p.Vanish()
		case s.never[r.Type]:
		case r.Type == "getRoot":
			_ = p.Send(rdptest.Packet{"from": "root", "deviceActor": p.Prefix() + "deviceActor1"})
		case r.Type == "getDescription":
			_ = p.Send(rdptest.Packet{"from": r.To, "value": rdptest.Packet{"version": s.version}})
		case r.Type == "getTarget" && s.own && strings.Contains(r.To, "processDescriptor"):
			_ = p.Send(rdptest.Packet{"from": r.To, "process": rdptest.Packet{"processID": 4000, "consoleActor": p.Console()}})
		case r.Type == "listTabs" && s.none:
			_ = p.Send(rdptest.Packet{"from": "root", "tabs": []any{}})
		default:
			return false
		}
		return true
	}
	return dialer{host: "127.0.0.1", port: 6000, limit: readLimit, tcp: func(ctx context.Context, _, _ string) (net.Conn, error) { return f.Dial(ctx) }}
}

// grip is the result of an evaluation that gives a function.
var grip = rdptest.Result{Value: rdptest.Packet{"type": "object", "actor": "server1.conn0.content-process0/obj1", "class": "Function"}}

func TestDoctorExamines(t *testing.T) {
	tests := map[string]struct {
		standIn standIn
		env     string
		healthy bool
		check   string
		says    string // beginning of its line
	}{
		"well":                   {standIn{}, "", true, "speed", "ok speed median evaluation 0s, plain request 0s; quick acknowledgement is at work"},
		"version":                {standIn{}, "", true, "version", "ok version Firefox 153.8.0"},
		"old":                    {standIn{version: "115.0"}, "", true, "version", `warn version Firefox "115.0" is older than any`},
		"odd version":            {standIn{version: "a\x1bb"}, "", true, "version", `warn version Firefox gives its version as "a\x1bb"`},
		"root is silent":         {standIn{never: map[string]bool{"getRoot": true}}, "", false, "version", "FAIL version the root actor does not answer as Firefox's does: no answer for 3s"},
		"no tabs":                {standIn{none: true}, "", false, "tabs", "FAIL tabs Firefox has no tab"},
		"tabs are silent":        {standIn{never: map[string]bool{"listTabs": true}}, "", false, "tabs", "FAIL tabs the root actor does not answer"},
		"page hangs":             {standIn{never: map[string]bool{"page": true}}, "", false, "evaluation", "FAIL evaluation no page evaluates scripts (1 tried; the last: no answer for 3s)"},
		"parent hangs":           {standIn{never: map[string]bool{"getProcess": true}}, "", false, "evaluation", "FAIL evaluation the parent process does not answer"},
		"only the browser's own": {standIn{own: true}, "", true, "evaluation", "warn evaluation every open tab shows a page of the browser itself"},
		"delayed ACK":            {standIn{slow: 41 * time.Millisecond}, "", true, "speed", "warn speed median evaluation 41ms, plain request 0s: each evaluation waits 40 ms for a delayed acknowledgement"},
		"busy":                   {standIn{slower: 50 * time.Millisecond}, "", true, "speed", "warn speed median evaluation 50ms, plain request 50ms: Firefox or this machine is busy"},
		"snippets throw":         {standIn{snippet: rdptest.Result{Exception: "Services is not defined"}}, "", false, "privileged", "FAIL privileged the snippets that run in Firefox itself do not work"},
		"snippets are none":      {standIn{snippet: rdptest.Result{Value: 5}}, "", false, "privileged", "FAIL privileged the snippets that run in Firefox itself do not work"},
		"switched off":           {standIn{}, "FIREFOX_MCP_PRIVILEGED=false", true, "privileged", "warn privileged switched off by FIREFOX_MCP_PRIVILEGED=false"},
		"open port":              {standIn{}, "FIREFOX_RDP_PORT=6001", true, "port", "warn port any page in this Firefox can connect to port 6001"},
		"ends meanwhile":         {standIn{vanish: "getProcess"}, "", false, "evaluation", "FAIL evaluation the parent process does not answer as Firefox's does: connection ended"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if tt.standIn.version == "" {
					tt.standIn.version = "153.8.0"
				}
				if tt.standIn.snippet == (rdptest.Result{}) {
					tt.standIn.snippet = grip
				}
				healthy, report := consult(t, tt.standIn.dialer(t), tt.env)
				if got := entry(report, tt.check); healthy != tt.healthy || !strings.HasPrefix(got, tt.says) {
					t.Errorf("healthy %t, want %t; %q, want %q\n%s", healthy, tt.healthy, got, tt.says, report)
				}
			})
		})
	}
}
