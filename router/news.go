package router

import (
	"encoding/json"
	"time"
)

// News is what Firefox or the link says without being asked. Epoch is the
// number of the connection it is about.
type News interface{ news() }

// Connecting is a step of a dial: "connect", "upgrade" or "greeting".
type Connecting struct {
	Attempt int
	Stage   string
}

// Up begins a connection; all other news with its epoch come later.
type Up struct {
	Conn     *Conn
	Greeting Packet
}

// Down is the end of a connection, or a dial that failed (Epoch 0).
type Down struct {
	Epoch   int
	Cause   error
	Attempt int           // number of the dial that comes next
	Retry   time.Duration // until that dial, unless somebody kicks
	Lived   time.Duration
}

// TabListChanged is a hint that listTabs may answer differently now. Firefox
// says it once per listTabs, and not for every change.
type TabListChanged struct{ Epoch int }

// TargetAvailable announces a document or a process of a watched tab. A new
// top-level target replaces the one before, whatever else is said about that.
type TargetAvailable struct {
	Epoch   int
	Watcher ActorID
	Target  Target
}

// TargetDestroyed tells of the end of a target. It may come twice, and after
// its successor was announced.
type TargetDestroyed struct {
	Epoch   int
	Watcher ActorID
	Actor   ActorID
}

// DescriptorDestroyed tells that a tab was closed or a process died: Actor is
// the descriptor of the tab or of the process.
type DescriptorDestroyed struct {
	Epoch int
	Actor ActorID
}

// ForwardingCancelled tells that all actors below Prefix are gone; Covers says
// which those are.
type ForwardingCancelled struct {
	Epoch  int
	Prefix string
}

// Covers reports whether an actor lies below the prefix. Firefox sends some
// prefixes with a slash at the end and some without; server1.conn0.process5
// must not cover server1.conn0.process57/console2.
func (n ForwardingCancelled) Covers(actor ActorID) bool { return below(actor, n.Prefix) }

// DocumentEvent is a step in the life of a document. Name is will-navigate
// (from the watcher, URL is the new address, the ids are the old document's),
// dom-loading, dom-interactive or dom-complete (from the target, no ids).
type DocumentEvent struct {
	Epoch             int
	From              ActorID
	Name              string
	URL               string // empty in dom-complete
	Title             string // only in dom-interactive
	BrowsingContextID int64
	InnerWindowID     int64
}

// Resource is one watched resource of any other kind. Change is "available",
// "updated" or "destroyed"; Raw is the resource, or the description of its
// change, as Firefox sent it.
type Resource struct {
	Epoch  int
	From   ActorID
	Kind   string
	Change string
	Raw    json.RawMessage
}

func (Connecting) news()          {}
func (Up) news()                  {}
func (Down) news()                {}
func (TabListChanged) news()      {}
func (TargetAvailable) news()     {}
func (TargetDestroyed) news()     {}
func (DescriptorDestroyed) news() {}
func (ForwardingCancelled) news() {}
func (DocumentEvent) news()       {}
func (Resource) news()            {}
