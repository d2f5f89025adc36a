package supervisor

import (
	"errors"
	"fmt"
	"net"
	"strconv"
)

// Stage is how far a dial has come.
type Stage string

// The stages, in order. They are also what the session is told.
const (
	StageConnect  Stage = "connect"
	StageUpgrade  Stage = "upgrade"
	StageGreeting Stage = "greeting"
)

// Kind says what was found instead of Firefox.
type Kind string

// The kinds of a DialError.
const (
	KindRefused     Kind = "refused"      // nothing listens
	KindUnreachable Kind = "unreachable"  // no connection for another reason
	KindNotLoopback Kind = "not_loopback" // the name means another machine by now
	KindSilent      Kind = "silent"       // accepts connections and says nothing
	KindStalled     Kind = "stalled"      // stopped in the middle of an answer
	KindClosed      Kind = "closed"       // closed the connection without an answer
	KindCut         Kind = "cut"          // closed the connection in the middle of an answer
	KindHTTP        Kind = "http"         // a web server
	KindHeaders     Kind = "headers"      // HTTP headers without an end
	KindPlainRDP    Kind = "plain_rdp"    // Firefox, but without WebSocket
	KindNotHTTP     Kind = "not_http"     // another protocol
	KindBadUpgrade  Kind = "bad_upgrade"  // an answer to the upgrade that no WebSocket server gives
	KindPrompt      Kind = "prompt"       // a WebSocket that does not greet
	KindRejected    Kind = "rejected"     // a WebSocket that closes instead of greeting
	KindProtocol    Kind = "protocol"     // frames that break the WebSocket protocol
	KindNotRDP      Kind = "not_rdp"      // a WebSocket that greets as something else
)

// errNotLoopback is the cause of KindNotLoopback.
var errNotLoopback = errors.New("address is not loopback")

// DialError says why there is no connection to Firefox. Its text tells a person
// what was found at the address and what to do about it.
type DialError struct {
	Host  string
	Port  int
	Stage Stage
	Kind  Kind
	Err   error // what it was concluded from; may hold text of the peer
}

// Error gives the finding and the remedy.
func (e *DialError) Error() string {
	addr, port := net.JoinHostPort(e.Host, strconv.Itoa(e.Port)), strconv.Itoa(e.Port)
	start := "start Firefox with --start-debugger-server ws:" + port
	other := "another program may own the port: " + start + ", or set FIREFOX_RDP_PORT to the port that Firefox uses"
	switch e.Kind {
	case KindRefused:
		return "nothing listens on " + addr + ": " + start + " (and with the preferences devtools.debugger.remote-enabled and devtools.chrome.enabled set to true)"
	case KindNotLoopback:
		return quoted(e.Host) + " no longer means this machine: set FIREFOX_RDP_HOST to 127.0.0.1"
	case KindSilent:
		return addr + " accepts connections but does not answer: Firefox may be frozen, or " + other
	case KindStalled:
		return addr + " stopped in the middle of its answer (" + string(e.Stage) + "): Firefox may be frozen, or " + other
	case KindClosed:
		return addr + " closed the connection without an answer: Firefox may be shutting down, or " + other
	case KindCut:
		return addr + " closed the connection in the middle of its answer (" + string(e.Stage) + "): Firefox may have ended; " + start
	case KindHTTP:
		return fmt.Sprintf("%s is a web server (%v), not Firefox's debugger: %s", addr, e.Err, other)
	case KindHeaders:
		return addr + " sends HTTP headers without an end: " + other
	case KindPlainRDP:
		return addr + " is Firefox's debugger without WebSocket: " + start + " (with ws: before the port)"
	case KindNotHTTP:
		return addr + " does not speak HTTP: " + other
	case KindBadUpgrade:
		return fmt.Sprintf("%s does not answer as a WebSocket server does (%v): %s", addr, e.Err, other)
	case KindPrompt:
		return addr + " opened a WebSocket but sent no greeting: Firefox is probably asking to allow the connection; press OK there, or set the preference devtools.debugger.prompt-connection to false"
	case KindRejected:
		return addr + " closed the WebSocket instead of greeting: the connection was probably refused in Firefox's dialog; press OK next time, or set the preference devtools.debugger.prompt-connection to false"
	case KindProtocol:
		return addr + " breaks the WebSocket protocol: " + other
	case KindNotRDP:
		return fmt.Sprintf("%s is a WebSocket server, but not Firefox's debugger (it sent %v): %s", addr, e.Err, other)
	default:
		return fmt.Sprintf("%s cannot be reached (%v): %s", addr, e.Err, start)
	}
}

// Unwrap gives what the error was concluded from.
func (e *DialError) Unwrap() error { return e.Err }
