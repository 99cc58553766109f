package picture

import (
	"bytes"
	"image/png"
	"unicode"
	"unicode/utf8"

	"precedent/bot/words"
)

// What a picture has at most.
const (
	MaxWidth  = 1600    // pixels, two for each of the screen's
	MaxHeight = 2000    // pixels
	MaxBytes  = 300_000 // of the PNG
	MaxAlt    = 900     // characters; Discord takes 1,024, Slack 2,000
)

// Of draws rows under a title, as a PNG on white, and says in alt what it
// shows, in Chinese if the title holds any and in English otherwise. The title
// may be "". ok is false where rows are better read, by the rules above.
//
// Of may be called from many goroutines. It leaves rows as they are.
func Of(columns []string, rows [][]any, title string) (image []byte, alt string, ok bool) {
	title = clean(title)
	names := make([]string, len(columns))
	for i, name := range columns {
		names[i] = clean(name)
	}
	w := words.EnglishPictures
	if chinese(title) {
		w = words.ChinesePictures
	}
	p := newPen()
	var c *canvas
	if g, found := graphOf(names, rows); found {
		if !p.legible(g.texts()) {
			return nil, "", false
		}
		if c = g.draw(p, title); c == nil {
			return nil, "", false
		}
		alt = g.alt(w, title)
	} else if b, found := chartOf(names, rows); found {
		if !p.legible(b.texts()) {
			return nil, "", false
		}
		if c = b.drawUpright(p, title, w); c == nil {
			c = b.draw(p, title, w)
		}
		alt = b.alt(w, title)
	} else {
		return nil, "", false
	}
	var out bytes.Buffer
	if err := encoder.Encode(&out, c); err != nil || out.Len() > MaxBytes {
		return nil, "", false
	}
	return out.Bytes(), alt, true
}

var encoder = png.Encoder{CompressionLevel: png.BestSpeed}

// told joins what a picture shows to at most MaxAlt characters, leaving out
// whole items.
func told(head string, items []string, w words.Pictures) string {
	text := cut(head, MaxAlt/2)
	for i, item := range items {
		if i > 0 {
			item = w.Between + item
		}
		rest := w.Left(len(items) - i)
		if utf8.RuneCountInString(text)+utf8.RuneCountInString(item)+utf8.RuneCountInString(rest) > MaxAlt {
			return text + rest
		}
		text += item
	}
	return text
}

// headed puts what kind of picture it is behind its title.
func headed(title, kind string) string {
	if title == "" {
		return kind
	}
	if last, _ := utf8.DecodeLastRuneInString(title); unicode.IsPunct(last) {
		return title + " " + kind
	}
	return title + " · " + kind
}

func chinese(text string) bool {
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}
