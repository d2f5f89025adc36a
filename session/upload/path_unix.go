//go:build unix

package upload

import (
	"os"
	"syscall"
)

// openFlags: a pipe or a terminal that has slipped into the place of the
// checked file must neither block us nor become our terminal, and the resolved
// path has no link at its end.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY | syscall.O_NOFOLLOW

// special reports paths that are absolute but reach beyond this computer's
// files. Unix keeps those in the file system, where their mode tells.
func special(string) bool { return false }
