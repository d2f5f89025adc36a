package session

import (
	"errors"
	"fmt"
)

// Code names a kind of failure, for programs. The codes are part of the
// product's interface: the README lists them all.
type Code string

// The codes, with what each means to a caller. Whether trying again can help is
// a property of the code (Retryable).
const (
	NotConnected           Code = "not_connected"            // nothing usable answers on the port
	ConnectionLost         Code = "connection_lost"          // the socket closed while the call was under way
	RDPTimeout             Code = "rdp_timeout"              // Firefox did not answer in time
	RDPProtocolError       Code = "rdp_protocol_error"       // Firefox, or what poses as it, broke the protocol
	NoTabSelected          Code = "no_tab_selected"          // a page tool needs a tab
	TabNotFound            Code = "tab_not_found"            // there is no such tab, or no longer
	TabUnloaded            Code = "tab_unloaded"             // it was put to sleep, or its process died in the background
	TargetReplaced         Code = "target_replaced"          // the document went away during the call
	ElementNotFound        Code = "element_not_found"        // no snapshot has given out this reference
	StaleElement           Code = "stale_element"            // the element is gone or is another now
	ElementNotInteractable Code = "element_not_interactable" // disabled, read-only or not shown
	ElementCovered         Code = "element_covered"          // something lies over the element
	InvalidSelector        Code = "invalid_selector"         // not CSS
	InvalidArgument        Code = "invalid_argument"         // an argument breaks a rule of its tool
	UnsupportedElement     Code = "unsupported_element"      // the tool cannot act on this kind of element
	UnsupportedPage        Code = "unsupported_page"         // a page of the browser itself
	FillRejected           Code = "fill_rejected"            // the page did not keep the value
	OptionNotFound         Code = "option_not_found"         // no such option
	NavigationTimeout      Code = "navigation_timeout"       // the page did not get as far as asked
	NavigationFailed       Code = "navigation_failed"        // Firefox shows an error page, or no document came
	NavigationBlocked      Code = "navigation_blocked"       // the host is not on the allow-list
	WaitTimeout            Code = "wait_timeout"             // the condition did not come true
	PopupBlocked           Code = "popup_blocked"            // Firefox let no new tab open
	DialogOpen             Code = "dialog_open"              // a dialog of the page is in the way
	NoDialog               Code = "no_dialog"                // there is no dialog to answer
	PageUnresponsive       Code = "page_unresponsive"        // the page's process does not answer
	PageScriptFailed       Code = "page_script_failed"       // our script threw unexpectedly
	UploadFileInvalid      Code = "upload_file_invalid"      // not a readable regular file
	UploadTooLarge         Code = "upload_too_large"         // over a configured limit
	UploadTargetInvalid    Code = "upload_target_invalid"    // not a usable file input
	UploadTransferFailed   Code = "upload_transfer_failed"   // the bytes did not get across
	UploadAssignmentFailed Code = "upload_assignment_failed" // the page did not take the files
	SessionNotFound        Code = "session_not_found"        // no such page of ours
	SessionExpired         Code = "session_expired"          // it was closed after its idle time
	MaxSessionsReached     Code = "max_sessions_reached"     // close one first
	PrivilegedDisabled     Code = "privileged_disabled"      // needs FIREFOX_MCP_PRIVILEGED
	EvaluateDisabled       Code = "evaluate_disabled"        // needs FIREFOX_MCP_ENABLE_EVALUATE
	Cancelled              Code = "cancelled"                // the client cancelled the call
	Internal               Code = "internal"                 // a fault of this program
)

// final holds the codes after which the same call cannot do better. All others
// may, after a new snapshot or a moment's patience.
var final = map[Code]bool{
	RDPProtocolError: true, InvalidSelector: true, InvalidArgument: true, UnsupportedElement: true, UnsupportedPage: true,
	NavigationBlocked: true, UploadFileInvalid: true, UploadTooLarge: true, PrivilegedDisabled: true, EvaluateDisabled: true,
	SessionNotFound: true, SessionExpired: true, NoDialog: true, OptionNotFound: true, PopupBlocked: true, Internal: true,
}

// Retryable reports whether the same intent may succeed on another try.
func (c Code) Retryable() bool { return !final[c] }

// Fault is the one error type that leaves this package: a code for programs and
// a message for people and models, lower case, without a full stop.
type Fault struct {
	Code    Code
	Message string
	Err     error // what it came from, for errors.Is and the log; never shown
}

// Error gives the message with its code.
func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

// Unwrap gives what the fault came from.
func (f *Fault) Unwrap() error { return f.Err }

// Faultf makes a Fault. The message is formatted as by fmt.Sprintf; text from
// outside belongs in %q.
func Faultf(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// AsFault finds the Fault in err, or makes an internal one of it.
func AsFault(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return &Fault{Code: Internal, Message: "unexpected failure in the server", Err: err}
}
