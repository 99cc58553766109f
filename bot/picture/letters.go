package picture

import (
	_ "embed"
	"image"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

//go:embed font/latin.ttf
var latin []byte

//go:embed font/cjk.otf
var cjk []byte

// fonts are parsed when the first picture is drawn; their glyphs stay in the
// program's file.
var fonts = sync.OnceValue(func() (list [2]*sfnt.Font) {
	for i, file := range [][]byte{latin, cjk} {
		f, err := opentype.Parse(file)
		if err != nil {
			panic("picture: " + err.Error()) // the program was built wrong
		}
		list[i] = f
	}
	return list
})

const (
	absent   = '□'                        // stands for a character that no font has
	maxRead  = 200                        // characters of a text that are looked at
	ellipsis = "…"                        //
	dpi      = 72                         // a size is in pixels
	twoLines = 2                          //
	nothing  = "—"                        // stands for a null
	misread  = 3                          // one letter in so many may be absent
	closing  = "，。、；：？！）》」』】”’…,.;:?!)]}" // begins no line
)

// A pen measures and writes text. It serves one goroutine.
type pen struct {
	buf   sfnt.Buffer
	faces map[int][2]font.Face
}

func newPen() *pen { return &pen{faces: map[int][2]font.Face{}} }

func (p *pen) of(size int) [2]font.Face {
	if list, ok := p.faces[size]; ok {
		return list
	}
	var list [2]font.Face
	for i, f := range fonts() {
		list[i], _ = opentype.NewFace(f, &opentype.FaceOptions{Size: float64(size), DPI: dpi}) // fails never
	}
	p.faces[size] = list
	return list
}

// find returns which font has r, and r; or where □ is.
func (p *pen) find(r rune) (int, rune) {
	for i, f := range fonts() {
		if x, err := f.GlyphIndex(&p.buf, r); err == nil && x != 0 {
			return i, r
		}
	}
	return 1, absent
}

// width is how many pixels text takes.
func (p *pen) width(text string, size int) int {
	faces := p.of(size)
	var w fixed.Int26_6
	for _, r := range text {
		i, r := p.find(r)
		advance, _ := faces[i].GlyphAdvance(r)
		w += advance
	}
	return w.Ceil()
}

func (p *pen) widest(texts []string, size int) (w int) {
	for _, text := range texts {
		w = max(w, p.width(text, size))
	}
	return w
}

// write writes text from x on, standing on y.
func (p *pen) write(c *canvas, x, y int, text string, size int, in ink) {
	faces := p.of(size)
	dot := fixed.P(x, y)
	for _, r := range text {
		i, r := p.find(r)
		box, mask, at, advance, ok := faces[i].Glyph(dot, r)
		if a, isAlpha := mask.(*image.Alpha); ok && isAlpha {
			c.lay(box, a, at, in)
		}
		dot.X += advance
	}
}

// fit returns text cut with … to at most width pixels.
func (p *pen) fit(text string, size, width int) string {
	if p.width(text, size) <= width {
		return text
	}
	room := width - p.width(ellipsis, size)
	taken := 0
	for i, r := range text {
		if taken += p.width(string(r), size); taken > room {
			return strings.TrimRight(text[:i], " ") + ellipsis
		}
	}
	return ellipsis
}

// wrap returns text as at most two lines of width pixels.
func (p *pen) wrap(text string, size, width int) []string {
	var out []string
	for len(out) < twoLines-1 && p.width(text, size) > width {
		end := p.brk(text, size, width)
		out = append(out, strings.TrimRight(text[:end], " "))
		text = strings.TrimLeft(text[end:], " ")
	}
	if text != "" {
		out = append(out, p.fit(text, size, width))
	}
	return out
}

// brk returns where a line that is too wide is best broken: before a word, or
// between characters of a script that puts no spaces.
func (p *pen) brk(text string, size, width int) int {
	taken, best, hard := 0, 0, 0
	last := rune(' ')
	for i, r := range text {
		if i > 0 && !strings.ContainsRune(closing, r) && (last == ' ' || spaceless(r) || spaceless(last)) {
			best = i
		}
		if taken += p.width(string(r), size); taken > width {
			break
		}
		hard = i + utf8.RuneLen(r)
		last = r
	}
	if best > hard/3 {
		return best
	}
	return max(hard, 1)
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff61
}

// legible tells whether the fonts have most letters of texts.
func (p *pen) legible(texts []string) bool {
	letters, missing := 0, 0
	for _, text := range texts {
		for _, r := range text {
			if unicode.IsLetter(r) || unicode.Is(unicode.Mc, r) {
				letters++
				if _, found := p.find(r); found != r {
					missing++
				}
			}
		}
	}
	return missing*misread <= letters
}

// clean returns the beginning of text on one line, without characters that
// steer, join or hide others.
func clean(text string) string {
	head := cut(text, maxRead)
	long := head != text
	if long {
		head = strings.TrimSuffix(head, ellipsis)
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(head) {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me):
			b.WriteRune(r)
		}
	}
	text = strings.Join(strings.Fields(b.String()), " ")
	if long && text != "" {
		text += ellipsis
	}
	return text
}

// cut returns the first most characters of text, … included, looking no further.
func cut(text string, most int) string {
	n := 0
	for i := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); n == most-1 && i+size < len(text) {
			return text[:i] + ellipsis
		}
		n++
	}
	return text
}
