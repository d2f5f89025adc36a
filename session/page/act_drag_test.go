package page

import (
	"strings"
	"testing"
)

func (s *stage) drag(from, to string) acted {
	s.t.Helper()
	return s.ok(from, "drag", args{"target": s.target(to)})
}

func TestDrag(t *testing.T) {
	both(t, fixtureText("drag.html"), func(t *testing.T, s *stage) {
		if out := s.drag("#html", "#bin"); out.Way != "html" || !out.Accepted {
			t.Errorf("HTML drag: %+v", out)
		}
		s.is(`[w.dropped, w.effect]`, `["payload","copy"]`)
		if out := s.drag("#html", "#wall"); out.Accepted || !strings.Contains(out.text(), "did not accept") {
			t.Errorf("a drop that is not taken: %+v", out)
		}
		if out := s.drag("#mouse", "#bin"); out.Way != "pointer" {
			t.Errorf("mouse drag: %+v", out)
		}
		s.is(`w.mouseEnd`, `"bin"`)
		s.drag("#sort li:nth-of-type(1)", "#sort li:nth-of-type(3)")
		s.is(`[...$$("#sort li")].map(x=>x.textContent).join()`, `"B,C,A"`)
	})
}
