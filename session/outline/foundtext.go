package outline

import (
	"strconv"
	"strings"
)

// FoundElement is a hit for programs.
type FoundElement struct {
	Element

	Tag     string   `json:"tag,omitempty"`
	Text    string   `json:"text,omitempty"`
	Match   string   `json:"match"` // exact, prefix or part
	Hidden  bool     `json:"hidden,omitempty"`
	Context *Context `json:"context,omitempty"`
	Near    *Near    `json:"near,omitempty"` // of what has no reference itself
}

// Context says where on the page something stands.
type Context struct {
	Region  string `json:"region,omitempty"`
	Name    string `json:"name,omitempty"` // of the region
	Heading string `json:"heading,omitempty"`
	Item    string `json:"item,omitempty"`
}

// Near is the control that belongs to a text or another thing that is none.
type Near struct {
	Ref      string `json:"ref"`
	Role     string `json:"role"`
	Name     string `json:"name"`
	Relation string `json:"relation"` // in, has or near
}

var matchNames = [3]string{"exact", "prefix", "part"}

// RenderFound writes the hits, each with a line that says where it stands, inside a fence:
//
//	--- page content 7f3a9c (untrusted) ---
//	[e9] link "Senior AI Engineer" href="/jobs/view/123"
//	  in main; below "Remote AI jobs"; item "Senior AI Engineer Acme Corp."
//	> Posted 2 days ago.
//	  in main; below "Remote AI jobs"; nearest [e9] link "Senior AI Engineer"
//	--- end 7f3a9c ---
//
// It gives "" for the text when there are none. nonce is for tests; "" means a random one.
func RenderFound(f Found, nonce string) (string, []FoundElement) {
	var dst []byte
	out := make([]FoundElement, 0, len(f.Hits))
	for i := range f.Hits {
		dst = f.Hits[i].appendTo(dst)
		out = append(out, f.Hits[i].element())
	}
	if len(dst) == 0 {
		return "", out
	}
	return fence(dst, nonce), out
}

func (h *Hit) appendTo(dst []byte) []byte {
	switch {
	case h.Kind == Text:
		dst = appendClean(append(dst, "> "...), h.Name, textLimit, false)
	case h.Kind == Structure && h.Role == "heading":
		dst = append(append(dst, "######"[:levelOf(h.Attr("level"))]...), ' ')
		dst = appendClean(dst, h.Name, nameLimit, false)
	case h.Kind == FrameNode:
		frame := h.Node
		frame.merged = true
		dst = appendFrame(dst, &frame)
	default:
		dst = appendNode(dst, &h.Node, 0)
		if h.Role == "generic" && h.Kind == Structure && h.Tag != "" {
			dst = appendQuoted(append(dst, " tag="...), h.Tag, nameLimit)
		}
		if !blank(h.Excerpt) {
			dst = appendQuoted(append(dst, " text="...), h.Excerpt, textLimit)
		}
	}
	dst = append(dst, '\n')
	if where := h.appendWhere(nil); len(where) > 0 {
		dst = append(append(append(dst, "  "...), where...), '\n')
	}
	return dst
}

// appendWhere appends where the hit stands, in words of ours and quoted ones of the page.
func (h *Hit) appendWhere(dst []byte) []byte {
	next := func(what string) {
		if len(dst) > 0 {
			dst = append(dst, "; "...)
		}
		dst = append(dst, what...)
	}
	if h.Region != "" {
		next("in " + h.Region)
		if !blank(h.RegionAs) {
			dst = appendQuoted(append(dst, ' '), h.RegionAs, nameLimit)
		}
	}
	if h.Frame != "" {
		next("in frame " + h.Frame)
	}
	if !blank(h.Heading) {
		next("below ")
		dst = appendQuoted(dst, h.Heading, nameLimit)
	}
	if !blank(h.Item) {
		next("item ")
		dst = appendQuoted(dst, h.Item, nameLimit)
	}
	if h.Near != nil && h.Near.Ref != "" {
		next(map[string]string{"in": "part of ", "has": "holds ", "near": "nearest "}[h.How])
		dst = append(append(append(append(dst, '['), h.Near.Ref...), "] "...), h.Near.shownRole()...)
		if !blank(h.Near.Name) {
			dst = appendQuoted(append(dst, ' '), h.Near.Name, nameLimit)
		}
	}
	return dst
}

func (h *Hit) element() FoundElement {
	out := FoundElement{Element: elementOf(&h.Node, 0, ""), Tag: h.Tag, Text: Clean(h.Excerpt, textLimit), Match: matchNames[h.Match], Hidden: h.Off == 2}
	if h.Kind == Text {
		out.Role, out.Name, out.Text, out.Tag = "text", "", Clean(h.Name, textLimit), ""
	}
	if h.Kind == Structure && h.Role == "heading" {
		out.Level = levelOf(h.Attr("level"))
	}
	if c := (Context{h.Region, Clean(h.RegionAs, nameLimit), Clean(h.Heading, nameLimit), Clean(h.Item, nameLimit)}); c != (Context{}) {
		out.Context = &c
	}
	if h.Near != nil && h.Near.Ref != "" {
		out.Near = &Near{h.Near.Ref, h.Near.shownRole(), Clean(h.Near.Name, nameLimit), h.How}
	}
	return out
}

// OtherRoles says in words of ours what matches but for its role.
func (f *Found) OtherRoles() string {
	parts := make([]string, len(f.Others))
	for i, o := range f.Others {
		parts[i] = o.Role + " " + strconv.Itoa(o.Count)
	}
	return strings.Join(parts, ", ")
}
