package page

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"
)

// TestPressIsFollowedBeforeTheClick has a page that draws anew in a promise, as
// view libraries do: the click must find what the press has led to.
func TestPressIsFollowedBeforeTheClick(t *testing.T) {
	both(t, `<button id=b>B</button><script>log=[];pressed=false;b.onmousedown=()=>Promise.resolve().then(()=>Promise.resolve()).then(()=>{pressed=true});b.onclick=()=>log.push(pressed)</script>`, func(t *testing.T, s *stage) {
		s.ok("#b", "click", nil)
		s.is(`w.log.join()`, `"true"`)
	})
}

func TestTypingSendsTextInput(t *testing.T) {
	both(t, `<input id=i><textarea id=ta></textarea><script>log=[];for(const k of ["beforeinput","textInput","input"])addEventListener(k,e=>log.push(k+":"+JSON.stringify(e.data)));i.addEventListener("textInput",e=>{if(e.data==="x")e.preventDefault()})</script>`, func(t *testing.T, s *stage) {
		s.ok("#i", "type", args{"text": "ax"})
		s.is(`[$("#i").value, w.log.join(" ")]`, `["a","beforeinput:\"a\" textInput:\"a\" input:\"a\" beforeinput:\"x\" textInput:\"x\""]`)
		s.oracle(`w.log.length=0`)
		s.ok("#ta", "type", args{"text": "\n"})
		s.is(`w.log.slice(0,2).join(" ")`, `"beforeinput:null textInput:\"\\n\""`)
	})
}

func TestAFieldThatItsFormEmptiesIsNotRejected(t *testing.T) {
	both(t, `<form onsubmit="log.push(i.value);i.value='';return false"><input id=i><button>Send</button></form><script>log=[]</script>`, func(t *testing.T, s *stage) {
		for _, method := range []string{"fill", "type"} {
			s.ok("#i", method, args{"value": "hi", "text": "hi", "submit": true})
			if out := s.settle(); out.Rejected || out.value() != "" {
				t.Errorf("%s: %+v", method, out)
			}
		}
		s.ok("#i", "type", args{"text": "yo"})
		s.ok("#i", "key", args{"key": "Enter"})
		if out := s.settle(); out.Rejected {
			t.Errorf("Enter: %+v", out)
		}
		s.is(`w.log.join()`, `"hi,hi,yo"`)
	})
}

// inBackground puts another tab in front of the stage for a test.
func (s *stage) inBackground(t *testing.T) {
	t.Helper()
	if _, err := s.c.Parent(t.Context(), `const g = Services.wm.getMostRecentWindow("navigator:browser").gBrowser; g.selectedTab = g.addTrustedTab("about:blank")`); err != nil {
		t.Fatal(err)
	}
	s.becomes(`doc.visibilityState`, `"hidden"`)
}

// inFront takes the other tabs away again.
func (s *stage) inFront(t *testing.T) {
	t.Helper()
	if _, err := s.c.Parent(t.Context(), `const g = Services.wm.getMostRecentWindow("navigator:browser").gBrowser; g.selectedTab = g.tabs[0]; while (g.tabs.length > 1) g.removeTab(g.tabs[1])`); err != nil {
		t.Fatal(err)
	}
	s.becomes(`doc.visibilityState`, `"visible"`)
}

func TestActionsInATabThatIsNotInFront(t *testing.T) {
	alone(t, `<input id=i><input id=j><div id=ed contenteditable>x</div><button id=b>B</button><p id=p></p><script>log=[];for(const k of ["focus","blur","change","click"])addEventListener(k,e=>e.target.id&&log.push(k+":"+e.target.id),true);b.onclick=()=>setTimeout(()=>p.append("done"),50)</script>`, func(t *testing.T, s *stage) {
		s.inBackground(t)
		defer s.inFront(t)
		s.ok("#i", "type", args{"text": "ab"})
		s.press("", "Tab")
		s.ok("#j", "fill", args{"value": "v"})
		s.ok("#ed", "fill", args{"value": "new"})
		s.is(`[$("#i").value, $("#j").value, $("#ed").textContent, w.log.join(" ")]`, `["ab","v","new","focus:i change:i blur:i focus:j change:j blur:j focus:ed change:ed"]`)
		start := time.Now()
		s.ok("#b", "click", nil)
		if out := s.ask("wait", args{"text": "done", "timeout": 5000, "poll": 2000}); !out.Met {
			t.Errorf("wait: %+v", out)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("a click and a wait took %v", took)
		}
	})
}

func TestWhileADialogIsOpen(t *testing.T) {
	alone(t, `<button id=b>Ask</button><p>text</p><script>log=[];b.onclick=()=>{log.push("before");log.push(confirm("Really?"))}</script>`, func(t *testing.T, s *stage) {
		finish := s.startOn("#b", "click", args{})
		dialogs := `const g = Services.wm.getMostRecentWindow("navigator:browser").gBrowser, m = g.getTabDialogBox(g.tabs[0].linkedBrowser).getContentDialogManager(); `
		for end := time.Now().Add(5 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			raw, err := s.c.Parent(t.Context(), dialogs+`return m._dialogs.filter(d => d._frame.contentWindow?.document?.getElementById("commonDialog")).length`)
			if err != nil {
				t.Fatal(err)
			}
			if string(raw) == "1" {
				break
			}
			if time.Now().After(end) {
				t.Fatal("no dialog came")
			}
		}
		// The click's own answer waits for the dialog; everything else goes on.
		if out := s.ask("wait", args{"text": "text", "timeout": 1000}); !out.Met {
			t.Errorf("wait during a dialog: %+v", out)
		}
		if out := s.ask("wait", args{"text": "never", "timeout": 200}); out.Met || out.Elapsed > 2000 {
			t.Errorf("wait in vain during a dialog: %+v", out)
		}
		if out := s.ask("settle", args{"wait": 300}); out.Elapsed > 2000 {
			t.Errorf("settle during a dialog: %+v", out)
		}
		if _, err := s.c.Parent(t.Context(), dialogs+`m._dialogs[0]._frame.contentWindow.document.getElementById("commonDialog").acceptDialog()`); err != nil {
			t.Fatal(err)
		}
		if out := finish(); out.Code != "" {
			t.Errorf("the click: %+v", out)
		}
		s.is(`w.log.join()`, `"before,true"`)
	})
}

func TestAFrameThatRemovesItself(t *testing.T) {
	alone(t, `<iframe id=f src="/in"></iframe><script>function gone(){f.remove();n=1}</script>`, func(t *testing.T, s *stage) {
		s.site.pages["/in"] = `<!doctype html><button id=b onclick="parent.gone()">Close</button>`
		s.oracle(`$("#f").src = "/in"`)
		s.becomes(`$("#f").contentDocument?.querySelector("#b")?.id ?? ""`, `"b"`)
		inner := &stage{visit: install(t, s.c, 1, true), site: s.site}
		inner.ok("#b", "click", nil)
		s.is(`w.n`, `1`)
	})
}

func TestStopWait(t *testing.T) {
	alone(t, `<p>text</p>`, func(t *testing.T, s *stage) {
		// Both go to one agent, so the wait is sent and its answer read afterwards.
		text, err := Call("wait", args{"text": "never", "timeout": 60000, "ticket": 7})
		if err != nil {
			t.Fatal(err)
		}
		opts := map[string]any{"text": "(" + text + ", 1)", "selectedObjectActor": s.handle}
		if _, err := s.c.Ask(t.Context(), s.console, "evaluateJSAsync", opts); err != nil {
			t.Fatal(err)
		}
		s.call("stop_wait", args{"ticket": 7}, nil)
		s.call("stop_wait", args{"ticket": 7}, nil) // and one that has ended
		if out := s.ask("wait", args{"text": "text", "timeout": 0}); !out.Met {
			t.Errorf("%+v", out)
		}
	})
}

// startOn calls a method on an element over a connection of its own and lets
// its answer come later.
func (s *stage) startOn(selector, method string, a args) (finish func() acted) {
	s.t.Helper()
	v := &stage{visit: install(s.t, dial(s.t), 0, true), site: s.site}
	maps.Copy(a, v.target(selector))
	return v.later(method, a)
}

// start is startOn for a method that needs no element.
func (s *stage) start(method string, a args) (finish func() acted) {
	s.t.Helper()
	v := &stage{visit: install(s.t, dial(s.t), 0, true), site: s.site}
	return v.later(method, a)
}

func (s *stage) later(method string, a args) (finish func() acted) {
	s.t.Helper()
	text, err := Call(method, a)
	if err != nil {
		s.t.Fatal(err)
	}
	type answer struct {
		raw json.RawMessage
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		raw, err := s.c.Evaluate(s.t.Context(), s.console, text, map[string]any{"selectedObjectActor": s.handle, "disableBreaks": true, "mapped": map[string]any{"await": true}})
		answers <- answer{raw, err}
	}()
	return func() acted {
		s.t.Helper()
		var out acted
		select {
		case got := <-answers:
			var text string
			if got.err != nil {
				s.t.Fatal(got.err)
			}
			if err := json.Unmarshal(got.raw, &text); err != nil {
				s.t.Fatal(err)
			}
			if err := Decode(text, &out); err != nil {
				return acted{Code: "error", Message: strings.TrimSpace(err.Error())}
			}
		case <-time.After(15 * time.Second):
			s.t.Fatal("no answer")
		}
		return out
	}
}
