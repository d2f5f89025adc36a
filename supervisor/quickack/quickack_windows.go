package quickack

import (
	"net"
	"syscall"
	"unsafe"
)

// Supported reports whether this system can acknowledge at once.
const Supported = true

// sioTCPSetAckFrequency is SIO_TCP_SET_ACK_FREQUENCY of mstcpip.h,
// _WSAIOW(IOC_VENDOR, 23): how many segments may come before an acknowledgement
// is sent, instead of two or 200 ms.
const sioTCPSetAckFrequency = 0x98000017

// Wrap makes c acknowledge every segment, and returns it. Here the option stays
// set once it is, so that nothing needs to be wrapped.
func Wrap(c net.Conn) net.Conn {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return c
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return c
	}
	// A failure costs speed and nothing else, so it is not reported.
	_ = raw.Control(func(fd uintptr) {
		var frequency, written uint32 = 1, 0
		_ = syscall.WSAIoctl(syscall.Handle(fd), sioTCPSetAckFrequency,
			(*byte)(unsafe.Pointer(&frequency)), uint32(unsafe.Sizeof(frequency)), nil, 0, &written, nil, 0)
	})
	return c
}
