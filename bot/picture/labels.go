package picture

import (
	"image"
	"slices"
	"strings"
)

// label writes text on edge i where no box or label is, and no other line if
// there is such a place.
func (d *drawing) label(c *canvas, i int, text string) bool {
	route := d.routes[i]
	a, b := route[0], route[1]
	if len(route) > 2 { // behind the fork
		a, b = route[2], route[3]
		if d.hub(d.edges[i]) == d.edges[i].b {
			a, b = route[0], route[1]
		}
	}
	wide := d.p.width(text, labelSize)
	free := func(box image.Rectangle) bool {
		hits := func(o image.Rectangle) bool { return o.Overlaps(box) }
		return box.In(c.Rect) && !slices.ContainsFunc(d.taken, hits) && !slices.ContainsFunc(d.boxes, hits)
	}
	var places []image.Rectangle
	for _, part := range []int{50, 38, 62, 28, 72, 20, 80} {
		at := a.Add(b.Sub(a).Mul(part).Div(100))
		box := image.Rect(at.X-wide/2-labelPad, at.Y-labelHeight/2, at.X+wide/2+labelPad, at.Y+labelHeight/2)
		if len(route) == 2 && a.X == b.X {
			box = box.Add(image.Pt(wide/2+labelPad+arrowSize/2, 0)) // beside
		}
		if free(box) {
			places = append(places, box)
		}
	}
	if len(places) == 0 {
		return false
	}
	box := places[0]
	if k := slices.IndexFunc(places, func(box image.Rectangle) bool { return !d.crossed(box, i) }); k >= 0 {
		box = places[k]
	}
	d.taken = append(d.taken, box)
	c.clear(box)
	d.p.write(c, box.Min.X+labelPad, box.Max.Y-labelHeight*3/10, text, labelSize, grey)
	return true
}

// crossed tells whether another edge than own runs through box.
func (d *drawing) crossed(box image.Rectangle, own int) bool {
	const samples = 50
	for i, route := range d.routes {
		for k := range route[1:] {
			for s := range samples + 1 {
				if i != own && route[k].Add(route[k+1].Sub(route[k]).Mul(s).Div(samples)).In(box) {
					return true
				}
			}
		}
	}
	return false
}

// hues are the inks of kinds of nodes; further kinds share the last.
var hues = []ink{blue, rust, green, purple, grey}

func shade(kinds []string, kind string) ink {
	return hues[min(max(slices.Index(kinds, kind), 0), len(hues)-1)]
}

// legend tells which ink is which kind of node.
func (d *drawing) legend(c *canvas, kinds []string, y int) {
	if len(kinds) > len(hues) {
		last := len(hues) - 1
		kinds = append(slices.Clone(kinds[:last]), strings.Join(kinds[last:], ", "))
	}
	x := pad
	for i, kind := range kinds {
		text := d.p.fit(clean(kind), captionSize, max(0, c.Rect.Max.X-pad-x-captionSize-space/2))
		c.round(image.Rect(x, y-captionSize+4, x+captionSize-4, y), corner, hues[i])
		p := x + captionSize + space/2
		d.p.write(c, p, y-1, text, captionSize, grey)
		x = p + d.p.width(text, captionSize) + 2*space
		if x > c.Rect.Max.X-2*pad {
			break
		}
	}
}
