// Package supervisor builds the program out of its actors and decides what the
// end of each one means. It is the only package that sees all others.
//
//	firefox-mcp                        suture, one for one
//	├── stdio             vital        its end is the program's end
//	├── calls             suture       one worker per tool call, never run twice
//	└── browser           group        one for all: if either crashes, both restart
//	    ├── session                    tabs, generation, references, the turn
//	    └── link                       dials, backs off, says up and down
//	        └── connection n  group    one for all, built afresh for every dial
//	            ├── reader             socket → messages
//	            ├── writer             frames → socket
//	            ├── serializer         when a request may go
//	            └── router             where an answer belongs
//
// # What an end means
//
// The policy lies around an actor, never in it (policy.go): vital ends the
// program, once is never repeated, a member of a group ends its group. All of
// them turn a panic into an error first. Only the browser group is restarted by
// suture; its restart forgets tabs and references, but generations and epochs
// go on rising.
//
// A connection ends as a whole: on a protocol error, a deadline, a panic or a
// closed socket. All of its members, and so everyone who waits for an answer,
// see the first cause as the cause of their context. Link then tells the session
// and builds the next connection from nothing. Redialling is link's own loop; to
// suture it looks like one long life.
//
// # How it ends
//
// The end of Run's context asks stdio to finish: calls under way are cancelled
// and answered, pages that we opened are closed. When stdio has ended, for this
// reason or because its input did, everything else is stopped at once, each
// supervisor waiting for its children for stopTimeout at most.
//
// # Shapes and units
//
// In come the environment and flags (Config, whose fields say their units), the
// standard streams and a logger. Sizes are bytes unless a name says characters,
// which are Unicode code points.
//
// # Errors
//
// FromEnv returns a ConfigError that names the bad setting. A dial that fails
// is a DialError in the news for the session; its text is written for people. A
// caught panic is a PanicError. Run returns nil for an ordinary end.
//
// # Goroutines
//
// Actors run on goroutines that suture starts and waits for. Beside them there
// is one, of a Stderr, which ends with its Close. Everything is meant to be
// called from one goroutine, that of main, except Stderr's Write.
package supervisor
