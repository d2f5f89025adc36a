package tools

import "firefox-rdp-mcp/session"

// register gives every tool of the catalog that exists its handler.
func register(r *registry, s *session.Session) {
	h := handlers{s}
	add(r, "browser_status", h.status)
	add(r, "list_tabs", h.listTabs)
	add(r, "select_tab", h.selectTab)
	add(r, "snapshot_page", h.snapshot)
	add(r, "find_elements", h.findElements)
	add(r, "click", h.click)
	add(r, "hover", h.hover)
	add(r, "fill", h.fill)
	add(r, "fill_form", h.fillForm)
	add(r, "select_option", h.selectOption)
	add(r, "type_text", h.typeText)
	add(r, "press_key", h.pressKey)
	add(r, "scroll", h.scroll)
	add(r, "drag", h.drag)
	add(r, "navigate", h.navigate)
	add(r, "navigate_history", h.navigateHistory)
	add(r, "wait_for", h.waitFor)
	add(r, "upload_files", h.upload)
	add(r, "handle_dialog", h.handleDialog)
	add(r, "open_page", h.openPage)
	add(r, "close_page", h.closePage)
	add(r, "fetch_page", h.fetchPage)
	add(r, "extract_text", h.extractText)
	add(r, "screenshot", h.screenshot)
	add(r, "evaluate", h.evaluate)
	add(r, "list_console_messages", h.consoleMessages)
	add(r, "list_network_requests", h.networkRequests)
	add(r, "get_network_request", h.networkRequest)
}

// handlers are the few lines between a tool's arguments and the session: they
// translate names and units, and write the answer's text.
type handlers struct{ s *session.Session }

// tab is the tab that a tool is about.
func (p page) tab() session.TabID {
	if p.TabID != "" {
		return session.TabID(p.TabID)
	}
	return session.TabID(p.SessionID)
}
