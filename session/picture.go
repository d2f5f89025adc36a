package session

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"

	"firefox-rdp-mcp/session/upload"
)

// finish brings a picture into the wanted format and size, and saves it if that
// was asked.
func (s *Shot) finish(raw []byte, a ShotArgs, roots []string) error {
	head, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil || head.Width*head.Height > 4*shotArea {
		return &Fault{Code: RDPProtocolError, Message: "firefox gave something that is no picture", Err: err}
	}
	s.Width, s.Height, s.MIME, s.Data = head.Width, head.Height, "image/png", raw
	limit := shotBytes
	switch {
	case a.SaveTo != "":
		limit = math.MaxInt
	case a.MaxWidth > usualWidth:
		limit = askedBytes
	}
	if a.Format == "jpeg" || len(raw) > limit {
		if err := s.encode(raw, a, limit); err != nil {
			return &Fault{Code: Internal, Message: "the picture cannot be converted", Err: err}
		}
	}
	s.Bytes = len(s.Data)
	if a.SaveTo == "" {
		return nil
	}
	if err := upload.Create(a.SaveTo, s.Data, roots); err != nil {
		return &Fault{Code: InvalidArgument, Message: "save_to: " + err.Error(), Err: err}
	}
	s.Path, s.Data = a.SaveTo, nil
	return nil
}

// encode writes the picture anew, smaller and smaller until it is below a limit
// in bytes.
func (s *Shot) encode(raw []byte, a ShotArgs, limit int) error {
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	scale := 1.0
	for {
		var b bytes.Buffer
		if a.Format == "jpeg" {
			s.MIME = "image/jpeg"
			err = jpeg.Encode(&b, opaque(img), &jpeg.Options{Quality: a.Quality})
		} else {
			err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img)
		}
		if err != nil {
			return err
		}
		if b.Len() <= limit || scale < 0.05 {
			s.Data, s.Width, s.Height = b.Bytes(), img.Bounds().Dx(), img.Bounds().Dy()
			break
		}
		// The next try is to be somewhat below the limit at once.
		step := min(0.9, 0.95*math.Sqrt(float64(limit)/float64(b.Len())))
		scale *= step
		img = shrink(img, step)
	}
	if scale < 1 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("scaled down to %d x %d pixels to be below %d kB; format jpeg keeps more", s.Width, s.Height, limit>>10))
	}
	return nil
}

// opaque puts a picture on white: JPEG knows no transparency.
func opaque(img image.Image) image.Image {
	b := img.Bounds()
	out := image.NewRGBA(b)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, al := img.At(x, y).RGBA()
			rest := 0xffff - al
			out.SetRGBA(x, y, color.RGBA{uint8((r + rest) >> 8), uint8((g + rest) >> 8), uint8((bl + rest) >> 8), 0xff})
		}
	}
	return out
}

// shrink makes a picture smaller; each new pixel is the mean of those it stands
// for.
func shrink(img image.Image, scale float64) image.Image {
	b := img.Bounds()
	w, h := max(int(float64(b.Dx())*scale), 1), max(int(float64(b.Dy())*scale), 1)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		y0, y1 := b.Min.Y+y*b.Dy()/h, b.Min.Y+max((y+1)*b.Dy()/h, y*b.Dy()/h+1)
		for x := range w {
			x0, x1 := b.Min.X+x*b.Dx()/w, b.Min.X+max((x+1)*b.Dx()/w, x*b.Dx()/w+1)
			out.SetNRGBA(x, y, mean(img, image.Rect(x0, y0, x1, y1)))
		}
	}
	return out
}

// mean gives the average colour of a part of a picture.
func mean(img image.Image, part image.Rectangle) color.NRGBA {
	var sum [4]uint64
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, a := img.At(x, y).RGBA()
			sum[0], sum[1], sum[2], sum[3] = sum[0]+uint64(r), sum[1]+uint64(g), sum[2]+uint64(b), sum[3]+uint64(a)
		}
	}
	n := uint64(part.Dx() * part.Dy()) //nolint:gosec // never negative
	if n == 0 || sum[3] == 0 {
		return color.NRGBA{}
	}
	c := color.NRGBAModel.Convert(color.RGBA64{uint16(sum[0] / n), uint16(sum[1] / n), uint16(sum[2] / n), uint16(sum[3] / n)}) //nolint:gosec // means of 16 bits
	return c.(color.NRGBA)                                                                                                      //nolint:forcetypeassert // what the model makes
}
