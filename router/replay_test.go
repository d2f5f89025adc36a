package router_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/router"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestReplay plays conversations recorded with real Firefoxes: the client's
// packets are asked for again, the server's come in as they came then. What
// came of each is in the golden files, next to the packet that caused it.
func TestReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/rdp/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			packets, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			synctest.Test(t, func(t *testing.T) { got = replay(t, packets) })
			golden := strings.TrimSuffix(file, ".jsonl") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v; make it with -update and read it", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("replay (-want +got):\n%s", diff)
			}
		})
	}
}

// player is a conversation being played.
type player struct {
	*wire
	calls []*call
	told  strings.Builder
}

// call is one request that was made again.
type call struct {
	name string
	done <-chan outcome
	over bool
}

func replay(t *testing.T, packets []byte) string {
	p := &player{wire: wired(t, limits)}
	for line := range bytes.Lines(packets) {
		var step struct {
			Dir    string
			Packet json.RawMessage
		}
		if err := json.Unmarshal(line, &step); err != nil {
			t.Fatal(err)
		}
		switch step.Dir {
		case "client":
			p.client(step.Packet)
		case "server":
			p.server(step.Packet)
		}
		p.observe()
	}
	for _, c := range p.calls {
		if !c.over {
			fmt.Fprintf(&p.told, "pending %s\n", c.name)
		}
	}
	for _, u := range p.Unmatched() {
		fmt.Fprintf(&p.told, "unmatched from %s %s%s\n", u.From, u.Type, u.Error)
	}
	return p.told.String()
}

// client asks again.
func (p *player) client(packet []byte) {
	p.t.Helper()
	var req struct {
		To     router.ActorID
		Type   string
		Text   string
		Mapped struct{ Await bool }
	}
	if err := json.Unmarshal(packet, &req); err != nil {
		p.t.Fatal(err)
	}
	c := &call{name: fmt.Sprintf("#%d %s to %s", len(p.calls)+1, req.Type, req.To)}
	switch req.Type {
	case "evaluateJSAsync":
		c.done = p.evaluate(p.t.Context(), req.To, router.Evaluation{Text: req.Text, Await: req.Mapped.Await})
	case "unwatchTargets", "unwatchResources", "clearResources":
		c.done = p.tell(p.t.Context(), req.To, req.Type)
	default:
		c.done = p.do(p.t.Context(), req.To, req.Type)
	}
	p.calls = append(p.calls, c)
	fmt.Fprintf(&p.told, "ask %s\n", c.name)
	synctest.Wait()
	select {
	case <-p.out:
	default:
		fmt.Fprintf(&p.told, "  not sent\n")
	}
}

func (w *wire) tell(ctx context.Context, to router.ActorID, method string) <-chan outcome {
	c := make(chan outcome, 1)
	go func() { c <- outcome{err: w.Tell(ctx, to, method, nil)} }()
	return c
}

// server says again.
func (p *player) server(packet []byte) {
	p.t.Helper()
	head, err := router.Parse(packet)
	if err != nil {
		p.t.Fatal(err)
	}
	if head.Type != "" || head.Error != "" {
		fmt.Fprintf(&p.told, "hear %s%s from %s\n", head.Type, head.Error, head.From)
	} else {
		fmt.Fprintf(&p.told, "hear a reply from %s\n", head.From)
	}
	synctest.Wait()
	p.in <- packet
}

// observe notes what came of the last packet.
func (p *player) observe() {
	for {
		synctest.Wait()
		select {
		case n := <-p.news:
			fmt.Fprintf(&p.told, "  news %s\n", brief(n))
			continue
		case <-p.out: // thrown objects are released; the client of then did not
			continue
		default:
		}
		break
	}
	for _, c := range p.calls {
		if c.over {
			continue
		}
		select {
		case o := <-c.done:
			c.over = true
			number, _, _ := strings.Cut(c.name, " ")
			fmt.Fprintf(&p.told, "  %s gives %s\n", number, o)
		default:
		}
	}
}

func (o outcome) String() string {
	switch {
	case o.err != nil:
		if e, ok := errors.AsType[*router.ExceptionError](o.err); ok {
			return fmt.Sprintf("%v at %q", e, e.Stack)
		}
		return o.err.Error()
	case o.value.Object != "":
		return fmt.Sprintf("object %s", o.value.Object)
	case o.value.IsText:
		return fmt.Sprintf("text %q", o.value.Text)
	case o.value.Raw != nil:
		return string(o.value.Raw)
	default:
		return "its reply"
	}
}

// brief is news without its raw parts.
func brief(n router.News) string {
	switch n := n.(type) {
	case router.TargetAvailable:
		n.Target.Raw = nil
		return fmt.Sprintf("TargetAvailable from %s: %s", n.Watcher, compact(n.Target))
	case router.Resource:
		return fmt.Sprintf("Resource %s %s from %s, %d bytes", n.Kind, n.Change, n.From, len(n.Raw))
	default:
		return fmt.Sprintf("%s %s", strings.TrimPrefix(fmt.Sprintf("%T", n), "router."), compact(n))
	}
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
