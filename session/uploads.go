package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/upload"
)

// UploadArgs name local files and the element that is to have them.
type UploadArgs struct {
	On

	Paths    []string // absolute
	Progress func(sent, total int64)
}

// Uploaded is what an upload did.
type Uploaded struct {
	*Action

	Target UploadTarget
	Files  []UploadedFile
	Events []string // that the page was sent
}

// UploadTarget is what took the files. Texts are the page's.
type UploadTarget struct {
	Via   string `json:"via"` // itself, label, inside, controls, nearby or drop
	Input *struct {
		Label     string `json:"label"`
		Accept    string `json:"accept"`
		Multiple  bool   `json:"multiple"`
		Directory bool   `json:"directory"`
	} `json:"input"`
	Relocated bool `json:"relocated"`
}

// UploadedFile is a file as the page now holds it.
type UploadedFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Type string `json:"type"`
}

const (
	uploadTime    = 5 * time.Minute // for a whole call
	chunksOnWay   = 2               // sent and not yet confirmed; measured: 4 gain nothing over 2
	abortPatience = 2 * time.Second // for the page to drop what it has
	stagePatience = time.Minute     // to put together and verify what was sent
)

// Upload gives local files to a file input, or to what stands for one. Files
// are checked and opened before anything is asked of Firefox. It never submits.
func (s *Session) Upload(ctx context.Context, a UploadArgs) (*Uploaded, error) {
	l := s.cfg.Upload
	files, err := upload.Open(a.Paths, upload.Limits{MaxFile: l.MaxFile, MaxTotal: l.MaxTotal, Chunk: l.Chunk, Roots: l.Roots})
	if err != nil {
		return nil, uploadFault(err)
	}
	defer files.Close()
	t, err := s.beginPage(ctx, a.Tab)
	if err != nil {
		return nil, err
	}
	defer t.end()
	late := Faultf(UploadTransferFailed, "the upload took longer than %v", uploadTime)
	ctx, cancel := context.WithTimeoutCause(ctx, uploadTime, late)
	defer cancel()
	doc, loc, err := t.locate(ctx, a.Element)
	if err != nil {
		return nil, err
	}
	j := &job{turn: t, doc: doc, loc: loc, files: files, args: a}
	if err := j.begin(ctx); err != nil {
		return nil, staged("validation", err)
	}
	out, err := j.run(ctx)
	if err != nil {
		j.abort(ctx)
	}
	return out, err
}

// uploadFault translates what is wrong with a file. It never names a folder.
func uploadFault(err error) error {
	e, ok := errors.AsType[*upload.Error](err)
	if !ok {
		return &Fault{Code: Internal, Message: "unexpected failure in the server", Err: err}
	}
	code := UploadFileInvalid
	switch e.Kind {
	case upload.TooLarge:
		code = UploadTooLarge
	case upload.Changed:
		code = UploadTransferFailed
	case upload.Invalid:
	}
	return &Fault{Code: code, Message: e.Error(), Err: err}
}

// staged adds to a fault how far the upload had come.
func staged(stage string, err error) error {
	f := *AsFault(fromConnection(err))
	f.Message = fmt.Sprintf("%s (stage: %s; nothing was submitted)", f.Message, stage)
	return &f
}

// job is one upload under way.
type job struct {
	*turn

	doc   *document
	loc   Locator
	files *upload.Set
	args  UploadArgs

	id       string // the page's name for it
	target   UploadTarget
	warnings []string
	onWay    []chunkOnWay
	sent     int64 // confirmed bytes of all files
}

// chunkOnWay is a chunk that the page has yet to confirm.
type chunkOnWay struct {
	running *router.Running
	ctx     context.Context //nolint:containedctx // of the evaluation, from send to confirmation
	done    func()
	file    int
	chunk   upload.Chunk
	bytes   int64
}

// begin announces the files: the page looks for what takes them and refuses
// what it cannot take before a byte is sent.
func (j *job) begin(ctx context.Context) error {
	args := j.loc.expectation()
	args["until"] = before(uploadTime)
	metas := make([]map[string]any, len(j.files.Files))
	for i, f := range j.files.Files {
		metas[i] = map[string]any{"name": f.Name, "size": f.Size, "type": f.Type, "modified": f.Modified.UnixMilli()}
	}
	args["files"] = metas
	var out struct {
		UploadTarget
		ID       string   `json:"id"`
		Warnings []string `json:"warnings"`
	}
	if err := j.in(ctx, j.doc, call{method: "upload_begin", args: args}, &out); err != nil {
		return err
	}
	j.id, j.target, j.warnings = out.ID, out.UploadTarget, out.Warnings
	return nil
}

func (j *job) run(ctx context.Context) (*Uploaded, error) {
	if err := j.transfer(ctx); err != nil {
		return nil, staged("transfer", err)
	}
	return j.finish(ctx)
}

// transfer sends all chunks, a few at a time.
func (j *job) transfer(ctx context.Context) error {
	defer j.letGo()
	for i, f := range j.files.Files {
		for {
			c, err := f.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return uploadFault(err)
			}
			if err := j.push(ctx, i, c); err != nil {
				return err
			}
		}
	}
	for len(j.onWay) > 0 {
		if err := j.confirm(); err != nil {
			return err
		}
	}
	return nil
}

// push sends a chunk, once there is room on the way.
func (j *job) push(ctx context.Context, file int, c upload.Chunk) error {
	if len(j.onWay) == chunksOnWay {
		if err := j.confirm(); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	running, ctx, done, err := j.start(ctx, j.doc, call{
		method: "upload_append", carry: true,
		args: map[string]any{"id": j.id, "file": file, "chunk": c.Index, "data": c.Data},
	})
	if err != nil {
		return err
	}
	c.Data = "" // on its way; the server keeps no more than the frames of a few chunks
	j.onWay = append(j.onWay, chunkOnWay{running, ctx, done, file, c, c.End})
	return nil
}

// confirm waits for the oldest chunk on the way and compares what the page says
// to have with what was sent.
func (j *job) confirm() error {
	c := j.onWay[0]
	j.onWay = slices.Delete(j.onWay, 0, 1)
	defer c.done()
	v, err := c.running.Wait(c.ctx)
	if err != nil {
		return j.unresponsive(c.ctx, j.pageError(c.ctx, err))
	}
	var got struct {
		File     int   `json:"file"`
		Chunk    int   `json:"chunk"`
		Received int64 `json:"received"`
	}
	if err := j.decode(c.ctx, v.Text, &got); err != nil {
		return err
	}
	if got.File != c.file || got.Chunk != c.chunk.Index || got.Received != c.chunk.End {
		return Faultf(UploadTransferFailed, "the page confirmed chunk %d of file %d with %d bytes, expected chunk %d of file %d with %d", got.Chunk, got.File, got.Received, c.chunk.Index, c.file, c.chunk.End)
	}
	j.sent = j.before(c.file) + c.chunk.End
	if j.args.Progress != nil {
		j.args.Progress(j.sent, j.files.Total)
	}
	return nil
}

// before sums the sizes of the files before one.
func (j *job) before(file int) int64 {
	var n int64
	for _, f := range j.files.Files[:file] {
		n += f.Size
	}
	return n
}

// letGo releases what waits for chunks that nobody will confirm any more.
func (j *job) letGo() {
	for _, c := range j.onWay {
		c.done()
	}
	j.onWay = nil
}

// finish lets the page build the files, compare their digests with those of the
// bytes that were read, and give them to the input.
func (j *job) finish(ctx context.Context) (*Uploaded, error) {
	args := j.loc.expectation()
	args["id"], args["until"], args["baseline"] = j.id, before(stagePatience), j.args.Watch > 0
	args["begin"] = before(min(stagePatience, j.cfg.patience()))
	digests := make([]string, len(j.files.Files))
	for i, f := range j.files.Files {
		digests[i] = f.Digest()
	}
	args["digests"] = digests
	var done struct {
		UploadTarget
		Files    []UploadedFile `json:"files"`
		Events   []string       `json:"events"`
		Warnings []string       `json:"warnings"`
	}
	start := j.view
	out := &Uploaded{Action: &Action{Tab: j.ID, Element: j.args.Element, untold: j.args.Untold}, Target: j.target}
	dialog, err := j.perform(ctx, j.doc, call{method: "upload_finish", args: args, await: true, limit: stagePatience}, &done)
	if err != nil {
		return nil, staged("assignment or verification", err)
	}
	out.Files, out.Events, out.Relocated = done.Files, done.Events, done.Relocated
	out.Result.Warnings = slices.Concat(j.warnings, done.Warnings)
	if dialog != nil { // a handler of the page's asks something; the files are there
		out.Dialog = dialog
		_, err := j.witness(ctx, out.Action)
		return out, err
	}
	_, err = j.aftermath(ctx, j.doc, start, j.args.Watch, out.Action)
	return out, err
}

// abort lets the page drop what it has. The page drops it by itself later on,
// and with its document, so a failure here is no news.
func (j *job) abort(ctx context.Context) {
	if j.id == "" || j.doc.ctx.Err() != nil {
		return
	}
	short, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortPatience)
	defer cancel()
	_ = j.in(short, j.doc, call{method: "upload_abort", args: map[string]any{"id": j.id}, limit: abortPatience}, nil)
}
