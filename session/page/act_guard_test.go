package page

import (
	"strings"
	"testing"
	"time"
)

func TestActionsKeepToTheirElement(t *testing.T) {
	page := `<ul id=u></ul><div id=box></div><a id=a href="/safe">Terms</a><script>log=[];items=["Ann","Ben"];
		function draw(){u.innerHTML="";for(const n of items){const li=document.createElement("li");li.append(n+" ");const b=document.createElement("button");b.textContent="Remove";b.onclick=()=>log.push(n);li.append(b);u.append(li)}}draw();
		function mount(text){box.innerHTML="";const b=document.createElement("button");b.textContent=text;b.onclick=()=>log.push(text);box.append(b)}mount("Send")</script>`
	both(t, page, func(t *testing.T, s *stage) {
		row := s.target("#u li:nth-of-type(2) button")
		row["unique"] = false
		send := s.target("#box button")
		link := s.target("#a")

		s.oracle(`w.mount("Send")`)
		if out := s.at(send, "click", nil); out.Code != "" || !out.Relocated {
			t.Errorf("a twin in the same place: %+v", out)
		}
		s.oracle(`w.draw()`)
		if out := s.at(row, "click", nil); out.Code != "stale_element" {
			t.Errorf("one of several like rows: %+v", out)
		}
		row["unique"] = true // a snapshot may have had only one; the page has two now
		if out := s.at(row, "click", nil); out.Code != "stale_element" {
			t.Errorf("one of several like rows now: %+v", out)
		}
		s.oracle(`w.mount("Delete")`)
		if out := s.at(send, "click", nil); out.Code != "stale_element" || !strings.Contains(out.Message, `"Delete"`) || !strings.Contains(string(out.Details), `"now"`) {
			t.Errorf("another in the same place: %+v", out)
		}
		s.oracle(`$("#a").href = "/evil"`)
		if out := s.at(link, "click", nil); out.Code != "stale_element" {
			t.Errorf("a link to elsewhere: %+v", out)
		}
		s.is(`w.log.join()`, `"Send"`)
	})
}

func TestNothingActsLateOrElsewhere(t *testing.T) {
	both(t, `<button id=b onclick="n++">B</button><input id=i><script>n=0</script>`, func(t *testing.T, s *stage) {
		late := args{"until": time.Now().Add(-time.Second).UnixMilli(), "value": "x", "text": "x", "key": "a"}
		for _, method := range []string{"click", "hover", "focus", "fill", "type", "key", "scroll"} {
			s.fails("#i", method, late, "too_late")
		}
		s.fails("#b", "click", args{"url": "http://elsewhere.invalid/"}, "stale_element")
		s.is(`[w.n, $("#i").value]`, `[0,""]`)
		if url := strings.Trim(s.oracle(`doc.location.href`), `"`); s.on("#b", "click", args{"url": url}).Code != "" {
			t.Error("the right address is refused")
		}
	})
}

func TestActionsSeeIntoShadowTrees(t *testing.T) {
	both(t, `<div id=h></div><script>log=[];const s=h.attachShadow({mode:"open"});s.innerHTML="<button id=x>Inner</button><input id=i><slot></slot>";s.getElementById("x").onclick=()=>log.push("inner");h.innerHTML="<button id=l>Light</button>";h.firstChild.onclick=()=>log.push("light")</script>`, func(t *testing.T, s *stage) {
		s.ok("#h >>> #x", "click", nil)
		s.ok("#l", "click", nil)
		s.ok("#h >>> #i", "fill", args{"value": "deep"})
		s.ok("#h >>> #i", "type", args{"text": "er"})
		s.is(`[w.log.join(), $("#h").shadowRoot.querySelector("#i").value]`, `["inner,light","deeper"]`)
	})
}

// On a page that has made a promise of every object a click still comes to its end.
func TestClickAmongThenables(t *testing.T) {
	both(t, `<button id=b onclick="clicked=true">Go</button><script>Object.prototype.then=function(){}</script>`, func(t *testing.T, s *stage) {
		s.ok("#b", "click", nil)
		s.is(`w.clicked`, `true`)
	})
}
