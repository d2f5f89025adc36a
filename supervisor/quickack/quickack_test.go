package quickack_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"firefox-rdp-mcp/supervisor/quickack"
)

func TestWrapKeepsTheConnectionWhole(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	raw, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := quickack.Wrap(raw)
	defer c.Close()
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(peer, "to us"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "to them"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 5)
	if _, err := io.ReadFull(c, buf); err != nil || string(buf) != "to us" {
		t.Errorf("read %q, %v", buf, err)
	}
	if err := c.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(buf); err == nil {
		t.Error("a read beyond its deadline succeeded")
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(peer, make([]byte, len("to them"))); err != nil {
		t.Fatal(err)
	}
	peer.Close()
	if _, err := c.Read(buf); !errors.Is(err, io.EOF) {
		t.Errorf("read from a closed peer: %v, want EOF", err)
	}
}

func TestWrapLeavesOtherConnectionsAlone(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if got := quickack.Wrap(a); got != a {
		t.Errorf("Wrap changed a pipe into %T", got)
	}
}
