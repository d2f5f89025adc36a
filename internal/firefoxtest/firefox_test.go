package firefoxtest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestOracleSeesThePage(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>hello</title><script>answer = 42</script>`))
	}))
	defer srv.Close()
	f := Start(t)
	c, err := Dial(t.Context(), f.Port, true)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Go(t.Context(), 0, srv.URL+"/"); err != nil {
		t.Fatal(err)
	}
	got, err := c.Page(t.Context(), 0, `[doc.title, w.answer]`)
	if err != nil {
		t.Fatal(err)
	}
	if want := `["hello",42]`; string(got) != want {
		t.Errorf("Page = %s, want %s", got, want)
	}
}
