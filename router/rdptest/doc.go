// Package rdptest is a scripted Firefox for tests: a debugger server behind a
// WebSocket, on net.Pipe or on any listener, that also works inside a
// testing/synctest bubble.
//
// Out of the box it greets, lists tabs, announces targets, tells of processes
// and answers evaluations, all in the shapes and in the order of Firefox 153. A
// test changes that through the exported fields, before the first Dial, and
// provokes faults through [Peer], the server's end of one connection.
//
// Lengths of strings are UTF-16 code units, as in Firefox.
//
// Each connection is served on a goroutine of net/http's; the hooks run there,
// one at a time for each connection. All of them end when the test does. Errors
// of writing are returned by Peer's methods and otherwise ignored: a test that
// ends its connection on purpose need not hear of it.
package rdptest
