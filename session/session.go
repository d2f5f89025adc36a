package session

import (
	"context"
	"errors"
	"log/slog"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// Session is the actor that knows tabs, documents, references, the generation
// and whose turn it is. One goroutine runs Serve; any number of calls use the
// other methods.
type Session struct {
	cfg     Config
	log     *slog.Logger
	news    <-chan router.News
	kick    chan<- struct{} // capacity 1: wakes the link, dropped when full
	mailbox chan message
	due     chan struct{} // capacity 1: has the keeper look at once
	mark    string        // begins what tells tabs of ours from all others, in Firefox itself

	// count goes on rising when Serve is restarted after a crash, so that no
	// number that a caller has seen is ever given out again. Only Serve's
	// goroutine uses it.
	count counters
}

// counters are the last numbers given out.
type counters struct {
	generation Generation
	tab        int
	frame      int
	element    int
	snapshot   int
	list       int // lists of tabs that were asked for
	opened     int // tabs of ours
	som        int // models that were kept
	request    int // of the network
}

// New wires a Session. news brings what Firefox and the link say; a value on
// kick asks the link to dial now.
func New(cfg Config, news <-chan router.News, kick chan<- struct{}, log *slog.Logger) *Session {
	return &Session{
		cfg: cfg.withDefaults(), log: log.With(slog.String("actor", "session")),
		news: news, kick: kick, mailbox: make(chan message), due: make(chan struct{}, 1), mark: newMark(),
	}
}

// String is the actor's name in the log.
func (s *Session) String() string { return "session" }

// errRestarted is what callers hear whose session crashed under them.
var errRestarted = &Fault{Code: Internal, Message: "the server's session crashed and was restarted; element references are gone, take a new snapshot"}

// Serve owns the state until ctx ends. It never returns nil.
func (s *Session) Serve(ctx context.Context) error {
	st := newState(s)
	defer st.farewell()
	for {
		select {
		case n := <-s.news:
			st.hear(n)
		case m := <-s.mailbox:
			st.current = m
			m.apply(st)
			st.current = nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// state is everything that one life of the session knows.
type state struct {
	*Session
	current message // being applied, for the farewell after a panic

	link     linkState
	waiting  []connect // calls that wait for a connection
	browser  browser   // whose tabs these are
	tabs     map[TabID]*tab
	selected TabID
	procs    map[int]*process // of this connection, by pid
	refs     references
	leases   leases
	models   map[int]*outline.SOM // kept for cursors
	spent    []handle             // of agents whose documents are gone
	sweeper  reply[[]handle]      // waits for them; nil while it is at work
}

// browser is what is known of the Firefox at the other end.
type browser struct {
	epoch   int    // connection for which the tabs have been listed
	pid     int    // of its parent process: another pid is another browser, whose ids mean other tabs
	version string // as Firefox gives it, "" until asked
}

func newState(s *Session) *state {
	return &state{Session: s, tabs: map[TabID]*tab{}, procs: map[int]*process{}, refs: newReferences(&s.count), leases: leases{graves: map[TabID]*Fault{}}, models: map[int]*outline.SOM{}}
}

// farewell answers all who wait. During a panic it runs before the panic goes
// on, so it must cope with any state.
func (st *state) farewell() {
	if st.current != nil {
		st.current.fail(errRestarted)
	}
	for _, w := range st.waiting {
		w.fail(errRestarted)
	}
	for _, r := range st.leases.waiting {
		r.fail(errRestarted)
	}
	if st.sweeper != nil {
		st.sweeper.fail(errRestarted)
	}
	for _, t := range st.tabs {
		st.closeTab(t, errRestarted)
	}
}

// raise gives a tab a new generation: references to it are stale from now on.
func (st *state) raise(t *tab, why string) {
	st.count.generation++
	t.Generation = st.count.generation
	st.refs.drop(t.ID)
	st.log.Info("generation raised", slog.String("tab", string(t.ID)), slog.Uint64("generation", uint64(t.Generation)), slog.String("cause", why))
}

// message is what the session may be sent. apply runs on the session's
// goroutine and must not wait; fail answers the sender when apply could not.
type message interface {
	apply(*state)
	fail(error)
}

// answer is the session's reply: a value, or why there is none.
type answer[T any] struct {
	value T
	err   error
}

// reply is where an answer goes: made by the asker with capacity one, so that
// answering never waits.
type reply[T any] chan answer[T]

// send answers once; a second answer is dropped.
func (r reply[T]) send(value T, err error) {
	select {
	case r <- answer[T]{value, err}:
	default:
	}
}

// fail answers with an error.
func (r reply[T]) fail(err error) {
	var zero T
	r.send(zero, err)
}

// ask sends the message that build makes around a fresh reply channel, and
// waits for the answer or for the end of ctx.
func ask[T any](ctx context.Context, s *Session, build func(reply[T]) message) (T, error) {
	var zero T
	r := make(reply[T], 1)
	select {
	case s.mailbox <- build(r):
	case <-ctx.Done():
		return zero, context.Cause(ctx)
	}
	select {
	case a := <-r:
		return a.value, a.err
	case <-ctx.Done():
		return zero, context.Cause(ctx)
	}
}

// conclude is ask for a message that is answered as soon as it is taken, and that
// changes what the session knows: what came of it is heard even when ctx has ended
// meanwhile, so that both sides know the same.
func conclude[T any](ctx context.Context, s *Session, build func(reply[T]) message) (T, error) {
	r := make(reply[T], 1)
	select {
	case s.mailbox <- build(r):
		a := <-r
		return a.value, a.err
	case <-ctx.Done():
		var zero T
		return zero, context.Cause(ctx)
	}
}

// errGone is the cause of a context that ended because what it stood for is no
// longer there.
var errGone = errors.New("document gone")
