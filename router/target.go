package router

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Target is one document, or one process, as Firefox announces it. Absent
// members are zero.
type Target struct {
	Actor               ActorID         `json:"actor"`
	ConsoleActor        ActorID         `json:"consoleActor"`
	BrowsingContextID   int64           `json:"browsingContextID"`
	InnerWindowID       int64           `json:"innerWindowId"`
	ParentInnerWindowID int64           `json:"parentInnerWindowId"` // of the document that holds this one in a frame
	TopInnerWindowID    int64           `json:"topInnerWindowId"`    // of the tab's document
	ProcessID           int             `json:"processID"`           // of the operating system
	Top                 bool            `json:"isTopLevelTarget"`    // the tab's document
	Private             bool            `json:"isPrivate"`           // in a private window
	URL                 string          `json:"url"`
	Title               string          `json:"title"`
	Raw                 json.RawMessage `json:"-"` // the whole form
}

// ParseTarget reads the form of a target, as it stands in
// target-available-form and in the replies to getTarget. Its errors wrap
// ErrProtocol.
func ParseTarget(form json.RawMessage) (Target, error) {
	var t Target
	if err := json.Unmarshal(form, &t); err != nil {
		return Target{}, fmt.Errorf("%w: target form: %w", ErrProtocol, err)
	}
	if t.Actor == "" {
		return Target{}, fmt.Errorf("%w: target form without an actor", ErrProtocol)
	}
	t.Raw = form
	return t, nil
}

// actors lists the target itself and the actors that live and die with it: all
// members of its form whose name ends in Actor.
func (t Target) actors() []ActorID {
	all := []ActorID{t.Actor}
	var form map[string]json.RawMessage
	if json.Unmarshal(t.Raw, &form) != nil {
		return all
	}
	for name, raw := range form {
		if id := text(raw); id != "" && strings.HasSuffix(name, "Actor") {
			all = append(all, ActorID(id))
		}
	}
	return all
}
