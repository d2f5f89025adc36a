package page

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"
)

// An upload as session does it, one evaluation after the other.

// outgoing is one file on its way to a page.
type outgoing struct {
	Name     string `json:"name"`
	Size     int64  `json:"size"`
	Type     string `json:"type"`
	Modified int64  `json:"modified"`
	data     []byte
}

func newFile(name, kind string, data []byte) outgoing {
	return outgoing{Name: name, Size: int64(len(data)), Type: kind, Modified: 1700000000123, data: data}
}

func (f outgoing) digest() string {
	sum := sha256.Sum256(f.data)
	return hex.EncodeToString(sum[:])
}

// pattern makes bytes that repeat nowhere near a chunk.
func pattern(n int) []byte {
	out := make([]byte, n)
	for i, x := 0, uint32(n)|1; i < n; i++ {
		x = x*1664525 + 1013904223
		out[i] = byte(x >> 24)
	}
	return out
}

// uploadDone is what upload_finish answers.
type uploadDone struct {
	Via   string
	Input *struct {
		Label, Accept       string
		Multiple, Directory bool
	}
	Files []struct {
		Name, Type string
		Size       int64
	}
	Events, Warnings []string
	URL              string
}

// uploadStarted is what upload_begin answers.
type uploadStarted struct {
	ID, Via  string
	Warnings []string
}

// element gives what a reference to the element of a selector carries.
func (v *visit) element(selector string) map[string]any {
	v.t.Helper()
	var target map[string]any
	v.call("locate", map[string]any{"selector": selector}, &target)
	return target
}

func uploadArgs(target map[string]any, more map[string]any) map[string]any {
	out := map[string]any{"until": time.Now().Add(time.Minute).UnixMilli()}
	for k, value := range target {
		out[k] = value
	}
	for k, value := range more {
		out[k] = value
	}
	return out
}

// begin stages files for an element.
func (v *visit) begin(target map[string]any, files ...outgoing) (uploadStarted, error) {
	v.t.Helper()
	var s uploadStarted
	err := Decode(v.raw("upload_begin", uploadArgs(target, map[string]any{"files": files})), &s)
	return s, err
}

type uploadChunk struct {
	ID    string `json:"id"`
	File  int    `json:"file"`
	Chunk int    `json:"chunk"`
	Data  string `json:"data"`
}

// append sends one chunk, by either carrier.
func (v *visit) append(c uploadChunk, carry bool) (received int64, err error) {
	v.t.Helper()
	var got struct {
		File, Chunk int
		Received    int64
	}
	answer := ""
	if !carry {
		answer = v.raw("upload_append", c)
	} else {
		text, url, err := Carry("upload_append", c)
		if err != nil {
			v.t.Fatal(err)
		}
		raw, err := v.c.Evaluate(v.t.Context(), v.console, text, map[string]any{"url": url, "selectedObjectActor": v.handle, "disableBreaks": true})
		if err != nil {
			v.t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &answer); err != nil {
			v.t.Fatalf("append gave %.300s", raw)
		}
	}
	if err := Decode(answer, &got); err != nil {
		return 0, err
	}
	if got.File != c.File || got.Chunk != c.Chunk {
		return 0, fmt.Errorf("chunk %d of file %d was confirmed as %d of %d", c.Chunk, c.File, got.Chunk, got.File)
	}
	return got.Received, nil
}

// transfer sends all bytes.
func (v *visit) transfer(id string, size int, carry bool, files ...outgoing) error {
	v.t.Helper()
	for i, f := range files {
		for n, at := 0, 0; at < len(f.data); n++ {
			end := min(at+size, len(f.data))
			received, err := v.append(uploadChunk{id, i, n, base64.StdEncoding.EncodeToString(f.data[at:end])}, carry)
			if err != nil {
				return err
			}
			if received != int64(end) {
				return fmt.Errorf("%d bytes confirmed, not %d", received, end)
			}
			at = end
		}
	}
	return nil
}

func (v *visit) finish(target map[string]any, id string, files ...outgoing) (uploadDone, error) {
	v.t.Helper()
	digests := []string{}
	for _, f := range files {
		digests = append(digests, f.digest())
	}
	var done uploadDone
	err := Decode(v.raw("upload_finish", uploadArgs(target, map[string]any{"id": id, "digests": digests})), &done)
	return done, err
}

// upload does it all, with chunks of 64 KiB.
func (v *visit) upload(selector string, files ...outgoing) (uploadDone, error) {
	v.t.Helper()
	target := v.element(selector)
	s, err := v.begin(target, files...)
	if err != nil {
		return uploadDone{}, err
	}
	if err := v.transfer(s.ID, 64<<10, true, files...); err != nil {
		return uploadDone{}, err
	}
	return v.finish(target, s.ID, files...)
}

// mustUpload fails the test when the upload fails.
func (v *visit) mustUpload(selector string, files ...outgoing) uploadDone {
	v.t.Helper()
	done, err := v.upload(selector, files...)
	if err != nil {
		v.t.Fatalf("upload to %s: %v", selector, err)
	}
	return done
}

// stage is the code of an error and the stage that its details name.
func uploadStage(t testing.TB, err error) string {
	t.Helper()
	fault, ok := errors.AsType[*Error](err)
	if !ok {
		return fmt.Sprint(err)
	}
	var details struct{ Stage string }
	if fault.Details != nil {
		if err := json.Unmarshal(fault.Details, &details); err != nil {
			t.Fatal(err)
		}
	}
	if details.Stage == "" {
		return fault.Code
	}
	return fault.Code + " " + details.Stage
}
