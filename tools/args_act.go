package tools

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// click presses and releases a mouse button on an element.
type click struct {
	onElement
	elementID
	WaitAfterMS int      `json:"wait_after_ms,omitempty" jsonschema:"longest wait to settle"`
	Button      string   `json:"button,omitempty" jsonschema:"mouse button"`
	Count       int      `json:"count,omitempty" jsonschema:"2: double click"`
	Modifiers   []string `json:"modifiers,omitempty" jsonschema:"keys held down"`
}

func (a click) shape(s shape, c Config) {
	a.onElement.shape(s, c)
	shapeModifiers(s)
	s.between("wait_after_ms", 0, maxWaitAfter)
	s.byDefault("wait_after_ms", waitAfter)
	s.oneOf("button", "left", "middle", "right")
	s.byDefault("button", "left")
	s.between("count", 1, 3)
	s.byDefault("count", 1)
}

// hover moves the pointer over an element.
type hover struct{ onElement }

// fill sets the value of a control.
type fill struct {
	onElement
	Value  string `json:"value" jsonschema:"new value; dates as YYYY-MM-DD"`
	Submit bool   `json:"submit,omitempty" jsonschema:"also submit the form"`
}

func (a fill) shape(s shape, c Config) {
	a.onElement.shape(s, c)
	s.length("value", maxValue)
}

// fillForm sets the values of several controls.
type fillForm struct {
	Fields []field `json:"fields" jsonschema:"in order"`
	Submit bool    `json:"submit,omitempty" jsonschema:"also submit the form"`
	onPage
}

// field is one of the fields of fillForm.
type field struct {
	Element string `json:"element" jsonschema:"reference"`
	Value   string `json:"value" jsonschema:"as in fill"`
}

func (a fillForm) shape(s shape, c Config) {
	a.onPage.shape(s, c)
	s.items("fields", 1, maxItems).length("value", maxValue)
}

func (a fillForm) check() error {
	for i, f := range a.Fields {
		if err := checkReference(indexed("fields", i)+".element", f.Element); err != nil {
			return err
		}
	}
	return nil
}

// selectOption chooses in lists.
type selectOption struct {
	onElement
	Values []string `json:"values" jsonschema:"values or labels; [] clears a multiple choice"`
}

func (a selectOption) shape(s shape, c Config) {
	a.onElement.shape(s, c)
	s.items("values", 0, maxItems)
}

// typeText presses one key after another.
type typeText struct {
	onElement
	elementID
	Text    string `json:"text" jsonschema:"what to type"`
	DelayMS int    `json:"delay_ms,omitempty" jsonschema:"between characters"`
	Submit  bool   `json:"submit,omitempty" jsonschema:"press Enter afterwards"`
	Mode    string `json:"mode,omitempty" jsonschema:"append, or replace what is there"`
}

func (a typeText) shape(s shape, c Config) {
	a.onElement.shape(s, c)
	s.length("text", maxText)
	s.between("delay_ms", 0, maxTypeDelay)
	s.oneOf("mode", "append", "replace")
	s.byDefault("mode", "append")
}

// keyNames are the keys that have a name. The space bar is Space.
var keyNames = []string{
	"Enter", "Tab", "Escape", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight",
	"Backspace", "Delete", "Home", "End", "PageUp", "PageDown",
}

// pressKey presses one key.
type pressKey struct {
	Key string `json:"key" jsonschema:"Enter, Tab, Escape, Space, ArrowUp/Down/Left/Right, Backspace, Delete, Home, End, PageUp, PageDown or one character"`
	maybeElement
	Modifiers []string `json:"modifiers,omitempty" jsonschema:"keys held down"`
	Count     int      `json:"count,omitempty" jsonschema:"how often"`
	onPage
}

func (a pressKey) shape(s shape, c Config) {
	a.onPage.shape(s, c)
	shapeModifiers(s)
	s.between("count", 1, maxItems)
	s.byDefault("count", 1)
}

// check allows a single character only where it is meant: on a named element, or
// as a shortcut with modifiers. A misspelt or unknown key is refused rather than
// typed into whatever has the focus.
func (a pressKey) check() error {
	if err := a.maybeElement.check(); err != nil {
		return err
	}
	if slices.Contains(keyNames, a.Key) {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(a.Key)
	switch {
	case uniseg.GraphemeClusterCount(a.Key) != 1 || unicode.IsControl(first):
		return broken("key", "must be one of the named keys or a single character")
	case a.Element == "" && len(a.Modifiers) == 0:
		return broken("key", "may be a single character only together with element or modifiers")
	}
	return nil
}

// scroll moves the view.
type scroll struct {
	maybeElement
	To string `json:"to,omitempty" jsonschema:"end of the page"`
	DX int    `json:"dx,omitempty" jsonschema:"pixels to the right"`
	DY int    `json:"dy,omitempty" jsonschema:"pixels down"`
	onPage
}

func (a scroll) shape(s shape, c Config) {
	a.onPage.shape(s, c)
	s.oneOf("to", "top", "bottom")
}

func (a scroll) check() error {
	return firstError(
		exactlyOne(given{"element", a.Element != ""}, given{"to", a.To != ""}, given{"dx and dy", a.DX != 0 || a.DY != 0}),
		a.maybeElement.check(),
	)
}

// drag moves one element onto another.
type drag struct {
	onElement
	Target string `json:"target" jsonschema:"reference to drop on"`
}

func (a drag) check() error {
	return firstError(a.onElement.check(), checkReference("target", a.Target))
}
