package faultproxy

import "time"

// Fault is one way to break a connection, or only to make it worse.
type Fault struct {
	Name string
	// Fatal faults end the connection by themselves; the others leave it to the
	// server to find out, or do no harm.
	Fatal bool
	do    func(c *conn)
	hook  func() // see Meanwhile
}

// Meanwhile is no fault of the connection: something happens elsewhere, and the
// packet in which the moment falls waits for it, and all behind that packet too.
func Meanwhile(name string, happen func()) Fault {
	return Fault{Name: name, do: func(*conn) { happen() }, hook: happen}
}

// The faults.
var (
	// Cut ends both connections in good order, as a killed process's kernel does.
	Cut = Fault{Name: "cut", Fatal: true, do: func(c *conn) { c.end() }}
	// Reset ends the server's connection with RST.
	Reset = Fault{Name: "reset", Fatal: true, do: func(c *conn) { _ = c.server.SetLinger(0); c.end() }}
	// Half sends the beginning of a frame, then cuts.
	Half = Fault{Name: "half a frame", Fatal: true, do: func(c *conn) { c.inject([]byte("\x81\x7e\x10\x00{\"from\":")); c.end() }}
	// Closing sends a close frame with a code, then cuts.
	Closing = Fault{Name: "close frame", Fatal: true, do: func(c *conn) { c.inject(serverFrame(0x88, "\x03\xe9bye")); c.end() }}
	// Garbage sends bytes that are no frame.
	Garbage = Fault{Name: "garbage bytes", Fatal: true, do: func(c *conn) { c.inject([]byte("\xff\xfe\xfd\xfc\xfb\xfa garbage \x00\x01")) }}
	// NoJSON sends a text message that is no packet.
	NoJSON = Fault{Name: "text that is no JSON", Fatal: true, do: func(c *conn) { c.inject(serverFrame(0x81, `{"from":"root",`)) }}
	// Binary sends a binary message.
	Binary = Fault{Name: "binary message", Fatal: true, do: func(c *conn) { c.inject(serverFrame(0x82, "\x01\x02\x03")) }}

	// StallIn stops what Firefox sends; the connection stays open.
	StallIn = Fault{Name: "stall from Firefox", do: func(c *conn) { c.set(func(s *shape) { s.stallIn = true }) }}
	// StallOut stops what the server sends.
	StallOut = Fault{Name: "stall to Firefox", do: func(c *conn) { c.set(func(s *shape) { s.stallOut = true }) }}

	// Slow delays everything that comes from Firefox.
	Slow = Fault{Name: "delay of 150 ms", do: func(c *conn) { c.set(func(s *shape) { s.delay = 150 * time.Millisecond }) }}
	// Thin lets little through at a time, with pauses.
	Thin = Fault{Name: "throttle", do: func(c *conn) { c.set(func(s *shape) { s.piece, s.pause = 512, 2*time.Millisecond }) }}
	// Split sends every byte in a segment of its own: frames are split at each offset.
	Split = Fault{Name: "split at every byte", do: func(c *conn) { c.set(func(s *shape) { s.piece = 1 }) }}
)
