// Package firefoxtest starts a throw-away headless Firefox for tests, benchmarks
// and the demo, and looks at its pages from Firefox's own side of the fence.
//
// Start launches the browser named by the environment variable FIREFOX, else
// firefox-esr or firefox from PATH, with a fresh profile and a debugger server
// on a free loopback port. A missing Firefox is an error that says how to
// install one; tests never skip because of it.
//
// Client is a bare RDP client, without any of the product's code: one
// goroutine, one request at a time. It serves as the oracle of tests (what is
// true of a page, whatever the page's scripts say) and as the floor of
// benchmarks.
package firefoxtest
