package page

import (
	"strings"
	"testing"
)

func TestClickSendsWhatAMouseSends(t *testing.T) {
	both(t, `<button id=b>Press</button><script>log=[];for(const k of ["pointerover","pointerenter","mouseover","pointermove","mousemove","pointerdown","mousedown","focus","pointerup","mouseup","click","dblclick","contextmenu","auxclick"])
		b.addEventListener(k,e=>log.push(k+(e.detail||"")+(e.button>0?"b"+e.button:"")+(e.ctrlKey?"c":"")))</script>`, func(t *testing.T, s *stage) {
		s.ok("#b", "click", nil)
		s.is(`w.log.join(" ")`, `"pointerover pointerenter pointermove mouseover mousemove pointerdown mousedown1 focus pointerup mouseup1 click1"`)
		s.oracle(`w.log.length=0`)
		s.ok("#b", "click", args{"count": 2, "modifiers": []string{"Control"}})
		s.is(`w.log.join(" ")`, `"pointermovec mousemovec pointerdownc mousedown1c pointerupc mouseup1c click1c pointerdownc mousedown2c pointerupc mouseup2c click2c dblclick2c"`)
		s.oracle(`w.log.length=0`)
		s.ok("#b", "click", args{"button": "right"})
		s.is(`w.log.join(" ")`, `"pointermove mousemove pointerdownb2 mousedown1b2 contextmenu1b2 pointerupb2 mouseup1b2 auxclick1b2"`)
	})
}

func TestClickActivatesOnce(t *testing.T) {
	both(t, `<a id=a href="#went">Link</a><input type=checkbox id=c><label id=l for=d>Box</label><input id=d type=checkbox style="display:none">
		<details id=de><summary id=su>More</summary>x</details><form id=f onsubmit="sent++;return false"><button id=go>Go</button></form>
		<label id=tl>Name <input id=tx></label><button id=pt popovertarget=po>Pop</button><div id=po popover>pop</div>
		<svg width=50 height=50><a href="#svg" id=sa><rect width=50 height=50></rect></a></svg><select id=se><option>A<option>B</select>
		<script>sent=0;n=0;c.onchange=()=>n++;d.onchange=()=>n++</script>`, func(t *testing.T, s *stage) {
		s.ok("#a", "click", nil)
		s.becomes(`doc.location.hash`, `"#went"`)
		if out := s.ok("#c", "click", nil); out.Checked == nil || !*out.Checked {
			t.Errorf("clicking a check box says %+v", out)
		}
		s.ok("#l", "click", nil)
		s.is(`[$("#c").checked, $("#d").checked, w.n]`, `[true,true,2]`)
		s.ok("#d", "click", nil) // not drawn: its label is clicked
		s.is(`[$("#d").checked, w.n]`, `[false,3]`)
		s.ok("#su", "click", nil)
		s.ok("#go", "click", nil)
		s.ok("#pt", "click", nil)
		s.is(`[$("#de").open, w.sent, $("#po").matches(":popover-open")]`, `[true,1,true]`)
		s.ok("#tl", "click", nil)
		s.is(`doc.activeElement.id`, `"tx"`)
		s.ok("#sa", "click", nil)
		s.becomes(`doc.location.hash`, `"#svg"`)
		if out := s.ok("#se", "click", nil); !strings.Contains(out.text(), "select_option") {
			t.Errorf("clicking a select says %q", out.text())
		}
	})
}

func TestClickFindsItsPlace(t *testing.T) {
	both(t, `<style>body{margin:0}</style><div style="position:sticky;top:0;height:120px;background:#eee;z-index:2"><button id=wrong style="width:100%;height:100%">Header</button></div>
		<div style="height:1500px"></div><button id=under>Target</button><div style="height:3000px"></div>
		<button id=tilted style="transform:rotate(45deg) scale(.5);margin:80px">Tilted</button><button id=huge style="width:5000px;height:4000px;display:block">Huge</button>
		<button id=contents style="display:contents"><span>Bare</span></button>
		<div id=card style="width:300px;height:60px;cursor:pointer"><button id=inner style="width:280px;height:50px">Delete</button></div>
		<label id=terms><input type=checkbox id=tc> <a href="/terms" id=tlink>terms of use</a></label>
		<div style="overflow:hidden;width:50px;height:50px"><div style="width:500px"><button id=far style="margin-left:400px">Far</button></div></div>
		<input type=checkbox id=clip aria-label=Clipped style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px">
		<img usemap="#m" width=200 height=100 src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>" alt=Plan><map name=m><area shape=rect coords="0,0,100,100" href="#west" alt="West"><area id=east shape=rect coords="100,0,200,100" href="#east" alt="East"></map>
		<script>log=[];document.addEventListener("click",e=>{if(e.target.closest("a"))e.preventDefault();log.push(e.target.id||e.target.localName)});addEventListener("load",()=>scrollTo(0,1640))</script>`, func(t *testing.T, s *stage) {
		for _, id := range []string{"under", "tilted", "huge", "far", "clip"} {
			s.oracle(`w.log.length=0`)
			s.ok("#"+id, "click", nil)
			s.is(`w.log[0]`, `"`+id+`"`)
		}
		s.oracle(`w.log.length=0`)
		s.ok("#contents", "click", nil)
		s.is(`w.log[0]`, `"span"`)
		s.oracle(`w.log.length=0`)
		s.ok("#card", "click", nil)
		s.is(`w.log[0]`, `"card"`)
		s.ok("#terms", "click", nil)
		s.is(`[$("#tc").checked, w.log.includes("tlink")]`, `[true,false]`)
		s.oracle(`w.log.length=0`)
		s.ok("#east", "click", nil)
		s.is(`w.log[0]`, `"east"`)
	})
}

func TestClickRefuses(t *testing.T) {
	both(t, `<div style="position:relative;width:200px;height:60px"><button id=under style="width:100%;height:100%">Under</button><div id=over role=dialog aria-label="Cookies" style="position:absolute;inset:0;background:#eee">We use cookies</div></div>
		<button id=off disabled>Off</button><fieldset disabled><legend><button id=leg>Leg</button></legend><button id=in>In</button></fieldset><button id=aria aria-disabled=true>Aria</button>
		<button id=none style="display:none">None</button><button id=vis style="visibility:hidden">Vis</button><div inert><button id=inert>Inert</button></div>
		<button id=through style="pointer-events:none">Through</button><input type=file id=file><button id=chooser onclick="file.click()">Choose</button>
		<button id=behind>Behind</button><dialog id=dg><button id=ins>Inside</button></dialog>
		<script>n=0;for(const b of document.querySelectorAll("button"))b.addEventListener("click",()=>n++)</script>`, func(t *testing.T, s *stage) {
		out := s.fails("#under", "click", nil, "element_covered")
		if !strings.Contains(out.Message, `dialog "Cookies"`) {
			t.Errorf("a cover is described as %q", out.Message)
		}
		for _, id := range []string{"off", "in", "aria", "none", "vis", "inert", "through"} {
			s.fails("#"+id, "click", nil, "element_not_interactable")
		}
		s.fails("#file", "click", nil, "unsupported_element")
		s.is(`w.n`, `0`)
		s.ok("#leg", "click", nil)
		if out := s.ok("#chooser", "click", nil); !strings.Contains(out.text(), "upload_files") {
			t.Errorf("a file chooser asked for is told as %q", out.text())
		}
		s.is(`w.n`, `2`)
		behind := s.target("#behind")
		s.oracle(`$("#dg").showModal()`)
		if out := s.at(behind, "click", nil); out.Code != "element_covered" && out.Code != "element_not_interactable" {
			t.Errorf("clicking behind a modal dialog gives %q", out.Code)
		}
		s.ok("#ins", "click", nil)
		s.is(`w.n`, `3`)
	})
}

func TestClickOnLinksToNewTabs(t *testing.T) {
	both(t, `<base target=_blank><a id=base href="/new?1">Base</a><a id=self target=_self href="#self">Self</a><a id=stop href="/new?2" onclick="return false">Stopped</a>
		<iframe name=frame srcdoc="x"></iframe><a id=frm target=frame href="about:blank#f">Frame</a><a id=named target=elsewhere href="/new?3">Named</a><a id=plain target=_self href="/new?4">Plain</a>
		<button id=open onclick="r=window.open('/new?5')">Open</button>`, func(t *testing.T, s *stage) {
		for id, want := range map[string]string{"base": "/new?1", "named": "/new?3"} {
			if out := s.ok("#"+id, "click", nil); out.Popup == nil || out.Popup.URL != s.site.url+want || !out.Popup.Taken {
				t.Errorf("#%s: popup %+v", id, out.Popup)
			}
		}
		for _, id := range []string{"self", "stop", "frm"} {
			if out := s.ok("#"+id, "click", nil); out.Popup != nil {
				t.Errorf("#%s: popup %+v", id, out.Popup)
			}
		}
		for _, more := range []args{{"modifiers": []string{"Control"}}, {"button": "middle"}} {
			if out := s.ok("#plain", "click", more); out.Popup == nil || out.Popup.URL != s.site.url+"/new?4" {
				t.Errorf("%v: popup %+v", more, out.Popup)
			}
		}
		if out := s.ok("#open", "click", nil); !strings.Contains(out.text(), "popup_blocked") {
			t.Errorf("window.open behind a click is told as %q", out.text())
		}
		s.is(`w.r`, `null`)
	})
}

func TestClickOnWhatGoesAway(t *testing.T) {
	both(t, `<div id=box></div><script>log=[];function draw(){box.innerHTML='<button id=b>Send</button>';b.onclick=()=>log.push("click");b.onmousedown=draw;b.onpointerdown=()=>log.push("down")}draw()</script>`, func(t *testing.T, s *stage) {
		out := s.ok("#b", "click", nil)
		if !strings.Contains(out.text(), "the click was not") {
			t.Errorf("a click on what went away says %q", out.text())
		}
		s.is(`w.log.join()`, `"down"`)
	})
}

func TestHoverEntersAndLeaves(t *testing.T) {
	both(t, `<div id=o><button id=a>A</button></div><button id=b>B</button><script>log=[];for(const k of ["mouseenter","mouseleave","mouseover","mouseout"])for(const x of [o,a,b])x.addEventListener(k,e=>e.target===x&&log.push(k+":"+x.id))</script>`, func(t *testing.T, s *stage) {
		s.ok("#a", "hover", nil)
		s.is(`w.log.join(" ")`, `"mouseover:a mouseenter:o mouseenter:a"`)
		s.oracle(`w.log.length=0`)
		s.ok("#b", "hover", nil)
		s.is(`w.log.join(" ")`, `"mouseout:a mouseleave:a mouseleave:o mouseover:b mouseenter:b"`)
	})
}

func TestHostileClick(t *testing.T) {
	alone(t, `<button id=r>Right</button><button id=x>Wrong</button><script>log="";r.addEventListener("click",()=>log+="R");x.addEventListener("click",()=>log+="X");
		HTMLElement.prototype.click=function(){x.dispatchEvent(new Event("click"))};Document.prototype.elementFromPoint=()=>x;Element.prototype.getClientRects=()=>[];
		EventTarget.prototype.dispatchEvent=()=>true;for(const k of ["Event","MouseEvent","PointerEvent"])window[k]=function(){throw 1};Array.prototype.filter=function(){return []};Object.prototype.bubbles=false</script>`, func(t *testing.T, s *stage) {
		s.ok("#r", "click", nil)
		s.is(`w.log`, `"R"`)
	})
}
