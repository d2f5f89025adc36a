// Command demo shows the main job of firefox-rdp-mcp: it starts a throw-away
// headless Firefox and a local page, drives the built binary through the MCP
// SDK's own client as an agent would, and prints what each step gives.
//
//	go run ./internal/demo ./firefox-rdp-mcp
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"firefox-rdp-mcp/internal/firefoxtest"
)

//go:embed page.html
var page []byte

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: demo BINARY")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	defer site.Close()
	say("Starting a throw-away headless Firefox")
	firefox, err := firefoxtest.Launch(ctx)
	if err != nil {
		return err
	}
	defer firefox.Stop()
	fmt.Printf("firefox --start-debugger-server ws:%d\n", firefox.Port)
	say("Starting " + binary + " and saying hello to it over MCP")
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(), "FIREFOX_RDP_PORT="+strconv.Itoa(firefox.Port))
	cmd.Stderr = os.Stderr
	client, err := mcp.NewClient(&mcp.Implementation{Name: "demo", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	defer client.Close()
	hello := client.InitializeResult()
	fmt.Printf("%s %s speaks MCP %s\n", hello.ServerInfo.Name, hello.ServerInfo.Version, hello.ProtocolVersion)
	return (&demo{client: client, site: site.URL}).show(ctx)
}

func say(what string) { fmt.Printf("\n\033[1m== %s\033[0m\n", what) }

type demo struct {
	client *mcp.ClientSession
	site   string
	refs   map[string]string // name of a control in the last snapshot → reference
}

// show is the main job, step by step.
func (d *demo) show(ctx context.Context) error {
	steps := []struct {
		what, tool string
		args       func() map[string]any
	}{
		{"How do things stand?", "browser_status", nil},
		{"Which tabs are open?", "list_tabs", nil},
		{"Select the first one", "select_tab", func() map[string]any { return map[string]any{"index": 0} }},
		{"Go to a page", "navigate", func() map[string]any { return map[string]any{"url": d.site + "/"} }},
		{"See what is on it", "snapshot_page", nil},
		{"Fill the field “Your name”", "fill", func() map[string]any { return map[string]any{"element": d.refs["Your name"], "value": "Ada"} }},
		{"Click the button “Greet me”", "click", func() map[string]any { return map[string]any{"element": d.refs["Greet me"]} }},
		{"Wait until the page has answered", "wait_for", func() map[string]any { return map[string]any{"text": "Hello, Ada!", "timeout_ms": 5000} }},
		{"Read the changed page", "snapshot_page", func() map[string]any { return map[string]any{"view": "full"} }},
	}
	for _, s := range steps {
		var args map[string]any
		if s.args != nil {
			args = s.args()
		}
		say(s.what)
		if err := d.call(ctx, s.tool, args); err != nil {
			return err
		}
	}
	say("Done: that page was read and operated through MCP, in a Firefox that knows nothing of automation")
	return nil
}

// call calls a tool, prints its text and remembers the references in it.
func (d *demo) call(ctx context.Context, tool string, args map[string]any) error {
	shown, err := json.Marshal(args)
	if err != nil {
		return err
	}
	fmt.Printf("\033[2m%s %s\033[0m\n", tool, strings.TrimPrefix(string(shown), "null"))
	start := time.Now()
	res, err := d.client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err
	}
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
	fmt.Printf("\033[2m(%v)\033[0m\n", time.Since(start).Round(time.Millisecond))
	if res.IsError {
		return errors.New(tool + " failed")
	}
	return d.remember(res.StructuredContent)
}

func (d *demo) remember(structured any) error {
	raw, err := json.Marshal(structured)
	if err != nil {
		return err
	}
	var sn struct {
		Elements []struct{ Ref, Name string }
	}
	if json.Unmarshal(raw, &sn) != nil || len(sn.Elements) == 0 {
		return nil // not a snapshot
	}
	d.refs = map[string]string{}
	for _, e := range sn.Elements {
		d.refs[e.Name] = e.Ref
	}
	return nil
}
