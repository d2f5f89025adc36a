package upload

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Kind says what is wrong with a file.
type Kind int

// The kinds.
const (
	Invalid  Kind = iota + 1 // not the path of a readable regular file that may be read
	TooLarge                 // over the limit for one file or for all
	Changed                  // replaced, written or cut while we looked at it or read it
)

// Error is a failure of one file of a call.
type Error struct {
	Kind   Kind
	Index  int    // position in the call's paths, from 0; -1 when the list itself is wrong
	Name   string // the last element of the path
	Reason string // lower case, without any path
	Err    error  // the system's error without the path, or nil
}

// Error names the file as the caller knows it: by position and last element.
func (e *Error) Error() string {
	if e.Index < 0 {
		return e.Reason
	}
	return fmt.Sprintf("paths[%d] (%q): %s", e.Index, e.Name, e.Reason)
}

// Unwrap gives the system's error, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }

func invalid(reason string) *Error { return &Error{Kind: Invalid, Reason: reason} }

// changed reports a file that is not what it was.
func changed(reason string) *Error { return &Error{Kind: Changed, Reason: reason} }

// system makes an Error of what the operating system said, dropping the path
// that the os package puts into its errors.
func system(err error) *Error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	e := &Error{Kind: Invalid, Err: err}
	errno, isErrno := errors.AsType[syscall.Errno](err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Reason = "no such file"
	case errors.Is(err, fs.ErrPermission):
		e.Reason = "permission denied"
	case isErrno:
		e.Reason = errno.Error()
	default:
		// Text of unknown make may hold a path, so it stays out, in Err too.
		e.Reason, e.Err = "cannot be opened", nil
	}
	return e
}

// at completes an Error with the file that it is about.
func (e *Error) at(index int, name string) *Error {
	e.Index, e.Name = index, name
	return e
}
