package picture

import (
	"image"
	"math"

	"precedent/bot/words"
)

// Sizes in pixels.
const (
	pad         = 48
	titleSize   = 36
	titleLine   = 50
	captionSize = 24
	captionLine = 48
	textSize    = 28
	barWidth    = 1200 // of a picture with lying bars
	rowHeight   = 54
	barHeight   = 34
	space       = 16 // between a bar and what is written beside it
	nameMost    = 480
	valueMost   = 380 // both sides' numbers; where they are longer, units shorten them
	corner      = 5
	thin        = 2

	slotLeast     = 52 // of an upright bar
	slotMost      = 150
	slotBar       = 0.72 // of a slot, the bar's part
	uprightHeight = 420  // of the highest bar
	uprightWidth  = 800  // at least
)

// heading writes the title over a picture and returns where the rest begins.
func heading(p *pen, lines []string, c *canvas) int {
	y := pad
	for _, line := range lines {
		p.write(c, pad, y+titleSize, line, titleSize, black)
		y += titleLine
	}
	if len(lines) > 0 {
		y += space
	}
	return y
}

func headingHeight(lines []string) int {
	return heading(newPen(), make([]string, len(lines)), newCanvas(1, 1))
}

// draw draws the bars lying, the first one on top.
func (c *chart) draw(p *pen, title string, w words.Pictures) *canvas {
	lines := p.wrap(title, titleSize, barWidth-2*pad)
	top := headingHeight(lines)
	out := newCanvas(barWidth, top+captionLine+rowHeight*len(c.bars)+pad)
	heading(p, lines, out)

	values := c.values(w, func(list []string) bool {
		left, right := c.beside(p, list)
		return left+right <= valueMost
	})
	names := min(p.widest(append(c.texts(), p.fit(c.of, captionSize, nameMost)), textSize), nameMost)
	left, right := c.beside(p, values)
	from, to := pad+names+space+left, barWidth-pad-right
	below, above := c.spread()
	zero := from + int(math.Round(float64(to-from)*below/(below+above)))

	p.write(out, pad, top+captionSize, p.fit(c.of, captionSize, names), captionSize, grey)
	measureAt := zero
	if left > 0 {
		measureAt = from - left + space
	}
	p.write(out, measureAt, top+captionSize, p.fit(c.measure, captionSize, barWidth-pad-measureAt), captionSize, grey)
	top += captionLine
	for i, b := range c.bars {
		y := top + rowHeight*i
		base := y + rowHeight/2 + textSize*2/5
		p.write(out, pad, base, p.fit(b.name, textSize, names), textSize, black)
		length := c.length(b, to-from, below+above)
		box := image.Rect(zero, y+(rowHeight-barHeight)/2, zero+length, y+(rowHeight+barHeight)/2)
		if b.from == nil {
			p.write(out, zero+space, base, values[i], textSize, grey)
			continue
		}
		if length < 0 {
			out.end(box.Canon(), corner, image.Pt(1, 0), rust)
			p.write(out, zero+length-space-p.width(values[i], textSize), base, values[i], textSize, black)
		} else {
			out.end(box, corner, image.Pt(-1, 0), blue)
			p.write(out, zero+length+space, base, values[i], textSize, black)
		}
	}
	out.rect(image.Rect(zero-thin, top, zero, top+rowHeight*len(c.bars)), pale)
	return out
}

// end fills a bar whose corners are rounded but for those on the side towards flat.
func (c *canvas) end(box image.Rectangle, radius int, flat image.Point, in ink) {
	c.round(box, radius, in)
	half := image.Pt(flat.X*box.Dx()/2, flat.Y*box.Dy()/2)
	c.rect(box.Add(half).Intersect(box), in)
}

// values are the numbers as written: in full where that fits, or else in units.
func (c *chart) values(w words.Pictures, fits func([]string) bool) []string {
	full, short := make([]string, len(c.bars)), make([]string, len(c.bars))
	for i, b := range c.bars {
		full[i], short[i] = inFull(b.from), inShort(b.from, w.Units)
	}
	if fits(full) {
		return full
	}
	return short
}

// beside is the room that numbers take to the left and to the right of bars.
func (c *chart) beside(p *pen, values []string) (left, right int) {
	for i, b := range c.bars {
		if wide := p.width(values[i], textSize) + space; b.value < 0 {
			left = max(left, wide+space) // and from the names
		} else {
			right = max(right, wide)
		}
	}
	return left, right
}

// spread is how far bars go below and above zero, in parts of the largest value.
func (c *chart) spread() (below, above float64) {
	largest := c.largest()
	for _, b := range c.bars {
		below, above = max(below, -b.value/largest), max(above, b.value/largest)
	}
	return below, above
}

func (c *chart) largest() (largest float64) {
	for _, b := range c.bars {
		largest = max(largest, math.Abs(b.value))
	}
	return largest
}

// length is how long a bar is where room pixels show spread. What isn't zero
// is seen.
func (c *chart) length(b bar, room int, spread float64) int {
	length := int(math.Round(b.value / c.largest() / spread * float64(room)))
	switch {
	case b.value > 0:
		return max(length, thin)
	case b.value < 0:
		return min(length, -thin)
	}
	return 0
}

// drawUpright draws the bars standing, each at its place; nil where they aren't
// in order or don't fit beside each other.
func (c *chart) drawUpright(p *pen, title string, w words.Pictures) *canvas {
	places, step := c.places()
	if places == 0 {
		return nil
	}
	room := min((MaxWidth-2*pad)/places, slotMost)
	names := p.widest(c.texts(), captionSize) + space/2
	values := c.values(w, func(list []string) bool { return p.widest(list, captionSize)+space/2 <= room })
	need := max(names, p.widest(values, captionSize)+space/2, slotLeast)
	if need > room {
		return nil
	}
	slot := min(slotMost, max(need, (uprightWidth-2*pad)/places))
	width := max(uprightWidth, places*slot+2*pad)
	lines := p.wrap(title, titleSize, width-2*pad)
	top := headingHeight(lines)
	below, above := c.spread()
	over, under := captionSize+space, 0
	if below > 0 {
		under = captionSize + space
	}
	zero := top + captionLine + over + int(math.Round(uprightHeight*above/(below+above)))
	bottom := top + captionLine + over + uprightHeight + under
	out := newCanvas(width, bottom+2*captionLine+pad-space)
	heading(p, lines, out)
	p.write(out, pad, top+captionSize, p.fit(c.measure, captionSize, width-2*pad), captionSize, grey)

	from := (width - places*slot) / 2
	for i, b := range c.bars {
		middle := from + int((b.at-c.bars[0].at)/step)*slot + slot/2
		centred := func(text string, y int, in ink) {
			p.write(out, middle-p.width(text, captionSize)/2, y, text, captionSize, in)
		}
		centred(b.name, bottom+captionSize+space, black)
		half := int(float64(slot) * slotBar / 2)
		length := c.length(b, uprightHeight, below+above)
		switch {
		case b.from == nil:
			centred(values[i], zero-space, grey)
		case length < 0:
			out.end(image.Rect(middle-half, zero, middle+half, zero-length), corner, image.Pt(0, -1), rust)
			centred(values[i], zero-length+captionSize+space/2, black)
		default:
			out.end(image.Rect(middle-half, zero-length, middle+half, zero), corner, image.Pt(0, 1), blue)
			centred(values[i], zero-length-space/2-thin, black)
		}
	}
	out.rect(image.Rect(from, zero, from+places*slot, zero+thin), pale)
	of := p.fit(c.of, captionSize, width-2*pad)
	p.write(out, (width-p.width(of, captionSize))/2, bottom+captionLine+captionSize+space, of, captionSize, grey)
	return out
}

// places is how many places there are between the first bar and the last, a
// step apart; 0 where bars aren't in order or there are too many.
func (c *chart) places() (n int, step int64) {
	if !c.upright {
		return 0, 0
	}
	for i := 1; i < len(c.bars); i++ {
		step = divisor(step, c.bars[i].at-c.bars[i-1].at)
	}
	span := c.bars[len(c.bars)-1].at - c.bars[0].at
	if step <= 0 || span < 0 || span/step >= maxSlots { // below zero: more than an int64 holds
		return 0, 0
	}
	return int(span/step) + 1, step
}

// divisor is the greatest common divisor (Euclid).
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
