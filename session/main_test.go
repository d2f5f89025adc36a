package session_test

import (
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

func TestMainJob(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/": `<h1>Jobs</h1><label>Name <input id=i></label><button onclick="document.querySelector('p').textContent='Hello '+i.value">Greet</button><p></p>`,
	})
	s.open("/")
	sn := s.snap()
	t.Log("\n" + sn.Text)
	a, err := s.Fill(t.Context(), session.FillArgs{On: session.On{Element: s.ref("Name"), Watch: 250e6}, Value: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", a)
	a, err = s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("Greet"), Watch: 250e6}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", a)
	if got := s.page(`$("p").textContent`); !strings.Contains(got, "Hello Ada") {
		t.Errorf("page says %s", got)
	}
}
