package picture

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"
)

// An ink is one of the colours drawn with, on white, each in shades.
type ink uint8

const (
	black ink = iota
	grey
	pale
	blue
	rust
	green
	purple
	inks
)

const shades = 32 // of an ink, from white to full

// colours all have a contrast to white of 4.5 and more, but for pale, which no
// text is written in (WCAG 2.2, 1.4.3).
var colours = [inks]color.NRGBA{
	black:  {0x1f, 0x23, 0x28, 0xff},
	grey:   {0x5b, 0x63, 0x6e, 0xff},
	pale:   {0xc4, 0xca, 0xd2, 0xff},
	blue:   {0x2f, 0x6a, 0xd0, 0xff},
	rust:   {0xc2, 0x4a, 0x1b, 0xff},
	green:  {0x1a, 0x7f, 0x4b, 0xff},
	purple: {0x8a, 0x3f, 0xc0, 0xff},
}

var palette = func() color.Palette {
	out := make(color.Palette, 0, int(inks)*shades)
	for _, c := range colours {
		for s := range shades {
			mix := func(full uint8) uint8 { return uint8(255 - (255-int(full))*s/(shades-1)) }
			out = append(out, color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 0xff})
		}
	}
	return out
}()

// A canvas is drawn on with inks. One byte a pixel packs several times faster
// than four.
type canvas struct{ *image.Paletted }

func newCanvas(width, height int) *canvas {
	return &canvas{image.NewPaletted(image.Rect(0, 0, min(width, MaxWidth), min(height, MaxHeight)), palette)}
}

// lay covers box with in as far as mask, from at on, says. The stronger shade
// stays.
func (c *canvas) lay(box image.Rectangle, mask *image.Alpha, at image.Point, in ink) {
	offset := at.Sub(box.Min)
	box = box.Intersect(c.Rect).Intersect(mask.Rect.Sub(offset))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		from := mask.PixOffset(box.Min.X+offset.X, y+offset.Y)
		to := c.PixOffset(box.Min.X, y)
		for i := range box.Dx() {
			shade := (uint(mask.Pix[from+i])*(shades-1) + 127) / 255
			if shade > uint(c.Pix[to+i])%shades {
				c.Pix[to+i] = uint8(uint(in)*shades + shade)
			}
		}
	}
}

// clear makes box white.
func (c *canvas) clear(box image.Rectangle) {
	box = box.Intersect(c.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		clear(c.Pix[c.PixOffset(box.Min.X, y):c.PixOffset(box.Max.X, y)])
	}
}

// rect fills box.
func (c *canvas) rect(box image.Rectangle, in ink) {
	box = box.Intersect(c.Rect)
	full := uint8(uint(in)*shades + shades - 1)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := c.Pix[c.PixOffset(box.Min.X, y):c.PixOffset(box.Max.X, y)]
		for i := range row {
			row[i] = full
		}
	}
}

// round fills box, its corners rounded.
func (c *canvas) round(box image.Rectangle, radius int, in ink) {
	c.shape(box, in, func(r *vector.Rasterizer) { roundPath(r, bounds(box, box.Min, 0), float32(radius), false) })
}

// frame draws the border of box, wide pixels of it.
func (c *canvas) frame(box image.Rectangle, radius, wide int, in ink) {
	c.shape(box, in, func(r *vector.Rasterizer) {
		roundPath(r, bounds(box, box.Min, 0), float32(radius), false)
		roundPath(r, bounds(box, box.Min, float32(wide)), float32(radius-wide), true)
	})
}

// line draws a line wide pixels thick.
func (c *canvas) line(a, b image.Point, wide float64, in ink) {
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	ox, oy := -dy/length*wide/2, dx/length*wide/2
	c.polygon(in, [2]float64{float64(a.X) + ox, float64(a.Y) + oy}, [2]float64{float64(b.X) + ox, float64(b.Y) + oy},
		[2]float64{float64(b.X) - ox, float64(b.Y) - oy}, [2]float64{float64(a.X) - ox, float64(a.Y) - oy})
}

// arrow draws the head of an arrow that comes from a and ends at b.
func (c *canvas) arrow(a, b image.Point, size float64, in ink) {
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	ux, uy := dx/length*size, dy/length*size
	x, y := float64(b.X), float64(b.Y)
	c.polygon(in, [2]float64{x, y}, [2]float64{x - ux - uy/2, y - uy + ux/2}, [2]float64{x - ux + uy/2, y - uy - ux/2})
}

func (c *canvas) polygon(in ink, points ...[2]float64) {
	box := image.Rectangle{}
	for _, p := range points {
		box = box.Union(image.Rect(int(math.Floor(p[0])), int(math.Floor(p[1])), int(math.Ceil(p[0]))+1, int(math.Ceil(p[1]))+1))
	}
	c.shape(box, in, func(r *vector.Rasterizer) {
		for i, p := range points {
			x, y := float32(p[0]-float64(box.Min.X)), float32(p[1]-float64(box.Min.Y))
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	})
}

// shape fills what path describes from box's corner on.
func (c *canvas) shape(box image.Rectangle, in ink, path func(*vector.Rasterizer)) {
	if box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	path(r)
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	r.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	c.lay(box, mask, image.Point{}, in)
}

// bounds are the edges of box, seen from corner and drawn in by inset.
func bounds(box image.Rectangle, corner image.Point, inset float32) [4]float32 {
	b := box.Sub(corner)
	return [4]float32{float32(b.Min.X) + inset, float32(b.Min.Y) + inset, float32(b.Max.X) - inset, float32(b.Max.Y) - inset}
}

// roundPath goes around b, backwards to cut a hole.
func roundPath(r *vector.Rasterizer, b [4]float32, radius float32, backwards bool) {
	x0, y0, x1, y1 := b[0], b[1], b[2], b[3]
	q := min(radius, (x1-x0)/2, (y1-y0)/2)
	if q < 0 {
		return
	}
	r.MoveTo(x0+q, y0)
	if backwards {
		r.QuadTo(x0, y0, x0, y0+q)
		r.LineTo(x0, y1-q)
		r.QuadTo(x0, y1, x0+q, y1)
		r.LineTo(x1-q, y1)
		r.QuadTo(x1, y1, x1, y1-q)
		r.LineTo(x1, y0+q)
		r.QuadTo(x1, y0, x1-q, y0)
	} else {
		r.LineTo(x1-q, y0)
		r.QuadTo(x1, y0, x1, y0+q)
		r.LineTo(x1, y1-q)
		r.QuadTo(x1, y1, x1-q, y1)
		r.LineTo(x0+q, y1)
		r.QuadTo(x0, y1, x0, y1-q)
		r.LineTo(x0, y0+q)
		r.QuadTo(x0, y0, x0+q, y0)
	}
	r.ClosePath()
}
