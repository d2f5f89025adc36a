package session

import (
	"context"
	"log/slog"

	"firefox-rdp-mcp/router"
)

// document is one page in one frame, from its target's announcement to its
// end. Calls hold copies; ctx is the same in all of them.
type document struct {
	router.Target
	ctx    context.Context //nolint:containedctx // the document's own life, which calls join to theirs
	cancel context.CancelCauseFunc
	frame  int // number in references (f1e3), 0 for the top document

	address string // location.href when it was last looked at, "" before

	ready       readiness
	interactive int // times that dom-interactive was heard: a second time means a load that came to nothing
	complete    int // likewise dom-complete

	agent agent
}

// agent is the handle on the page script in a document; zero until installed.
type agent struct {
	function router.ActorID // the grip that calls are bound to
	console  router.ActorID // where they are evaluated
}

// readiness is document.readyState, in order.
type readiness int

// The states of a document's loading.
const (
	loading readiness = iota
	interactive
	complete
)

var readyNames = map[string]readiness{"loading": loading, "interactive": interactive, "complete": complete}

func newDocument(target router.Target, frame int) *document {
	d := &document{Target: target, frame: frame}
	d.ctx, d.cancel = context.WithCancelCause(context.Background())
	return d
}

// replaced is the cause for calls whose document went away under them.
func replaced(why string) *Fault {
	return &Fault{Code: TargetReplaced, Message: why + "; what was asked may have happened, take a new snapshot", Err: errGone}
}

// watched finds the tab that a watcher belongs to.
func (st *state) watched(watcher router.ActorID) *tab {
	for _, t := range st.tabs {
		if t.watcher == watcher && watcher != "" {
			return t
		}
	}
	return nil
}

// targetAvailable brings a new document. A new top document always replaces
// the one before: across processes it may be announced before the old one's
// end (rdp-facts.md 4.2).
func (st *state) targetAvailable(n router.TargetAvailable) {
	t := st.watched(n.Watcher)
	if t == nil {
		return
	}
	if !n.Target.Top {
		st.frameAvailable(t, n.Target)
		return
	}
	if t.top != nil && t.top.Actor == n.Target.Actor {
		return
	}
	st.endTop(t, replaced("the page was replaced by another"))
	t.top = newDocument(n.Target, 0)
	t.Private = n.Target.Private
	t.URL = n.Target.URL
	t.keep(n.Target.URL)
	st.raise(t, "new document")
	t.changed()
}

func (st *state) frameAvailable(t *tab, target router.Target) {
	if t.frames[target.Actor] != nil {
		return
	}
	st.count.frame++
	t.frames[target.Actor] = newDocument(target, st.count.frame)
	t.changed()
}

// endTop ends the top document of a tab and the frames in it.
func (st *state) endTop(t *tab, cause error) {
	if t.top == nil {
		return
	}
	for actor, d := range t.frames {
		if d.TopInnerWindowID == t.top.InnerWindowID {
			st.end(d, cause)
			delete(t.frames, actor)
		}
	}
	st.end(t.top, cause)
	t.top = nil
}

// targetDestroyed ends a document. News of frames come twice, and that of a
// page may come after its successor's: only the actor counts.
func (st *state) targetDestroyed(n router.TargetDestroyed) {
	t := st.watched(n.Watcher)
	if t == nil {
		return
	}
	st.endTarget(t, n.Actor, replaced("the page went away"))
}

func (st *state) endTarget(t *tab, actor router.ActorID, cause error) {
	if t.top != nil && t.top.Actor == actor {
		st.endTop(t, cause)
		st.raise(t, "document gone")
		t.changed()
		return
	}
	if d := t.frames[actor]; d != nil {
		st.end(d, cause)
		delete(t.frames, actor)
		st.refs.dropDocument(t.ID, d.key())
		t.changed()
	}
}

// descriptorDestroyed tells that a tab was closed or that a content process
// died. A dead process may end without news of its documents (rdp-facts.md
// 4.4), so they are ended here.
func (st *state) descriptorDestroyed(n router.DescriptorDestroyed) {
	for _, t := range st.tabs {
		if t.descriptor == n.Actor {
			st.forget(t, t.closed())
			return
		}
	}
	for pid, p := range st.procs {
		if p.descriptor == n.Actor {
			st.processDied(pid)
			return
		}
	}
}

func (st *state) processDied(pid int) {
	cause := replaced("the page's process died")
	delete(st.procs, pid)
	st.log.Warn("content process died", slog.Int("pid", pid))
	for _, t := range st.tabs {
		for actor, d := range t.frames {
			if d.ProcessID == pid {
				st.endTarget(t, actor, cause)
			}
		}
		if t.top != nil && t.top.ProcessID == pid {
			st.endTarget(t, t.top.Actor, cause)
		}
	}
}

// documentEvent follows the loading of documents (rdp-facts.md 4.3).
func (st *state) documentEvent(n router.DocumentEvent) {
	if t := st.watched(n.From); t != nil {
		if n.Name == "will-navigate" && t.top != nil && n.BrowsingContextID == t.top.BrowsingContextID {
			t.starts++
			t.coming = n.URL
			t.changed()
		}
		return
	}
	for _, t := range st.tabs {
		if d := t.document(n.From); d != nil {
			d.hear(n)
			t.changed()
			return
		}
	}
}

// document finds one of the tab's documents by its target actor.
func (t *tab) document(actor router.ActorID) *document {
	if t.top != nil && t.top.Actor == actor {
		return t.top
	}
	return t.frames[actor]
}

func (d *document) hear(n router.DocumentEvent) {
	switch n.Name {
	case "dom-loading":
		d.ready = max(d.ready, loading)
	case "dom-interactive":
		d.ready = max(d.ready, interactive)
		d.interactive++
	case "dom-complete":
		d.ready = complete
		d.complete++
	}
}

// key is what makes a document itself: its target on its connection.
func (d *document) key() router.ActorID { return d.Actor }

// installed tells the session of an agent. If another call was faster its
// agent is kept, so that a document never has two.
type installed struct {
	id       TabID
	document router.ActorID
	agent    agent
	reply    reply[agent]
}

func (m installed) fail(err error) { m.reply.fail(err) }

func (m installed) apply(st *state) {
	if t := st.tabs[m.id]; t != nil {
		if d := t.document(m.document); d != nil {
			if d.agent == (agent{}) {
				d.agent = m.agent
			}
			m.reply.send(d.agent, nil)
			return
		}
	}
	m.reply.fail(replaced("the page went away"))
}

// process is a content process (or, with pid 0, the parent process) whose
// console is in use.
type process struct {
	descriptor router.ActorID
	console    router.ActorID
	snippets   router.ActorID // the function of privileged.js, in the parent process where allowed
	maker      router.ActorID // the function that makes agents, in a content process; "" until one is wanted
	pid        int
}

// makes keeps the function that makes agents in a process, and tells which one is
// kept: another call may have been first.
type makes struct {
	pid   int
	epoch int
	maker router.ActorID
	reply reply[router.ActorID]
}

func (m makes) fail(err error) { m.reply.fail(err) }

func (m makes) apply(st *state) {
	known := st.procs[m.pid]
	if !st.on(m.epoch) || known == nil {
		m.reply.fail(replaced("the page's process is gone"))
		return
	}
	if known.maker == "" {
		with := *known // calls have the old one
		with.maker = m.maker
		st.procs[m.pid], known = &with, &with
	}
	m.reply.send(known.maker, nil)
}

// useProcess asks for the console of a process, or offers one just made.
type useProcess struct {
	pid   int
	epoch int
	offer *process // nil: only ask
	reply reply[*process]
}

func (m useProcess) fail(err error) { m.reply.fail(err) }

// apply answers with the process that is known, the offered one if none was,
// or nil.
func (m useProcess) apply(st *state) {
	if !st.on(m.epoch) {
		m.reply.fail(Faultf(ConnectionLost, "the connection to Firefox was replaced meanwhile"))
		return
	}
	if known := st.procs[m.pid]; known != nil {
		m.reply.send(known, nil)
		return
	}
	if m.offer != nil {
		st.procs[m.pid] = m.offer
	}
	m.reply.send(m.offer, nil)
}
