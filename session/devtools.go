package session

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"firefox-rdp-mcp/router"
)

// The kinds of resources that the tools for console and network read. They are
// watched from the first call of such a tool on, tab by tab: watching costs the
// page several times what its console calls and requests cost without, and has
// Firefox keep the body of every response in memory until the page is left.
const (
	consoleMessages = "console-message"
	pageErrors      = "error-message"
	networkEvents   = "network-event"
)

// Bounds of what is kept of one tab, in entries.
const (
	maxMessages = 500
	maxRequests = 500
)

// settling is how long Firefox may keep back what it knew before it was asked to
// watch: it tells in batches, every 100 ms.
const settling = 250 * time.Millisecond

// devtools is what a tab's console and network have said. It outlives documents
// and connections.
type devtools struct {
	watching map[string]router.ActorID // kind → the watcher that was asked for it
	since    map[string]time.Time      // kind → when it was first watched

	messages     []ConsoleMessage
	requests     []NetworkRequest
	lostMessages int // that had to make room
	lostRequests int
}

// resource takes in one watched resource. Those of documents come from their
// targets, requests from the watcher.
func (st *state) resource(n router.Resource) {
	for _, t := range st.tabs {
		if n.Kind == networkEvents && t.watcher == n.From && n.From != "" {
			st.networkEvent(t, n)
			return
		}
		if d := t.document(n.From); d != nil && n.Change == "available" {
			switch n.Kind {
			case consoleMessages:
				t.dev.say(consoleMessage(n.Raw))
			case pageErrors:
				t.dev.say(pageError(n.Raw))
			}
			return
		}
	}
}

// say adds a message; one that repeats the last is only counted.
func (d *devtools) say(m ConsoleMessage, ok bool) {
	if !ok {
		return
	}
	if last := len(d.messages) - 1; last >= 0 && d.messages[last].repeats(&m) {
		d.messages[last].Count++
		d.messages[last].Time = m.Time
		return
	}
	d.messages = append(d.messages, m)
	if extra := len(d.messages) - maxMessages; extra > 0 {
		d.messages = slices.Delete(d.messages, 0, extra)
		d.lostMessages += extra
	}
}

// watching asks which of some kinds a tab's watcher has not been asked for yet.
// done reports that it has been now.
type watching struct {
	id      TabID
	watcher router.ActorID
	kinds   []string // nil: all that were watched before
	done    bool
	reply   reply[[]string]
}

func (m watching) fail(err error) { m.reply.fail(err) }

func (m watching) apply(st *state) {
	t := st.tabs[m.id]
	if t == nil {
		m.reply.fail(st.gone(m.id))
		return
	}
	d := &t.dev
	if m.done {
		if d.watching == nil {
			d.watching, d.since = map[string]router.ActorID{}, map[string]time.Time{}
		}
		for _, kind := range m.kinds {
			if _, known := d.since[kind]; !known {
				d.since[kind] = time.Now()
			}
			d.watching[kind] = m.watcher
		}
		m.reply.send(nil, nil)
		return
	}
	kinds := m.kinds
	if kinds == nil {
		for kind := range d.watching {
			kinds = append(kinds, kind)
		}
	}
	m.reply.send(slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return d.watching[kind] == m.watcher }), nil)
}

// watch has Firefox tell of some kinds of resources, or, without any, of those
// that the tab was watched for on an earlier connection. It reports whether that
// is new.
func (t *turn) watch(ctx context.Context, kinds ...string) (bool, error) {
	missing, err := ask(ctx, t.Session, func(r reply[[]string]) message {
		return watching{id: t.ID, watcher: t.watcher, kinds: kinds, reply: r}
	})
	if err != nil || len(missing) == 0 {
		return false, fromConnection(err)
	}
	slices.Sort(missing)
	start := time.Now()
	if _, err := t.conn.DoInPage(ctx, t.watcher, "watchResources", map[string]any{"resourceTypes": missing}); err != nil {
		return false, fromConnection(err)
	}
	t.step(ctx, "tab watched", slog.Int("bytes", len(missing)), dur(start))
	_, err = ask(ctx, t.Session, func(r reply[[]string]) message {
		return watching{id: t.ID, watcher: t.watcher, kinds: missing, done: true, reply: r}
	})
	return true, fromConnection(err)
}

// beginWatched gets the turn of a tab that is watched for some kinds. What
// Firefox knew before has arrived, if it tells of such.
func (s *Session) beginWatched(ctx context.Context, id TabID, kinds ...string) (*turn, bool, error) {
	t, err := s.begin(ctx, id)
	if err != nil {
		return nil, false, err
	}
	fresh, err := t.beWatched(ctx, kinds)
	if err != nil {
		t.end()
		return nil, false, err
	}
	return t, fresh, nil
}

func (t *turn) beWatched(ctx context.Context, kinds []string) (bool, error) {
	wait, cancel := context.WithTimeoutCause(ctx, pagePatience, Faultf(PageUnresponsive, "tab %s does not answer; its page may be in an endless loop, navigate can free it", t.ID))
	defer cancel()
	if err := t.attach(wait); err != nil {
		return false, err
	}
	fresh, err := t.watch(wait, kinds...)
	if fresh && kinds[0] == consoleMessages {
		err = pauseFor(ctx, settling)
	}
	return fresh, err
}
