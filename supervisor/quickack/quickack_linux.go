package quickack

import (
	"net"
	"syscall"
)

// Supported reports whether this system can acknowledge at once.
const Supported = true

// conn sets TCP_QUICKACK around every Read: Linux clears the option by itself
// whenever it thinks that the connection has become interactive.
type conn struct {
	*net.TCPConn
	raw syscall.RawConn
}

// Wrap returns c with prompt acknowledgement, or c itself if it is no TCP
// connection.
func Wrap(c net.Conn) net.Conn {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return c
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return c
	}
	return &conn{TCPConn: tcp, raw: raw}
}

// Read reads as net.Conn does. It acknowledges what is already there before it
// waits (a large message comes in many segments), and what it got afterwards.
func (c *conn) Read(p []byte) (int, error) {
	c.ack()
	n, err := c.TCPConn.Read(p)
	c.ack()
	return n, err
}

// ack sets the option. A failure costs speed and nothing else, so it is not
// reported.
func (c *conn) ack() {
	_ = c.raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
	})
}
