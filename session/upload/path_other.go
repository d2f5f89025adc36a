//go:build !unix

package upload

import (
	"os"
	"path/filepath"
	"strings"
)

const openFlags = os.O_RDONLY

// special reports UNC and device paths, whose mere opening can send the user's
// credentials to another computer, and alternate data streams.
func special(path string) bool {
	volume := filepath.VolumeName(path)
	return len(volume) != 2 || strings.Contains(path[len(volume):], ":")
}
