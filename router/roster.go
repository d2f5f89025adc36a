package router

import (
	"encoding/json"
	"slices"
)

// graves is how many dead actors the roster remembers. What is asked of one
// comes from somebody who has not read the news yet, so only the youngest
// matter; a document has some twenty actors.
const graves = 4096

// roster knows which actors come and go together. It learns from the packets
// that pass and is asked when Firefox tells of a death. It belongs to the
// router's goroutine.
type roster struct {
	targets     map[ActorID]member      // living targets, by their actor
	descriptors map[ActorID]*belongings // by descriptor of a tab or a process
	dead        map[ActorID]struct{}    // the last to die
	burials     []ActorID               // the same in order
}

// member is a living target.
type member struct {
	Target
	watcher ActorID   // empty for the target of a plain getTarget
	all     []ActorID // the target and the actors that die with it
}

// belongings are what dies with a descriptor.
type belongings struct {
	watcher ActorID
	pid     int
	targets []ActorID
}

func newRoster() *roster {
	return &roster{
		targets:     map[ActorID]member{},
		descriptors: map[ActorID]*belongings{},
		dead:        map[ActorID]struct{}{},
	}
}

// gone reports whether an actor is known to have died.
func (r *roster) gone(actor ActorID) bool {
	_, dead := r.dead[actor]
	return dead
}

// learn takes from a reply what it says about who belongs to whom. A reply that
// is not shaped as expected teaches nothing; whoever asked will complain.
func (r *roster) learn(method string, p Packet) {
	switch method {
	case "getWatcher":
		var reply struct {
			Actor ActorID `json:"actor"`
		}
		if p.Decode(&reply) == nil {
			r.of(p.From).watcher = reply.Actor
		}
	case "getProcess":
		var reply struct {
			Descriptor struct {
				Actor ActorID `json:"actor"`
				ID    int     `json:"id"`
			} `json:"processDescriptor"`
		}
		if p.Decode(&reply) == nil && reply.Descriptor.Actor != "" {
			r.of(reply.Descriptor.Actor).pid = reply.Descriptor.ID
		}
	case "getTarget":
		var reply struct {
			Frame   json.RawMessage `json:"frame"`
			Process json.RawMessage `json:"process"`
		}
		if p.Decode(&reply) != nil {
			return
		}
		for _, form := range []json.RawMessage{reply.Frame, reply.Process} {
			if t, err := ParseTarget(form); err == nil {
				r.add("", t)
				b := r.of(p.From)
				b.targets = append(b.targets, t.Actor)
			}
		}
	}
}

// of returns what belongs to a descriptor.
func (r *roster) of(descriptor ActorID) *belongings {
	b := r.descriptors[descriptor]
	if b == nil {
		b = &belongings{}
		r.descriptors[descriptor] = b
	}
	return b
}

// add enters a target. Should Firefox announce again what it said was dead, it
// is believed.
func (r *roster) add(watcher ActorID, t Target) {
	m := member{Target: t, watcher: watcher, all: t.actors()}
	m.Raw = nil
	r.targets[t.Actor] = m
	for _, a := range m.all {
		delete(r.dead, a)
	}
}

// available enters a target of a watcher and returns the actors that it
// replaces: a new top-level target puts an end to the one before and to that
// one's frames, even if Firefox never says so (it does not when a content
// process dies after a navigation within it).
func (r *roster) available(watcher ActorID, t Target) []ActorID {
	var replaced []ActorID
	if t.Top {
		for _, old := range r.targets {
			if !old.Top || old.watcher != watcher || old.Actor == t.Actor {
				continue
			}
			replaced = append(replaced, r.remove(old)...)
			if old.InnerWindowID == t.InnerWindowID {
				continue // the same document under new actors: its frames may be the new one's
			}
			for _, frame := range r.targets {
				if frame.watcher == watcher && frame.TopInnerWindowID == old.InnerWindowID && frame.Actor != t.Actor {
					replaced = append(replaced, r.remove(frame)...)
				}
			}
		}
	}
	r.add(watcher, t)
	return replaced
}

// destroyed returns the actors that die with a target.
func (r *roster) destroyed(t Target) []ActorID {
	if m, known := r.targets[t.Actor]; known {
		return r.remove(m)
	}
	all := t.actors()
	r.bury(all)
	return all
}

// cancelled returns the known actors below a prefix.
func (r *roster) cancelled(prefix string) []ActorID {
	return r.removeAll(func(m member) bool { return below(m.Actor, prefix) })
}

// closed returns the actors that die with a descriptor: of a tab its watcher
// and targets, of a process everything that lives in it.
func (r *roster) closed(descriptor ActorID) []ActorID {
	all := []ActorID{descriptor}
	b := r.descriptors[descriptor]
	if b != nil {
		delete(r.descriptors, descriptor)
		if b.watcher != "" {
			all = append(all, b.watcher)
		}
	}
	r.bury(all)
	if b == nil {
		return all
	}
	return append(all, r.removeAll(func(m member) bool {
		return b.watcher != "" && m.watcher == b.watcher ||
			b.pid != 0 && m.ProcessID == b.pid ||
			slices.Contains(b.targets, m.Actor)
	})...)
}

// removeAll takes out every target that fits.
func (r *roster) removeAll(fits func(member) bool) []ActorID {
	var all []ActorID
	for _, m := range r.targets {
		if fits(m) {
			all = append(all, r.remove(m)...)
		}
	}
	return all
}

// remove takes out a target and returns the actors that die with it.
func (r *roster) remove(m member) []ActorID {
	delete(r.targets, m.Actor)
	r.bury(m.all)
	return m.all
}

// bury remembers dead actors, and forgets those that died long ago.
func (r *roster) bury(actors []ActorID) {
	for _, a := range actors {
		if _, already := r.dead[a]; !already {
			r.dead[a] = struct{}{}
			r.burials = append(r.burials, a)
		}
	}
	for len(r.burials) > graves {
		delete(r.dead, r.burials[0])
		r.burials = r.burials[1:]
	}
}
