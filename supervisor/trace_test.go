package supervisor

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// traced writes a trace of what tell logs and returns its text.
func tracedBy(t *testing.T, tell func(*slog.Logger)) (name, text string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "trace")
	tr, err := OpenTrace(name, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	tell(tr.Beside(slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))))
	tr.Close(time.Second)
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return name, string(raw)
}

func TestTraceShowsOnlyWhatIsListed(t *testing.T) {
	_, text := tracedBy(t, func(log *slog.Logger) {
		log.With(slog.String("actor", "router"), slog.String("password", "S3CRET")).Debug("packet in",
			slog.String("from", "root"), slog.Int("bytes", 5), slog.Duration("dur", 1500*time.Microsecond),
			slog.String("url", "http://S3CRET/"), slog.Any("body", map[string]string{"cause": "S3CRET"}), slog.String("stack", "/home/S3CRET"))
		log.Warn("connection lost", slog.Any("cause", errors.New(strings.Repeat("x", 1000))), slog.Group("last", slog.Int("packets_in", 3), slog.String("text", "S3CRET")))
	})
	if strings.Contains(text, "S3CRET") || len(text) > 1500 {
		t.Errorf("the trace holds too much:\n%s", text)
	}
	for _, want := range []string{`"actor":"router"`, `"from":"root"`, `"bytes":5`, `"dur":1.5`, `"last":{"packets_in":3}`, `"version":"1.2.3"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the trace lacks %s:\n%s", want, text)
		}
	}
}

func TestTraceIsPrivateAndReplacesWhatWasThere(t *testing.T) {
	name, _ := tracedBy(t, func(*slog.Logger) {})
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := OpenTrace(filepath.Join(name, "below"), ""); err == nil || !strings.HasPrefix(err.Error(), "FIREFOX_MCP_TRACE ") {
		t.Errorf("a file below a file: %v", err)
	}
}

func TestTraceEndsWhenItIsFull(t *testing.T) {
	var out bytes.Buffer
	b := &bounded{dst: &out, left: 20}
	for range 5 {
		if n, err := b.Write([]byte("ten bytes\n")); n != 10 || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if got := out.String(); strings.Count(got, "ten bytes\n") != 1 || strings.Count(got, traceFull) != 1 {
		t.Errorf("wrote %q", got)
	}
}

func TestReadTraceTellsTheStory(t *testing.T) {
	packet := func(log *slog.Logger, dir, whose, actor, kind string) {
		log.Debug("packet "+dir, slog.String(whose, actor), slog.String("type", kind), slog.Int("bytes", 100))
	}
	name, _ := tracedBy(t, func(log *slog.Logger) {
		log.Warn("no connection", slog.Any("cause", errors.New("nothing listens on 127.0.0.1:6000: start Firefox")))
		log.Info("connected", slog.Int("epoch", 1))
		log.Debug("call begins", slog.String("tool", "click"))
		packet(log, "out", "to", "c", "evaluateJSAsync")
		packet(log, "in", "from", "c", "")
		packet(log, "in", "from", "c", "evaluationResult")
		log.Warn("content process died", slog.Int("pid", 5))
		log.Warn("connection lost", slog.Int("epoch", 1), slog.Duration("dur", 3*time.Second), slog.Any("cause", fmt.Errorf("reader: read: EOF")), slog.Int("close_code", 1001))
		log.Warn("was pending", slog.String("to", "c"), slog.String("type", "evaluateJSAsync"), slog.String("phase", "sent"))
		log.Debug("call failed", slog.String("tool", "click"), slog.String("cause", "connection_lost"))
	})
	var out bytes.Buffer
	healthy, err := ReadTrace(name, &out)
	if healthy || err != nil {
		t.Errorf("healthy %t, %v", healthy, err)
	}
	for _, want := range []string{
		"Trace of firefox-rdp-mcp 1.2.3 on ", "Packets: 2 in (200 bytes), 1 out (100 bytes)", "Connections: 1, of which 1 were lost",
		"connection 1, after 3s: reader: read: EOF, close code 1001", "Firefox ended: it was closed, restarted or crashed",
		"1 × evaluateJSAsync to c (sent)", "1 × nothing listens on 127.0.0.1:6000: start Firefox", "Content processes that died: 1",
		"Evaluations: 1, median ", "1 × click\n", "1 × click: connection_lost",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the story lacks %q:\n%s", want, out.String())
		}
	}
}

func TestReadTraceSeesDelayedAcknowledgements(t *testing.T) {
	var lines strings.Builder
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	line := func(format string, args ...any) {
		fmt.Fprintf(&lines, `{"time":%q,`+format+"}\n", append([]any{at.Format(time.RFC3339Nano)}, args...)...)
	}
	line(`"msg":%q,"version":"1"`, traceHeader)
	for range timings {
		line(`"msg":"packet out","to":"c","type":"evaluateJSAsync"`)
		at = at.Add(time.Millisecond)
		line(`"msg":"packet in","from":"c","type":""`)
		at = at.Add(41 * time.Millisecond)
		line(`"msg":"packet in","from":"c","type":"evaluationResult"`)
	}
	lines.WriteString("2026 WARN log lines dropped lines=3\n")
	name := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(name, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	healthy, err := ReadTrace(name, &out)
	if healthy || err != nil || !strings.Contains(out.String(), "delayed acknowledgements") || !strings.Contains(out.String(), "1 lines cannot be read") {
		t.Errorf("healthy %t, %v:\n%s", healthy, err, out.String())
	}
}

func TestReadTraceRefusesOtherFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(name, []byte("{\"msg\":\"x\"}\n\x1b[0m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{name, name + "-missing"} {
		if _, err := ReadTrace(n, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "FIREFOX_MCP_TRACE") {
			t.Errorf("%s: %v", n, err)
		}
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add([]byte(`{"time":"2026-01-02T03:04:05Z","msg":"trace begins","version":"1"}` + "\n" + `{"msg":"connection lost","cause":"\u001b[0m"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		name := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := ReadTrace(name, &out); err == nil && bytes.ContainsAny(out.Bytes(), "\x1b\x00\r") {
			t.Errorf("steers the terminal: %q", out.Bytes())
		}
	})
}
