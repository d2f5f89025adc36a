package router

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"
)

// Limits of one connection; zero values get the defaults.
type Limits struct {
	Reply      time.Duration // for the direct reply to any request (30 s); its expiry ends the connection
	Result     time.Duration // for the result after the acknowledgement, unless Evaluation.Timeout says otherwise (30 s)
	LongString int           // longest string that is fetched, in UTF-16 units (64 Mi)
}

// New wires one connection and starts nothing.
func New(epoch int, in <-chan []byte, out chan<- []byte, news chan<- News, limits Limits, log *slog.Logger) (*Router, *Serializer, *Conn) {
	panic("skeleton")
}

type Router struct{}

func (r *Router) Serve(ctx context.Context) error { panic("skeleton") }
func (r *Router) String() string                  { return "router" }

type Serializer struct{}

func (s *Serializer) Serve(ctx context.Context) error { panic("skeleton") }
func (s *Serializer) String() string                  { return "serializer" }

// Conn is the callers' side of one connection.
type Conn struct{}

func (c *Conn) Epoch() int            { panic("skeleton") }
func (c *Conn) Done() <-chan struct{} { panic("skeleton") }
func (c *Conn) Do(ctx context.Context, to ActorID, method string, args any) (Packet, error) {
	panic("skeleton")
}
func (c *Conn) Tell(ctx context.Context, to ActorID, method string, args any) error {
	panic("skeleton")
}

// Evaluation is a script and how to run it.
type Evaluation struct {
	Text    string
	Self    ActorID       // object bound as _self (selectedObjectActor); empty for none
	Await   bool          // wait for the promise that the script gives
	Timeout time.Duration // for the result after the acknowledgement; 0 means Limits.Result
	URL     string        // file name in stacks
}

// Value is the result of an evaluation.
type Value struct {
	Text   string          // a string, whole; lone surrogates have become U+FFFD
	IsText bool            // the result was a string
	Object ActorID         // handle on an object, to be released by the caller
	Raw    json.RawMessage // as Firefox sent it; of a long string the joined literal
}

func (c *Conn) Evaluate(ctx context.Context, console ActorID, e Evaluation) (Value, error) {
	panic("skeleton")
}
func (c *Conn) Release(ctx context.Context, grip ActorID) error { panic("skeleton") }
func (c *Conn) Unmatched() []Summary                            { panic("skeleton") }
func (c *Conn) Stats() Stats                                    { panic("skeleton") }
