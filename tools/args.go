package tools

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"firefox-rdp-mcp/session"
)

// The bounds of arguments. Lengths are in Unicode code points, times in
// milliseconds.
const (
	maxValue     = 100_000
	maxText      = 10_000
	maxString    = 10_000     // of every string without a bound of its own
	maxName      = 100        // tab ids and references
	maxExtract   = 10_000_000 // of extract_text
	maxLimit     = 500
	maxStatus    = 6
	maxURL       = 65_536
	maxItems     = 100
	maxTimeout   = 120_000
	timeout      = 30_000
	maxTokens    = 100_000
	maxWaitAfter = 5000
	waitAfter    = 250
	minPoll      = 50
	maxPoll      = 2000
	poll         = 250
	maxTypeDelay = 1000
)

// nothing is the arguments of a tool that takes none.
type nothing struct{}

func (nothing) shape(shape, Config) {}
func (nothing) check() error        { return nil }

// page names the tab that a tool is about; the selected one when it is empty.
// SessionID is set when the caller used that name, whose default answer differs.
type page struct {
	TabID     string `json:"tab_id,omitempty" jsonschema:"default: selected"`
	SessionID string `json:"session_id,omitempty" jsonschema:"alias of tab_id"`
}

func (page) shape(shape, Config) {}
func (page) check() error        { return nil }

// onPage is the arguments that all actions share.
type onPage struct {
	page
	respond
}

func (onPage) shape(s shape, _ Config) { s.oneOf("respond_with", "changes", "snapshot", "som", "none") }

// onElement is the arguments that all actions on one element share: its
// reference, whichever of its two names it came under.
type onElement struct {
	Element string `json:"element" jsonschema:"reference, e.g. e5"`
	onPage
}

func (a onElement) check() error { return checkReference("element", a.Element) }

// maybeElement is for tools that can do without an element.
type maybeElement struct {
	Element string `json:"element,omitempty" jsonschema:"reference, e.g. e5"`
}

func (a maybeElement) check() error {
	if a.Element == "" {
		return nil
	}
	return checkReference("element", a.Element)
}

// elementID lists the other name of element, in the tools that are known under
// it elsewhere. It is accepted wherever there is an element.
type elementID struct {
	ElementID string `json:"element_id,omitempty" jsonschema:"alias of element"`
}

// respond says how much of the page an action answers with. Empty: changes, or
// som when the caller named the tab by session_id.
type respond struct {
	RespondWith string `json:"respond_with,omitempty" jsonschema:"default: changes"`
}

func shapeModifiers(s shape) {
	s.items("modifiers", 0, 4).schema.Enum = enum([]string{"Alt", "Control", "Meta", "Shift"})
}

func shapeLoad(s shape) {
	s.oneOf("wait", "none", "dom", "complete")
	s.byDefault("wait", "dom")
	shapeTimeout(s)
}

func shapeTimeout(s shape) {
	s.between("timeout_ms", 0, maxTimeout)
	s.byDefault("timeout_ms", timeout)
}

// reference is what snapshots hand out: e5, or f1e3 in a frame.
var reference = regexp.MustCompile(`^(f[0-9]+)*e[0-9]+$`)

// status is what list_network_requests can be asked for.
var status = regexp.MustCompile(`^([1-5][0-9]{2}|[1-5]xx|failed)$`)

func checkReference(field, ref string) error {
	if !reference.MatchString(ref) {
		return broken(field, "must be a reference from a snapshot, such as e5 or f1e3")
	}
	return nil
}

// given is an argument for the rules about several of them.
type given struct {
	name string
	set  bool
}

func names(args []given) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a.name
	}
	return strings.Join(list, ", ")
}

func count(args []given) int {
	n := 0
	for _, a := range args {
		if a.set {
			n++
		}
	}
	return n
}

// exactlyOne is the rule of arguments that exclude each other.
func exactlyOne(args ...given) error {
	if count(args) != 1 {
		return session.Faultf(session.InvalidArgument, "give exactly one of %s", names(args))
	}
	return nil
}

// atLeastOne is the rule of arguments that add up.
func atLeastOne(args ...given) error {
	if count(args) == 0 {
		return session.Faultf(session.InvalidArgument, "give at least one of %s", names(args))
	}
	return nil
}

// checkURL refuses early what the session would refuse.
func checkURL(address string) error {
	_, err := session.ParseURL(address)
	return err
}

// checkPath says what is wrong with a path by its looks, or "". Nothing is
// expanded: no ~, no variables, no globs.
func checkPath(path string) string {
	switch {
	case strings.ContainsRune(path, 0):
		return "contains a NUL character"
	case !filepath.IsAbs(path):
		return "is not absolute"
	default:
		return ""
	}
}

// firstError gives the first error there is.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// indexed names an item of a list.
func indexed(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
