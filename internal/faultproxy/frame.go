package faultproxy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// frame is one WebSocket frame as it came, with its payload unmasked.
type frame struct {
	raw     []byte
	payload []byte
}

// readHead reads an HTTP head, up to and with its empty line.
func readHead(in *bufio.Reader) ([]byte, error) {
	var head []byte
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		line, err := in.ReadBytes('\n')
		head = append(head, line...)
		if err != nil {
			return head, err
		}
	}
	return head, nil
}

// readFrame reads one frame. With an error it returns what had come of it.
func readFrame(in *bufio.Reader) (frame, error) {
	raw := make([]byte, 2, 14)
	if n, err := io.ReadFull(in, raw); err != nil {
		return frame{raw: raw[:n]}, err
	}
	size := int64(raw[1] & 0x7f)
	masked := raw[1]&0x80 != 0
	more := map[int64]int{126: 2, 127: 8}[size]
	if masked {
		more += 4
	}
	rest := make([]byte, more)
	if n, err := io.ReadFull(in, rest); err != nil {
		return frame{raw: append(raw, rest[:n]...)}, err
	}
	raw = append(raw, rest...)
	switch size {
	case 126:
		size = int64(binary.BigEndian.Uint16(raw[2:]))
	case 127:
		size = int64(binary.BigEndian.Uint64(raw[2:]))
	}
	body := make([]byte, size)
	n, err := io.ReadFull(in, body)
	f := frame{raw: append(bytes.Clone(raw), body[:n]...)}
	if err != nil {
		return f, err
	}
	if masked {
		key := raw[len(raw)-4:]
		for i := range body {
			body[i] ^= key[i%4]
		}
	}
	f.payload = body
	return f, nil
}

// serverFrame makes a frame as Firefox sends it, of less than 126 bytes.
func serverFrame(first byte, payload string) []byte {
	return append([]byte{first, byte(len(payload))}, payload...)
}
