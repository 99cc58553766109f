package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"precedent/bot/picture"
	"precedent/store"
)

// bars draws three bars, the first one named name.
func bars(t testing.TB, name, title string) (img image.Image, alt string) {
	t.Helper()
	body, alt, ok := picture.Of([]string{"name", "n"}, pairs(name, int64(3), "b", int64(2), "c", int64(1)), title)
	if !ok {
		t.Fatalf("nothing is drawn of %q", name)
	}
	if tt, isTest := t.(*testing.T); isTest {
		img = bounded(tt, body, alt)
	}
	return img, alt
}

// inked counts the dark pixels in box.
func inked(img image.Image, box image.Rectangle) (n int) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if g := color.GrayModel.Convert(img.At(x, y)).(color.Gray); g.Y < 128 {
				n++
			}
		}
	}
	return n
}

// firstName is where the name of the first bar is, in a picture with a title of one line.
var firstName = image.Rect(48, 162, 200, 214)

func TestNamesAreLegible(t *testing.T) {
	ink := map[int]string{}
	for _, name := range []string{"国", "國", "が", "강", "é", "ż", "Ω", "Ж", "々", "（", "喆", "☆", "€", "w"} {
		img, _ := bars(t, name, "Title")
		n := inked(img, firstName)
		if n < 10 {
			t.Errorf("%s has %d dark pixels", name, n)
		}
		ink[n] = name
	}
	if len(ink) < 10 {
		t.Errorf("names look alike: %v", ink)
	}
	absent, _ := bars(t, "absent \U0001F600\u0915", "Title") // an emoji and Devanagari are □
	boxes, _ := bars(t, "absent □□", "Title")
	if a, b := inked(absent, firstName), inked(boxes, firstName); a != b {
		t.Errorf("%d dark pixels, two boxes have %d", a, b)
	}
}

func TestWhiteBackground(t *testing.T) {
	img, _ := bars(t, "a", "Title")
	b := img.Bounds()
	for _, at := range []image.Point{b.Min, {b.Max.X - 1, 0}, {0, b.Max.Y - 1}, b.Max.Sub(image.Pt(1, 1))} {
		if r, g, bl, a := img.At(at.X, at.Y).RGBA(); r&g&bl&a != 0xffff {
			t.Errorf("the corner %v isn't white", at)
		}
	}
}

func TestNegativeNumbers(t *testing.T) {
	body, alt, ok := picture.Of([]string{"k", "n"}, pairs("a", int64(10), "b", int64(-10), "c", int64(0)), "")
	if !ok {
		t.Fatal("nothing is drawn")
	}
	img := bounded(t, body, alt)
	first, last := map[color.Color][2]int{}, 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if c := img.At(x, y); c != (color.RGBA{255, 255, 255, 255}) {
				was, seen := first[c]
				if !seen {
					was = [2]int{x, x}
				}
				first[c] = [2]int{min(was[0], x), max(was[1], x)}
				last = max(last, x)
			}
		}
	}
	blue, rust := first[color.RGBA{0x2f, 0x6a, 0xd0, 0xff}], first[color.RGBA{0xc2, 0x4a, 0x1b, 0xff}]
	if up, down := blue[1]-blue[0], rust[1]-rust[0]; up < 300 || up-down > 3 || down-up > 3 || rust[1] > blue[0] {
		t.Errorf("10 goes from %v to %v, -10 from %v to %v", blue[0], blue[1], rust[0], rust[1])
	}
	if last > img.Bounds().Dx()-40 {
		t.Errorf("something is drawn at %d of %d", last, img.Bounds().Dx())
	}
}

func TestHostileText(t *testing.T) {
	plain, _ := bars(t, "ab", "Title")
	for _, name := range []string{"a\u202eb", "\u2066ab\u2069", "a\x1b\x07b", "\ufeffab\u200b", "a\u0336\u0336b\u20dd", "ab\n\n", "\t\x00 ab", "a\ufe0fb\U000e0041"} {
		img, alt := bars(t, name, "Title")
		if inked(img, firstName) != inked(plain, firstName) {
			t.Errorf("%q looks otherwise", name)
		}
		if !strings.Contains(alt, " ab 3;") {
			t.Errorf("%q is told as %q", name, alt)
		}
	}
	huge := strings.Repeat("很长", 1<<19)
	for _, name := range []string{huge, strings.Repeat("w", 1<<20), strings.Repeat("\u0301", 1<<20) + "a", "\xff\xfe a", strings.Repeat("□", 300)} {
		if len(name) > 1<<19 && name[0] == 0xcc {
			if _, _, ok := picture.Of([]string{name, name}, pairs(name, int64(1), "b", int64(2), "c", int64(3)), name); ok {
				t.Error("nothing is left of a name, and it is drawn")
			}
			continue
		}
		bars(t, name, name)
	}
	body, alt, ok := picture.Of([]string{huge, huge + "票"}, pairs(huge, 1e300, "b"+huge, -1e300, "c"+huge, int64(math.MinInt64)), huge)
	if !ok {
		t.Fatal("nothing is drawn")
	}
	bounded(t, body, alt)
	for _, r := range alt {
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			t.Errorf("%q is in %q", r, alt)
		}
	}
}

func TestHostileNumbers(t *testing.T) {
	tests := []struct {
		values []any
		alt    string // "" where nothing is drawn
	}{
		{[]any{math.MaxFloat64, -math.MaxFloat64, 0.0, 1.0}, "a 1.8e+308; b -1.8e+308; c 0; d 1"},
		{[]any{math.SmallestNonzeroFloat64, 0.0, 0.0}, "a 4.94e-324; b 0; c 0"},
		{[]any{int64(math.MaxInt64), int64(math.MinInt64), int64(1)}, "a 9,223,372,036,854,775,807; b -9,223,372,036,854,775,808; c 1"},
		{[]any{math.NaN(), 1.0, 2.0, 3.0}, "a —; b 1; c 2; d 3"},
		{[]any{math.Inf(1), 1.0, 2.0, 3.5}, "a —; b 1; c 2; d 3.5"},
		{[]any{math.NaN(), math.Inf(-1), 2.0, 3.0}, ""},
		{[]any{math.NaN(), math.NaN(), math.NaN()}, ""},
		{[]any{math.Copysign(0, -1), 0.5, 1234567.891}, "a 0; b 0.5; c 1,234,567.89"},
		{[]any{8.800000190734863, 12345.0, -0.123456}, "a 8.8; b 12,345; c -0.123"},
	}
	for _, test := range tests {
		var rows [][]any
		for i, v := range test.values {
			rows = append(rows, []any{string(rune('a' + i)), v})
		}
		body, alt, ok := picture.Of([]string{"k", "v"}, rows, "")
		if ok != (test.alt != "") {
			t.Errorf("%v is drawn: %v", test.values, ok)
		} else if ok {
			bounded(t, body, alt)
			if !strings.HasSuffix(alt, ": "+test.alt) {
				t.Errorf("%v is told as %q", test.values, alt)
			}
		}
	}
}

// TestLargest draws the largest pictures there are.
func TestLargest(t *testing.T) {
	var rows, years [][]any
	for i := range 25 {
		name := strings.Repeat(string(rune('一'+i*7)), 40)
		rows = append(rows, []any{name, int64(math.MaxInt64 - i*1e17)})
		years = append(years, []any{int64(1990 + i), int64(i * 1234567890123)})
	}
	title := strings.Repeat("龍鳳", 100)
	for _, list := range [][][]any{rows, years} {
		body, alt, ok := picture.Of([]string{title, title}, list, title)
		if !ok {
			t.Fatal("nothing is drawn")
		}
		bounded(t, body, alt)
		t.Log(len(body), utf8.RuneCountInString(alt))
	}
	if _, _, ok := picture.Of([]string{"k", "v"}, append(rows, []any{"z", int64(1)}), ""); ok {
		t.Error("26 bars are drawn")
	}
}

func TestManyAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, test := range []answer{charts[0], charts[3], graphs[0]} {
				picture.Of(test.columns, test.rows, test.title)
			}
		})
	}
	wg.Wait()
}

// FuzzOf draws tables that bytes choose from values worth trying and from the
// texts it is given.
func FuzzOf(f *testing.F) {
	f.Add([]byte{2, 5, 0, 4, 1, 4, 2, 5, 3, 6}, "标题 title", "名")
	f.Add([]byte{1, 3, 9, 2, 1, 2, 0, 3, 9, 2, 1, 2, 0, 3}, "Title", "node")
	f.Add([]byte{3, 6, 10, 1, 1, 1, 11, 0, 0, 1, 2, 10, 2, 2, 2}, "", "\u202e\u0301")
	f.Add([]byte{1, 9, 12, 3, 1, 2, 3, 12, 3, 3, 2, 4}, strings.Repeat("w ", 200), "路径")
	f.Fuzz(func(t *testing.T, choices []byte, title, text string) {
		c := chooser{choices, text}
		columns := make([]string, 1+c.next(6))
		for i := range columns {
			columns[i] = []string{"path", "n", "year", text, "movieId", "路径"}[c.next(6)]
		}
		rows := make([][]any, c.next(28))
		kinds := make([]int, len(columns))
		for i := range kinds {
			kinds[i] = c.next(14)
		}
		for i := range rows {
			rows[i] = make([]any, len(columns)-c.next(20)/19)
			for j := range rows[i] {
				rows[i][j] = c.value(kinds[j]+c.next(10)/9, i)
			}
		}
		body, alt, ok := picture.Of(columns, rows, title)
		if !ok {
			return
		}
		config, err := png.DecodeConfig(bytes.NewReader(body))
		if err != nil || config.Width > picture.MaxWidth || config.Height > picture.MaxHeight || len(body) > picture.MaxBytes {
			t.Errorf("%v: %d bytes, %+v", err, len(body), config)
		}
		if n := utf8.RuneCountInString(alt); n > picture.MaxAlt || n == 0 {
			t.Errorf("alt has %d characters: %q", n, alt)
		}
	})
}

// A chooser makes choices of bytes, and the first one when they are spent.
type chooser struct {
	left []byte
	text string
}

func (c *chooser) next(n int) int {
	if len(c.left) == 0 {
		return 0
	}
	b := c.left[0]
	c.left = c.left[1:]
	return int(b) % n
}

func (c *chooser) value(kind, row int) any {
	switch kind {
	case 0:
		return c.text + strconv.Itoa(row)
	case 1:
		return int64(row*7 - 20)
	case 2:
		return int64(1990 + row)
	case 3:
		return float64(c.next(256)) / 3
	case 4:
		return []any{math.NaN(), math.Inf(1), math.MaxFloat64, -math.MaxFloat64, 5e-324, 0.0, int64(math.MaxInt64), int64(math.MinInt64), nil}[c.next(9)]
	case 5:
		return nil
	case 6:
		return strconv.Itoa(1900+10*row) + "s"
	case 7:
		return store.DateOf(int64(c.next(256))*100, 1, 1)
	case 8:
		return c.node()
	case 9:
		return c.rel()
	case 10, 11:
		p := store.Path{Nodes: []store.Node{c.node()}}
		for range c.next(6) {
			p.Nodes = append(p.Nodes, c.node())
			r := c.rel()
			if c.next(8) > 0 { // mostly they hang together
				r.Start, r.End = p.Nodes[len(p.Nodes)-2].ID, p.Nodes[len(p.Nodes)-1].ID
			}
			p.Relationships = append(p.Relationships, r)
		}
		return p
	case 12:
		var list []any
		for range c.next(8) {
			list = append(list, []any{c.text + strconv.Itoa(c.next(9)), c.node(), nil}[c.next(17)/8])
		}
		return list
	case 13:
		return []any{int64(math.MinInt64), int64(0), int64(math.MaxInt64)}[row%3]
	}
	return true
}

func (c *chooser) node() store.Node {
	id := strconv.Itoa(c.next(16))
	return store.Node{ID: id, Labels: []string{[]string{"A", "B", c.text, "D", "E", "F"}[c.next(6)]}, Properties: map[string]any{"name": c.text + id}}
}

func (c *chooser) rel() store.Relationship {
	return store.Relationship{Start: strconv.Itoa(c.next(16)), End: strconv.Itoa(c.next(16)), Type: []string{"ACTED_IN", "", c.text}[c.next(3)]}
}

// BenchmarkOf draws what a benchmark is called after. With -benchtime 1x and one
// of them alone it tells what the first picture of a program costs.
func BenchmarkOf(b *testing.B) {
	for _, test := range []answer{charts[0], charts[3], graphs[0]} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				picture.Of(test.columns, test.rows, test.title)
			}
		})
	}
}
