package supervisor

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// traceLine is the longest line of a trace that is read, in bytes.
const traceLine = 1 << 20

// ReadTrace reads a trace and writes what it shows. It reports whether nothing
// in it looks like trouble. Its error says why the file is no trace.
func ReadTrace(name string, out io.Writer) (healthy bool, err error) {
	file, err := os.Open(name)
	if err != nil {
		return false, &ConfigError{Env: "FIREFOX_MCP_TRACE", Flag: "trace", Value: name, Err: reason(err)}
	}
	defer func() { _ = file.Close() }()
	s := newStory()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, traceLine)
	for lines.Scan() {
		var e traceEvent
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			s.unreadable++ // a count of dropped lines, or the end of a killed program
			continue
		}
		s.hear(e)
	}
	if err := lines.Err(); err != nil {
		return false, fmt.Errorf("read the trace: %w", err)
	}
	if s.version == "" {
		return false, &ConfigError{Env: "FIREFOX_MCP_TRACE", Flag: "trace", Value: name, Err: fmt.Errorf("not a trace: no line says %q", traceHeader)}
	}
	return s.tell(out), nil
}

// traceEvent is one line of a trace.
type traceEvent struct {
	Time    time.Time `json:"time"`
	Msg     string    `json:"msg"`
	Version string    `json:"version"`
	System  string    `json:"system"`
	Epoch   int       `json:"epoch"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Type    string    `json:"type"`
	Tool    string    `json:"tool"`
	Bytes   int64     `json:"bytes"`
	Dur     float64   `json:"dur"` // milliseconds
	Cause   string    `json:"cause"`
	Code    int       `json:"close_code"`
	Phase   string    `json:"phase"`
}

// story is what a trace has told so far.
type story struct {
	version, system string
	first, last     time.Time
	events          int
	unreadable      int
	full            bool

	connections int
	ends        []string // of connections, in order
	dials       tally    // that failed, by cause
	pending     tally    // at the ends of connections
	deaths      int      // of content processes
	packets     struct{ in, out, bytesIn, bytesOut int64 }

	asked  map[string]time.Time // evaluations whose acknowledgement is awaited, by actor
	acked  map[string]time.Time // and whose result is
	toAck  []time.Duration
	toDone []time.Duration

	calls, failures tally
}

// tally counts things by name.
type tally map[string]int

// mostShown bounds each list of the story.
const mostShown = 10

// lines lists the counts, the largest first.
func (t tally) lines() []string {
	names := slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(t[b], t[a]), cmp.Compare(a, b))
	})
	var lines []string
	for i, name := range names {
		if i == mostShown {
			lines = append(lines, fmt.Sprintf("and %d more", len(names)-mostShown))
			break
		}
		lines = append(lines, fmt.Sprintf("%d × %s", t[name], name))
	}
	return lines
}

func newStory() *story {
	return &story{
		dials: tally{}, pending: tally{}, calls: tally{}, failures: tally{},
		asked: map[string]time.Time{}, acked: map[string]time.Time{},
	}
}

// hear takes in one event.
func (s *story) hear(e traceEvent) {
	s.events++
	if s.first.IsZero() {
		s.first = e.Time
	}
	s.last = e.Time
	switch e.Msg {
	case traceHeader:
		s.version, s.system = cmp.Or(e.Version, "unknown"), e.System
	case traceFull:
		s.full = true
	case "connected":
		s.connections++
	case "connection lost":
		s.ended(e)
	case "no connection":
		s.dials[shown(e.Cause)]++
	case "was pending":
		s.pending[fmt.Sprintf("%s to %s (%s)", shown(e.Type), shown(e.To), shown(e.Phase))]++
	case "content process died":
		s.deaths++
	case "packet in":
		s.packetIn(e)
	case "packet out":
		s.packetOut(e)
	case "call begins":
		s.calls[shown(e.Tool)]++
	case "call failed":
		s.failures[shown(e.Tool)+": "+shown(e.Cause)]++
	}
}

func (s *story) ended(e traceEvent) {
	code := ""
	if e.Code != 0 {
		code = fmt.Sprintf(", close code %d", e.Code)
	}
	lived := time.Duration(e.Dur * float64(time.Millisecond)).Round(time.Millisecond)
	s.ends = append(s.ends, fmt.Sprintf("%s connection %d, after %v: %s%s%s", e.Time.UTC().Format(time.TimeOnly), e.Epoch, lived, shown(e.Cause), code, meaning(e.Cause)))
	clear(s.asked)
	clear(s.acked)
}

// meaning explains the causes that are met in practice.
func meaning(cause string) string {
	for _, m := range []struct{ part, means string }{
		{"no reply in time", "Firefox, or the actor that was asked, stopped answering; see what was pending"},
		{"frame not written in time", "Firefox stopped reading: it was frozen, or suspended with the machine"},
		{"rdp protocol violated", "what is at the port is not Firefox, or not one that this server knows"},
		{"panic", "a fault of this server: please report it with this trace"},
		{"reset by peer", "Firefox was killed or crashed"},
		{"EOF", "Firefox ended: it was closed, restarted or crashed"},
		{"StatusNormalClosure", "Firefox closed the connection: its debugger server was switched off"},
		{"StatusNoStatusRcvd", "Firefox closed the connection: its debugger server was switched off, or Disable pressed in its dialog"},
	} {
		if strings.Contains(cause, m.part) {
			return "\n        " + m.means
		}
	}
	return ""
}

func (s *story) packetIn(e traceEvent) {
	s.packets.in++
	s.packets.bytesIn += e.Bytes
	if sent, ok := s.asked[e.From]; ok && e.Type == "" {
		delete(s.asked, e.From)
		s.acked[e.From] = e.Time
		s.toAck = append(s.toAck, e.Time.Sub(sent))
	}
	if acked, ok := s.acked[e.From]; ok && e.Type == "evaluationResult" {
		delete(s.acked, e.From)
		s.toDone = append(s.toDone, e.Time.Sub(acked))
	}
}

func (s *story) packetOut(e traceEvent) {
	s.packets.out++
	s.packets.bytesOut += e.Bytes
	if e.Type == "evaluateJSAsync" {
		s.asked[e.To] = e.Time
	}
}

// shown is text of a trace, which anybody may have written, fit for a terminal.
func shown(text string) string {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return short(strconv.QuoteToASCII(text))
		}
	}
	return short(text)
}

// tell writes the story and reports whether all is well in it.
func (s *story) tell(out io.Writer) bool {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	list := func(title string, lines []string) {
		if len(lines) > 0 {
			say("%s:\n    %s", title, strings.Join(lines, "\n    "))
		}
	}
	say("Trace of firefox-rdp-mcp %s on %s, %s UTC, %v long, %d events", shown(s.version), shown(s.system),
		s.first.UTC().Format(time.DateTime), s.last.Sub(s.first).Round(time.Millisecond), s.events)
	if s.unreadable > 0 || s.full {
		say("It is not whole: %d lines cannot be read, full: %t", s.unreadable, s.full)
	}
	say("Packets: %d in (%d bytes), %d out (%d bytes)", s.packets.in, s.packets.bytesIn, s.packets.out, s.packets.bytesOut)
	say("Connections: %d, of which %d were lost", s.connections, len(s.ends))
	if more := len(s.ends) - mostShown; more > 0 {
		say("    (%d before these)", more)
	}
	list("How they ended", s.ends[max(0, len(s.ends)-mostShown):])
	list("What was pending then", s.pending.lines())
	list("Dials that failed", s.dials.lines())
	if s.deaths > 0 {
		say("Content processes that died: %d", s.deaths)
	}
	slow := s.evaluations(say)
	list("Calls", s.calls.lines())
	list("Calls that failed", s.failures.lines())
	trouble := slow || len(s.ends) > 0 || len(s.dials) > 0 || s.deaths > 0
	if !trouble {
		say("Nothing here looks like trouble.")
	}
	return !trouble
}

// evaluations tells how fast scripts were answered, and reports whether the
// delay of acknowledgements shows.
func (s *story) evaluations(say func(string, ...any)) bool {
	if len(s.toDone) == 0 {
		return false
	}
	slices.Sort(s.toAck)
	slices.Sort(s.toDone)
	middle := func(d []time.Duration) time.Duration { return d[len(d)/2].Round(10 * time.Microsecond) }
	say("Evaluations: %d, median %v to the acknowledgement, %v from there to the result", len(s.toDone), middle(s.toAck), middle(s.toDone))
	slow := len(s.toDone) >= timings && middle(s.toDone) >= delayedAck
	if slow {
		say("    results come as late as with delayed acknowledgements: doctor measures it")
	}
	return slow
}
