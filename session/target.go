package session

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// list asks Firefox for its tabs and lets the session take them in.
func (s *Session) list(ctx context.Context, conn *router.Conn) ([]Tab, error) {
	parent, err := s.process(ctx, conn, 0)
	if err != nil {
		return nil, err
	}
	number, err := ask(ctx, s, func(r reply[int]) message { return numberList{r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	forms, err := listTabs(ctx, conn)
	if err != nil {
		return nil, err
	}
	if err := s.recognize(ctx, conn, parent.pid, forms); err != nil {
		return nil, err
	}
	tabs, err := ask(ctx, s, func(r reply[[]Tab]) message { return listed{conn.Epoch(), parent.pid, number, forms, r} })
	return tabs, fromConnection(err)
}

// listTabs asks root. The list is empty in the first moments after the port
// opens, and fails as a whole while one tab is between two documents
// (rdp-facts.md 3.2): both pass, so they are worth another look.
func listTabs(ctx context.Context, conn *router.Conn) ([]tabForm, error) {
	const tries, pause = 10, 100 * time.Millisecond
	var last error
	for range tries {
		p, err := conn.Do(ctx, router.Root, "listTabs", nil)
		if err == nil {
			var list struct {
				Tabs []tabForm `json:"tabs"`
			}
			if err := decodeTabs(p, &list.Tabs); err != nil {
				return nil, err
			}
			if len(list.Tabs) > 0 {
				return list.Tabs, nil
			}
		} else if _, refused := errors.AsType[*router.ActorError](err); !refused {
			return nil, fromConnection(err)
		}
		last = err
		if err := pauseFor(ctx, pause); err != nil {
			return nil, err
		}
	}
	return nil, fromConnection(last)
}

// decodeTabs reads listTabs' answer. Unloaded tabs carry empty strings where
// numbers belong, so that each entry is read leniently.
func decodeTabs(p router.Packet, tabs *[]tabForm) error {
	var list struct {
		Tabs []map[string]json.RawMessage `json:"tabs"`
	}
	if err := p.Decode(&list); err != nil {
		return &Fault{Code: RDPProtocolError, Message: "firefox's list of tabs is not one", Err: err}
	}
	for _, entry := range list.Tabs {
		var f tabForm
		for key, into := range map[string]any{"actor": &f.Actor, "browserId": &f.BrowserID, "isZombieTab": &f.Zombie, "selected": &f.Selected, "title": &f.Title, "url": &f.URL} {
			if raw, ok := entry[key]; ok {
				_ = json.Unmarshal(raw, into) // another type means: not known
			}
		}
		if f.Actor == "" {
			return Faultf(RDPProtocolError, "firefox's list has a tab without an actor")
		}
		*tabs = append(*tabs, f)
	}
	return nil
}

// pauseFor waits, or returns the fault for a call that ended meanwhile.
func pauseFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fromConnection(context.Cause(ctx))
	}
}

// process returns the console of a process, once per connection and pid. The
// first request in a content process takes some 200 ms (rdp-facts.md 7.2).
func (s *Session) process(ctx context.Context, conn *router.Conn, pid int) (*process, error) {
	use := func(offer *process) (*process, error) {
		p, err := ask(ctx, s, func(r reply[*process]) message { return useProcess{pid, conn.Epoch(), offer, r} })
		return p, fromConnection(err)
	}
	if known, err := use(nil); err != nil || known != nil {
		return known, err
	}
	made, err := openProcess(ctx, conn, pid)
	if err != nil {
		return nil, err
	}
	if pid == 0 && s.cfg.Privileged {
		v, err := conn.Evaluate(ctx, made.console, router.Evaluation{Text: privileged, Timeout: parentPatience})
		if err != nil {
			return nil, fromConnection(err)
		}
		made.snippets = v.Object
	}
	return use(made)
}

func openProcess(ctx context.Context, conn *router.Conn, pid int) (*process, error) {
	p, err := conn.Do(ctx, router.Root, "getProcess", map[string]any{"id": pid})
	if err != nil {
		return nil, fromConnection(err)
	}
	var descriptor struct {
		ProcessDescriptor struct {
			Actor router.ActorID `json:"actor"`
		} `json:"processDescriptor"`
	}
	if err := p.Decode(&descriptor); err != nil || descriptor.ProcessDescriptor.Actor == "" {
		return nil, &Fault{Code: RDPProtocolError, Message: "firefox gave no process descriptor", Err: err}
	}
	p, err = conn.DoInPage(ctx, descriptor.ProcessDescriptor.Actor, "getTarget", nil)
	if err != nil {
		return nil, fromConnection(err)
	}
	var target struct {
		Process struct {
			ConsoleActor router.ActorID `json:"consoleActor"`
			ProcessID    int            `json:"processID"`
			Error        string         `json:"error"`
		} `json:"process"`
	}
	switch err := p.Decode(&target); {
	case err != nil:
		return nil, &Fault{Code: RDPProtocolError, Message: "firefox gave no process target", Err: err}
	case target.Process.Error != "" || target.Process.ConsoleActor == "":
		return nil, replaced("the page's process is gone")
	}
	return &process{descriptor: descriptor.ProcessDescriptor.Actor, console: target.Process.ConsoleActor, pid: target.Process.ProcessID}, nil
}

// numberList gives a list of tabs that is about to be asked for its number.
type numberList struct{ reply reply[int] }

func (m numberList) fail(err error) { m.reply.fail(err) }

func (m numberList) apply(st *state) {
	st.count.list++
	m.reply.send(st.count.list, nil)
}

// usable reports whether a document may be evaluated in, as far as is known.
func (t *turn) usable(ctx context.Context, d *document) bool { return t.foreign(ctx, d) == nil }

// foreign reports whether a document lives in the parent process: it is a page
// of the browser itself (settings, add-ons, crash page), which is never
// evaluated in, since some of those pages run with the browser's own rights.
func (t *turn) foreign(ctx context.Context, d *document) error {
	parent, err := t.process(ctx, t.conn, 0)
	if err != nil {
		return err
	}
	if d.ProcessID != parent.pid {
		return nil
	}
	return Faultf(UnsupportedPage, "tab %s shows a page of the browser itself (settings, an error or a crashed tab: %q); it can be left with navigate, not read or operated", t.ID, outline.Clean(d.URL, 200))
}
