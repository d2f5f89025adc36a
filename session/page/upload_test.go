package page

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// uploadPage is what every page here has: it keeps what it received and when.
const uploadPage = `<!doctype html><meta charset=utf-8><script>
	log = []; got = []; ready = 0;
	async function take(files) {
		for (const f of files) {
			const entry = { name: f.name, size: f.size, type: f.type, modified: f.lastModified, sum: "" };
			got.push(entry);
			const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await new Response(f).arrayBuffer()));
			entry.sum = sum.reduce((s, b) => s + b.toString(16).padStart(2, "0"), "");
			ready++;
		}
	}
	addEventListener("submit", e => { log.push("submit"); e.preventDefault() });
	for (const k of ["input", "change", "cancel", "click"]) addEventListener(k, e => log.push(k + (e.isTrusted ? "!" : "")), true);
	addEventListener("change", e => take(e.composedPath()[0].files), true);
</script>`

// received waits until the page has hashed n files and gives what it has.
func (v *visit) received(n int) []map[string]any {
	v.t.Helper()
	for end := time.Now().Add(30 * time.Second); v.oracle(`w.ready`) != strconv.Itoa(n); {
		if time.Now().After(end) {
			v.t.Fatalf("the page has %s files ready, not %d", v.oracle(`w.ready`), n)
		}
	}
	var got []map[string]any
	if err := json.Unmarshal([]byte(v.oracle(`w.got.map(o => ({...o}))`)), &got); err != nil {
		v.t.Fatal(err)
	}
	return got
}

// arriving is what the page should have received of files.
func arriving(files ...outgoing) []map[string]any {
	var out []map[string]any
	for _, f := range files {
		out = append(out, map[string]any{"name": f.Name, "size": float64(f.Size), "type": f.Type, "modified": float64(f.Modified), "sum": f.digest()})
	}
	return out
}

// inBothRealms runs a test in both.
func inBothRealms(t *testing.T, test func(t *testing.T, isolated bool)) {
	for _, isolated := range []bool{true, false} {
		t.Run(map[bool]string{true: "isolated", false: "page"}[isolated], func(t *testing.T) { test(t, isolated) })
	}
}

func TestUploadSizes(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<form><input type=file id=f multiple></form>`
	inBothRealms(t, func(t *testing.T, isolated bool) {
		v := open(t, dial(t), s.url+"/", isolated)
		before := v.oracle(`Object.getOwnPropertyNames(w).length + doc.documentElement.outerHTML`)
		const size = 1000
		var files []outgoing
		for i, n := range []int{0, 1, size - 1, size, size + 1, 2*size - 1, 2 * size, 3*size + 7} {
			files = append(files, newFile(fmt.Sprintf("f%d.bin", i), "application/octet-stream", pattern(n)))
		}
		target := v.element("#f")
		start, err := v.begin(target, files...)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.transfer(start.ID, size, isolated, files...); err != nil {
			t.Fatal(err)
		}
		if got := v.oracle(`[w.log.length, $("#f").files.length]`); got != `[0,0]` {
			t.Errorf("before the end the page has seen %s", got)
		}
		done, err := v.finish(target, start.ID, files...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(arriving(files...), v.received(len(files))); diff != "" {
			t.Errorf("the page received (-want +got):\n%s", diff)
		}
		if got := v.oracle(`w.log.join()`); got != `"input,change"` {
			t.Errorf("events: %s", got)
		}
		if done.Via != "itself" || len(done.Files) != len(files) || strings.Join(done.Events, ",") != "input,change" || len(done.Warnings) != 0 {
			t.Errorf("finish = %+v", done)
		}
		if after := v.oracle(`Object.getOwnPropertyNames(w).length + doc.documentElement.outerHTML`); after != before {
			t.Errorf("something was left in the page: %s", after)
		}
		if _, err := v.append(uploadChunk{ID: start.ID}, false); uploadStage(t, err) != "upload_transfer_failed transfer" {
			t.Errorf("after its end the upload is still there: %v", err)
		}
	})
}

// TestUploadLarge sends what the limits allow at most for one file, and has the
// page post it in a form: the file is made of many parts inside the browser.
func TestUploadLarge(t *testing.T) {
	sums := make(chan string, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			_, _ = io.WriteString(w, uploadPage+`<form method=post enctype=multipart/form-data><input type=file id=f name=f></form>`)
			return
		}
		part, _, err := r.FormFile("f")
		if err != nil {
			sums <- err.Error()
			return
		}
		hash := sha256.New()
		_, _ = io.Copy(hash, part)
		sums <- hex.EncodeToString(hash.Sum(nil))
	}))
	defer srv.Close()
	v := open(t, dial(t), srv.URL+"/", true)
	f := newFile("large.bin", "application/octet-stream", pattern(25<<20))
	target := v.element("#f")
	start, err := v.begin(target, f)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := v.transfer(start.ID, 256<<10, true, f); err != nil {
		t.Fatal(err)
	}
	t.Logf("transfer of 25 MiB: %v", time.Since(began))
	began = time.Now()
	if _, err := v.finish(target, start.ID, f); err != nil {
		t.Fatal(err)
	}
	t.Logf("construction, digest and assignment: %v", time.Since(began))
	if diff := cmp.Diff(arriving(f), v.received(1)); diff != "" {
		t.Errorf("the page received (-want +got):\n%s", diff)
	}
	v.oracle(`w.HTMLFormElement.prototype.submit.call(doc.forms[0])`)
	select {
	case sum := <-sums:
		if sum != f.digest() {
			t.Errorf("the server received %s", sum)
		}
	case <-time.After(30 * time.Second):
		t.Error("the form was not posted")
	}
}

func TestUploadNames(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<input type=file id=f multiple>`
	var files []outgoing
	for i, name := range []string{
		`it's "quoted".txt`, `back\slash.txt`, "\u00fcmlaut nfc.txt", "u\u0308mlaut nfd.txt", "\u65e5\u672c\u8a9e.txt", "\U0001F600 smile.txt",
		" lead and trail .txt", "-rf.txt", "..hidden", "${x} `y` $(z).txt", "a%20b%2Fc.txt", "<script><b>.txt", "semi;colon&amp.txt", "no extension",
		"tab\there.txt", "new\nline.txt", "rtl\u202eexe.txt", "\u2028\u2029.txt", "__proto__", "\x7f.txt", strings.Repeat("x", 251) + ".txt",
	} {
		files = append(files, newFile(name, "text/plain", []byte("file "+strconv.Itoa(i))))
	}
	inBothRealms(t, func(t *testing.T, isolated bool) {
		v := open(t, dial(t), s.url+"/", isolated)
		v.mustUpload("#f", files...)
		if diff := cmp.Diff(arriving(files...), v.received(len(files))); diff != "" {
			t.Errorf("the page received (-want +got):\n%s", diff)
		}
	})
}

func TestUploadTargets(t *testing.T) {
	hidden := `<input type=file id=f style="display:none">`
	for name, tc := range map[string]struct {
		html, selector, via string // via: of success, or the code of an error
	}{
		"the input itself":             {`<input type=file id=f>`, "#f", "itself"},
		"a hidden input itself":        {`<input type=file id=f hidden>`, "#f", "itself"},
		"an input in a shadow tree":    {`<div id=h></div><script>h.attachShadow({mode:"open"}).innerHTML='<input type=file id=f onchange="take(this.files)">'</script>`, "#h >>> #f", "itself"},
		"a label":                      {`<label id=l for=f>Choose</label>` + hidden, "#l", "label"},
		"text in a label":              {`<label><b id=l>Choose</b>` + hidden + `</label>`, "#l", "label"},
		"a label of something else":    {`<label id=l for=x>Choose</label><input id=x><input type=file>`, "#l", "upload_target_invalid"},
		"a zone around an input":       {`<div id=z tabindex=0>Drop<p>` + hidden + `</div>`, "#z", "inside"},
		"a host around an input":       {`<div id=z></div><script>z.attachShadow({mode:"open"}).innerHTML='<button>x</button><input type=file id=f onchange="take(this.files)">'</script>`, "#z", "inside"},
		"a zone around two inputs":     {`<div id=z>` + hidden + `<input type=file></div>`, "#z", "upload_target_invalid"},
		"a button that controls":       {`<button id=b aria-controls=f>x</button><p><input type=file id=f>`, "#b", "controls"},
		"a button beside its input":    {`<div>` + hidden + `<button id=b type=button onclick="f.click()">Choose</button></div><input type=file hidden id=g>`, "#b", "nearby"},
		"a transparent input":          {`<div><input type=file id=f style="opacity:0"><button id=b>Choose</button></div>`, "#b", "nearby"},
		"a clipped input":              {`<div><input type=file id=f style="position:absolute;width:1px;height:1px;overflow:hidden"><span id=b role=button>Choose</span></div>`, "#b", "nearby"},
		"an input off the page":        {`<div><input type=file id=f style="position:absolute;left:-9999px"><a href="#" id=b>Choose</a></div>`, "#b", "nearby"},
		"a button in a closed part":    {`<header><button id=b>Menu</button></header><main>` + hidden + `</main>`, "#b", "upload_target_invalid"},
		"a button beside a seen input": {`<input type=file id=f><button id=b>Plain</button>`, "#b", "upload_target_invalid"},
		"a button beside two":          {hidden + `<input type=file hidden><button id=b>Plain</button>`, "#b", "upload_target_invalid"},
		"a text field":                 {`<textarea id=b></textarea>` + hidden, "#b", "upload_target_invalid"},
		"a disabled input":             {`<input type=file id=f disabled>`, "#f", "upload_target_invalid"},
		"an input in a fieldset":       {`<fieldset disabled><input type=file id=f></fieldset>`, "#f", "upload_target_invalid"},
		"a paragraph":                  {`<p id=p>text</p>`, "#p", "upload_target_invalid"},
		"a drop zone":                  {`<div id=z ondragover="event.preventDefault()" ondrop="event.preventDefault();take(event.dataTransfer.files)">Drop</div>`, "#z", "drop"},
		"text in a drop zone":          {`<div ondragover="event.preventDefault()" ondrop="event.preventDefault();take(event.dataTransfer.files)"><i id=z>Drop</i></div>`, "#z", "drop"},
		"a zone that takes no drop":    {`<div id=z ondragover="event.preventDefault()">Drop</div>`, "#z", "upload_assignment_failed assignment"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.pages["/"] = uploadPage + tc.html
			v := open(t, dial(t), s.url+"/", true)
			f := newFile("a.txt", "text/plain", []byte("abc"))
			done, err := v.upload(tc.selector, f)
			if err != nil {
				if got := uploadStage(t, err); got != tc.via {
					t.Errorf("upload fails with %q, want %q: %v", got, tc.via, err)
				}
				if got := v.oracle(`w.got.length + $$("input[type=file]").reduce((n, i) => n + i.files.length, 0)`); got != "0" {
					t.Errorf("after the failure the page has files")
				}
				return
			}
			if done.Via != tc.via {
				t.Errorf("via %q, want %q", done.Via, tc.via)
			}
			if diff := cmp.Diff(arriving(f), v.received(1)); diff != "" {
				t.Errorf("the page received (-want +got):\n%s", diff)
			}
			if got := v.oracle(`w.log.join()`); tc.via != "drop" && !strings.HasPrefix(got, `"input`) {
				t.Errorf("events: %s", got)
			}
		})
	}
}

func TestUploadDrop(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<div id=z>Drop</div><script>
		for (const k of ["dragenter", "dragover", "dragleave", "drop"]) z.addEventListener(k, e => {
			e.preventDefault();
			log.push(k + ":" + e.dataTransfer.types + ":" + [...e.dataTransfer.items].map(i => i.kind + " " + i.type));
			if (k === "drop") take(e.dataTransfer.files);
		});</script>`
	inBothRealms(t, func(t *testing.T, isolated bool) {
		v := open(t, dial(t), s.url+"/", isolated)
		files := []outgoing{newFile("a.txt", "text/plain", []byte("abc")), newFile("b.png", "image/png", pattern(1000))}
		target := v.element("#z")
		start, err := v.begin(target, files...)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.transfer(start.ID, 100, isolated, files...); err != nil {
			t.Fatal(err)
		}
		done, err := v.finish(target, start.ID, files...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(arriving(files...), v.received(2)); diff != "" {
			t.Errorf("the page received (-want +got):\n%s", diff)
		}
		if done.Via != "drop" || strings.Join(done.Events, ",") != "drop" || len(done.Warnings) != 1 {
			t.Errorf("finish = %+v", done)
		}
		var want []string
		for _, k := range []string{"dragenter", "dragover", "dragleave", "dragenter", "dragover", "drop"} {
			want = append(want, k+":Files:file text/plain,file image/png")
		}
		if got := v.oracle(`w.log.join("|")`); got != strconv.Quote(strings.Join(want, "|")) {
			t.Errorf("events: %s", got)
		}
	})
}

// TestUploadDropReplaced: a page that has put its own function in the way of a
// drop is not called, and nothing is dropped.
func TestUploadDropReplaced(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<div id=z ondragover="event.preventDefault()" ondrop="event.preventDefault();take(event.dataTransfer.files)">Drop</div><script>
		called = 0; DataTransferItemList.prototype.add = () => { called++ }</script>`
	v := open(t, dial(t), s.url+"/", true)
	if _, err := v.upload("#z", newFile("a.txt", "", []byte("a"))); uploadStage(t, err) != "upload_target_invalid" {
		t.Errorf("upload: %v", err)
	}
	if got := v.oracle(`[w.called, w.got.length]`); got != `[0,0]` {
		t.Errorf("the page has seen %s", got)
	}
}

func TestUploadNumberAndKind(t *testing.T) {
	s := serve(t)
	s.pages["/"] = uploadPage + `<input type=file id=one aria-label=One><input type=file id=many aria-label=Many multiple accept=".PDF, image/*"><input type=file id=folder aria-label=Folder webkitdirectory>`
	v := open(t, dial(t), s.url+"/", true)
	a, b := newFile("a.txt", "text/plain", []byte("a")), newFile("b.png", "image/png", []byte("b"))
	if _, err := v.upload("#one", a, b); uploadStage(t, err) != "upload_target_invalid" {
		t.Errorf("two files for an input of one: %v", err)
	}
	start, err := v.begin(v.element("#many"), a, b, newFile("c.Pdf", "application/pdf", nil))
	if want := []string{`"a.txt" does not fit accept=".PDF, image/*"`}; err != nil || cmp.Diff(want, start.Warnings) != "" {
		t.Errorf("warnings %q, %v", start.Warnings, err)
	}
	v.call("upload_abort", map[string]any{"id": start.ID}, nil)
	if start, err = v.begin(v.element("#folder"), a, b); err != nil || len(start.Warnings) != 1 {
		t.Errorf("a folder's input: %q, %v", start.Warnings, err)
	}
	v.mustUpload("#one", a)
	v.mustUpload("#one", b)
	if got := v.oracle(`[[...$("#one").files].map(f => f.name), w.log.join()]`); got != `[["b.png"],"input,change,input,change"]` {
		t.Errorf("a second upload: %s", got)
	}
}
