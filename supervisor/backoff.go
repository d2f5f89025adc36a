package supervisor

import "time"

// Bounds of the wait between two dials. A refused dial on loopback costs
// microseconds, so they are chosen for people: a Firefox that comes back is
// found within a second while somebody works with it, within five otherwise,
// and at once when a call asks (the kick).
const (
	firstDelay  = 50 * time.Millisecond
	busyDelay   = time.Second
	idleDelay   = 5 * time.Second
	promptDelay = time.Minute // each dial may put one more dialog in front of the user

	// busyFor is how long after the last kick somebody still counts as
	// working with the browser.
	busyFor = time.Minute

	// steady is how long a connection must live to prove that the next one
	// deserves a fresh start. One that greets and dies at once does not.
	steady = time.Second
)

// delay is the wait before the next dial, after a number of failures in a row
// (a connection that lived for less than steady is one). quiet is the time since the last kick.
func delay(failures int, quiet time.Duration, kind Kind) time.Duration {
	switch {
	case failures <= 0:
		return 0
	case kind == KindPrompt:
		return promptDelay
	}
	limit := busyDelay
	if quiet > busyFor {
		limit = idleDelay
	}
	// The shift is bounded, so that it cannot overflow.
	return min(firstDelay<<min(failures-1, 10), limit)
}
