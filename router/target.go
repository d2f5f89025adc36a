package router

import "encoding/json"

// Target is one document, or one process, as Firefox announces it. Absent
// members are zero.
type Target struct {
	Actor               ActorID
	ConsoleActor        ActorID
	BrowsingContextID   int64
	InnerWindowID       int64
	ParentInnerWindowID int64 // of the document that holds this one in a frame
	TopInnerWindowID    int64 // of the tab's document
	ProcessID           int   // of the operating system
	Top                 bool  // the tab's document
	Private             bool  // in a private window
	URL                 string
	Title               string
	Raw                 json.RawMessage // the whole form
}
