package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"firefox-rdp-mcp/router"
)

// OpenArgs say what is to be opened in a tab of our own.
type OpenArgs struct {
	URL     string
	Wait    string        // none, dom or complete
	Timeout time.Duration // 0 means the request time-out
}

// OpenPage opens an address in a new tab, in the background of the user's
// window, and waits as asked. The tab stays until it is closed by ClosePage, by
// its user, or because nobody has used it for the session time-out.
func (s *Session) OpenPage(ctx context.Context, a OpenArgs) (*Navigation, error) {
	address, err := s.CheckURL(a.URL)
	if err != nil {
		return nil, err
	}
	t, err := s.openTab(ctx, lodging{script: !s.cfg.NoJavaScript, towards: address})
	if err != nil {
		return nil, err
	}
	defer t.end()
	n, err := t.visit(ctx, a)
	if err != nil {
		t.discard(ctx)
		return nil, err
	}
	if a.Wait != "none" && n.Dialog == nil && t.foreign(ctx, t.top) == nil {
		_, err = t.ripen(ctx)
	}
	if err != nil {
		n.Notice = "the page could not be looked at: " + AsFault(err).Message
		return n, nil
	}
	if now, err := t.where(ctx, n); err == nil {
		n = now
	}
	return n, nil
}

// visit loads an address in the turn's tab.
func (t *turn) visit(ctx context.Context, a OpenArgs) (*Navigation, error) {
	address, err := t.CheckURL(a.URL)
	if err != nil {
		return nil, err
	}
	setDefault(&a.Timeout, t.cfg.Request)
	late := Faultf(NavigationTimeout, "the page did not get as far as %q within %v", a.Wait, a.Timeout)
	wait, cancel := context.WithTimeoutCause(ctx, a.Timeout, late)
	defer cancel()
	before, err := t.loadFirst(wait, address)
	if err != nil {
		return nil, err
	}
	n, err := t.landed(ctx, wait, before, address, a.Wait)
	if err == nil && n.Dialog != nil {
		t.tell(ctx, asked{t.ID})
	}
	return n, err
}

// loadFirst loads an address in a tab that was just opened. Its first, empty
// document may be replaced by another empty one at that very moment; if Firefox
// then knows of no load, none has begun, and it is asked again.
func (t *turn) loadFirst(ctx context.Context, address string) (view, error) {
	for {
		starts := t.starts
		before, err := t.load(ctx, address)
		if err == nil || AsFault(err).Code != TargetReplaced {
			return before, err
		}
		if err := pauseFor(ctx, dialogPatience); err != nil { // for the news of a load
			return before, err
		}
		if err := t.refresh(ctx); err != nil {
			return before, err
		}
		if t.starts > starts && t.coming != "about:blank" {
			return before, nil
		}
	}
}

// lodging says what kind of tab is to be opened.
type lodging struct {
	scratch bool   // lives for one call, and is closed by discard
	script  bool   // its pages may run their scripts
	towards string // address that will be loaded in it
}

// openTab opens an empty tab of our own and takes its turn.
func (s *Session) openTab(ctx context.Context, as lodging) (*turn, error) {
	conn, err := s.reach(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.makeRoom(ctx, as.scratch); err != nil {
		return nil, err
	}
	id, err := s.addTab(ctx, conn, as)
	if err != nil {
		s.tell(ctx, unreserve{})
		return nil, err
	}
	t, err := s.begin(ctx, id)
	if err == nil {
		err = t.ready(ctx)
	}
	if err == nil && as.scratch {
		err = t.keepFiles(ctx)
	}
	if err != nil {
		s.discardTab(ctx, id)
		if t != nil {
			t.end()
		}
		return nil, err
	}
	return t, nil
}

// makeRoom reserves room for one more tab of ours.
func (s *Session) makeRoom(ctx context.Context, scratch bool) error {
	var mine reply[struct{}]
	_, err := ask(ctx, s, func(r reply[struct{}]) message {
		mine = r
		return reserve{ctx, scratch, r}
	})
	if err != nil && ctx.Err() != nil {
		s.tell(ctx, withdraw{mine})
	}
	return fromConnection(err)
}

// addTab lets Firefox open an empty tab and makes it ours.
func (s *Session) addTab(ctx context.Context, conn *router.Conn, as lodging) (TabID, error) {
	start := time.Now()
	var opened struct{ BrowserID int64 }
	mark := s.mark + newMark()
	err := s.parent(ctx, conn, "open", map[string]any{"browserId": 0, "url": "about:blank", "byPage": false, "mark": mark, "towards": as.towards, "hosts": s.cfg.AllowHosts, "reading": as.scratch}, &opened)
	if err != nil {
		s.lose(ctx, mark)
		return "", err
	}
	if opened.BrowserID == 0 {
		return "", Faultf(NotConnected, "firefox has no window that a tab could be opened in")
	}
	id, err := s.adoptTab(ctx, conn, opened.BrowserID, as)
	if err != nil {
		s.lose(ctx, mark)
		return "", err
	}
	s.log.LogAttrs(ctx, slog.LevelDebug, "tab opened", slog.String("tab", string(id)), dur(start))
	return id, nil
}

// lose leaves a tab that may have been opened to the keeper.
func (s *Session) lose(ctx context.Context, mark string) {
	if s.cfg.Privileged {
		s.tell(ctx, strayed{stray{mark, time.Now().Add(parentPatience)}})
	}
}

func (s *Session) adoptTab(ctx context.Context, conn *router.Conn, browserID int64, as lodging) (TabID, error) {
	p, err := conn.Do(ctx, router.Root, "getTab", map[string]any{"browserId": browserID})
	if err != nil {
		return "", fromConnection(err)
	}
	var form struct {
		Tab tabForm `json:"tab"`
	}
	if err := p.Decode(&form); err != nil || form.Tab.Actor == "" || form.Tab.BrowserID != browserID {
		return "", &Fault{Code: RDPProtocolError, Message: "firefox does not know the tab that it has just opened", Err: err}
	}
	id, err := conclude(ctx, s, func(r reply[TabID]) message { return adopt{conn.Epoch(), form.Tab, as.scratch, as.script, r} })
	return id, fromConnection(err)
}

// ClosePage closes a tab that OpenPage opened. It does not wait for the tab's
// turn: a call that holds it fails. A tab that its user is looking at is left
// alone and no longer ours; released then reports true.
func (s *Session) ClosePage(ctx context.Context, id TabID) (released bool, err error) {
	conn, err := s.reach(ctx)
	if err != nil {
		return false, err
	}
	going, err := conclude(ctx, s, func(r reply[goer]) message { return retire{id, r} })
	if err != nil {
		return false, fromConnection(err)
	}
	what, err := s.closeBrowsers(ctx, conn, []int64{going.first}, going.force)
	s.tell(ctx, retired{tabs: []TabID{id}, what: what})
	return what[0] == "released", err
}

// discard closes the turn's own tab, whatever has become of ctx.
func (t *turn) discard(ctx context.Context) { t.discardTab(ctx, t.ID) }

func (s *Session) discardTab(ctx context.Context, id TabID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), parentPatience)
	defer cancel()
	if _, err := s.ClosePage(ctx, id); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "tab of ours not closed yet", slog.String("tab", string(id)), slog.String("cause", string(AsFault(err).Code)))
		s.tell(ctx, abandoned{id})
	}
}

// closeBrowsers lets Firefox close tabs of ours, named by the ids that they were
// opened with, and says what became of each: closed, gone, released, or "" if Firefox did not answer.
func (s *Session) closeBrowsers(ctx context.Context, conn *router.Conn, ids []int64, force bool) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), parentPatience)
	defer cancel()
	var what []string
	err := s.parentAnyTime(ctx, conn, "close", map[string]any{"browserIds": ids, "mark": s.mark, "force": force}, &what)
	if err == nil && len(what) != len(ids) {
		err = &Fault{Code: Internal, Message: "the browser's answer cannot be read", Err: fmt.Errorf("%d answers about %d tabs", len(what), len(ids))}
	}
	if err != nil {
		return make([]string, len(ids)), err
	}
	return what, nil
}

// tell sends the session a message that nobody waits for, even when ctx is over:
// what it reports has happened.
func (s *Session) tell(ctx context.Context, m message) {
	select {
	case s.mailbox <- m:
	case <-time.After(rootPatience):
		s.log.LogAttrs(ctx, slog.LevelError, "session does not listen")
	}
}

// Keeper closes the tabs of ours that nobody has used for the session time-out, and
// those that were left over when something went wrong.
// It is an actor of its own because the session waits for nobody.
type Keeper struct{ *Session }

// String is the actor's name in the log.
func (Keeper) String() string { return "keeper" }

// Serve looks after the tabs until ctx ends.
func (k Keeper) Serve(ctx context.Context) error {
	for {
		due, err := ask(ctx, k.Session, func(r reply[idlers]) message { return idle{r} })
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(due.tabs) > 0 {
			k.closeIdle(ctx, due)
		}
		if len(due.strays) > 0 {
			k.closeStrays(ctx, due.strays)
		}
		if len(due.left) > 0 {
			k.letGo(ctx, due.left)
		}
		select {
		case <-time.After(max(due.next, 10*time.Millisecond)):
		case <-k.due:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (k Keeper) closeIdle(ctx context.Context, due idlers) {
	what := make([]string, len(due.tabs))
	conn, err := k.reach(ctx) // another browser has none of these tabs
	if err == nil {
		what, err = k.closeBrowsers(ctx, conn, due.browsers, false)
	}
	if err != nil {
		k.log.LogAttrs(ctx, slog.LevelWarn, "idle tabs not closed", slog.String("cause", string(AsFault(err).Code)))
	}
	k.tell(ctx, retired{tabs: due.tabs, what: what})
}

// farewellTime bounds how long the end of the program waits for Firefox to close
// our tabs. The request goes out at once, and Firefox carries it out even when
// nobody waits any more.
const farewellTime = 250 * time.Millisecond

// errLeft ends the wait of Leave.
var errLeft = errors.New("no time left")

// Leave closes all tabs of ours. It is called once, when no calls are under way
// and the connection, if there is one, still works.
func (s *Session) Leave(ctx context.Context) {
	ctx, cancel := context.WithTimeoutCause(ctx, farewellTime, errLeft)
	defer cancel()
	link, err := ask(ctx, s, func(r reply[linkState]) message { return leaving{r} })
	if err != nil || link.conn == nil {
		return
	}
	var what []string
	if err := s.parentAnyTime(ctx, link.conn, "close", map[string]any{"mark": s.mark}, &what); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "tabs of ours not seen to close", slog.Any("err", err))
	}
}

// leaving asks for the connection if tabs of ours have been opened on it.
type leaving struct{ reply reply[linkState] }

func (m leaving) fail(err error) { m.reply.fail(err) }

func (m leaving) apply(st *state) {
	if st.count.opened == 0 && len(st.leases.strays) == 0 {
		m.reply.send(linkState{}, nil)
		return
	}
	m.reply.send(st.link, nil)
}
