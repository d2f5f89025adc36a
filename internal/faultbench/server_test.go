package faultbench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is the built program and the client that talks to it.
type server struct {
	t       *testing.T
	cmd     *exec.Cmd
	client  *mcp.ClientSession
	stderr  *locked
	answers *answers
}

// locked is a buffer that may be written to and read at the same time.
type locked struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// startServer starts the program and says hello. It ends with the test.
func startServer(t *testing.T, port int, env ...string) *server {
	t.Helper()
	level := "debug"
	if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "FIREFOX_MCP_LOG_LEVEL=") }) {
		level = "warn"
	}
	s := &server{t: t, cmd: exec.Command(binary, "--log-level", level), stderr: &locked{}, answers: &answers{count: map[string]int{}}}
	s.cmd.Env = append([]string{
		"FIREFOX_RDP_PORT=" + strconv.Itoa(port),
		"FIREFOX_MCP_REQUEST_TIMEOUT_MS=" + strconv.FormatInt(deadline.Milliseconds(), 10),
		"FIREFOX_MCP_UPLOAD_CHUNK_BYTES=2048",
	}, env...)
	s.cmd.Stderr = s.stderr
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	transport := &mcp.IOTransport{Reader: io.NopCloser(io.TeeReader(stdout, s.answers)), Writer: stdin}
	s.client, err = mcp.NewClient(&mcp.Implementation{Name: "faultbench", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.stderr)
	}
	return s
}

// stop ends the program by the end of its input, and looks how it ended.
func (s *server) stop() {
	if s.cmd.ProcessState != nil {
		return
	}
	if s.client != nil {
		_ = s.client.Close()
	}
	watchdog := time.AfterFunc(5*time.Second, func() { _ = s.cmd.Process.Kill() })
	err := s.cmd.Wait()
	if !watchdog.Stop() || err != nil {
		s.t.Errorf("the program ended with %v (killed after 5 s: %t)", err, s.cmd.ProcessState.ExitCode() == -1)
	}
	s.answers.check(s.t)
	if log := s.stderr.String(); strings.Contains(log, "panic") {
		s.t.Errorf("something panicked:\n%s", log)
	}
}

// answers counts the responses on stdout by their ids.
type answers struct {
	mu    sync.Mutex
	rest  []byte
	count map[string]int
}

func (a *answers) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rest = append(a.rest, p...)
	for {
		line, rest, found := bytes.Cut(a.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		var msg struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(line, &msg) == nil && msg.Method == "" {
			a.count[string(msg.ID)]++
		} else if msg.Method == "" {
			a.count["bad line: "+string(line)] = 100
		}
		a.rest = bytes.Clone(rest)
	}
}

// check complains of requests that were answered more than once. That each is
// answered at all the client sees.
func (a *answers) check(t *testing.T) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, n := range a.count {
		if n != 1 {
			t.Errorf("request %s was answered %d times", id, n)
		}
	}
}

// result is the answer of a call, as far as the bench looks at it.
type result struct {
	Code    string // of the error; empty when the call succeeded
	Message string
	Text    string
	Raw     string `json:"-"` // the structured part
	Took    time.Duration

	TabID      string `json:"tab_id"`
	SessionID  string `json:"session_id"`
	Generation uint64
	Elements   []struct{ Ref, Name string }
	Tabs       []struct {
		TabID string `json:"tab_id"`
		URL   string `json:"url"`
		Owned bool   `json:"owned"`
	}
	SelectedTab *struct {
		TabID string `json:"tab_id"`
	} `json:"selected_tab"`
	Dialog *struct{ Kind, Text string }
}

// fastEnough is how soon after Firefox is back the server must work again.
const fastEnough = 2 * time.Second

// callLimit is when a call counts as never answered.
const callLimit = 60 * time.Second

// try calls a tool.
func (s *server) try(tool string, args map[string]any) result {
	s.t.Helper()
	return s.tryWithin(s.t.Context(), tool, args)
}

func (s *server) tryWithin(ctx context.Context, tool string, args map[string]any) result {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	begun := time.Now()
	res, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		s.t.Errorf("%s was not answered: %v", tool, err)
		return result{Code: "unanswered"}
	}
	r := result{Took: time.Since(begun)}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Raw = string(raw)
	var fault struct {
		Error struct{ Code, Message string }
	}
	if res.IsError {
		_ = json.Unmarshal(raw, &fault)
		r.Code, r.Message = fault.Error.Code, fault.Error.Message
	} else if err := json.Unmarshal(raw, &r); err != nil {
		s.t.Fatalf("%s: %v", raw, err)
	}
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			r.Text += text.Text
		}
	}
	return r
}

// do calls a tool that must succeed.
func (s *server) do(tool string, args map[string]any) result {
	s.t.Helper()
	r := s.try(tool, args)
	if r.Code != "" {
		s.t.Fatalf("%s %v: %s: %s", tool, args, r.Code, r.Message)
	}
	return r
}

// ref returns the reference of a control in a snapshot.
func (r result) ref(t *testing.T, name string) string {
	t.Helper()
	for _, e := range r.Elements {
		if e.Name == name {
			return e.Ref
		}
	}
	t.Fatalf("no control %q in\n%s", name, r.Text)
	return ""
}

// recovers waits until the server lists tabs again and returns how long that
// took.
func (s *server) recovers(within time.Duration) time.Duration {
	s.t.Helper()
	begun := time.Now()
	for {
		r := s.try("list_tabs", nil)
		took := time.Since(begun)
		switch {
		case r.Code == "":
			if took > within {
				s.t.Errorf("recovered after %v, want %v", took.Round(time.Millisecond), within)
			}
			return took
		case took > within+10*time.Second:
			s.t.Fatalf("no recovery: %s: %s\n%s", r.Code, r.Message, s.stderr)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// settles waits until a Firefox that has just started has come to rest: only then
// does it answer within the deadline of the tests, also on a busy machine.
func (s *server) settles() {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		r := s.try("select_tab", map[string]any{"index": 0})
		if r.Code == "" && r.Took < time.Second {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("firefox does not come to rest: %q %s after %v", r.Code, r.Message, r.Took)
		}
	}
}
