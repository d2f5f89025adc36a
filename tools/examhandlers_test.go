package tools

import (
	"context"

	"firefox-rdp-mcp/session"
)

// registerUnreachable gives every tool a handler for a Firefox that
// is not there.
func registerUnreachable(r *registry) {
	add(r, "browser_status", func(context.Context, Call, browserStatus) (Reply, error) {
		return Reply{Text: "not connected", Structured: map[string]any{
			"connected": false, "host": "127.0.0.1", "port": 6000,
			"selected_tab": nil, "generation": nil, "uploads_enabled": true,
		}}, nil
	})
	unreachable[nothing](r, "list_tabs")
	unreachable[selectTab](r, "select_tab")
	unreachable[snapshotPage](r, "snapshot_page")
	unreachable[findElements](r, "find_elements")
	unreachable[click](r, "click")
	unreachable[hover](r, "hover")
	unreachable[fill](r, "fill")
	unreachable[fillForm](r, "fill_form")
	unreachable[selectOption](r, "select_option")
	unreachable[typeText](r, "type_text")
	unreachable[pressKey](r, "press_key")
	unreachable[scroll](r, "scroll")
	unreachable[drag](r, "drag")
	unreachable[navigate](r, "navigate")
	unreachable[navigateHistory](r, "navigate_history")
	unreachable[waitFor](r, "wait_for")
	unreachable[uploadFiles](r, "upload_files")
	unreachable[handleDialog](r, "handle_dialog")
	unreachable[openPage](r, "open_page")
	unreachable[closePage](r, "close_page")
	unreachable[fetchPage](r, "fetch_page")
	unreachable[extractText](r, "extract_text")
	unreachable[screenshot](r, "screenshot")
	unreachable[evaluate](r, "evaluate")
	unreachable[listConsoleMessages](r, "list_console_messages")
	unreachable[listNetworkRequests](r, "list_network_requests")
	unreachable[getNetworkRequest](r, "get_network_request")
}

func unreachable[In arguments](r *registry, name string) {
	add(r, name, func(context.Context, Call, In) (Reply, error) {
		return Reply{}, session.Faultf(session.NotConnected, "nothing listens on 127.0.0.1:6000")
	})
}
