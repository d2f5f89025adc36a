package upload

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"time"
)

// Limits bound one call. All three numbers have to be positive.
type Limits struct {
	MaxFile  int64    // bytes of one file
	MaxTotal int64    // bytes of all files of a call
	Chunk    int      // bytes per chunk, before base64
	Roots    []string // absolute folders that files must lie in; empty means anywhere
}

// maxFiles is how many files a call may name. Each is kept open from its check
// to its last byte, and descriptors are finite.
const maxFiles = 256

// Set is the files of one call, all open.
type Set struct {
	Files []*File
	Total int64 // bytes of all files
}

// Open checks and opens every path, or none: on an error nothing is left open.
func Open(paths []string, limits Limits) (*Set, error) {
	switch {
	case len(paths) == 0:
		return nil, &Error{Kind: Invalid, Index: -1, Reason: "no paths given"}
	case len(paths) > maxFiles:
		return nil, &Error{Kind: TooLarge, Index: -1, Reason: fmt.Sprintf("%d paths given, at most %d are taken in one call", len(paths), maxFiles)}
	}
	set := &Set{}
	for i, path := range paths {
		f, e := open(path, limits, limits.MaxTotal-set.Total)
		if e != nil {
			set.Close()
			return nil, e.at(i, f.Name)
		}
		f.index = i
		set.Files = append(set.Files, f)
		set.Total += f.Size
	}
	return set, nil
}

// open does one file. The File that it returns beside an error has a name only.
func open(path string, limits Limits, left int64) (*File, *Error) {
	c, e := check(path, limits.Roots)
	f := &File{Name: c.name, chunk: limits.Chunk, hash: sha256.New()}
	if e != nil {
		return f, e
	}
	src, info, e := c.open()
	if e != nil {
		return f, e
	}
	f.src, f.info, f.Size, f.Modified = src, info, info.Size(), info.ModTime()
	if e := fits(f.Size, limits, left); e != nil {
		_ = src.Close()
		return f, e
	}
	f.Type = typeOf(f.Name, src)
	return f, nil
}

func fits(size int64, limits Limits, left int64) *Error {
	switch {
	case size > limits.MaxFile:
		return &Error{Kind: TooLarge, Reason: fmt.Sprintf("%d bytes, at most %d are allowed for one file", size, limits.MaxFile)}
	case size > left:
		return &Error{Kind: TooLarge, Reason: fmt.Sprintf("with its %d bytes the call exceeds the %d allowed for all its files", size, limits.MaxTotal)}
	}
	return nil
}

// Close closes all files. Those that have been read to their end are closed
// already, and Close may be called again. Closing what was only read has no
// failure worth telling.
func (s *Set) Close() {
	for _, f := range s.Files {
		f.close()
	}
}

// File is one file: what a page is told of it, and its bytes.
type File struct {
	Name     string // last element of the path, never empty, without a separator
	Size     int64
	Type     string // MIME type without parameters
	Modified time.Time

	index int
	src   *os.File
	info  fs.FileInfo // as it was when opened
	chunk int
	buf   []byte // for one chunk, while the file is being read
	next  int    // index of the next chunk
	done  int64  // bytes read so far
	hash  hash.Hash
}

// Chunk is one piece of a File.
type Chunk struct {
	Index int    // from 0, in each file anew
	End   int64  // bytes of the file up to and including this chunk
	Data  string // base64, padded, of at most Limits.Chunk bytes
}

// Next reads the next chunk. After the last it returns io.EOF, once it is sure
// that the file is still as it was when it was opened; an empty file has no
// chunks. An *Error of kind Changed says that it is not, and what was read of
// it is worthless.
func (f *File) Next() (Chunk, error) {
	if f.done == f.Size {
		return Chunk{}, f.finish()
	}
	if f.buf == nil {
		f.buf = make([]byte, min(int64(f.chunk), f.Size))
	}
	piece := f.buf[:min(int64(len(f.buf)), f.Size-f.done)]
	if _, err := io.ReadFull(f.src, piece); err != nil {
		return Chunk{}, f.failed(err)
	}
	f.hash.Write(piece)
	f.done += int64(len(piece))
	c := Chunk{Index: f.next, End: f.done, Data: base64.StdEncoding.EncodeToString(piece)}
	f.next++
	return c, nil
}

// finish looks for bytes beyond the size and for a write in the meantime (in
// this order: only a real read finds what /proc and its like keep back), and
// closes the file.
func (f *File) finish() error {
	if f.src == nil {
		return io.EOF
	}
	var more [1]byte
	if n, err := f.src.Read(more[:]); n > 0 {
		return changed("it holds more bytes than it did when it was opened").at(f.index, f.Name)
	} else if err != nil && !errors.Is(err, io.EOF) {
		return f.failed(err)
	}
	info, err := f.src.Stat()
	if err != nil {
		return f.failed(err)
	}
	if info.Size() != f.Size || !info.ModTime().Equal(f.info.ModTime()) {
		return changed("it was written while it was being read").at(f.index, f.Name)
	}
	f.close()
	return io.EOF
}

func (f *File) failed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return changed("it became shorter while it was being read").at(f.index, f.Name)
	}
	return system(err).at(f.index, f.Name)
}

func (f *File) close() {
	if f.src != nil {
		_ = f.src.Close()
		f.src, f.buf = nil, nil
	}
}

// Digest is the SHA-256 of the bytes that Next has given out so far, in lower
// case hexadecimal digits; of the whole file once Next has returned io.EOF.
func (f *File) Digest() string { return hex.EncodeToString(f.hash.Sum(nil)) }
