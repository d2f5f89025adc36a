// Package session knows the browser as a user knows it: tabs, the pages in
// them, the elements on a page, and what may be done with them.
//
// The words. A tab is a browser tab; its TabID (t3) is ours, is never used for
// another tab while the server runs, and survives a new connection to the same
// browser. A document is one page in one frame of a tab, bound to Firefox's
// inner window; it dies by navigation, by its process's death or with the
// connection. An agent is our page script living in one document. A generation
// counts the lives of a tab's page: another document, another address, another
// connection, another selection. A reference (e17, f1e3) names one element of
// one document in one generation; it is never given to another element. A
// locator is what the server knows about a referenced element. A row is what tells
// it apart from others that look the same, by the words in it. The turn is the
// right to use one tab; calls on one tab take turns, calls on different tabs
// do not wait for each other.
//
// Session is the actor that owns all of this; its state is reached by messages
// only (message.go). The other exported functions run on the goroutine of the
// call that they serve: they ask the session for the turn and for copies of
// what it knows, talk to Firefox through the router.Conn in the grant, and
// report what they saw. The session itself waits for nobody.
//
// Units: lengths in limits are Unicode code points unless said otherwise,
// times are time.Durations inside and milliseconds at the tools' surface.
//
// Errors: everything that leaves the package is a *Fault; fault.go has the
// table of codes.
package session
