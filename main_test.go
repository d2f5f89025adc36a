package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"firefox-rdp-mcp/supervisor"
)

// binary is the program, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "firefox-rdp-mcp")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "firefox-rdp-mcp")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	listTabs = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_tabs","arguments":{}}}` + "\n"
)

// program is a running binary.
type program struct {
	*exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
}

// start runs the binary with nothing in its environment but env.
func start(t testing.TB, env []string, args ...string) *program {
	t.Helper()
	p := &program{Cmd: exec.Command(binary, args...)}
	p.Env = append(p.Env, env...)
	p.Env = append(p.Env, "TZ=America/New_York")
	p.Stderr = &p.stderr
	var err error
	if p.stdin, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdout = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// write sends text to the program.
func (p *program) write(t testing.TB, text string) {
	t.Helper()
	if _, err := io.WriteString(p.stdin, text); err != nil {
		t.Fatal(err)
	}
}

// line reads a line of the program's and checks that it is a message.
func (p *program) line(t testing.TB) string {
	t.Helper()
	line, err := p.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("stdout: %v\n%s", err, &p.stderr)
	}
	return line
}

// exit waits for the end and returns what was left on stdout and the code. It
// fails when that takes longer than within.
func (p *program) exit(t *testing.T, within time.Duration) (rest string, code int) {
	t.Helper()
	watchdog := time.AfterFunc(within, func() { _ = p.Process.Kill() })
	begun := time.Now()
	out, _ := io.ReadAll(p.stdout)
	err := p.Wait()
	if !watchdog.Stop() {
		t.Errorf("still running after %v", time.Since(begun))
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return string(out), p.ProcessState.ExitCode()
}

// hole is a port that accepts connections and never answers.
func hole(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return fmt.Sprintf("FIREFOX_RDP_PORT=%d", l.Addr().(*net.TCPAddr).Port)
}

// closed is a port where nothing listens.
func closed(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprintf("FIREFOX_RDP_PORT=%d", l.Addr().(*net.TCPAddr).Port)
}

func TestNoInput(t *testing.T) {
	p := start(t, nil)
	p.stdin.Close()
	if out, code := p.exit(t, 2*time.Second); out != "" || code != 0 {
		t.Errorf("wrote %q and exited with %d", out, code)
	}
}

func TestStdoutHoldsNothingButMessages(t *testing.T) {
	const secret = "xyzzy-S3CRET-plugh"
	p := start(t, []string{closed(t), "FIREFOX_MCP_LOG_LEVEL=debug"})
	p.write(t, initialize+listTabs)
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
		`{oops}`, ``, "\xff\xfe", `[]`, `null`, strings.Repeat("[", 5000),
		`{"jsonrpc":"2.0","id":4,"method":"no/such"}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"no_such"}}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"fill","arguments":{"element":"e1","value":"` + secret + `"}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fill","arguments":{"element":5,"value":"` + secret + `"}}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"value":"` + secret + `"`,
	} {
		p.write(t, text+"\n")
	}
	p.stdin.Close()
	out, code := p.exit(t, 5*time.Second)
	if code != 0 {
		t.Errorf("exited with %d", code)
	}
	answered := map[string]int{}
	for line := range strings.Lines(out) {
		var msg struct {
			JSONRPC       string
			ID            json.RawMessage
			Method        *string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &msg); err != nil || msg.JSONRPC != "2.0" || msg.Method != nil || (msg.Result == nil) == (msg.Error == nil) {
			t.Errorf("stdout has %q", line)
		}
		answered[string(msg.ID)]++
	}
	for _, id := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		if answered[id] != 1 {
			t.Errorf("request %s was answered %d times", id, answered[id])
		}
	}
	logLine := regexp.MustCompile(`^(\S+) (DEBUG|INFO|WARN|ERROR) \S`)
	for line := range strings.Lines(p.stderr.String()) {
		if m := logLine.FindStringSubmatch(line); m == nil {
			t.Errorf("stderr has %q", line)
		} else if at, err := time.Parse(supervisor.LogTime, m[1]); err != nil || time.Since(at).Abs() > time.Minute {
			t.Errorf("stderr has %q, which is not a time of now in UTC", line)
		}
	}
	if strings.Contains(p.stderr.String(), secret) {
		t.Error("the secret is in the log")
	}
}

func TestSignalInTheMiddleOfACall(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			p := start(t, []string{hole(t)})
			p.write(t, initialize)
			p.line(t)
			p.write(t, listTabs)
			// The ping comes back once the call has begun.
			p.write(t, `{"jsonrpc":"2.0","id":3,"method":"ping"}`+"\n")
			p.line(t)
			if err := p.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			out, code := p.exit(t, 2*time.Second)
			if code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, `"code":"cancelled"`) {
				t.Errorf("answered %q and exited with %d\n%s", out, code, &p.stderr)
			}
		})
	}
}

// stuck starts a program that is in the middle of writing an answer which
// nobody reads: it is longer than a pipe.
func stuck(t *testing.T) *program {
	t.Helper()
	p := start(t, nil)
	p.write(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"ping"}`+"\n", strings.Repeat("x", 500_000)))
	if _, err := p.stdout.Peek(1); err != nil {
		t.Fatalf("stdout: %v\n%s", err, &p.stderr)
	}
	return p
}

// signal sends signals until the program ends, at most so many, and returns how
// it ended.
func (p *program) signal(t *testing.T, most int) *os.ProcessState {
	t.Helper()
	done := make(chan *os.ProcessState, 1)
	go func() {
		state, _ := p.Process.Wait()
		done <- state
	}()
	pause := time.NewTicker(20 * time.Millisecond) // signals that come together count as one
	defer pause.Stop()
	deadline := time.After(2 * time.Second)
	for {
		select {
		case state := <-done:
			return state
		case <-pause.C:
			if most--; most >= 0 {
				_ = p.Process.Signal(syscall.SIGTERM)
			}
		case <-deadline:
			t.Fatal("still running after 2 s")
		}
	}
}

func TestSignalEndsAProgramThatNobodyReads(t *testing.T) {
	stuck(t).signal(t, 1)
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	if state := stuck(t).signal(t, 10); state.Exited() {
		t.Errorf("ended by itself (%v)", state)
	}
}

func TestClosedStreams(t *testing.T) {
	t.Run("stderr", func(t *testing.T) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		p := &program{Cmd: exec.Command(binary, "-v")}
		p.Env, p.Stderr, p.Stdin = []string{closed(t)}, w, strings.NewReader(initialize+listTabs)
		out, err := p.Output()
		w.Close()
		if err != nil || strings.Count(string(out), "\n") != 2 {
			t.Errorf("wrote %q, %v", out, err)
		}
	})
	t.Run("stdout", func(t *testing.T) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		p := &program{Cmd: exec.Command(binary)}
		p.Env, p.Stderr, p.Stdout, p.Stdin = nil, &p.stderr, w, strings.NewReader(initialize)
		err = p.Run()
		w.Close()
		if code := p.ProcessState.ExitCode(); code != 1 || !strings.Contains(p.stderr.String(), "ERROR ended cause=") {
			t.Errorf("ended with %d, %v: %s", code, err, &p.stderr)
		}
	})
}

func TestExitCodes(t *testing.T) {
	tests := map[string]struct {
		env    string
		args   string
		code   int
		stdout string // beginning
		stderr string // whole
	}{
		"bad variable":    {"FIREFOX_RDP_PORT=0", "", 2, "", "firefox-rdp-mcp: FIREFOX_RDP_PORT \"0\": want a whole number from 1 to 65535\n"},
		"bad flag":        {"", "--max-sessions=x", 2, "", "firefox-rdp-mcp: --max-sessions (FIREFOX_MCP_MAX_SESSIONS) \"x\": want a whole number from 1 to 100\n"},
		"unknown flag":    {"", "--nope", 2, "", "firefox-rdp-mcp: flag provided but not defined: -nope\n"},
		"unknown command": {"", "nope", 2, "", "firefox-rdp-mcp: unknown command \"nope\" (see --help)\n"},
		"help":            {"", "--help", 0, "usage: firefox-rdp-mcp", ""},
		"call what":       {"", "call", 2, "", "firefox-rdp-mcp: usage: firefox-rdp-mcp call TOOL [JSON] [--json] (see --help)\n"},
		"call no object":  {"", "call list_tabs []", 2, "", "firefox-rdp-mcp: the arguments of list_tabs must be one JSON object, such as {\"tab_id\":\"t1\"}\n"},
		"call bad value":  {"", "call select_tab {}", 1, "invalid_argument: ", ""},
		"call as JSON":    {"", "call select_tab {\"index\":-1} --json", 1, "{\n  \"error\": {\n    \"code\": \"invalid_argument\",", ""},
		"call, no port":   {"FIREFOX_RDP_PORT=1", "call list_tabs", 1, "not_connected: nothing listens on 127.0.0.1:1", ""},
		"doctor, no port": {"FIREFOX_RDP_PORT=1", "doctor", 1, "                  Firefox's debugger server at 127.0.0.1:1\nFAIL  listening   nothing listens on 127.0.0.1:1", ""},
		"doctor of what":  {"", "doctor x", 2, "", "firefox-rdp-mcp: doctor takes no \"x\" (see --help)\n"},
		"no such trace":   {"", "doctor --trace /no/such/file", 2, "", "firefox-rdp-mcp: --trace (FIREFOX_MCP_TRACE) \"/no/such/file\": no such file or directory\n"},
		"trace nowhere":   {"FIREFOX_MCP_TRACE=/no/such/dir/trace", "", 2, "", "firefox-rdp-mcp: FIREFOX_MCP_TRACE \"/no/such/dir/trace\": no such file or directory\n"},
		"version":         {"", "version", 0, "firefox-rdp-mcp ", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := start(t, []string{tt.env}, strings.Fields(tt.args)...)
			out, code := p.exit(t, 5*time.Second)
			if code != tt.code || !strings.HasPrefix(out, tt.stdout) || tt.stdout == "" && out != "" || p.stderr.String() != tt.stderr {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, &p.stderr)
			}
		})
	}
}
