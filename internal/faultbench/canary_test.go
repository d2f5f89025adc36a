package faultbench

import (
	"net"
	"os"
	"strconv"
	"strings"
	"testing"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// TestCanaries uses every kind of secret in every kind of call, with faults in
// between, and looks for them in all that tells how the server fares: stderr at debug
// level, the trace, what the doctor says and makes of the trace, the status. Some
// must not be in any answer either.
func TestCanaries(t *testing.T) {
	r := newCanaryRun(t)
	for _, faults := range [][]fp.Fault{nil, {fp.Cut, fp.NoJSON}} {
		for i, s := range canarySteps(r) {
			var fault *fp.Fault
			if faults != nil {
				fault = &faults[i%len(faults)]
			}
			r.step(s, fault)
		}
		status := r.b.do("browser_status", map[string]any{"verbose": true})
		r.told["status"] += status.Text + status.Raw
		r.told["doctor"], _ = command(t, r.b.proxy.Port, "doctor")
	}
	r.b.stop()
	raw, err := os.ReadFile(r.trace)
	if err != nil {
		t.Fatal(err)
	}
	r.told["log"], r.told["trace"] = r.b.stderr.String(), string(raw)
	r.told["doctor of the trace"], _ = command(t, r.b.proxy.Port, "doctor", "--trace", r.trace)
	for name, least := range map[string]int{"log": 10_000, "trace": 10_000, "status": 500, "doctor": 200, "doctor of the trace": 200} {
		if n := len(r.told[name]); n < least {
			t.Errorf("the %s has %d bytes:\n%s", name, n, r.told[name])
		}
	}
	for what, c := range canaries {
		for name, text := range r.told {
			if name == "answers" && !c.silent || name == "status" && c.shown {
				continue
			}
			if i := strings.Index(text, c.text); i >= 0 {
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
