package outline

import (
	"slices"
	"strconv"
	"strings"
)

// somRoles are the roles of controls that have another name in the model, with what can be done to each.
var somRoles = map[string]struct {
	role    string
	actions []string
}{
	"link": {"link", []string{"click"}}, "button": {"button", []string{"click"}}, "option": {"button", []string{"click"}},
	"menuitem": {"button", []string{"click"}}, "tab": {"button", []string{"click"}}, "treeitem": {"button", []string{"click"}},
	"textbox": {"text_input", []string{"type", "clear"}}, "searchbox": {"text_input", []string{"type", "clear"}},
	"spinbutton": {"text_input", []string{"type", "clear"}}, "slider": {"text_input", []string{"type"}},
	"checkbox": {"checkbox", []string{"toggle"}}, "switch": {"checkbox", []string{"toggle"}}, "menuitemcheckbox": {"checkbox", []string{"toggle"}},
	"radio": {"radio", []string{"select"}}, "menuitemradio": {"radio", []string{"select"}},
	"combobox": {"select", []string{"select"}}, "listbox": {"select", []string{"select"}}, "summary": {"details", []string{"toggle"}},
}

// control makes the element of a control.
func (b *somBuilder) control(i int) {
	n := &b.snap.Nodes[i]
	e := SOMElement{ID: n.Ref, Text: Clean(n.Name, nameLimit)}
	known, ok := somRoles[n.Role]
	e.Role, e.Actions = known.role, known.actions
	switch {
	case n.Tag == "textarea":
		e.Role = "textarea"
	case n.Role == "combobox" && n.Tag == "input":
		e.Role, e.Actions = "text_input", []string{"type", "clear", "select"}
	case n.Tag == "input" && n.Type == "file":
		e.Role, e.Actions = "text_input", []string{"upload"}
	case n.Tag == "input" && !ok:
		e.Role, e.Actions = "text_input", []string{"type", "clear"}
	case !ok:
		e.Role, e.Actions = "button", []string{"click"}
	}
	if e.Role == "text_input" || e.Role == "textarea" || e.Role == "select" || e.Role == "checkbox" || e.Role == "radio" {
		e.Text, e.Label = "", e.Text
	}
	e.Attrs = b.attrs(n, e.Role)
	if e.Attrs["disabled"] == true {
		e.Actions = nil
	}
	if p := b.particulars(n); p != nil {
		e.HTMLID, e.Hints = p.Attrs["html_id"], p.Hints
		if p.Shadow != "" {
			e.Shadow = &SOMShadow{Mode: p.Shadow}
		}
	}
	if n.Focused {
		e.Hints = append(slices.Clone(e.Hints), "focused")
	}
	b.add(b.regionOf(i), e)
}

// attrs gathers what is to be said of a control beyond its name. Values of secrets never get here: the agent keeps them.
func (b *somBuilder) attrs(n *Node, role string) map[string]any {
	a := map[string]any{}
	aria := map[string]any{}
	for _, s := range n.States {
		key, value, given := strings.Cut(s, "=")
		switch {
		case key == "filled", key == "empty":
			a["value_state"] = key
		case key == "checked" && given:
			a["checked"] = value
		case key == "disabled", key == "required", key == "readonly", key == "multiple", key == "checked":
			a[key] = true
		case key == "focused", key == "multiline":
		case given && (value == "true" || value == "false"):
			aria[key] = value == "true"
		case given:
			aria[key] = value
		default:
			aria[key] = true
		}
	}
	if len(aria) > 0 {
		a["aria"] = aria
	}
	if v := Clean(n.Value, valueLimit); v != "" {
		a["value"] = v
	}
	if role == "text_input" && n.Type != "" {
		a["input_type"] = n.Type
	}
	for _, at := range n.Attrs {
		switch at.Key {
		case "options":
			if role == "select" || role == "text_input" {
				a["options"] = cutAll(strings.Split(at.Value, "|"))
			}
		case "heading", "level":
			level, _ := strconv.Atoi(at.Value)
			a[at.Key] = level
		default:
			a[strings.ReplaceAll(at.Key, "-", "_")] = Clean(at.Value, valueLimit)
		}
	}
	b.detail(n, a)
	if len(a) == 0 {
		return nil
	}
	return a
}

// detail adds what only the model tells.
func (b *somBuilder) detail(n *Node, a map[string]any) {
	p := b.particulars(n)
	if p == nil {
		return
	}
	for key, value := range p.Attrs {
		if key != "html_id" && value != "" {
			a[key] = value
		}
	}
	if p.Href != "" {
		a["href"] = ShownURL(p.Href)
	}
	if len(p.Options) > 0 {
		a["options"] = p.Options
	}
}
