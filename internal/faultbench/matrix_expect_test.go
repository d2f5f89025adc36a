package faultbench

import (
	fp "firefox-rdp-mcp/internal/faultproxy"
)

// blow is a fault with what it may lead to.
type blow struct {
	fp.Fault

	mend   func(b *bench) // after the call was answered
	expect func(m string, f family) expected
	late   bool // it may be found out only by the call that follows
	gone   bool // the page is gone, with all that it has counted
	other  bool // it is another Firefox afterwards
}

// expected is what a cell may give.
type expected struct {
	codes    []string
	min, max int  // effects
	replaced bool // the connection is another afterwards
}

var wireFaults = []fp.Fault{fp.Cut, fp.Reset, fp.Half, fp.Closing, fp.Garbage, fp.NoJSON, fp.Binary, fp.StallIn, fp.StallOut, fp.Slow, fp.Thin, fp.Split}

func isStall(f fp.Fault) bool { return f.Name == fp.StallIn.Name || f.Name == fp.StallOut.Name }

// onTheWire are the faults of the connection.
func onTheWire() (all []blow) {
	for _, f := range wireFaults {
		all = append(all, blow{
			Fault: f, late: isStall(f), mend: func(b *bench) { b.proxy.Heal() },
			expect: func(m string, of family) expected { return expect(f, m, of) },
		})
	}
	return all
}

// lostBy gives the codes of a call whose connection a fault has ended.
func lostBy(fault fp.Fault, f family) []string {
	switch {
	case fault.Name == fp.NoJSON.Name:
		return []string{"rdp_protocol_error"}
	case isStall(fault) && f.name == "navigate":
		return []string{"rdp_timeout", "navigation_timeout"}
	case isStall(fault):
		return []string{"rdp_timeout"}
	}
	return []string{"connection_lost"}
}

// expect says what a fault of the connection may lead to.
func expect(fault fp.Fault, m string, f family) expected {
	lost := lostBy(fault, f)
	harmless := !fault.Fatal && !isStall(fault)
	switch {
	case harmless:
		return expected{codes: []string{f.well}, min: f.once, max: f.once}
	case m == "idle" && fault.Name == fp.StallIn.Name: // what is asked arrives
		return expected{codes: lost, max: f.once, replaced: true}
	case m == "idle" && isStall(fault):
		return expected{codes: lost, replaced: true}
	case m == "idle":
		// The call may come before the end of the connection has been noticed.
		well, once := f.well, f.once
		if f.bound {
			well, once = "stale_element", 0
		}
		return expected{codes: append(lost, well), max: once, replaced: true}
	case fault.Name == fp.StallOut.Name && m != "before" && m != "in the request":
		// If nothing more has to be sent, the call may end well.
		return expected{codes: append(lost, f.well), max: f.once}
	case fault.Name == fp.StallIn.Name && f.name == "navigate" && m == "before":
		// The page seems to hang, and the browser's own side loads.
		return expected{codes: lost, max: f.once, replaced: true}
	case m == "in the request" && isStall(fault):
		// What is sent next breaks the frame, and Firefox closes the connection.
		return expected{codes: append(lost, "connection_lost"), replaced: true}
	case m == "before" || m == "in the request":
		return expected{codes: lost, replaced: true}
	case m == "awaiting":
		return expected{codes: lost, min: f.once, max: f.once, replaced: true}
	case f.name == "upload":
		return expected{codes: lost, replaced: true} // its chunks have no effect
	case f.name == "open":
		return expected{codes: lost, replaced: true} // the tab is empty as yet
	}
	return expected{codes: lost, max: f.once, replaced: true}
}
