package supervisor

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
)

// nameServer answers questions for addresses over connections that it makes up:
// each question gets the next of its answers, the last one for ever.
type nameServer struct{ answers chan netip.Addr }

func (n nameServer) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		for {
			size := make([]byte, 2) // a stream: each message has its length before it
			if _, err := io.ReadFull(theirs, size); err != nil {
				return
			}
			question := make([]byte, binary.BigEndian.Uint16(size))
			if _, err := io.ReadFull(theirs, question); err != nil {
				return
			}
			answer := n.answer(question)
			if _, err := theirs.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
				return
			}
		}
	}()
	return ours, nil
}

// answer makes a reply to a question for A; one for AAAA gets an empty one.
func (n nameServer) answer(question []byte) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	kind := binary.BigEndian.Uint16(question[end+1:])
	msg := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end+5]...)
	if kind != 1 {
		return msg
	}
	addr := <-n.answers
	if len(n.answers) == 0 {
		n.answers <- addr
	}
	msg[7] = 1
	msg = append(msg, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
	return append(msg, addr.AsSlice()...)
}

// TestDialRefusesANameThatChanged has a name mean loopback while it is checked,
// and another machine when it is dialled.
func TestDialRefusesANameThatChanged(t *testing.T) {
	answers := make(chan netip.Addr, 3)
	answers <- netip.MustParseAddr("127.0.0.1")
	answers <- netip.MustParseAddr("192.0.2.1")
	names := &net.Resolver{PreferGo: true, Dial: nameServer{answers}.dial}
	const host = "firefox.test."
	if err := loopback(host, names.LookupNetIP); err != nil {
		t.Fatalf("at the start: %v", err)
	}
	d := newDialer(host, 6000)
	d.tcp = (&net.Dialer{Control: onlyLoopback, Resolver: names}).DialContext
	_, err := dial(t.Context(), d)
	judge(t, err, StageConnect, KindNotLoopback, "no longer means this machine")
	if !errors.Is(err, errNotLoopback) {
		t.Errorf("dial gave %v", err)
	}
}
