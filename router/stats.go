package router

import (
	"fmt"
	"log/slog"
	"time"
)

// Stats is a look at one connection: at its present, or, once it has ended, at
// its last moment. Durations count back from that moment.
type Stats struct {
	Epoch      int
	Opened     time.Time
	Lived      time.Duration
	SinceIn    time.Duration // since the last packet of Firefox's; Lived if there was none
	SinceOut   time.Duration // since the last frame of ours; Lived if there was none
	PacketsIn  int
	PacketsOut int
	BytesIn    int64
	BytesOut   int64
	Unmatched  int       // packets that nobody waited for, ever
	Pending    []Pending // oldest first
	Cause      error     // why it ended; nil while it lives
}

// LogValue makes one group of the counts and ages, for the line that tells how
// a connection ended. Cause and what was pending are for the caller to log.
func (s Stats) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Duration("lived", s.Lived.Round(time.Millisecond)),
		slog.Duration("since_in", s.SinceIn.Round(time.Millisecond)),
		slog.Duration("since_out", s.SinceOut.Round(time.Millisecond)),
		slog.Int("packets_in", s.PacketsIn),
		slog.Int("packets_out", s.PacketsOut),
		slog.Int64("bytes_in", s.BytesIn),
		slog.Int64("bytes_out", s.BytesOut),
		slog.Int("unmatched", s.Unmatched),
		slog.Int("pending", len(s.Pending)),
	)
}

// Phase says how far a request has come.
type Phase string

// The phases of a request.
const (
	Unsent       Phase = "unsent"       // its frame waits for the writer
	Sent         Phase = "sent"         // its reply is awaited
	Acknowledged Phase = "acknowledged" // its evaluation result is awaited
)

// Pending is a request that has not been answered. Requests that wait for
// their turn at an actor are not among them: they are behind one that is.
type Pending struct {
	Actor  ActorID
	Method string
	Phase  Phase
	Age    time.Duration // since its turn came
}

// String describes the request in a few words that are safe to log.
func (p Pending) String() string {
	return fmt.Sprintf("%s to %s: %s, %s", word(p.Method), word(string(p.Actor)), p.Phase, p.Age.Round(time.Millisecond))
}

// Summary describes a packet that nobody waited for, without its contents.
// From, Type and Error are Firefox's words, or empty; cut, and quoted if they are
// more than one plain word.
type Summary struct {
	At    time.Time
	From  string
	Type  string
	Error string
	Bytes int
}

// report is what the router tells about itself.
type report struct {
	stats     Stats
	unmatched []Summary
}

// traffic counts packets and bytes, and remembers when the last ones passed.
type traffic struct {
	opened, in, out       time.Time
	packetsIn, packetsOut int
	bytesIn, bytesOut     int64
}

// sawIn counts a packet and returns the time since the one before.
func (t *traffic) sawIn(bytes int) time.Duration {
	now := time.Now()
	gap := now.Sub(t.in)
	t.in = now
	t.packetsIn++
	t.bytesIn += int64(bytes)
	return gap
}

// sawOut counts a frame and returns the time since the one before.
func (t *traffic) sawOut(bytes int) time.Duration {
	now := time.Now()
	gap := now.Sub(t.out)
	t.out = now
	t.packetsOut++
	t.bytesOut += int64(bytes)
	return gap
}

// report looks at the whole state of a router.
func (d *desk) report(epoch int, cause error) report {
	now := time.Now()
	s := Stats{
		Epoch: epoch, Opened: d.opened, Lived: now.Sub(d.opened), SinceIn: now.Sub(d.in), SinceOut: now.Sub(d.out),
		PacketsIn: d.packetsIn, PacketsOut: d.packetsOut, BytesIn: d.bytesIn, BytesOut: d.bytesOut,
		Unmatched: d.unmatched.total, Cause: cause,
	}
	for _, x := range d.all() {
		s.Pending = append(s.Pending, Pending{Actor: x.to, Method: x.method, Phase: x.phase, Age: now.Sub(x.begun)})
	}
	return report{stats: s, unmatched: d.unmatched.all()}
}
