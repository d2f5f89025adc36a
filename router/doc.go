// Package router matches what one Firefox connection says with who asked.
//
// # Shapes
//
// In come whole text messages, one RDP packet each (reader's output); out go
// frames of the same shape (writer's input). A request is
// {"to": actor, "type": method, …}. A reply is {"from": actor, …} and carries
// no type; a packet with a type and without an error is an event. Replies carry
// no identifier either: the n-th reply of an actor belongs to its n-th request.
// An evaluation is two packets, an acknowledgement (the reply) that names a
// resultID, and later an event with the result.
//
// # Parts
//
// New wires one connection and starts nothing. [Serializer] lets one exchange
// at a time go to each actor, lanes side by side, and keeps the deadline of the
// direct reply. [Router] hands frames to the writer, matches what comes back
// and publishes the rest as [News]. [Conn] is the callers' side. All three are
// for one connection: when either actor ends, so must the other, with the first
// one's error as the cause of their common context; the next connection gets
// new ones.
//
// # Matching
//
// A packet is, in this order: the result of a pending evaluation (same actor,
// same resultID); the reply to the exchange under way at its sender; a known
// event, which becomes news; or unmatched, and then its summary is kept in a
// ring of one hundred. An error packet named noSuchActor overtakes the queue in
// Firefox and so fails everything pending at its sender.
//
// # Death of actors
//
// Firefox never answers a request whose document, process or tab went away. The
// router therefore remembers which actors come and go together and fails what
// is pending at them with [GoneError] as soon as Firefox tells of the death:
// forwardingCancelled, target-destroyed-form, descriptor-destroyed, or a new
// top-level target that takes the place of the old one. What is asked of an
// actor known to be gone is refused without being sent, since Firefox might
// swallow it, and silence would cost the whole connection.
//
// # Order
//
// Requests of one caller to one actor go out in the order in which they were
// made, and news reach the session in the order in which Firefox sent them.
// Between actors there is no order. A reply may reach its caller before or
// after news that Firefox sent next to it.
//
// # Units
//
// Strings are measured in UTF-16 code units, as Firefox does (Limits.LongString,
// ranges of long strings); packets and frames in bytes; text that is cut for
// logs and errors in runes.
//
// # Errors
//
//   - [ClosedError]: the connection ended. With Sent false the request never left
//     and may be repeated; with Sent true it may have happened.
//   - [ActorError]: Firefox answered with an error packet. The connection lives.
//   - [GoneError]: the actor went away under the request.
//   - [ExceptionError], [ErrRejected]: the script threw, or the promise it awaited
//     was rejected.
//   - [ErrResultTimeout]: acknowledged, but no result in time. Only the call ends.
//   - [ErrTooLong]: a long string above Limits.LongString.
//   - [ErrTimeout]: no direct reply in time. It ends the connection, because a
//     late reply could be taken for the next one; only a page that hangs, and
//     whose callers have all left, just keeps its own lane closed.
//   - [ErrProtocol]: a packet that makes no sense.
//   - the cause of the caller's context, when that ended first. The request may
//     then have happened.
//
// # Goroutines
//
// Serve of Router and of Serializer run on one goroutine each, which their
// supervisor starts; they end with the context or with the first error, and
// answer everything that they still owe before they return. The router waits
// for nobody but the receiver of its news: it goes on reading while a frame
// waits for the writer. So the methods of Conn are for any number of goroutines
// but that receiver.
package router
