package page

import (
	"encoding/base64"
	"testing"
)

// BenchmarkUploadChunk sends chunks of 256 KiB one after the other, as text and
// carried in the script's address.
func BenchmarkUploadChunk(b *testing.B) {
	for name, carry := range map[string]bool{"text": false, "carried": true} {
		b.Run(name, func(b *testing.B) {
			s := serve(b)
			s.pages["/"] = `<!doctype html><input type=file id=f>`
			v := open(b, dial(b), s.url+"/", true)
			target := v.element("#f")
			data := pattern(256 << 10)
			c := uploadChunk{Data: base64.StdEncoding.EncodeToString(data)}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if c.Chunk%100 == 0 { // a new file now and then: the page keeps what it gets
					v.call("upload_abort", map[string]any{"id": c.ID}, nil)
					start, err := v.begin(target, outgoing{Name: "f", Size: 100 * int64(len(data))})
					if err != nil {
						b.Fatal(err)
					}
					c.ID, c.Chunk = start.ID, 0
				}
				if _, err := v.append(c, carry); err != nil {
					b.Fatal(err)
				}
				c.Chunk++
			}
		})
	}
}
