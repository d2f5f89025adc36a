package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rivo/uniseg"
)

// On names what to act on: an element of a tab ("" for the selected tab).
type On struct {
	Tab     TabID
	Element Ref
	Watch   time.Duration // how long to watch what comes of it; 0: do not look

	// Untold says that the caller is not told what changed. References then go on
	// meaning what the caller last saw: an element that has got another name is
	// stale, not the same under its new name.
	Untold bool
}

func (o On) deed(method string, args map[string]any) deed {
	return deed{tab: o.Tab, element: o.Element, method: method, args: args, settle: o.Watch, untold: o.Untold}
}

// ClickArgs describe a click.
type ClickArgs struct {
	On

	Button    string   // left (default), middle or right
	Count     int      // 1 (default), or 2 for a double click
	Modifiers []string // Alt, Control, Meta, Shift
}

// Click clicks an element with the events that a user's click has, all
// synthetic. A link to a new tab, which Firefox's popup blocker would swallow,
// is opened beside the tab.
func (s *Session) Click(ctx context.Context, a ClickArgs) (*Action, error) {
	setDefault(&a.Button, "left")
	setDefault(&a.Count, 1)
	return s.act(ctx, a.deed("click", map[string]any{"button": a.Button, "count": a.Count, "modifiers": a.Modifiers}))
}

// Hover moves a synthetic pointer over an element.
func (s *Session) Hover(ctx context.Context, o On) (*Action, error) {
	return s.act(ctx, o.deed("hover", nil))
}

// FillArgs say what a field's value is to be.
type FillArgs struct {
	On

	Value  string
	Submit bool // and submit the form
}

// Fill replaces the value of a control and reads back what the page kept, at
// once and again when the page has come to rest.
func (s *Session) Fill(ctx context.Context, a FillArgs) (*Action, error) {
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	return t.do(ctx, a.deed("fill", map[string]any{"value": a.Value, "submit": a.Submit}))
}

// FillFormArgs are several fields of one page.
type FillFormArgs struct {
	Tab    TabID
	Fields []Field
	Submit bool // and submit the form of the last field
	Watch  time.Duration
	Untold bool // as in On; what the fields before the last changed is never told
}

// Field is one of them.
type Field struct {
	Element Ref
	Value   string
}

// FillForm fills fields in order and stops at the first failure, whose message
// says which fields were done.
func (s *Session) FillForm(ctx context.Context, a FillFormArgs) ([]*Action, error) {
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	var done []*Action
	for i, f := range a.Fields {
		last := i == len(a.Fields)-1
		on := On{Element: f.Element, Watch: a.Watch, Untold: a.Untold || !last}
		out, err := t.do(ctx, on.deed("fill", map[string]any{"value": f.Value, "submit": a.Submit && last}))
		if err != nil {
			return done, partly(err, f.Element, done)
		}
		done = append(done, out)
	}
	return done, nil
}

// partly adds to a fault what had been done before it.
func partly(err error, at Ref, done []*Action) error {
	f := *AsFault(err)
	names := make([]string, len(done))
	for i, d := range done {
		names[i] = string(d.Element)
	}
	so := "no field was filled before it"
	if len(names) > 0 {
		so = "filled before it: " + strings.Join(names, ", ")
	}
	f.Message = fmt.Sprintf("%s: %s; %s", at, f.Message, so)
	return &f
}

// SelectArgs say which options are to be chosen.
type SelectArgs struct {
	On

	Values []string // values or labels
}

// SelectOption chooses options of a native select, a listbox or a combobox.
func (s *Session) SelectOption(ctx context.Context, a SelectArgs) (*Action, error) {
	return s.act(ctx, a.deed("select", map[string]any{"values": a.Values}))
}

// TypeArgs say what is to be typed.
type TypeArgs struct {
	On

	Text    string
	Delay   time.Duration // between characters
	Replace bool          // instead of appending
	Submit  bool          // press Enter afterwards
	Done    func(typed, total int)
}

// typeBatch is how many characters one evaluation types when there is no delay.
// It bounds how long a cancelled call goes on.
const typeBatch = 50

// Type types a text character by character (grapheme clusters, so that no
// accent is torn from its letter), with key events. Delays pass outside the
// page; a cancelled call ends between characters.
func (s *Session) Type(ctx context.Context, a TypeArgs) (*Action, error) {
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	batches := batchesOf(a.Text, a.Delay)
	var out *Action
	for i, batch := range batches {
		last := i == len(batches)-1
		d := a.deed("type", map[string]any{"text": batch, "first": i == 0, "last": last, "mode": mode(a.Replace), "submit": a.Submit && last})
		if !last {
			d.settle = 0
		}
		if out, err = t.do(ctx, d); err != nil {
			return nil, typedSoFar(err, i, len(batches))
		}
		if a.Done != nil {
			a.Done(i+1, len(batches))
		}
		if !last && a.Delay > 0 {
			if err := pauseFor(ctx, a.Delay); err != nil {
				return nil, typedSoFar(err, i+1, len(batches))
			}
		}
	}
	return out, nil
}

func mode(replace bool) string {
	if replace {
		return "replace"
	}
	return "append"
}

// batchesOf cuts a text into what one evaluation types; there is always one.
func batchesOf(text string, delay time.Duration) [][]string {
	size := typeBatch
	if delay > 0 {
		size = 1
	}
	batches := [][]string{{}}
	for g := uniseg.NewGraphemes(text); g.Next(); {
		last := len(batches) - 1
		if len(batches[last]) == size {
			batches = append(batches, nil)
			last++
		}
		batches[last] = append(batches[last], g.Str())
	}
	return batches
}

func typedSoFar(err error, done, total int) error {
	if total == 1 {
		return err
	}
	f := *AsFault(fromConnection(err))
	f.Message = fmt.Sprintf("%s (%d of %d parts had been typed)", f.Message, done, total)
	return &f
}

// PressArgs describe a key press.
type PressArgs struct {
	On // the active element when Element is ""

	Key       string
	Modifiers []string
	Count     int
}

// Press sends a key to an element or to what has the focus, and stands in for
// the default action where Firefox takes none for synthetic keys.
func (s *Session) Press(ctx context.Context, a PressArgs) (*Action, error) {
	setDefault(&a.Count, 1)
	return s.act(ctx, a.deed("key", map[string]any{"key": a.Key, "modifiers": a.Modifiers, "count": a.Count}))
}

// ScrollArgs say where to scroll: to an element, to an end of the page, or by
// CSS pixels.
type ScrollArgs struct {
	On

	To     string // top or bottom
	DX, DY int
}

// Scroll scrolls and reports the position.
func (s *Session) Scroll(ctx context.Context, a ScrollArgs) (*Action, error) {
	return s.act(ctx, a.deed("scroll", map[string]any{"to": a.To, "dx": a.DX, "dy": a.DY}))
}

// Drag drags an element onto another one of the same document.
func (s *Session) Drag(ctx context.Context, o On, target Ref) (*Action, error) {
	t, err := s.beginPage(ctx, o.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	from, _, err := t.locate(ctx, o.Element)
	if err != nil {
		return nil, err
	}
	to, loc, err := t.locate(ctx, target)
	if err != nil {
		return nil, err
	}
	if from.key() != to.key() {
		return nil, Faultf(UnsupportedElement, "%s and %s are in different frames; a drag cannot cross them", o.Element, target)
	}
	return t.do(ctx, o.deed("drag", map[string]any{"target": loc.expectation()}))
}
