package page

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// hostile replaces all that files are made of.
const hostile = `<script>
	File = function () { return new Blob(["evil"]) }; atob = () => "evil"; Blob.prototype.arrayBuffer = async () => new ArrayBuffer(4);
	DataTransfer = function () { return { items: { add() {} }, files: f.files } };
	Uint8Array = new Proxy(Uint8Array, { construct() { throw 1 } }); Int32Array = null; Event = null; DragEvent = null;
	Object.defineProperty(HTMLInputElement.prototype, "files", { get() { return [] }, set() { lied = 1 } });
	crypto.getRandomValues = a => a; HTMLElement.prototype.dispatchEvent = () => true;
</script>`

func TestUploadOnAHostilePage(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><input type=file id=f><script>
		changes = 0; addEventListener("change", () => changes++)</script>` + hostile
	f := newFile("a.txt", "text/plain", []byte("true bytes"))
	t.Run("isolated", func(t *testing.T) {
		v := open(t, dial(t), s.url+"/", true)
		v.mustUpload("#f", f)
		if got := v.oracle(`[w.changes, $("#f").files.length, $("#f").files[0].name, $("#f").files[0].size, typeof w.lied]`); got != `[1,1,"a.txt",10,"undefined"]` {
			t.Errorf("the page has %s", got)
		}
	})
	t.Run("page", func(t *testing.T) { // it may fail, but not lie
		v := open(t, dial(t), s.url+"/", false)
		target := v.element("#f")
		start, err := v.begin(target, f)
		if err == nil {
			err = v.transfer(start.ID, 4, false, f)
		}
		if err == nil {
			_, err = v.finish(target, start.ID, f)
		}
		if err == nil {
			t.Error("an upload is reported that cannot have been")
		}
		if got := v.oracle(`[w.changes, $("#f").files.length]`); got != `[0,0]` {
			t.Errorf("the page has %s", got)
		}
	})
}

func TestCarry(t *testing.T) {
	text, url, err := Carry(`m"`, map[string]string{"data": "\u2028\""})
	if err != nil || text != `_self("m\"",Error().fileName)` || url != `{"data":"\u2028\""}` {
		t.Errorf("Carry = %s, %s, %v", text, url, err)
	}
	if _, _, err := Carry("m", func() {}); err == nil {
		t.Error("Carry takes what is no JSON")
	}
}

// TestUploadLateLies has the page change after the agent has come.
func TestUploadLateLies(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><input type=file id=f><script>changes = 0; addEventListener("change", () => changes++)</script>`
	f := newFile("a.txt", "text/plain", []byte("true bytes"))
	v := open(t, dial(t), s.url+"/", false)
	v.oracle(`w.eval('File = Blob = DataTransfer = atob = null; Uint8Array.fromBase64 = () => 1; Object.defineProperty(f, "files", {get() { return [] }, set() {}}); 1')`)
	v.mustUpload("#f", f)
	if got := v.oracle(`[w.changes, $("#f").files.length, $("#f").files[0].size]`); got != `[1,1,10]` {
		t.Errorf("the page has %s", got)
	}
}

func TestUploadTransferFaults(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<input type=file id=f multiple>`
	v := open(t, dial(t), s.url+"/", true)
	target := v.element("#f")
	files := []outgoing{newFile("a", "", []byte("abcdef")), newFile("b", "", []byte("xyz"))}
	data := base64.StdEncoding.EncodeToString
	for name, tc := range map[string]struct {
		good []uploadChunk
		bad  uploadChunk // its ID is filled in
	}{
		"out of order":       {nil, uploadChunk{Chunk: 1, Data: data([]byte("abc"))}},
		"twice":              {[]uploadChunk{{Data: data([]byte("abc"))}}, uploadChunk{Data: data([]byte("abc"))}},
		"no such file":       {nil, uploadChunk{File: 2}},
		"not base64":         {nil, uploadChunk{Data: "%%%"}},
		"longer than agreed": {[]uploadChunk{{Data: data([]byte("abcdef"))}}, uploadChunk{Chunk: 1, Data: data([]byte("g"))}},
	} {
		start, err := v.begin(target, files...)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range tc.good {
			c.ID = start.ID
			if _, err := v.append(c, true); err != nil {
				t.Fatal(err)
			}
		}
		tc.bad.ID = start.ID
		if _, err := v.append(tc.bad, true); uploadStage(t, err) != "upload_transfer_failed transfer" {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := v.finish(target, start.ID, files...); uploadStage(t, err) != "upload_transfer_failed transfer" {
			t.Errorf("%s: the upload goes on: %v", name, err)
		}
	}
	if got := v.oracle(`[w.log.length, $("#f").files.length]`); got != `[0,0]` {
		t.Errorf("the page has seen %s", got)
	}
}

// TestUploadEndsEarly: whatever ends an upload before its time, the input keeps
// what it held, the page hears nothing, and the bytes are gone.
func TestUploadEndsEarly(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<input type=file id=f>`
	v := open(t, dial(t), s.url+"/", true)
	first := newFile("first.txt", "text/plain", []byte("1"))
	v.mustUpload("#f", first)
	v.received(1)
	target := v.element("#f")
	f := newFile("second.txt", "text/plain", []byte("abc"))
	begin := func() string {
		start, err := v.begin(target, f)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.transfer(start.ID, 2, true, f); err != nil {
			t.Fatal(err)
		}
		return start.ID
	}
	for name, tc := range map[string]struct {
		end  func(id string) error
		want string
	}{
		"aborted": {func(id string) error {
			v.call("upload_abort", map[string]any{"id": id}, nil)
			_, err := v.finish(target, id, f)
			return err
		}, "upload_transfer_failed transfer"},
		"other bytes": {func(id string) error {
			_, err := v.finish(target, id, newFile(f.Name, f.Type, []byte("abd")))
			return err
		}, "upload_assignment_failed verification"},
		"too late": {func(id string) error {
			return Decode(v.raw("upload_finish", uploadArgs(target, map[string]any{"id": id, "digests": []string{f.digest()}, "until": 1})), nil)
		}, "too_late"},
		"another address": {func(id string) error {
			return Decode(v.raw("upload_finish", uploadArgs(target, map[string]any{"id": id, "digests": []string{f.digest()}, "url": s.url + "/x"})), nil)
		}, "stale_element"},
		"disabled meanwhile": {func(id string) error {
			v.oracle(`$("#f").disabled = true`)
			defer v.oracle(`$("#f").disabled = false`)
			_, err := v.finish(target, id, f)
			return err
		}, "upload_target_invalid"},
	} {
		id := begin()
		if got := uploadStage(t, tc.end(id)); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		if _, err := v.append(uploadChunk{ID: id}, false); uploadStage(t, err) != "upload_transfer_failed transfer" {
			t.Errorf("%s: it is still there: %v", name, err)
		}
	}
	if got := v.oracle(`[w.log.join(), $("#f").files[0].name]`); got != `["input,change","first.txt"]` {
		t.Errorf("the page has seen %s", got)
	}
}

func TestUploadForgottenIsDropped(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<input type=file id=f>`
	v := open(t, dial(t), s.url+"/", true)
	// Its time is over and its grace nearly.
	target := v.element("#f")
	target["until"] = time.Now().Add(200 * time.Millisecond).UnixMilli()
	var start uploadStarted
	target["files"] = []outgoing{newFile("a", "", []byte("abc"))}
	v.call("upload_begin", target, &start)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		_, err := v.append(uploadChunk{ID: start.ID, Data: ""}, false)
		if err != nil && strings.Contains(err.Error(), "knows nothing") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the upload is still there: %v", err)
		}
	}
}

// TestUploadHandlers has pages do what pages do when they get their files.
func TestUploadHandlers(t *testing.T) {
	f := newFile("a.txt", "text/plain", []byte("abc"))
	for name, tc := range map[string]struct{ html, warning, after string }{
		"empties the input":     {`<input type=file id=f><script>f.addEventListener("change", () => { f.value = "" })</script>`, "holds no file any more", `[0,"input,change"]`},
		"replaces the input":    {`<div id=b></div><script>mount = () => { const i = document.createElement("input"); i.type = "file"; i.id = "f"; i.onchange = mount; b.replaceChildren(i) }; mount()</script>`, "replaced the input", `[0,"input,change"]`},
		"throws":                {`<input type=file id=f onchange="throw 1">`, "", `[1,"input,change"]`},
		"sends its form":        {`<form><input type=file id=f name=f onchange="this.form.requestSubmit()"></form>`, "", `[1,"input,change,submit"]`},
		"removes it at once":    {`<input type=file id=f><script>f.addEventListener("input", () => f.replaceWith(f.cloneNode()))</script>`, "replaced the input", `[1,"input"]`},
		"puts in another's":     {`<input type=file id=f><script>f.addEventListener("change", () => { const d = new DataTransfer(); d.items.add(new File(["x"], "x")); f.files = d.files })</script>`, "other files", `[1,"input,change"]`},
		"shields with a submit": {`<form><input type=file id=f required><button>Send</button></form>`, "", `[1,"input,change"]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.pages["/"] = uploadPage + tc.html
			v := open(t, dial(t), s.url+"/", true)
			done := v.mustUpload("#f", f)
			if got := strings.Join(done.Warnings, "; "); !strings.Contains(got, tc.warning) || (tc.warning == "") != (got == "") {
				t.Errorf("warnings %q, want %q", got, tc.warning)
			}
			if got := v.oracle(`[$("#f").files.length, w.log.join()]`); got != tc.after {
				t.Errorf("afterwards %s, want %s", got, tc.after)
			}
		})
	}
}

// TestUploadSendsThePageAway has the document go in the handler of its files:
// the answer still comes.
func TestUploadSendsThePageAway(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<form action=/sent><input type=file id=f name=f onchange="this.form.submit()"></form>`
	s.pages["/sent"] = `<!doctype html><title>sent</title>`
	v := open(t, dial(t), s.url+"/", true)
	done := v.mustUpload("#f", newFile("a.txt", "text/plain", []byte("abc")))
	if diff := cmp.Diff([]string{"input", "change"}, done.Events); diff != "" {
		t.Error(diff)
	}
}
