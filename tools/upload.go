package tools

import (
	"context"
	"fmt"
	"strings"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// uploadResult is what upload_files did, in structured content (A 10.11). It
// tells no path and no bytes.
type uploadResult struct {
	actionResult

	Target uploadTarget         `json:"target"`
	Files  []uploadedFileResult `json:"files"`
	Events []string             `json:"events"`
}

// uploadTarget is what took the files.
type uploadTarget struct {
	Via      string `json:"via"`
	Label    string `json:"label,omitempty"`
	Accept   string `json:"accept,omitempty"`
	Multiple bool   `json:"multiple,omitempty"`
}

type uploadedFileResult struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Type string `json:"type"`
}

// ways says in words how the named element led to what took the files.
var ways = map[string]string{
	"itself": "the file input itself", "label": "the file input of this label", "inside": "the file input inside",
	"controls": "the file input that it controls", "nearby": "the hidden file input beside it", "drop": "a drop zone",
}

func (h handlers) upload(ctx context.Context, call Call, in uploadFiles) (Reply, error) {
	u, err := h.s.Upload(ctx, session.UploadArgs{
		On: on(in.page, in.Element, in.respond, waitAfter), Paths: in.Paths,
		Progress: func(sent, total int64) { call.Progress(ctx, float64(sent), float64(total), "uploading") },
	})
	if err != nil {
		return Reply{}, err
	}
	out := uploadResult{actionResult: resultOfAction(u.Action), Target: uploadTarget{Via: outline.Clean(u.Target.Via, 20)}, Events: cleanAll(u.Events)}
	if i := u.Target.Input; i != nil {
		out.Target.Label, out.Target.Accept, out.Target.Multiple = outline.Clean(i.Label, titleLimit), outline.Clean(i.Accept, titleLimit), i.Multiple
	}
	names := make([]string, len(u.Files))
	for i, f := range u.Files {
		out.Files = append(out.Files, uploadedFileResult{Name: outline.Clean(f.Name, 255), Size: f.Size, Type: outline.Clean(f.Type, 100)})
		names[i] = fmt.Sprintf("%s (%d bytes, %s)", outline.Quote(f.Name, 255), f.Size, out.Files[i].Type)
	}
	did := fmt.Sprintf("Gave %s to %s, which is %s; verified by digest; events sent: %s; nothing was submitted. Acted on", strings.Join(names, ", "), in.Element, ways[u.Target.Via], strings.Join(out.Events, ", "))
	text := out.text(did)
	if u.Changes != nil {
		text += "\n" + u.Changes.Text
	}
	return h.followedBy(ctx, Reply{Text: text, Structured: out}, in.page, in.respond)
}
