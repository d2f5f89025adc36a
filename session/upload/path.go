package upload

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// checked is a path that has passed every test that needs no open file.
type checked struct {
	name     string      // last element of the path as given
	resolved string      // without links
	root     string      // the resolved root that it lies in, "" if there are no roots
	info     fs.FileInfo // what the path led to
}

// check applies the rules to one path, in an order that tells nothing about
// files outside the roots.
func check(path string, roots []string) (checked, *Error) {
	c := checked{name: filepath.Base(path)}
	switch {
	case !filepath.IsAbs(path):
		return c, invalid("not an absolute path (nothing is expanded)")
	case strings.ContainsRune(path, 0):
		return c, invalid("the path contains a NUL byte")
	case !utf8.ValidString(path):
		return c, invalid("the path is not valid UTF-8")
	case os.IsPathSeparator(path[len(path)-1]):
		return c, invalid("the path ends in a separator, so it names no file")
	case special(path):
		return c, invalid("network and device paths are not read")
	}
	// Stat asks the kernel about the path as it stands, which EvalSymlinks alone
	// does not: it would accept "file.txt/.".
	info, err := os.Stat(path)
	if err == nil {
		c.resolved, err = filepath.EvalSymlinks(path)
	}
	if len(roots) > 0 {
		where := c.resolved
		if err != nil {
			where = filepath.Clean(path) // existing or not, what is outside looks the same
		}
		if c.root = within(where, roots); c.root == "" {
			return c, invalid("outside the folders that uploads are limited to")
		}
	}
	if err != nil {
		return c, system(err)
	}
	c.info = info
	return c, regular(info.Mode())
}

// regular refuses everything but regular files, by name.
func regular(mode fs.FileMode) *Error {
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return invalid("a folder, not a file")
	case mode&fs.ModeNamedPipe != 0:
		return invalid("a pipe, not a file")
	case mode&fs.ModeSocket != 0:
		return invalid("a socket, not a file")
	case mode&fs.ModeDevice != 0:
		return invalid("a device, not a file")
	}
	return invalid("not a regular file")
}

// within returns the root that contains a path, links resolved, or "". A root
// that is not there at the moment contains nothing.
func within(path string, roots []string) string {
	for _, root := range roots {
		resolved, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		// What has no links in it can only lie below the real root; what could not
		// be resolved may still be spelled with the root's own links.
		for _, base := range []string{resolved, root} {
			if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
				return resolved
			}
		}
	}
	return ""
}

// open opens the file and makes sure that it is the one that was checked.
// No link is followed any more: with a root not in any element of the path,
// without one not in the last.
func (c checked) open() (*os.File, fs.FileInfo, *Error) {
	f, err := c.openFile()
	if err != nil {
		e := system(err)
		if !errors.Is(err, fs.ErrPermission) {
			// It was there a moment ago.
			e.Kind = Changed
		}
		return nil, nil, e
	}
	info, err := f.Stat()
	if err == nil && os.SameFile(info, c.info) && info.Mode().IsRegular() {
		return f, info, nil
	}
	_ = f.Close()
	if err != nil {
		return nil, nil, system(err)
	}
	return nil, nil, changed("replaced by another file while it was being opened")
}

func (c checked) openFile() (*os.File, error) {
	if c.root == "" {
		return os.OpenFile(c.resolved, openFlags, 0)
	}
	rel, err := filepath.Rel(c.root, c.resolved)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only looked at
	return root.OpenFile(rel, openFlags, 0)
}

// CheckRoots reports whether folders can serve as Limits.Roots: absolute paths
// of folders that exist. It is for the start of the program, when a mistake can
// still be mended; later a root that has gone away just contains nothing.
func CheckRoots(folders []string) error {
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			return fmt.Errorf("%q is not an absolute path", folder)
		}
		info, err := os.Stat(folder)
		if err != nil {
			return fmt.Errorf("%q: %s", folder, system(err).Reason)
		}
		if !info.IsDir() {
			return fmt.Errorf("%q is not a folder", folder)
		}
	}
	return nil
}
