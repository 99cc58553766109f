package picture

import (
	"cmp"
	"image"
	"slices"
)

// Sizes in pixels.
const (
	graphWidth  = 900 // at least
	boxMost     = 640
	boxLeast    = 200
	boxPad      = 24
	lineHeight  = 38
	boxLine     = 64 // height of a box with one line
	between     = 40 // boxes of a layer
	layerLeast  = 52 // between layers
	layerMost   = 110
	layerBare   = 70 // where nothing is written between them
	labelSize   = 22
	labelHeight = 30
	labelPad    = 8
	labelMost   = 300
	strokes     = 3
	arrowSize   = 18
	legendLine  = 56

	mostAcross   = 3 // boxes in a layer that lies
	mostAcrossOf = 5 // where layers can't stand
	mostStanding = 4 // layers that stand
)

// A drawing is a graph laid out.
type drawing struct {
	*graph
	p      *pen
	layers [][]int
	lines  [][]string // name of each node
	boxes  []image.Rectangle
	routes [][]image.Point   // of each edge
	taken  []image.Rectangle // by labels
}

// draw draws the graph: layers from top to bottom, or from left to right where
// they are many abreast. nil where there is no room.
func (g *graph) draw(p *pen, title string) *canvas {
	d := &drawing{graph: g, p: p, layers: g.layers()}
	if !d.adjacent() {
		return nil
	}
	abreast := 0
	for _, layer := range d.layers {
		abreast = max(abreast, len(layer))
	}
	standing := abreast > mostAcross && len(d.layers) <= mostStanding
	if !standing && abreast > mostAcrossOf {
		return nil
	}
	size, ok := d.lay(standing, abreast)
	if !ok {
		return nil
	}
	legend := g.kinds()
	width := max(size.X, graphWidth-2*pad) + 2*pad
	lines := p.wrap(title, titleSize, width-2*pad)
	top := headingHeight(lines) + space
	height := top + size.Y + pad
	if len(legend) > 0 {
		height += legendLine
	}
	if width > MaxWidth || height > MaxHeight {
		return nil
	}
	c := newCanvas(width, height)
	heading(p, lines, c)
	for i := range d.boxes {
		d.boxes[i] = d.boxes[i].Add(image.Pt((width-size.X)/2, top))
	}
	if !d.connect(c, standing) {
		return nil
	}
	for i, box := range d.boxes {
		c.clear(box)
		c.frame(box, boxPad/2, strokes, shade(legend, g.nodes[i].kind))
		y := box.Min.Y + (box.Dy()-lineHeight*len(d.lines[i]))/2 + textSize
		for _, line := range d.lines[i] {
			p.write(c, (box.Min.X+box.Max.X-p.width(line, textSize))/2, y, line, textSize, black)
			y += lineHeight
		}
	}
	d.legend(c, legend, top+size.Y+legendLine)
	return c
}

// adjacent tells whether edges within a layer lie between neighbours.
func (d *drawing) adjacent() bool {
	return !slices.ContainsFunc(d.edges, func(e edge) bool {
		layer := d.layers[d.depth(e.a)]
		a, b := slices.Index(layer, e.a), slices.Index(layer, e.b)
		return b >= 0 && a-b != 1 && b-a != 1
	})
}

// lay finds where boxes are and how large they are together.
func (d *drawing) lay(standing bool, abreast int) (size image.Point, ok bool) {
	label := 0
	for _, e := range d.edges {
		label = max(label, min(d.p.width(e.label(), labelSize), labelMost))
	}
	apart := max(between, label+2*labelPad-boxLeast)
	if d.slanted() {
		apart = max(apart, 2*(label+2*labelPad)-boxLeast)
	}
	if d.within() {
		apart = max(apart, label+4*arrowSize)
	}
	next := label + 6*arrowSize // from layer to layer, where they stand
	room := (MaxWidth - 2*pad - (abreast-1)*apart) / abreast
	if standing {
		room = (MaxWidth - 2*pad - (len(d.layers)-1)*next) / len(d.layers)
		apart = between / 2
		if d.within() {
			apart = labelHeight + 2*arrowSize
		}
	}
	if room < boxLeast {
		return size, false
	}
	high := d.letter(min(room, boxMost)-2*boxPad, twoLines)
	if n := len(d.layers) - 1; !standing {
		left := func() int { return (MaxHeight - 2*pad - 2*titleLine - 2*space - legendLine - high*(n+1)) / n }
		if left() < layerLeast {
			high = d.letter(min(room, boxMost)-2*boxPad, 1)
		}
		if next = min(layerMost, left()); next < layerLeast {
			return size, false
		}
		if label == 0 {
			next = min(next, layerBare)
		}
	}
	d.boxes = make([]image.Rectangle, len(d.nodes))
	var spans []image.Point
	for _, layer := range d.layers {
		wide, spanned := 0, image.Point{}
		for _, n := range layer {
			wide = max(wide, d.p.widest(d.lines[n], textSize)+2*boxPad, boxLeast)
		}
		for _, n := range layer {
			if standing {
				d.boxes[n] = image.Rect(size.X, spanned.Y, size.X+wide, spanned.Y+high)
				spanned.Y += high + apart
			} else {
				own := max(d.p.widest(d.lines[n], textSize)+2*boxPad, boxLeast)
				d.boxes[n] = image.Rect(spanned.X, size.Y, spanned.X+own, size.Y+high)
				spanned.X += own + apart
			}
		}
		if standing {
			size.X += wide + next
		} else {
			size.Y += high + next
		}
		spans = append(spans, spanned.Sub(image.Pt(apart, apart)))
	}
	if standing {
		size.X -= next
	} else {
		size.Y -= next
	}
	for _, s := range spans {
		if standing {
			size.Y = max(size.Y, s.Y)
		} else {
			size.X = max(size.X, s.X)
		}
	}
	for k, layer := range d.layers { // each in the middle
		for _, n := range layer {
			if standing {
				d.boxes[n] = d.boxes[n].Add(image.Pt(0, (size.Y-spans[k].Y)/2))
			} else {
				d.boxes[n] = d.boxes[n].Add(image.Pt((size.X-spans[k].X)/2, 0))
			}
		}
	}
	return size, true
}

// letter breaks the names into lines, at most most of them, and returns how high
// a box has to be.
func (d *drawing) letter(width, most int) (high int) {
	d.lines = make([][]string, len(d.nodes))
	for i, n := range d.nodes {
		if most == 1 {
			d.lines[i] = []string{d.p.fit(n.name, textSize, width)}
		} else {
			d.lines[i] = d.p.wrap(n.name, textSize, width)
		}
		high = max(high, boxLine+(len(d.lines[i])-1)*lineHeight)
	}
	return high
}

// within tells whether an edge lies in a layer.
func (d *drawing) within() bool {
	return slices.ContainsFunc(d.edges, func(e edge) bool { return d.depth(e.a) == d.depth(e.b) })
}

// slanted tells whether labels stand on lines that lean.
func (d *drawing) slanted() bool {
	return slices.ContainsFunc(d.edges, func(e edge) bool { return d.depth(e.a) != d.depth(e.b) && d.hub(e) < 0 })
}

// connect draws the edges and tells whether each label found a place.
func (d *drawing) connect(c *canvas, standing bool) bool {
	d.routes = make([][]image.Point, len(d.edges))
	for i, e := range d.edges {
		route := d.route(e, standing)
		d.routes[i] = route
		for k := range route[1:] {
			c.line(route[k], route[k+1], strokes, grey)
		}
		if e.to {
			c.arrow(route[len(route)-2], route[len(route)-1], arrowSize, grey)
		}
		if e.fromB {
			c.arrow(route[1], route[0], arrowSize, grey)
		}
	}
	for i, e := range d.edges {
		if len(e.types) > 0 && !d.label(c, i, d.p.fit(e.label(), labelSize, labelMost)) {
			return false
		}
	}
	return true
}

// route is the way of an edge from a to b. Where all between two layers come
// from one node, they part like branches.
func (d *drawing) route(e edge, standing bool) []image.Point {
	a, b := d.port(e, e.a, standing), d.port(e, e.b, standing)
	hub := d.hub(e)
	if hub < 0 {
		return []image.Point{a, b}
	}
	from, to := a, b
	if hub == e.b {
		from, to = b, a
	}
	side := d.side(e, hub, standing)
	from = middleOf(d.boxes[hub], side)
	fork := from.Add(side.Mul(2 * arrowSize))
	turn := image.Pt(to.X, fork.Y)
	if standing {
		turn = image.Pt(fork.X, to.Y)
	}
	route := []image.Point{from, fork, turn, to}
	if hub == e.b {
		slices.Reverse(route)
	}
	return route
}

// hub is the end of e that all edges between its two layers have, or -1.
func (d *drawing) hub(e edge) int {
	low, high := min(d.depth(e.a), d.depth(e.b)), max(d.depth(e.a), d.depth(e.b))
	if low == high {
		return -1
	}
	hubs, n := []int{e.a, e.b}, 0
	for _, o := range d.edges {
		if x, y := d.depth(o.a), d.depth(o.b); min(x, y) == low && max(x, y) == high {
			n++
			hubs = slices.DeleteFunc(hubs, func(h int) bool { return h != o.a && h != o.b })
		}
	}
	if n < 2 || len(hubs) == 0 {
		return -1
	}
	return hubs[0]
}

// port is where an edge leaves a node: the side that faces the other one, all
// those of a side apart.
func (d *drawing) port(e edge, n int, standing bool) image.Point {
	box, side := d.boxes[n], d.side(e, n, standing)
	along := func(p image.Point) int {
		if side.Y != 0 {
			return p.X
		}
		return p.Y
	}
	var others []int // that leave on the same side
	for _, o := range d.edges {
		if (o.a == n || o.b == n) && d.side(o, n, standing) == side {
			others = append(others, o.a+o.b-n)
		}
	}
	slices.SortFunc(others, func(a, b int) int { return cmp.Compare(along(centre(d.boxes[a])), along(centre(d.boxes[b]))) })
	place := slices.Index(others, e.a+e.b-n)
	apart := min(between, (along(box.Max)-along(box.Min))/(len(others)+1))
	shift := apart*place - apart*(len(others)-1)/2
	if side.Y != 0 {
		return middleOf(box, side).Add(image.Pt(shift, 0))
	}
	return middleOf(box, side).Add(image.Pt(0, shift))
}

// side is on which side of n the other node of e lies.
func (d *drawing) side(e edge, n int, standing bool) image.Point {
	m := e.a + e.b - n
	if deeper := d.depth(m) - d.depth(n); deeper != 0 {
		if standing {
			return image.Pt(cmp.Compare(deeper, 0), 0)
		}
		return image.Pt(0, cmp.Compare(deeper, 0))
	}
	if standing {
		return image.Pt(0, cmp.Compare(d.boxes[m].Min.Y, d.boxes[n].Min.Y))
	}
	return image.Pt(cmp.Compare(d.boxes[m].Min.X, d.boxes[n].Min.X), 0)
}

// depth is in which layer n is.
func (d *drawing) depth(n int) int {
	return slices.IndexFunc(d.layers, func(layer []int) bool { return slices.Contains(layer, n) })
}

func centre(box image.Rectangle) image.Point { return box.Min.Add(box.Max).Div(2) }

// middleOf is the middle of a side of box.
func middleOf(box image.Rectangle, side image.Point) image.Point {
	return centre(box).Add(image.Pt(side.X*box.Dx()/2, side.Y*box.Dy()/2))
}
