package rdptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func (p *Peer) descriptor(i int) string { return fmt.Sprintf("%stabDescriptor%d", p.prefix, i+1) }

// tabOf returns the number of the tab that an actor belongs to, or -1.
func (p *Peer) tabOf(actor string) (n int) {
	p.with(func(st *state) {
		n = slices.IndexFunc(st.tabs, func(t tab) bool {
			return actor != "" && (actor == t.watcher || actor == t.target || actor == t.console)
		})
	})
	if n < 0 {
		for i := range p.firefox.Tabs {
			if actor == p.descriptor(i) {
				return i
			}
		}
	}
	return n
}

func (p *Peer) listTabs(r Request) {
	list := []Packet{}
	p.with(func(st *state) {
		for i, t := range st.tabs {
			if t.closed {
				continue
			}
			list = append(list, Packet{
				"actor": p.descriptor(i), "browserId": 9 + i, "browsingContextID": 10 + i, "isZombieTab": false, "outerWindowID": 20 + i,
				"selected": i == 0, "title": t.Title, "url": t.URL,
				"traits": Packet{"watcher": true, "supportsReloadDescriptor": true, "supportsNavigation": true},
			})
		}
	})
	_ = p.Send(Packet{"tabs": list, "from": r.To})
}

func (p *Peer) getWatcher(r Request) {
	i := p.tabOf(r.To)
	var watcher string
	p.with(func(st *state) {
		t := &st.tabs[i]
		if t.watcher == "" {
			st.ids++
			t.watcher = fmt.Sprintf("%swatcher%d", p.prefix, st.ids)
		}
		watcher = t.watcher
	})
	_ = p.Send(Packet{"actor": watcher, "traits": Packet{"frame": true, "process": true, "resources": Packet{"document-event": true}}, "from": r.To})
}

func (p *Peer) getProcess(r Request) {
	var in struct{ ID int }
	_ = json.Unmarshal(r.Raw, &in)
	_ = p.Send(Packet{
		"processDescriptor": Packet{"actor": fmt.Sprintf("%sprocessDescriptor%d", p.prefix, in.ID), "id": in.ID, "isParent": in.ID == 0},
		"from":              r.To,
	})
}

// getTarget answers for a process, whose number is its pid, or for a tab.
func (p *Peer) getTarget(r Request) {
	pid, isProcess := strings.CutPrefix(r.To, p.prefix+"processDescriptor")
	if !isProcess {
		p.announce(p.tabOf(r.To), func(form Packet) Packet { return Packet{"frame": form, "from": r.To} })
		return
	}
	base, id := fmt.Sprintf("%scontent-process%s/", p.prefix, pid), json.Number(pid)
	_ = p.Send(Packet{"process": Packet{
		"actor": base + "contentProcessTarget1", "targetType": "process", "processID": id, "consoleActor": base + "console2",
	}, "from": r.To})
}

func (p *Peer) watchTargets(r Request) {
	var in struct{ TargetType string }
	_ = json.Unmarshal(r.Raw, &in)
	if i := p.tabOf(r.To); in.TargetType == "frame" {
		p.with(func(st *state) { st.tabs[i].frames = true })
		p.available(i)
	}
	_ = p.Send(Packet{"from": r.To})
}

func (p *Peer) watchResources(r Request) {
	i := p.tabOf(r.To)
	if strings.Contains(string(r.Raw), `"document-event"`) {
		p.with(func(st *state) { st.tabs[i].events = true })
		p.documentEvents(i)
	}
	_ = p.Send(Packet{"from": r.To})
}

// announce makes a target for the tab's document and sends its form, wrapped.
func (p *Peer) announce(i int, wrap func(form Packet) Packet) {
	var form Packet
	p.with(func(st *state) {
		t := &st.tabs[i]
		st.ids += 2
		base := fmt.Sprintf("%s.process%d//", t.watcher, t.process)
		t.target = fmt.Sprintf("%swindowGlobalTarget%d", base, st.ids)
		t.console = fmt.Sprintf("%sconsoleActor%d", base, st.ids+1)
		form = Packet{
			"actor": t.target, "targetType": "frame", "browsingContextID": 10 + i, "processID": t.PID, "innerWindowId": t.window, "topInnerWindowId": t.window,
			"isTopLevelTarget": true, "isPopup": false, "isPrivate": false, "title": t.Title, "url": t.URL, "outerWindowID": 20 + i,
			"traits": Packet{"isBrowsingContext": true, "frames": true}, "consoleActor": t.console, "inspectorActor": base + "inspectorActor4",
		}
	})
	_ = p.Send(wrap(form))
}

// available tells the watcher of the tab's document.
func (p *Peer) available(i int) {
	p.announce(i, func(form Packet) Packet {
		return Packet{"type": "target-available-form", "target": form, "from": p.tab(i).watcher}
	})
}

func (p *Peer) tab(i int) (t tab) {
	p.with(func(st *state) { t = st.tabs[i] })
	return t
}

// documentEvents tells that the document has loaded.
func (p *Peer) documentEvents(i int) {
	t := p.tab(i)
	for _, e := range []Packet{
		{"name": "dom-loading", "time": 1796058252969, "url": t.URL, "newURI": nil},
		{"name": "dom-interactive", "time": 1796058253318, "title": t.Title, "url": t.URL, "newURI": nil},
		{"name": "dom-complete", "time": 1796058253325, "newURI": nil},
	} {
		_ = p.Send(resources(t.target, e))
	}
}

func resources(from string, events ...Packet) Packet {
	return Packet{"type": "resources-available-array", "array": []any{[]any{"document-event", events}}, "from": from}
}

// Navigate gives a watched tab a new document in the same process, with all
// that Firefox says about it. Other tabs just change their address.
func (p *Peer) Navigate(i int, url string) {
	old := p.tab(i)
	if old.events {
		_ = p.Send(resources(old.watcher, Packet{"browsingContextID": 10 + i, "innerWindowId": old.window, "name": "will-navigate", "newURI": url}))
	}
	p.with(func(st *state) {
		st.tabs[i].URL = url
		st.tabs[i].window++
	})
	if !old.frames {
		return
	}
	p.destroyed(old)
	p.available(i)
	if old.events {
		p.documentEvents(i)
	}
}

// CloseTab closes a tab.
func (p *Peer) CloseTab(i int) {
	old := p.tab(i)
	p.with(func(st *state) { st.tabs[i].closed = true })
	_ = p.Send(Packet{"type": "descriptor-destroyed", "from": p.descriptor(i)})
	if old.frames {
		p.destroyed(old)
	}
	_ = p.Send(Packet{"from": "root", "type": "tabListChanged"})
}

// destroyed tells of the end of a document.
func (p *Peer) destroyed(old tab) {
	_ = p.Send(Packet{
		"type": "target-destroyed-form", "from": old.watcher,
		"target":  Packet{"actor": old.target, "innerWindowId": old.window, "isTopLevelTarget": true},
		"options": Packet{"isTargetSwitching": false, "isModeSwitching": false},
	})
	_ = p.Send(Packet{"from": "root", "type": "forwardingCancelled", "prefix": fmt.Sprintf("%s.process%d/", old.watcher, old.process)})
}
