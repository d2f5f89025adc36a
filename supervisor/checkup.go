package supervisor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/supervisor/quickack"
)

// patient is the connection that the doctor examines, and what has been found
// out about it so far.
type patient struct {
	cfg  Config
	conn *router.Conn

	tabs    []tabEntry
	parent  parentProcess
	console router.ActorID // of a page that evaluates; empty if none was found
}

type parentProcess struct {
	ConsoleActor router.ActorID `json:"consoleActor"`
	ProcessID    int            `json:"processID"`
}

// tabEntry is what the doctor reads of one entry of listTabs.
type tabEntry struct {
	Actor  router.ActorID `json:"actor"`
	Zombie bool           `json:"isZombieTab"`
}

// checks are what is looked at on a connection, in order. Each builds on those
// before it and copes when they have failed.
var checks = []struct {
	name string
	look func(*patient, context.Context) (finding string, err error)
}{
	{"version", (*patient).version},
	{"tabs", (*patient).listTabs},
	{"evaluation", (*patient).evaluation},
	{"speed", (*patient).speed},
	{"privileged", (*patient).privileged},
}

// How patient the doctor is.
const (
	answerPatience = 3 * time.Second // one answer of Firefox or of a page
	tabTries       = 30              // listTabs is empty in the first moments after the start
	tabPause       = 100 * time.Millisecond
	mostPages      = 5  // pages that are tried before the doctor believes that none answers
	timings        = 21 // evaluations that are timed; odd, so that there is a middle one
)

// oldestFirefox is the oldest version that the tests run with.
const oldestFirefox = 140

// version asks which Firefox it is.
func (p *patient) version(ctx context.Context) (string, error) {
	var root struct {
		DeviceActor router.ActorID `json:"deviceActor"`
	}
	if err := p.ask(ctx, router.Root, "getRoot", nil, &root); err != nil {
		return "", unanswered("the root actor", err)
	}
	var device struct {
		Value struct {
			Version string `json:"version"`
		} `json:"value"`
	}
	if err := p.ask(ctx, root.DeviceActor, "getDescription", nil, &device); err != nil {
		return "", unanswered("the device actor", err)
	}
	version := quoted(device.Value.Version)
	major, _, _ := strings.Cut(device.Value.Version, ".")
	n, err := strconv.Atoi(major)
	switch {
	case err != nil:
		return "", &ailment{finding: "Firefox gives its version as " + version, cure: "use Firefox itself, not another program with its debugger", mild: true}
	case n < oldestFirefox:
		return "", &ailment{finding: fmt.Sprintf("Firefox %s is older than any that this server is tested with", version), cure: fmt.Sprintf("use Firefox %d or newer", oldestFirefox), mild: true}
	}
	return "Firefox " + strings.Trim(version, `"`), nil
}

// listTabs looks for tabs. There are none in the first moments after the port
// opens.
func (p *patient) listTabs(ctx context.Context) (string, error) {
	var list struct {
		Tabs []tabEntry `json:"tabs"`
	}
	var err error
	for range tabTries {
		err = p.ask(ctx, router.Root, "listTabs", nil, &list)
		if _, refused := errors.AsType[*router.ActorError](err); len(list.Tabs) > 0 || err != nil && !refused {
			break
		}
		select {
		case <-time.After(tabPause):
		case <-ctx.Done():
			return "", unanswered("the root actor", context.Cause(ctx))
		}
	}
	if err != nil {
		return "", unanswered("the root actor", err)
	}
	p.tabs = list.Tabs
	asleep := 0
	for _, t := range p.tabs {
		if t.Zombie {
			asleep++
		}
	}
	switch {
	case len(p.tabs) == 0:
		return "", &ailment{finding: "Firefox has no tab", cure: "open a window in it"}
	case asleep > 0:
		return fmt.Sprintf("%d, of which %d are unloaded until somebody goes to them", len(p.tabs), asleep), nil
	}
	return fmt.Sprintf("%d", len(p.tabs)), nil
}

// evaluation looks for a page that evaluates a script. Pages of the browser
// itself, which live in its parent process, are left alone.
func (p *patient) evaluation(ctx context.Context) (string, error) {
	if err := p.openParent(ctx); err != nil {
		return "", unanswered("the parent process", err)
	}
	var last error
	tried := 0
	for _, t := range p.tabs {
		if t.Zombie || tried == mostPages {
			continue
		}
		console, err := p.pageConsole(ctx, t)
		if err == nil && console == "" {
			continue
		}
		tried++
		if err == nil {
			err = p.one(ctx, console)
		}
		if err == nil {
			p.console = console
			return "a page evaluates scripts", nil
		}
		last = err
	}
	if tried == 0 {
		return "", &ailment{finding: "every open tab shows a page of the browser itself, in which nothing is evaluated", cure: "open an ordinary page (http or https) to have this looked at", mild: true}
	}
	return "", &ailment{
		finding: fmt.Sprintf("no page evaluates scripts (%d tried; the last: %v)", tried, last),
		cure:    "the pages may be in endless loops or show dialogs: close or reload them, or restart Firefox",
	}
}

func (p *patient) openParent(ctx context.Context) error {
	var d struct {
		ProcessDescriptor struct {
			Actor router.ActorID `json:"actor"`
		} `json:"processDescriptor"`
	}
	if err := p.ask(ctx, router.Root, "getProcess", map[string]int{"id": 0}, &d); err != nil {
		return err
	}
	var t struct {
		Process parentProcess `json:"process"`
	}
	if err := p.ask(ctx, d.ProcessDescriptor.Actor, "getTarget", nil, &t); err != nil {
		return err
	}
	p.parent = t.Process
	return nil
}

// pageConsole returns the console of a tab's page, or nothing for a page of the
// browser itself.
func (p *patient) pageConsole(ctx context.Context, t tabEntry) (router.ActorID, error) {
	var target struct {
		Frame parentProcess `json:"frame"`
	}
	if err := p.ask(ctx, t.Actor, "getTarget", nil, &target); err != nil {
		return "", err
	}
	if target.Frame.ProcessID == p.parent.ProcessID {
		return "", nil
	}
	return target.Frame.ConsoleActor, nil
}

// one evaluates the smallest of scripts.
func (p *patient) one(ctx context.Context, console router.ActorID) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerPatience, errNoAnswer)
	defer cancel()
	_, err := p.conn.Evaluate(ctx, console, router.Evaluation{Text: "1", Timeout: 2 * answerPatience})
	return err
}

// delayedAck is what every single evaluation takes at least when acknowledgements
// are delayed: the kernel's 40 ms, less the inaccuracy of clocks. busy is a
// plain request that is slow for other reasons.
const (
	delayedAck = 35 * time.Millisecond
	busy       = 10 * time.Millisecond
)

// speed compares evaluations, which are answered with two small packets, with
// plain requests, which are answered with one. Without prompt acknowledgement
// the second packet waits for the kernel, each time: so the fastest one tells.
func (p *patient) speed(ctx context.Context) (string, error) {
	if p.console == "" {
		return "", &ailment{finding: "not measured, since no page evaluates scripts", mild: true}
	}
	script, err := measure(func() error { return p.one(ctx, p.console) })
	if err != nil {
		return "", unanswered("the page", err)
	}
	plain, err := measure(func() error { return p.ask(ctx, router.Root, "getRoot", nil, nil) })
	if err != nil {
		return "", unanswered("the root actor", err)
	}
	found := fmt.Sprintf("median evaluation %v, plain request %v", script.median, plain.median)
	switch {
	case script.fastest < delayedAck:
		return found + "; quick acknowledgement is at work (without it: above 40 ms)", nil
	case plain.fastest > busy:
		return "", &ailment{finding: found + ": Firefox or this machine is busy", mild: true}
	case !quickack.Supported:
		return "", &ailment{finding: found + ": each evaluation waits 40 ms for a delayed acknowledgement, which this system cannot switch off", mild: true}
	}
	return "", &ailment{
		finding: found + ": each evaluation waits 40 ms for a delayed acknowledgement; the wish for prompt ones (TCP_QUICKACK) has no effect",
		cure:    "let nothing stand between the server and Firefox: no proxy, no tunnel, no other system's network",
		mild:    true,
	}
}

// times are what several measurements gave.
type times struct{ fastest, median time.Duration }

func measure(once func() error) (times, error) {
	took := make([]time.Duration, timings)
	for i := range took {
		begun := time.Now()
		if err := once(); err != nil {
			return times{}, err
		}
		took[i] = time.Since(begun).Round(10 * time.Microsecond)
	}
	slices.Sort(took)
	return times{took[0], took[timings/2]}, nil
}

// privileged tries the fixed snippets of the parent process.
func (p *patient) privileged(ctx context.Context) (string, error) {
	if !p.cfg.Privileged {
		return "", &ailment{
			finding: "switched off by FIREFOX_MCP_PRIVILEGED=false: dialogs cannot be seen or answered, hung pages not freed, tabs not opened; pages can see and fool the page scripts",
			cure:    "leave FIREFOX_MCP_PRIVILEGED alone, unless you want it so",
			mild:    true,
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, 2*answerPatience, errNoAnswer)
	defer cancel()
	if err := session.TryPrivileged(ctx, p.conn); err != nil {
		return "", &ailment{
			finding: fmt.Sprintf("the snippets that run in Firefox itself do not work: %v", err),
			cure:    "this Firefox may be too new for this server: update the server, or set FIREFOX_MCP_PRIVILEGED=false to do without",
		}
	}
	return "the fixed snippets run in Firefox itself", nil
}

// errNoAnswer is the cause when the doctor's patience is at its end.
var errNoAnswer = fmt.Errorf("no answer for %v", answerPatience)

// ask sends a request and decodes its reply; into may be nil.
func (p *patient) ask(ctx context.Context, to router.ActorID, method string, args, into any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerPatience, errNoAnswer)
	defer cancel()
	reply, err := p.conn.Do(ctx, to, method, args)
	if err != nil || into == nil {
		return err
	}
	return reply.Decode(into)
}

// unanswered says what does not answer as it should.
func unanswered(who string, err error) error {
	return &ailment{
		finding: fmt.Sprintf("%s does not answer as Firefox's does: %v", who, err),
		cure:    "Firefox may be frozen or shutting down: look at its window, restart it if need be",
	}
}
