package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// lease makes a tab one of ours: it may be closed by this server. A tab has none
// when it is a user's, or has become one because its user went to it.
type lease struct {
	first   int64     // browser id that it was opened with; it may have another since
	used    time.Time // when a call last held its turn
	scratch bool      // lives for one call
	asked   bool      // its page asked a question, with which Firefox may have brought it to the front
	closing *Fault    // being closed: what callers hear from now on
	tried   *Fault    // the same of a try to close it of which Firefox did not tell what came of it

	abandoned bool // its call could not close it
}

// leases is what the session remembers of tabs of ours beside the tabs.
type leases struct {
	reserved int              // tabs about to be opened
	waiting  []reserve        // calls that wait for one of the scratch tabs to go
	strays   []stray          // tabs that may have been opened
	left     []int64          // tabs that are their users' now and still bear our mark, by the ids that they were opened with
	graves   map[TabID]*Fault // why a tab of ours is no more
	order    []TabID          // of the graves, oldest first
}

// maxGraves bounds how many tabs of the past are remembered.
const maxGraves = 1000

func newMark() string { return rand.Text() }

// leased counts the tabs of ours, scratch tabs among them.
func (st *state) leased() (all, scratch int) {
	for _, t := range st.tabs {
		if t.lease != nil {
			all++
			if t.lease.scratch {
				scratch++
			}
		}
	}
	return all + st.leases.reserved, scratch
}

// bury remembers why a tab of ours is gone, and lets the next one in.
func (st *state) bury(t *tab, why *Fault) {
	if t.lease == nil {
		return
	}
	t.lease = nil
	st.leases.graves[t.ID] = why
	st.leases.order = append(st.leases.order, t.ID)
	if len(st.leases.order) > maxGraves {
		delete(st.leases.graves, st.leases.order[0])
		st.leases.order = st.leases.order[1:]
	}
	st.admit()
}

// handOver makes a tab of ours its user's. Its mark is taken by the keeper.
func (st *state) handOver(t *tab, why string) {
	st.leases.left = append(st.leases.left, t.lease.first)
	st.alert()
	t.lease, t.Owned = nil, false
	st.log.Info("tab left to its user", slog.String("tab", string(t.ID)), slog.String("cause", why))
	st.admit()
}

// admit lets waiting calls open their tabs as long as there is room.
func (st *state) admit() {
	st.leases.waiting = alive(st.leases.waiting, func(r reserve) context.Context { return r.ctx })
	for len(st.leases.waiting) > 0 {
		if all, _ := st.leased(); all >= st.cfg.MaxSessions {
			return
		}
		first := st.leases.waiting[0]
		st.leases.waiting = st.leases.waiting[1:]
		st.leases.reserved++
		first.reply.send(struct{}{}, nil)
	}
}

// reserve asks for room for one more tab of ours. Scratch tabs wait for one
// another; what would have to wait for an open page fails.
type reserve struct {
	ctx     context.Context //nolint:containedctx // of the request, to pass over callers who have gone
	scratch bool
	reply   reply[struct{}]
}

func (m reserve) fail(err error) { m.reply.fail(err) }

func (m reserve) apply(st *state) {
	all, scratch := st.leased()
	switch {
	case all < st.cfg.MaxSessions:
		st.leases.reserved++
		m.reply.send(struct{}{}, nil)
	case m.scratch && scratch+st.leases.reserved > 0:
		st.leases.waiting = append(st.leases.waiting, m)
	default:
		m.reply.fail(Faultf(MaxSessionsReached, "%d pages are open, the most that --max-sessions allows; close one with close_page: %s", st.cfg.MaxSessions, st.openPages()))
	}
}

// openPages lists the tabs of ours that are not scratch.
func (st *state) openPages() string {
	var ids []string
	for _, t := range st.tabs {
		if t.lease != nil && !t.lease.scratch {
			ids = append(ids, string(t.ID))
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, ", ")
}

// unreserve gives the room back that reserve gave.
type unreserve struct{}

func (unreserve) fail(error) {}

func (unreserve) apply(st *state) {
	st.leases.reserved = max(st.leases.reserved-1, 0)
	st.admit()
}

// withdraw takes a reserve back whose caller has gone, whether it has been answered
// or still waits.
type withdraw struct{ reply reply[struct{}] }

func (withdraw) fail(error) {}

func (m withdraw) apply(st *state) {
	select {
	case a := <-m.reply:
		if a.err == nil {
			unreserve{}.apply(st)
		}
	default:
		st.leases.waiting = slices.DeleteFunc(st.leases.waiting, func(r reserve) bool { return r.reply == m.reply })
	}
}

// adopt makes a tab that was just opened one of ours, in the room that reserve
// gave.
type adopt struct {
	epoch   int
	form    tabForm
	scratch bool
	script  bool // the page may run its scripts
	reply   reply[TabID]
}

func (m adopt) fail(err error) { m.reply.fail(err) }

func (m adopt) apply(st *state) {
	if !st.on(m.epoch) {
		m.reply.fail(Faultf(ConnectionLost, "the connection to Firefox was replaced meanwhile"))
		return
	}
	t := st.find(m.form)
	if t == nil {
		t = st.newTab()
		t.update(m.form, len(st.tabs)-1)
	}
	st.leases.reserved = max(st.leases.reserved-1, 0)
	st.count.opened++
	t.lease, t.Owned, t.mute = &lease{first: m.form.BrowserID, used: time.Now(), scratch: m.scratch}, true, !m.script
	st.raise(t, "opened")
	m.reply.send(t.ID, nil)
}

// retire begins to close a tab of ours: from now on callers hear that it is gone.
type retire struct {
	id    TabID
	reply reply[goer]
}

// goer is a tab of ours that is to be closed.
type goer struct {
	first int64
	force bool // even in front: it lived for one call, and Firefox brought it there
}

func (m retire) fail(err error) { m.reply.fail(err) }

func (m retire) apply(st *state) {
	t := st.tabs[m.id]
	switch {
	case t == nil:
		m.reply.fail(st.noTab(m.id))
	case t.lease == nil:
		m.reply.fail(Faultf(SessionNotFound, "tab %s is its user's; only pages that open_page opened are closed", m.id))
	case t.lease.closing != nil:
		m.reply.fail(t.lease.closing)
	default:
		t.lease.closing = Faultf(SessionNotFound, "session %s has been closed", t.ID)
		m.reply.send(goer{t.lease.first, t.lease.scratch && t.lease.asked}, nil)
	}
}

// asked notes that the page of a tab of ours asked a question while it loaded: that
// the tab is in front then does not mean that its user went to it.
type asked struct{ id TabID }

func (asked) fail(error) {}

func (m asked) apply(st *state) {
	if t := st.tabs[m.id]; t != nil && t.lease != nil {
		t.lease.asked = true
	}
}

// retired brings what came of closing tabs of ours. Those that Firefox did not
// close are their user's now; those of which nothing is known stay ours.
type retired struct {
	tabs  []TabID
	what  []string // closed, gone or released; "" when Firefox did not answer
	reply reply[struct{}]
}

func (m retired) fail(err error) { m.reply.fail(err) }

func (m retired) apply(st *state) {
	for i, id := range m.tabs {
		t := st.tabs[id]
		if t == nil || t.lease == nil {
			continue
		}
		switch m.what[i] {
		case "closed", "gone":
			st.forget(t, t.lease.closing)
		case "released":
			st.handOver(t, "its user is looking at it")
		default:
			t.lease.tried, t.lease.closing = t.lease.closing, nil
		}
	}
	m.reply.send(struct{}{}, nil)
}

// idle asks for the tabs of ours that nobody has used for too long. It begins to
// close them.
type idle struct{ reply reply[idlers] }

// idlers are tabs to be closed, and when to ask again.
type idlers struct {
	tabs     []TabID
	browsers []int64 // ids that they were opened with
	strays   []stray
	left     []int64 // the same of tabs that are to lose their mark
	next     time.Duration
}

// soonAgain is when to look again for what could not be closed now.
const soonAgain = time.Second

func (m idle) fail(err error) { m.reply.fail(err) }

func (m idle) apply(st *state) {
	out := idlers{next: st.cfg.SessionTimeout}
	if len(st.leases.strays)+len(st.leases.left) > 0 {
		out.next = min(out.next, soonAgain)
		if st.link.conn != nil {
			out.strays, out.left = slices.Clone(st.leases.strays), slices.Clone(st.leases.left)
		}
	}
	for _, t := range st.tabs {
		if t.lease == nil || t.lease.closing != nil {
			continue
		}
		switch left := st.leaseLeft(t); {
		case left > 0:
			out.next = min(out.next, left)
		case st.link.conn == nil: // closed when the connection is back
			out.next = min(out.next, soonAgain)
		default:
			why := Faultf(SessionExpired, "session %s was closed after %v without use; open the page again with open_page", t.ID, st.cfg.SessionTimeout)
			if t.lease.abandoned {
				why = Faultf(SessionNotFound, "session %s was closed, since the call that opened it failed", t.ID)
			}
			t.lease.closing = cmp.Or(t.lease.tried, why)
			out.tabs, out.browsers = append(out.tabs, t.ID), append(out.browsers, t.lease.first)
			out.next = min(out.next, soonAgain)
		}
	}
	m.reply.send(out, nil)
}

// leaseLeft is how long a tab of ours may stay as things are.
func (st *state) leaseLeft(t *tab) time.Duration {
	switch {
	case t.lease.abandoned:
		return 0
	case t.lease.scratch || t.holder != nil || len(t.queue) > 0:
		return st.cfg.SessionTimeout
	}
	return st.cfg.SessionTimeout - time.Since(t.lease.used)
}

// touch notes that a tab of ours is in use.
func (t *tab) touch() {
	if t.lease != nil {
		t.lease.used = time.Now()
	}
}

// String is how the log shows a lease.
func (l *lease) String() string {
	return fmt.Sprintf("used %v ago", time.Since(l.used).Round(time.Second))
}
