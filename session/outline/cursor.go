package outline

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrCursor says that a text is no cursor of ours.
var ErrCursor = errors.New("not a cursor")

// Cursor says where a frozen snapshot is to be read on. Its text is opaque to the user; the caller finds the snapshot by
// ID and renders it with the same view.
type Cursor struct {
	Snapshot string // ID of the snapshot, "s4"
	View     View
	Offset   int // units already given
}

// String gives the cursor's text, "" for the zero value.
func (c Cursor) String() string {
	if c == (Cursor{}) {
		return ""
	}
	return c.Snapshot + "." + string(c.View) + "." + strconv.Itoa(c.Offset)
}

// ParseCursor reads what String gave. Anything else is an error that wraps ErrCursor.
func ParseCursor(text string) (Cursor, error) {
	id, rest, _ := strings.Cut(text, ".")
	name, offset, ok := strings.Cut(rest, ".")
	view, known := ParseView(name)
	if !ok || !known || word(id) == "" || !digits(offset) {
		return Cursor{}, fmt.Errorf("%w: %q", ErrCursor, Clean(text, 60))
	}
	n, err := strconv.Atoi(offset)
	if err != nil {
		return Cursor{}, fmt.Errorf("%w: %q", ErrCursor, Clean(text, 60))
	}
	return Cursor{id, view, n}, nil
}

// ParseView gives the view of that name; "" is ViewControls.
func ParseView(name string) (View, bool) {
	switch v := View(name); v {
	case "":
		return ViewControls, true
	case ViewControls, ViewFull, ViewOutline, ViewText:
		return v, true
	}
	return "", false
}
