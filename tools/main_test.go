package tools

import (
	"bytes"
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// workers is a Starter as the tree has one: a worker that panics takes nothing
// with it.
func workers(ctx context.Context) Starter {
	return func(_ string, work func(context.Context) error) {
		go func() {
			defer func() { _ = recover() }()
			_ = work(ctx)
		}()
	}
}

// output collects what a server writes.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

// take returns the lines written since it was last called.
func (o *output) take() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.buf.String()
	o.buf.Reset()
	return strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
}

// running is a server in a synctest bubble, with the client's ends of it.
type running struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *output
	stop context.CancelCauseFunc
	end  <-chan error // what Serve returned
}

// run starts a server in the bubble of the caller. The caller must end it.
func run(t *testing.T, r *registry) *running {
	t.Helper()
	in, client := io.Pipe()
	out := &output{}
	ctx, stop := context.WithCancelCause(t.Context())
	s := assemble(r, workers(ctx), in, out, slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})))
	end := make(chan error, 1)
	go func() { end <- s.Serve(ctx) }()
	return &running{t: t, in: client, out: out, stop: stop, end: end}
}

// say writes lines and returns what came back once all is quiet.
func (r *running) say(lines ...string) []string {
	r.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(r.in, line+"\n"); err != nil {
			r.t.Fatalf("write: %v", err)
		}
	}
	synctest.Wait()
	return r.answers()
}

// answers returns the lines written since the last time, without newlines.
func (r *running) answers() []string {
	var lines []string
	for _, line := range r.out.take() {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// greet goes through initialize.
func (r *running) greet() {
	r.t.Helper()
	got := r.say(
		`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	)
	if len(got) != 1 || !strings.Contains(got[0], `"protocolVersion":"2025-11-25"`) {
		r.t.Fatalf("initialize was answered with %q", got)
	}
}

// close ends the input and returns what Serve returned.
func (r *running) close() error {
	_ = r.in.Close()
	return <-r.end
}

// testdata reads a file below the testdata of the project.
func testdata(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
