package upload

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Create writes a new file, readable for its owner only. Its path must be
// absolute, in a folder that exists and lies in one of the roots (links
// resolved; no roots mean anywhere); a file that is there already is never
// touched. A file that cannot be written whole is removed again.
func Create(path string, data []byte, roots []string) error {
	if e := createIn(path, data, roots); e != nil {
		return e.at(-1, filepath.Base(path)) // about no path of a list
	}
	return nil
}

func createIn(path string, data []byte, roots []string) *Error {
	if e := nameable(path); e != nil {
		return e
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	root := ""
	if len(roots) > 0 {
		where := folder
		if err != nil {
			where = filepath.Clean(filepath.Dir(path)) // existing or not, what is outside looks the same
		}
		if root = within(where, roots); root == "" {
			return invalid("outside the folders that files are limited to")
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return invalid("its folder does not exist")
	}
	if err != nil {
		return system(err)
	}
	return writeNew(root, filepath.Join(folder, filepath.Base(path)), data)
}

// nameable applies the rules that need no look at the disk.
func nameable(path string) *Error {
	switch {
	case !filepath.IsAbs(path):
		return invalid("not an absolute path (nothing is expanded)")
	case strings.ContainsRune(path, 0):
		return invalid("the path contains a NUL byte")
	case !utf8.ValidString(path):
		return invalid("the path is not valid UTF-8")
	case os.IsPathSeparator(path[len(path)-1]), filepath.Base(path) == ".", filepath.Base(path) == "..":
		return invalid("the path names no file")
	case special(path):
		return invalid("network and device paths are not written")
	}
	return nil
}

// writeNew creates the file without following a link in its last element, or in any
// element below a root.
func writeNew(root, path string, data []byte) *Error {
	f, remove, err := create(root, path)
	if errors.Is(err, fs.ErrExist) {
		return invalid("there is something at this path already; it is not replaced")
	}
	if err != nil {
		return system(err)
	}
	_, err = f.Write(data)
	if shut := f.Close(); err == nil {
		err = shut
	}
	if err != nil {
		remove()
		return system(err)
	}
	return nil
}

func create(root, path string) (f *os.File, remove func(), err error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if root == "" {
		f, err = os.OpenFile(path, flags, 0o600)
		return f, func() { _ = os.Remove(path) }, err
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return nil, nil, err
	}
	in, err := os.OpenRoot(root)
	if err != nil {
		return nil, nil, err
	}
	f, err = in.OpenFile(rel, flags, 0o600)
	if err != nil {
		_ = in.Close()
		return nil, nil, err
	}
	_ = in.Close()
	return f, func() { _ = os.Remove(path) }, nil
}
