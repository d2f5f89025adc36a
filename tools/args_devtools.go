package tools

// listConsoleMessages reads the console.
type listConsoleMessages struct {
	Level    string `json:"level,omitempty" jsonschema:"this and worse"`
	Contains string `json:"contains,omitempty" jsonschema:"part of the message"`
	Limit    int    `json:"limit,omitempty" jsonschema:"newest so many"`
	Clear    bool   `json:"clear,omitempty" jsonschema:"forget them afterwards"`
	page
}

func (listConsoleMessages) shape(s shape, _ Config) {
	s.oneOf("level", "debug", "info", "warn", "error")
	shapeLimit(s)
}

// listNetworkRequests reads the requests.
type listNetworkRequests struct {
	Filter string `json:"filter,omitempty" jsonschema:"part of the URL"`
	Status string `json:"status,omitempty" jsonschema:"e.g. 404, 5xx or failed"`
	Limit  int    `json:"limit,omitempty" jsonschema:"newest so many"`
	Clear  bool   `json:"clear,omitempty" jsonschema:"forget them afterwards"`
	page
}

func (listNetworkRequests) shape(s shape, _ Config) {
	s.length("status", maxStatus)
	shapeLimit(s)
}

func (a listNetworkRequests) check() error {
	if a.Status != "" && !status.MatchString(a.Status) {
		return broken("status", "must be a code such as 404, a class such as 5xx, or failed")
	}
	return nil
}

// getNetworkRequest reads one of them.
type getNetworkRequest struct {
	ID   string `json:"id" jsonschema:"from list_network_requests"`
	Body bool   `json:"body,omitempty" jsonschema:"with the body of the response"`
	page
}

func (getNetworkRequest) shape(s shape, _ Config) { s.length("id", maxName) }

func shapeLimit(s shape) {
	s.between("limit", 1, maxLimit)
	s.byDefault("limit", 50)
}
