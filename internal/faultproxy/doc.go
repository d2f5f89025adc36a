// Package faultproxy stands between a server under test and Firefox and breaks
// their connection in every way that the network knows, at an exact moment.
//
// In and out go the bytes of TCP connections on 127.0.0.1. The proxy follows the
// WebSocket frames in both directions, so that a Rule can wait for a packet and
// then cut behind any byte of it. Sizes are bytes.
//
// Start serves until the test ends. One goroutine accepts, two for each
// connection move its bytes; all of them end with Close. The methods of Proxy
// are for any goroutine; a Rule's functions run on the connection's own ones.
package faultproxy
