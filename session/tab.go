package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// TabID names a tab for callers: opaque, short, never given to another tab.
type TabID string

// Generation counts the lives of a tab's page. References are valid in the
// generation that gave them out and in no other.
type Generation uint64

// Tab is a tab as callers see it.
type Tab struct {
	ID         TabID
	Index      int // position among all tabs, from 0
	Title      string
	URL        string // of the document, error pages by their own address
	Active     bool   // in front in the window used last
	Unloaded   bool   // put to sleep by the browser
	Private    bool   // known only once the tab has been used
	Owned      bool   // opened by this server
	Generation Generation
}

// tab is what the session knows of a tab.
type tab struct {
	Tab
	browserID  int64          // 0 while unloaded
	descriptor router.ActorID // of this connection
	watcher    router.ActorID // "" until the tab is used on this connection
	attached   bool           // the watcher has been asked for all that it is to tell
	rewoken    bool           // the descriptor may hold the watcher of a browser that is no more
	last       string         // address of the last http or https page, for when there is none

	top    *document                    // nil between documents
	frames map[router.ActorID]*document // the others, by target actor
	starts int                          // loads that have started in the top frame
	coming string                       // address of the last of them
	frozen *sheet                       // the last snapshot, for cursors and differences
	lease  *lease                       // of a tab of ours
	mute   bool                         // the page's scripts are not to run
	dev    devtools                     // what its console and network have said
	since  int                          // lists asked for before the tab was known say nothing of it

	version   uint64    // raised at each change that a caller may wait for
	observers []observe // who waits for one
	holder    *acquire  // whose turn it is
	queue     []acquire // who waits for the turn
}

// changed lets those who wait for a change of the tab have a look.
func (t *tab) changed() {
	t.version++
	waiting := t.observers
	t.observers = nil
	for _, o := range waiting {
		o.reply.send(t.view(), nil)
	}
}

// detach ends every document of the tab for a cause, because the connection or
// the tab itself is gone. It reports whether the tab had been in use.
func (st *state) detach(t *tab, cause error) bool {
	used := t.watcher != ""
	t.watcher, t.attached = "", false
	if t.top != nil {
		st.end(t.top, cause)
		t.top = nil
	}
	for actor, d := range t.frames {
		st.end(d, cause)
		delete(t.frames, actor)
	}
	t.changed()
	return used
}

// closeTab answers everybody who has to do with the tab.
func (st *state) closeTab(t *tab, cause error) {
	for _, q := range t.queue {
		q.fail(cause)
	}
	t.queue = nil
	for _, o := range t.observers {
		o.fail(cause)
	}
	t.observers = nil
	st.detach(t, cause)
}

// view is a copy of what a call may know of a tab.
type view struct {
	Tab
	version    uint64
	browserID  int64
	descriptor router.ActorID
	watcher    router.ActorID
	top        *document // a copy; nil between documents
	frames     []document
	starts     int
	coming     string
	mute       bool
	scratch    bool
	attached   bool
	rewoken    bool
	last       string
}

func (t *tab) view() view {
	v := view{
		Tab: t.Tab, version: t.version, browserID: t.browserID, descriptor: t.descriptor, watcher: t.watcher,
		starts: t.starts, coming: t.coming, mute: t.mute, attached: t.attached, rewoken: t.rewoken, last: t.last,
	}
	v.scratch = t.lease != nil && t.lease.scratch
	if t.top != nil {
		top := *t.top
		v.top = &top
	}
	for _, d := range t.frames {
		v.frames = append(v.frames, *d)
	}
	slices.SortFunc(v.frames, func(a, b document) int { return cmp.Compare(a.frame, b.frame) })
	return v
}

// address is the tab's URL as scripts see it, error pages by the wanted one.
func (v *view) address() string {
	if v.top != nil && v.top.address != "" {
		return v.top.address
	}
	return v.URL
}

// listed brings what listTabs said.
type listed struct {
	epoch int
	pid   int // of the parent process
	count int // number of this list
	tabs  []tabForm
	reply reply[[]Tab]
}

// tabForm is one entry of listTabs (rdp-facts.md 3.2). Unloaded tabs have no
// browserId and odd types elsewhere, so only the fields in use are decoded.
type tabForm struct {
	Actor     router.ActorID `json:"actor"`
	BrowserID int64          `json:"browserId"`
	Zombie    bool           `json:"isZombieTab"`
	Selected  bool           `json:"selected"`
	Title     string         `json:"title"`
	URL       string         `json:"url"`
	first     int64          // browser id that a tab of ours was opened with, if this is known to be one
}

func (m listed) fail(err error) { m.reply.fail(err) }

// apply makes the session's tabs those of the list: known ones keep their ids,
// the missing ones are closed.
func (m listed) apply(st *state) {
	if !st.on(m.epoch) {
		m.reply.fail(Faultf(ConnectionLost, "the connection to Firefox was replaced meanwhile"))
		return
	}
	if st.browser.pid != m.pid { // another browser: the same ids mean other tabs
		for _, t := range st.tabs {
			st.forget(t, t.restarted())
		}
		st.browser, st.leases.left = browser{pid: m.pid}, nil
	}
	st.browser.epoch = m.epoch
	seen := map[TabID]bool{}
	var out []Tab
	for i, form := range m.tabs {
		t := st.find(form)
		if t == nil {
			t = st.newTab()
		}
		if t.watcher != "" && t.browserID != form.BrowserID {
			st.detach(t, replaced("the browser put the tab to sleep"))
			t.rewoken = true
			st.raise(t, "put to sleep")
		}
		t.update(form, i)
		if t.lease != nil && t.Active && !t.lease.asked {
			st.handOver(t, "its user went to it")
		}
		seen[t.ID] = true
		out = append(out, t.Tab)
	}
	for _, t := range st.tabs {
		if !seen[t.ID] && t.since < m.count {
			st.forget(t, t.closed())
		}
	}
	m.reply.send(out, nil)
}

// find recognizes a tab by its browser id, or by its descriptor when it was
// unloaded: waking gives it another browser id. On a new connection a tab of ours
// that was unloaded has neither, but its mark (recognize).
func (st *state) find(form tabForm) *tab {
	var same *tab
	for _, t := range st.tabs {
		if form.BrowserID != 0 && t.browserID == form.BrowserID {
			return t
		}
		if form.first != 0 && t.lease != nil && t.lease.first == form.first {
			return t
		}
		if t.descriptor == form.Actor {
			same = t
		}
	}
	return same
}

func (st *state) newTab() *tab {
	st.count.tab++
	t := &tab{Tab: Tab{ID: TabID(fmt.Sprintf("t%d", st.count.tab))}, frames: map[router.ActorID]*document{}, version: 1, since: st.count.list}
	st.tabs[t.ID] = t
	return t
}

func (t *tab) update(form tabForm, index int) {
	if t.descriptor != form.Actor {
		t.rewoken = false
	}
	t.browserID, t.descriptor = form.BrowserID, form.Actor
	t.Index, t.Active, t.Unloaded = index, form.Selected, form.Zombie
	t.Title, t.URL = form.Title, form.URL
	t.keep(form.URL)
}

// keep remembers where the tab is, if that is a page that can be loaded again.
func (t *tab) keep(address string) {
	if _, err := ParseURL(address); err == nil {
		t.last = address
	}
}

// forget removes a tab that is no more.
func (st *state) forget(t *tab, cause *Fault) {
	st.bury(t, cause)
	st.closeTab(t, cause)
	st.refs.drop(t.ID)
	delete(st.tabs, t.ID)
	if st.selected == t.ID {
		st.selected = ""
	}
}

// closed is the fault for calls of a tab that is not there any more.
func (t *tab) closed() *Fault {
	switch {
	case t.lease == nil:
		return tabClosed(t.ID)
	case t.lease.closing != nil:
		return t.lease.closing
	case t.lease.tried != nil:
		return t.lease.tried
	}
	return Faultf(SessionNotFound, "the tab of session %s was closed in the browser", t.ID)
}

// restarted is the fault for calls of a tab of a browser that is no more.
func (t *tab) restarted() *Fault {
	if t.lease != nil {
		return Faultf(SessionNotFound, "firefox was restarted, which ended session %s; open the page again with open_page", t.ID)
	}
	return Faultf(TabNotFound, "firefox was restarted; its tabs are others now, list them again")
}

func tabClosed(id TabID) *Fault {
	return Faultf(TabNotFound, "tab %s has been closed; list the tabs and select another", id)
}

// gone tells a call why its tab is there no more.
func (st *state) gone(id TabID) *Fault {
	if why := st.leases.graves[id]; why != nil {
		return why
	}
	return tabClosed(id)
}

// noTab tells why there is no tab for a call.
func (st *state) noTab(id TabID) *Fault {
	if id == "" {
		return Faultf(NoTabSelected, "no tab is selected; call list_tabs and select_tab, or pass tab_id")
	}
	if why := st.leases.graves[id]; why != nil {
		return why
	}
	return Faultf(TabNotFound, "there is no tab %q; call list_tabs for those that are there", outline.Clean(string(id), 40))
}

// choose selects a tab.
type choose struct {
	id    TabID
	index int // used when id is ""
	reply reply[Tab]
}

func (m choose) fail(err error) { m.reply.fail(err) }

func (m choose) apply(st *state) {
	t := st.tabs[m.id]
	if m.id == "" {
		for _, other := range st.tabs {
			if other.Index == m.index {
				t = other
			}
		}
	}
	switch {
	case t == nil && m.id == "":
		m.reply.fail(Faultf(TabNotFound, "there is no tab at index %d; there are %d tabs", m.index, len(st.tabs)))
	case t == nil:
		m.reply.fail(st.noTab(m.id))
	default:
		if old := st.tabs[st.selected]; old != nil && old != t {
			st.raise(old, "another tab was selected")
		}
		st.selected = t.ID
		st.raise(t, "selected")
		m.reply.send(t.Tab, nil)
	}
}

// knownTabs asks for the tabs as last listed, and which is selected.
type knownTabs struct{ reply reply[tabList] }

type tabList struct {
	tabs      []Tab // in display order
	selected  TabID
	browserID int64 // of the selected tab
	browser   browser
	link      linkState
}

func (m knownTabs) fail(err error) { m.reply.fail(err) }

func (m knownTabs) apply(st *state) {
	l := tabList{selected: st.selected, browser: st.browser, link: st.link}
	for _, t := range st.tabs {
		l.tabs = append(l.tabs, t.Tab)
	}
	if t := st.tabs[st.selected]; t != nil {
		l.browserID = t.browserID
	}
	slices.SortFunc(l.tabs, func(a, b Tab) int { return cmp.Compare(a.Index, b.Index) })
	m.reply.send(l, nil)
}

// observe waits until a tab's version is above one that the caller knows.
type observe struct {
	ctx   context.Context //nolint:containedctx // of the request, to let go of the waiting when its caller has gone
	id    TabID
	since uint64
	reply reply[view]
}

func (m observe) fail(err error) { m.reply.fail(err) }

func (m observe) apply(st *state) {
	t := st.tabs[m.id]
	switch {
	case t == nil:
		m.reply.fail(st.gone(m.id))
	case t.version > m.since:
		m.reply.send(t.view(), nil)
	default:
		t.observers = append(alive(t.observers, func(o observe) context.Context { return o.ctx }), m)
	}
}

// observe waits until the tab has changed since a version and returns what it
// is then; a version of 0 has always passed, since versions start above it.
func (s *Session) observe(ctx context.Context, id TabID, since uint64) (view, error) {
	return ask(ctx, s, func(r reply[view]) message { return observe{ctx, id, since, r} })
}
