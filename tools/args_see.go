package tools

// browserStatus asks how things stand.
type browserStatus struct {
	Verbose bool `json:"verbose,omitempty" jsonschema:"with traffic"`
}

func (browserStatus) shape(shape, Config) {}
func (browserStatus) check() error        { return nil }

// selectTab chooses the tab for later calls.
type selectTab struct {
	Index *int `json:"index,omitempty" jsonschema:"position in list_tabs, from 0"`
	page
}

func (selectTab) shape(s shape, _ Config) {
	s.between("index", 0, 100_000)
	s.property("tab_id").Description = "from list_tabs"
}

func (a selectTab) check() error {
	return exactlyOne(given{"tab_id", a.TabID != ""}, given{"index", a.Index != nil})
}

// snapshotPage asks for the page as text.
type snapshotPage struct {
	View           string `json:"view,omitempty" jsonschema:"full: controls and text; outline: landmarks and headings"`
	IncludeAllText bool   `json:"include_all_text,omitempty" jsonschema:"same as view full"`
	Scope          string `json:"scope,omitempty" jsonschema:"reference or CSS selector to stay below"`
	MaxElements    int    `json:"max_elements,omitempty" jsonschema:"most controls"`
	MaxTextChars   int    `json:"max_text_chars,omitempty" jsonschema:"most page text"`
	Budget         int    `json:"budget,omitempty" jsonschema:"tokens"`
	Cursor         string `json:"cursor,omitempty" jsonschema:"next_cursor of the last answer"`
	Diff           bool   `json:"diff,omitempty" jsonschema:"only changes since the last snapshot"`
	page
}

func (snapshotPage) shape(s shape, c Config) {
	s.oneOf("view", "controls", "full", "outline", "text")
	s.byDefault("view", "controls")
	s.between("max_elements", 1, c.MaxElements)
	s.byDefault("max_elements", c.MaxElements)
	s.between("max_text_chars", 0, c.MaxTextChars)
	s.byDefault("max_text_chars", c.MaxTextChars)
	shapeBudget(s, c)
}

func shapeBudget(s shape, c Config) {
	s.between("budget", 100, max(maxTokens, c.Budget))
	s.byDefault("budget", max(100, c.Budget))
}

// findElements asks for elements without the rest of the page.
type findElements struct {
	Text     string `json:"text,omitempty" jsonschema:"part of the visible text"`
	Role     string `json:"role,omitempty" jsonschema:"ARIA role, e.g. button"`
	Name     string `json:"name,omitempty" jsonschema:"part of the accessible name"`
	Selector string `json:"selector,omitempty" jsonschema:"CSS"`
	Limit    int    `json:"limit,omitempty" jsonschema:"most results"`
	page
}

func (findElements) shape(s shape, _ Config) {
	s.between("limit", 1, maxItems)
	s.byDefault("limit", 20)
}

func (a findElements) check() error {
	return atLeastOne(given{"text", a.Text != ""}, given{"role", a.Role != ""}, given{"name", a.Name != ""}, given{"selector", a.Selector != ""})
}

// waitFor asks for a condition to come true.
type waitFor struct {
	Text        string `json:"text,omitempty" jsonschema:"visible text"`
	TextGone    string `json:"text_gone,omitempty" jsonschema:"text that is no longer visible"`
	Selector    string `json:"selector,omitempty" jsonschema:"CSS"`
	URLContains string `json:"url_contains,omitempty" jsonschema:"part of the URL"`
	maybeElement
	State     string `json:"state,omitempty" jsonschema:"of the condition"`
	TimeoutMS int    `json:"timeout_ms,omitempty" jsonschema:"0: look once"`
	PollMS    int    `json:"poll_ms,omitempty" jsonschema:"for what raises no events"`
	page
}

func (waitFor) shape(s shape, _ Config) {
	s.oneOf("state", "present", "absent")
	s.byDefault("state", "present")
	shapeTimeout(s)
	s.between("poll_ms", minPoll, maxPoll)
	s.byDefault("poll_ms", poll)
}

func (a waitFor) check() error {
	return firstError(
		exactlyOne(given{"text", a.Text != ""}, given{"text_gone", a.TextGone != ""}, given{"selector", a.Selector != ""},
			given{"url_contains", a.URLContains != ""}, given{"element", a.Element != ""}),
		a.maybeElement.check(),
	)
}
