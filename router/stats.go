package router

import "time"

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

// Phase says how far a request has come.
type Phase string

// The phases of a request.
const (
	Unsent       Phase = "unsent"       // its frame waits for the writer
	Sent         Phase = "sent"         // its reply is awaited
	Acknowledged Phase = "acknowledged" // its evaluation result is awaited
)

// Pending is a request that has not been answered.
type Pending struct {
	Actor  ActorID
	Method string
	Phase  Phase
	Age    time.Duration // since its caller's turn came
}

// Summary describes a packet that nobody waited for, without its contents.
// From, Type and Error are Firefox's words, cut and quoted.
type Summary struct {
	At    time.Time
	From  string
	Type  string
	Error string
	Bytes int
}
