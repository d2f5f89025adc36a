package supervisor

import (
	"fmt"
	"io"
	"time"
)

// Bounds of a Stderr. At debug level a packet is a line of some 150 bytes and a
// busy second holds a few hundred of them: the queue rides out a reader that
// pauses for about a second, in 8 MiB at the very most.
const (
	stderrLines = 512
	stderrBytes = 16 << 10 // of one line
)

// Stderr is a log writer that never makes its caller wait. A log handler writes
// on the goroutine of whoever logs, and a host that does not drain our stderr
// would stop every actor at its next line. Stderr queues lines; when the queue
// is full it drops them and says so, with their number, as soon as there is
// room.
//
// It owns one goroutine, started by NewStderr, which writes to the underlying
// writer and ends with Close. Only if the underlying writer blocks for ever is
// it left behind, and then the program is about to exit.
type Stderr struct {
	dst    io.Writer
	lines  chan []byte
	missed chan int      // holds one number, passed from hand to hand: lines dropped and not yet told
	stop   chan struct{} // closed by Close
	done   chan struct{} // closed when the goroutine has ended
}

// NewStderr starts writing to dst. Each Write must be one line.
func NewStderr(dst io.Writer) *Stderr {
	s := &Stderr{
		dst:    dst,
		lines:  make(chan []byte, stderrLines),
		missed: make(chan int, 1),
		stop:   make(chan struct{}),
		done:   make(chan struct{}),
	}
	s.missed <- 0
	go s.drain() // owned: ends with Close, which waits for done
	return s
}

// Write queues a copy of line, or drops it. It always succeeds, and may be
// called from any goroutine, also after Close.
func (s *Stderr) Write(line []byte) (int, error) {
	size := len(line)
	if size > stderrBytes {
		line = append(line[:stderrBytes-1:stderrBytes-1], '\n')
	}
	select {
	case s.lines <- append([]byte(nil), line...):
	default:
		s.missed <- 1 + <-s.missed
	}
	return size, nil
}

// Close writes what is queued and stops, waiting for at most the given time. It
// reports whether everything has been written. It is called once.
func (s *Stderr) Close(within time.Duration) bool {
	close(s.stop)
	select {
	case <-s.done:
		return true
	case <-time.After(within):
		return false
	}
}

// drain writes lines until it is told to stop and none is left. An error of the
// writer is nobody's concern: there is no other place to report it to, and the
// reader may have closed its end on purpose.
func (s *Stderr) drain() {
	defer close(s.done)
	for {
		select {
		case line := <-s.lines:
			s.write(line)
		case <-s.stop:
			// Both cases may have been ready: write what came before.
			for len(s.lines) > 0 {
				s.write(<-s.lines)
			}
			return
		}
	}
}

// write puts out one line and, before it, how many were dropped.
func (s *Stderr) write(line []byte) {
	n := <-s.missed
	s.missed <- 0
	if n > 0 {
		_, _ = fmt.Fprintf(s.dst, "%s WARN log lines dropped lines=%d\n", time.Now().UTC().Format(LogTime), n)
	}
	_, _ = s.dst.Write(line)
}

// LogTime is how times are written in the log, always in UTC.
const LogTime = "2006-01-02T15:04:05.000Z"
