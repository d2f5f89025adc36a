package supervisor

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// gate is a writer that writes only while it is open.
type gate struct {
	bytes.Buffer
	open chan struct{}
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	return g.Buffer.Write(p)
}

func TestStderrWritesEverythingInOrder(t *testing.T) {
	var out bytes.Buffer
	s := NewStderr(&out)
	var want strings.Builder
	for i := range stderrLines {
		fmt.Fprintf(s, "line %d\n", i)
		fmt.Fprintf(&want, "line %d\n", i)
	}
	if !s.Close(time.Minute) {
		t.Fatal("did not finish")
	}
	if out.String() != want.String() {
		t.Error("lines are missing or out of order")
	}
	if n, err := s.Write([]byte("too late\n")); n != 9 || err != nil {
		t.Errorf("write after Close: %d, %v", n, err)
	}
}

func TestStderrDropsRatherThanWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &gate{open: make(chan struct{})}
		s := NewStderr(out)
		s.Write([]byte("first\n"))
		synctest.Wait() // the goroutine has it, and is stuck
		const more = stderrLines + 100
		start := time.Now()
		for i := range more {
			fmt.Fprintf(s, "line %d\n", i)
		}
		if time.Since(start) != 0 {
			t.Error("a write waited")
		}
		close(out.open)
		synctest.Wait()
		fmt.Fprintln(s, "last")
		if !s.Close(time.Second) {
			t.Error("did not finish")
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if n := len(lines); n != 1+1+stderrLines+1 {
			t.Fatalf("%d lines came through", n)
		}
		if want := "2000-01-01T00:00:00.000Z WARN log lines dropped lines=100"; lines[1] != want {
			t.Errorf("said %q, want %q", lines[1], want)
		}
		if lines[len(lines)-1] != "last" {
			t.Errorf("ends with %q", lines[len(lines)-1])
		}
	})
}

func TestStderrGivesUpOnAReaderThatNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		s := NewStderr(w)
		fmt.Fprintln(s, "into the void")
		start := time.Now()
		if s.Close(time.Second) {
			t.Error("claims to have written everything")
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("closed after %v, want a second", took)
		}
		r.Close() // lets the goroutine go
	})
}

func TestStderrGoesOnWhenItsReaderHasClosed(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	s := NewStderr(w)
	for range 2 * stderrLines {
		fmt.Fprintln(s, "nobody reads this")
	}
	if !s.Close(time.Minute) {
		t.Error("did not finish")
	}
}

func TestStderrCutsLongLines(t *testing.T) {
	var out bytes.Buffer
	s := NewStderr(&out)
	long := []byte(strings.Repeat("x", 2*stderrBytes) + "\n")
	if n, err := s.Write(long); n != len(long) || err != nil {
		t.Errorf("wrote %d, %v", n, err)
	}
	s.Close(time.Minute)
	if got := out.String(); len(got) != stderrBytes || !strings.HasSuffix(got, "x\n") {
		t.Errorf("wrote a line of %d bytes, want %d", len(got), stderrBytes)
	}
	if long[stderrBytes-1] != 'x' {
		t.Error("the caller's line was changed")
	}
}
