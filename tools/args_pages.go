package tools

// openPage opens a tab of our own.
type openPage struct {
	URL    string `json:"url" jsonschema:"absolute, http or https"`
	Budget int    `json:"budget,omitempty" jsonschema:"tokens"`
	Wait   string `json:"wait,omitempty" jsonschema:"load state to wait for"`
}

func (openPage) shape(s shape, c Config) {
	s.length("url", maxURL)
	shapeBudget(s, c)
	s.oneOf("wait", "none", "dom", "complete")
	s.byDefault("wait", "dom")
}

func (a openPage) check() error { return checkURL(a.URL) }

// closePage closes a tab of our own.
type closePage struct{ page }

// check asks for a name: the selected tab is never closed by default.
func (a closePage) check() error {
	if a.TabID == "" {
		return broken("session_id", "is required")
	}
	return nil
}

// fetchPage reads an address.
type fetchPage struct {
	URL        string `json:"url" jsonschema:"absolute, http or https"`
	Budget     int    `json:"budget,omitempty" jsonschema:"tokens"`
	JavaScript bool   `json:"javascript,omitempty" jsonschema:"run the page's scripts"`
	Selector   string `json:"selector,omitempty" jsonschema:"CSS, only below it"`
	Cursor     string `json:"cursor,omitempty" jsonschema:"next_cursor of the last answer"`
}

func (fetchPage) shape(s shape, c Config) {
	s.length("url", maxURL)
	shapeBudget(s, c)
	s.byDefault("javascript", true)
}

func (a fetchPage) check() error { return checkURL(a.URL) }

// extractText reads an address, or a tab when URL is empty.
type extractText struct {
	URL      string `json:"url,omitempty" jsonschema:"absolute, http or https; default: the tab"`
	MaxChars int    `json:"max_chars,omitempty" jsonschema:"default: no limit"`
	Selector string `json:"selector,omitempty" jsonschema:"CSS, only below it"`
	MainOnly bool   `json:"main_only,omitempty" jsonschema:"without navigation and the like"`
	Links    bool   `json:"links,omitempty" jsonschema:"with the addresses of links"`
	page
}

func (extractText) shape(s shape, _ Config) {
	s.length("url", maxURL)
	s.byDefault("main_only", true)
	s.between("max_chars", 1, maxExtract)
}

func (a extractText) check() error {
	if a.URL == "" {
		return nil
	}
	if a.TabID != "" {
		return broken("url", "and a tab exclude each other")
	}
	return checkURL(a.URL)
}

// screenshot takes a picture.
type screenshot struct {
	FullPage bool `json:"full_page,omitempty" jsonschema:"not only what is in view"`
	maybeElement
	Format   string `json:"format,omitempty" jsonschema:"of the picture"`
	Quality  int    `json:"quality,omitempty" jsonschema:"of jpeg"`
	MaxWidth int    `json:"max_width,omitempty" jsonschema:"pixels; wider is scaled down"`
	SaveTo   string `json:"save_to,omitempty" jsonschema:"absolute path of a new file, instead of the picture itself"`
	page
}

func (screenshot) shape(s shape, c Config) {
	if c.ReadOnly {
		s.remove("save_to")
	}
	s.oneOf("format", "png", "jpeg")
	s.byDefault("format", "png")
	s.between("quality", 1, 100)
	s.byDefault("quality", 80)
	s.between("max_width", 16, 16_384)
	s.byDefault("max_width", 1568)
}

func (a screenshot) check() error {
	if a.FullPage && a.Element != "" {
		return broken("full_page", "and element exclude each other")
	}
	if wrong := checkPath(a.SaveTo); a.SaveTo != "" && wrong != "" {
		return broken("save_to", "%s", wrong)
	}
	return a.maybeElement.check()
}

// evaluate runs JavaScript.
type evaluate struct {
	Expression string `json:"expression" jsonschema:"JavaScript; a promise is awaited"`
	TimeoutMS  int    `json:"timeout_ms,omitempty" jsonschema:"for the result"`
	page
}

func (evaluate) shape(s shape, _ Config) {
	s.length("expression", maxValue)
	shapeTimeout(s)
}
