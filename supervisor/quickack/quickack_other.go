//go:build !linux && !darwin && !windows

package quickack

import "net"

// Supported reports whether this system can acknowledge at once.
const Supported = false

// Wrap returns c as it is.
func Wrap(c net.Conn) net.Conn { return c }
