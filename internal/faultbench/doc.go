// Package faultbench holds no code of its own: its tests drive the built program
// as an MCP client does, on a real Firefox, through a proxy that breaks the
// connection (package faultproxy), and break Firefox itself.
//
// TestMatrix breaks the connection at every moment of every kind of call, and
// TestMatrixOfTheBrowser lets the browser fare badly there; they print tables. A
// part of the cells is enough for each run; FAULTS=all runs all of them.
// TestSoak mixes calls of many workers with faults at random for SOAK (a
// duration; without it, not at all) and then looks for what was left behind.
// SEED replays one.
package faultbench
