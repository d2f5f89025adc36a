package tools

import "firefox-rdp-mcp/session"

// navigate loads an address.
type navigate struct {
	URL       string `json:"url" jsonschema:"absolute, http or https"`
	Wait      string `json:"wait,omitempty" jsonschema:"load state to wait for"`
	TimeoutMS int    `json:"timeout_ms,omitempty" jsonschema:"for that"`
	onPage
}

func (a navigate) shape(s shape, c Config) {
	a.onPage.shape(s, c)
	shapeLoad(s)
	s.length("url", maxURL)
}

func (a navigate) check() error { return checkURL(a.URL) }

// navigateHistory moves in the history of the tab.
type navigateHistory struct {
	Direction string `json:"direction" jsonschema:"where to"`
	Wait      string `json:"wait,omitempty" jsonschema:"load state to wait for"`
	TimeoutMS int    `json:"timeout_ms,omitempty" jsonschema:"for that"`
	onPage
}

func (a navigateHistory) shape(s shape, c Config) {
	a.onPage.shape(s, c)
	shapeLoad(s)
	s.oneOf("direction", "back", "forward", "reload")
}

// uploadFiles puts files into a file input.
type uploadFiles struct {
	onElement
	Paths []string `json:"paths" jsonschema:"absolute, local"`
}

func (a uploadFiles) shape(s shape, c Config) {
	a.onElement.shape(s, c)
	s.items("paths", 1, maxItems)
}

func (a uploadFiles) check() error {
	if err := a.onElement.check(); err != nil {
		return err
	}
	for i, path := range a.Paths {
		if wrong := checkPath(path); wrong != "" {
			return session.Faultf(session.UploadFileInvalid, "%s %s", indexed("paths", i), wrong)
		}
	}
	return nil
}

// handleDialog answers a dialog of the page.
type handleDialog struct {
	Action string `json:"action" jsonschema:"accept is OK, dismiss is Cancel"`
	Text   string `json:"text,omitempty" jsonschema:"answer to a prompt"`
	onPage
}

func (a handleDialog) shape(s shape, c Config) {
	a.onPage.shape(s, c)
	s.oneOf("action", "accept", "dismiss")
	s.length("text", maxText)
}

func (a handleDialog) check() error {
	if a.Text != "" && a.Action == "dismiss" {
		return broken("text", "has no meaning when a dialog is dismissed")
	}
	return nil
}
