package session

import "time"

// Config holds what a Session needs to know from outside. The zero value of a
// field means its default.
type Config struct {
	Host string // configured endpoint, for status only
	Port int

	Request     time.Duration // direct reply of Firefox, and upper bound of a whole page call; default 30 s
	Privileged  bool          // isolated agents and parent-process snippets are allowed
	MaxElements int           // controls per snapshot; default 500
	MaxText     int           // code points of page text per snapshot; default 50,000
	Budget      int           // tokens per snapshot unless the call says otherwise; default 4,000
	AllowHosts  []string      // hosts that may be navigated to; empty means any

	MaxSessions    int           // tabs of ours at a time; default 10
	SessionTimeout time.Duration // idle time after which one is closed; default 300 s
	NoJavaScript   bool          // pages in tabs of ours do not run their scripts
	Evaluate       EvaluateIn    // where scripts of the caller are run
	Upload         UploadLimits
}

// UploadLimits bound what upload_files may read and send, in bytes.
type UploadLimits struct {
	MaxFile  int64    // per file; default 25 MiB
	MaxTotal int64    // per call; default 50 MiB
	Chunk    int      // raw bytes per packet; default 256 KiB
	Roots    []string // folders that files must lie in; empty means anywhere
}

// Durations of the steps of a call. They are constants because nobody has yet
// had a reason to set them.
const (
	dialPatience   = 2 * time.Second        // a call's wait for the dial that it triggered
	pagePatience   = 10 * time.Second       // one step of a call in a page, before the page counts as unresponsive
	framePatience  = 2 * time.Second        // the same for a frame inside a page
	arrivalTime    = 5 * time.Second        // between the end of one document and the next
	missPatience   = time.Second            // of that, before we look whether the tab has been put to sleep
	dialogPatience = 250 * time.Millisecond // silence of an acting step before we look for a dialog
	rootPatience   = time.Second            // the session's own answer to the end of a turn
	pulsePatience  = 2 * time.Second        // root's answer when a page is silent, before the connection is given up
	parentPatience = 5 * time.Second        // a snippet in the parent process
)

func (c Config) withDefaults() Config {
	setDefault(&c.Request, 30*time.Second)
	setDefault(&c.MaxElements, 500)
	setDefault(&c.MaxText, 50_000)
	setDefault(&c.Budget, 4000)
	setDefault(&c.MaxSessions, 10)
	setDefault(&c.SessionTimeout, 300*time.Second)
	setDefault(&c.Upload.MaxFile, 25<<20)
	setDefault(&c.Upload.MaxTotal, 50<<20)
	setDefault(&c.Upload.Chunk, 256<<10)
	return c
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
