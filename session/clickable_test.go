package session_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/session"
)

// TestClickables: what has no role of a control and answers clicks is listed once, and can be clicked.
func TestClickables(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": `<script>log = []; const say = (x, e) => { log.push(x); e.stopPropagation() }</script>
		<div onclick="say('attribute',event)">By attribute</div>
		<em style="cursor:pointer" onclick="say('emphasis',event)">By cursor</em>
		<div tabindex=0 onclick="say('focus',event)">By <b>focus</b></div>
		<span id=heard>By listener</span><script>heard.addEventListener("click", e => say("listener", e))</script>
		<div style="cursor:pointer" aria-label=Card onclick="say('card',event)"><h2>Title</h2><span style="cursor:pointer">Not by itself</span><span onclick="say('undo',event)">Undo</span></div>
		<table><tr onclick="say('row',event)"><td>One<td>Two</table>
		<table><tr id=r><td>Three<td>Four</table><script>r.addEventListener("click", e => say("row listener", e))</script>
		<ul><li style="cursor:pointer" onclick="say('item',event)">Item <b>of</b> <div>words</div></ul>
		<label style="cursor:pointer"><span>Tick</span><input type=checkbox onclick="say('tick',event)"></label>
		<button style="cursor:pointer" onclick="say('button',event)"><span style="cursor:pointer" onclick="1">Push</span></button>`})
	s.open("/")
	want := []string{
		`clickable "By attribute"`, `clickable "By cursor"`, `clickable "By focus"`, `clickable "By listener"`, `clickable "Card"`, `clickable "Undo"`,
		`row "One Two"`, `row "Three Four"`, `listitem "Item of words"`, `checkbox "Tick"`, `button "Push"`,
	}
	var got []string
	sn := s.snap()
	for _, e := range sn.Elements {
		got = append(got, e.Role+` "`+e.Name+`"`)
		if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: session.Ref(e.Ref)}}); err != nil {
			t.Errorf("click %s %q = %v", e.Role, e.Name, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, sn.Text)
	}
	if got, want := s.page("w.log.join()"), `"attribute,emphasis,focus,listener,card,undo,row,row listener,item,tick,button"`; got != want {
		t.Errorf("clicked %s, want %s", got, want)
	}
}
