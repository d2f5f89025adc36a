package outline

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Extras is what an agent's method "som" says of a document beyond its snapshot. Everything in it has been cleaned.
type Extras struct {
	Controls   map[int64]*Particulars // by the agent's number of the node
	Forms      []Form
	Structured *StructuredData // nil if there is none
	Bytes      int             // UTF-16 units of the document's source as it is now
}

// Particulars are those of one control.
type Particulars struct {
	Attrs   map[string]string
	Href    string
	Hints   []string
	Shadow  string // open or closed, "" outside shadow trees
	Options []SOMOption
	Form    int // number of its form, from 1; 0 for none
}

// SOMOption is one option of a select.
type SOMOption struct {
	Value    string `json:"value"`
	Text     string `json:"text"`
	Selected bool   `json:"selected,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
}

// Form is a form of the page.
type Form struct {
	Node                                   int64
	Label, Action, Method, Target, Enctype string
}

// StructuredData is what a page's head says of the page.
type StructuredData struct {
	JSONLD      []any             `json:"json_ld,omitempty"`
	OpenGraph   map[string]string `json:"open_graph,omitempty"`
	TwitterCard map[string]string `json:"twitter_card,omitempty"`
	Meta        map[string]string `json:"meta,omitempty"`
	Links       []HeadLink        `json:"links,omitempty"`
}

// HeadLink is a link element.
type HeadLink struct {
	Rel      string `json:"rel"`
	Href     string `json:"href"`
	Type     string `json:"type,omitempty"`
	HrefLang string `json:"hreflang,omitempty"`
}

type wireExtras struct {
	Items []map[string]json.RawMessage `json:"items"`
	Forms []struct {
		ID      int64  `json:"id"`
		Label   string `json:"label"`
		Action  string `json:"action"`
		Method  string `json:"method"`
		Target  string `json:"target"`
		Enctype string `json:"enctype"`
	} `json:"forms"`
	Head  *wireHead `json:"head"`
	Bytes int       `json:"bytes"`
}

type wireHead struct {
	JSONLD      []string          `json:"json_ld"`
	OpenGraph   map[string]string `json:"open_graph"`
	TwitterCard map[string]string `json:"twitter_card"`
	Meta        map[string]string `json:"meta"`
	Links       []HeadLink        `json:"links"`
}

// DecodeExtras reads the value that an agent's method "som" gave for the nodes with these numbers.
func DecodeExtras(raw []byte, ids []int64) (*Extras, error) {
	var w wireExtras
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, fmt.Errorf("decode extras: %w", err)
	}
	out := &Extras{Controls: make(map[int64]*Particulars, len(ids)), Bytes: count(w.Bytes)}
	for i, item := range w.Items[:min(len(w.Items), len(ids))] {
		out.Controls[ids[i]] = particularsOf(item)
	}
	for _, f := range w.Forms[:min(len(w.Forms), 1000)] {
		out.Forms = append(out.Forms, Form{f.ID, Clean(f.Label, nameLimit), ShownURL(f.Action), method(f.Method), Clean(f.Target, 50), contentType(f.Enctype)})
	}
	if w.Head != nil {
		out.Structured = w.Head.clean()
	}
	return out, nil
}

func method(m string) string {
	switch m {
	case "POST", "DIALOG":
		return m
	}
	return "GET"
}

// somAttrs are the attributes that particulars may have.
var somAttrs = []string{"html_id", "placeholder", "target", "rel", "name", "autocomplete", "min", "max", "step", "pattern", "minlength", "maxlength", "test_id"}

func particularsOf(item map[string]json.RawMessage) *Particulars {
	p := &Particulars{Attrs: map[string]string{}}
	text := func(key string) string {
		var s string
		_ = json.Unmarshal(item[key], &s) // what is odd is as good as absent
		return Clean(s, valueLimit)
	}
	for _, key := range somAttrs {
		if v := text(key); v != "" {
			p.Attrs[key] = v
		}
	}
	_ = json.Unmarshal(item["href"], &p.Href)
	_ = json.Unmarshal(item["form"], &p.Form)
	var hints []string
	_ = json.Unmarshal(item["hints"], &hints)
	for _, h := range hints[:min(len(hints), 12)] {
		if word(h) != "" {
			p.Hints = append(p.Hints, h)
		}
	}
	if m := text("shadow"); m == "open" || m == "closed" {
		p.Shadow = m
	}
	_ = json.Unmarshal(item["options"], &p.Options)
	p.Options = p.Options[:min(len(p.Options), 100)]
	for i := range p.Options {
		o := &p.Options[i]
		o.Value, o.Text = Clean(o.Value, 100), Clean(o.Text, 100)
	}
	p.Form = max(p.Form, 0)
	return p
}

func (w *wireHead) clean() *StructuredData {
	out := &StructuredData{OpenGraph: cleanMap(w.OpenGraph), TwitterCard: cleanMap(w.TwitterCard), Meta: cleanMap(w.Meta)}
	for _, text := range w.JSONLD[:min(len(w.JSONLD), 50)] {
		var v any
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		if dec.Decode(&v) == nil {
			out.JSONLD = append(out.JSONLD, cleanJSON(v, 0))
		}
	}
	for _, l := range w.Links[:min(len(w.Links), 50)] {
		out.Links = append(out.Links, HeadLink{Clean(l.Rel, 60), ShownURL(l.Href), Clean(l.Type, 60), Clean(l.HrefLang, 30)})
	}
	if out.empty() {
		return nil
	}
	return out
}

func (d *StructuredData) empty() bool {
	return len(d.JSONLD)+len(d.OpenGraph)+len(d.TwitterCard)+len(d.Meta)+len(d.Links) == 0
}

func cleanMap(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		if len(out) < 60 {
			out[Clean(k, 60)] = Clean(v, 500)
		}
	}
	return out
}

// cleanJSON cleans all texts of a JSON value, and cuts what is too long or too deep.
func cleanJSON(v any, depth int) any {
	const deepest, widest = 12, 200
	switch v := v.(type) {
	case string:
		return Clean(v, 1000)
	case []any:
		if depth == deepest {
			return nil
		}
		for i := range v[:min(len(v), widest)] {
			v[i] = cleanJSON(v[i], depth+1)
		}
		return v[:min(len(v), widest)]
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if depth < deepest && len(out) < widest {
				out[Clean(k, 100)] = cleanJSON(x, depth+1)
			}
		}
		return out
	}
	return v
}
