package page

import (
	"strings"
	"testing"
)

// TestChanges lets an action alter the page and asks settle what it was.
func TestChanges(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><button id=b onclick="go()">Go</button><p id=p>3 items</p><button id=gone>Gone</button><input id=i aria-label=Field><button aria-expanded=false id=m>Menu</button><ul id=u><li>one</ul>
		<script>function go(){p.textContent="4 items";gone.remove();i.value="set";m.setAttribute("aria-expanded","true");const n=document.createElement("a");n.href="/new";n.textContent="New";p.after(n);u.append(document.createElement("li"))}</script>`
	v := open(t, dial(t), s.url+"/", true)
	before := v.look(nil)
	b := before.find("Go")
	v.call("click", map[string]any{"node": b.I, "url": s.url + "/", "baseline": true}, nil)
	var got struct {
		Changes struct {
			Added, Removed, Changed []node
			More                    int
		}
	}
	v.call("settle", map[string]any{"wait": 500}, &got)
	tell := func(list []node) string {
		var b strings.Builder
		for _, n := range list {
			b.WriteString(strings.TrimSpace(look{Nodes: []node{n}}.lines()) + "; ")
		}
		return b.String()
	}
	c := got.Changes
	for _, row := range []struct{ what, got, want string }{
		{"added", tell(c.Added), `c link "New" href=/new; `},
		{"removed", tell(c.Removed), `c button "Gone"; `},
		{"changed", tell(c.Changed), `x "4 items"; c textbox "Field" value="set"; c button "Menu" expanded; `},
	} {
		if row.got != row.want {
			t.Errorf("%s: %s\nwant %s", row.what, row.got, row.want)
		}
	}
	if again := v.raw("settle", map[string]any{"wait": 50}); strings.Contains(again, `"added"`) {
		t.Errorf("the baseline was not spent: %s", again)
	}
}
