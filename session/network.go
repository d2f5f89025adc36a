package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// NetworkRequest is one request of a page's, as far as it has got.
type NetworkRequest struct {
	ID          string // n17; never used for another
	Method      string
	URL         string // without credentials
	Type        string // what it is for: document, fetch, img …
	MIME        string
	Status      int // 0 while there is none
	Failed      bool
	Reason      string // why, in Firefox's words
	Done        bool
	Cached      bool
	Size        int64 // of the body, in bytes; -1 while it is not known
	Transferred int64 // over the network, with headers; -1 while it is not known
	Duration    time.Duration
	Started     time.Time

	resource int64
	actor    router.ActorID
}

// networkForm is what is read of a network-event resource (rdp-facts.md 11.1).
type networkForm struct {
	Actor      router.ActorID  `json:"actor"`
	ResourceID int64           `json:"resourceId"`
	URL        json.RawMessage `json:"url"`
	Method     string          `json:"method"`
	TimeStamp  float64         `json:"timeStamp"`
	Chrome     bool            `json:"chromeContext"`
	Cause      struct {
		Type string `json:"type"`
	} `json:"cause"`
	networkUpdate
	Updates networkUpdate `json:"resourceUpdates"`
}

// networkUpdate is what changes while a request goes on. Firefox gives some of
// it as strings here and as numbers there.
type networkUpdate struct {
	Status      json.RawMessage `json:"status"`
	MIME        *string         `json:"mimeType"`
	TotalTime   *float64        `json:"totalTime"`
	Size        *int64          `json:"contentSize"`
	Transferred *int64          `json:"transferredSize"`
	Cached      bool            `json:"fromCache"`
	Blocked     json.RawMessage `json:"blockedReason"`
	Content     bool            `json:"responseContentAvailable"`
	End         bool            `json:"responseEndAvailable"`
}

// networkEvent takes in a request, or what has become of it.
func (st *state) networkEvent(t *tab, n router.Resource) {
	var w networkForm
	if json.Unmarshal(n.Raw, &w) != nil || w.Chrome {
		return
	}
	d := &t.dev
	switch n.Change {
	case "available":
		st.count.request++
		d.requests = append(d.requests, w.request(fmt.Sprintf("n%d", st.count.request)))
		if extra := len(d.requests) - maxRequests; extra > 0 {
			d.requests = slices.Delete(d.requests, 0, extra)
			d.lostRequests += extra
		}
	case "updated":
		for i := len(d.requests) - 1; i >= 0; i-- {
			if r := &d.requests[i]; r.resource == w.ResourceID {
				r.update(w.Updates)
				return
			}
		}
	}
}

func (w *networkForm) request(id string) NetworkRequest {
	r := NetworkRequest{
		ID: id, Method: outline.Clean(w.Method, 20), URL: clip(withoutCredentials(pieceOf(w.URL).text), urlBytes), Type: outline.Clean(w.Cause.Type, 30),
		Started: timeOf(w.TimeStamp), Size: -1, Transferred: -1, resource: w.ResourceID, actor: w.Actor,
	}
	r.update(w.networkUpdate)
	return r
}

const urlBytes = 2000

func (r *NetworkRequest) update(u networkUpdate) {
	if n, err := strconv.Atoi(bare(u.Status)); err == nil && n >= 100 && n < 1000 {
		r.Status = n
	}
	if u.MIME != nil {
		mime, _, _ := strings.Cut(*u.MIME, ";")
		r.MIME = outline.Clean(mime, 80)
	}
	if u.TotalTime != nil {
		r.Duration = time.Duration(*u.TotalTime * float64(time.Millisecond))
	}
	if u.Size != nil {
		r.Size = *u.Size
	}
	if u.Transferred != nil {
		r.Transferred = *u.Transferred
	}
	r.Cached = r.Cached || u.Cached
	if reason := bare(u.Blocked); reason != "" && reason != "0" {
		r.Failed, r.Reason = true, outline.Clean(reasonOf(reason), 80)
	}
	r.Done = r.Done || u.End || u.Content || r.Failed
	if r.Done && r.Status == 0 && strings.HasPrefix(r.URL, "http") {
		r.Failed = true // the reason comes later, if at all
	}
}

// blockers are the thousands of the numbers by which Firefox says what has
// blocked a request.
var blockers = map[byte]string{'1': "CORS", '2': "tracking-protection", '3': "mixed-content", '4': "content-policy", '6': "extension"}

// reasonOf puts a word before a number that only Firefox understands.
func reasonOf(reason string) string {
	if _, err := strconv.Atoi(reason); err == nil && len(reason) == 4 && blockers[reason[0]] != "" {
		return blockers[reason[0]] + "-" + reason
	}
	return reason
}

// bare gives a string or a number as text, "" for anything else.
func bare(raw json.RawMessage) string {
	raw = bytes.Trim(raw, `"`)
	if len(raw) > 100 || bytes.ContainsAny(raw, `{[\`) || bytes.Equal(raw, []byte("null")) {
		return ""
	}
	return string(raw)
}

// NetworkArgs say which requests are wanted.
type NetworkArgs struct {
	Tab    TabID
	Filter string // part of the address, whatever its case
	Status string // 404, 5xx or failed; "" for any
	Limit  int    // the newest so many; 0 means 50
	Clear  bool   // forget all of the tab's afterwards
}

// Network is what a tab has asked the network for.
type Network struct {
	Requests []NetworkRequest // the oldest first
	Matching int              // with those beyond the limit
	Kept     int
	Lost     int       // older ones that had to make room
	Since    time.Time // when watching began
	Fresh    bool      // it began with this call
	Tab      TabID
}

// has reports whether the request has a status that is asked for.
func (r *NetworkRequest) has(status string) bool {
	switch {
	case status == "":
		return true
	case status == "failed":
		return r.Failed
	case strings.HasSuffix(status, "xx"):
		return strconv.Itoa(r.Status/100) == status[:1]
	}
	return strconv.Itoa(r.Status) == status
}

// readNetwork asks for a copy of what is wanted.
type readNetwork struct {
	args  NetworkArgs
	reply reply[*Network]
}

func (m readNetwork) fail(err error) { m.reply.fail(err) }

func (m readNetwork) apply(st *state) {
	t := st.tabs[m.args.Tab]
	if t == nil {
		m.reply.fail(st.gone(m.args.Tab))
		return
	}
	d := &t.dev
	out := &Network{Kept: len(d.requests), Lost: d.lostRequests, Since: d.since[networkEvents], Tab: t.ID}
	wanted := strings.ToLower(m.args.Filter)
	for _, r := range d.requests {
		if strings.Contains(strings.ToLower(r.URL), wanted) && r.has(m.args.Status) {
			out.Requests = append(out.Requests, r)
		}
	}
	out.Matching = len(out.Requests)
	out.Requests = out.Requests[max(len(out.Requests)-m.args.Limit, 0):]
	if m.args.Clear {
		d.requests, d.lostRequests = nil, 0
	}
	m.reply.send(out, nil)
}

// Network lists a tab's requests since it is watched, which it is from the first
// call on.
func (s *Session) Network(ctx context.Context, a NetworkArgs) (*Network, error) {
	setDefault(&a.Limit, 50)
	t, fresh, err := s.beginWatched(ctx, a.Tab, networkEvents)
	if err != nil {
		return nil, err
	}
	defer t.end()
	a.Tab = t.ID
	out, err := ask(ctx, s, func(r reply[*Network]) message { return readNetwork{a, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	out.Fresh = fresh
	return out, nil
}
