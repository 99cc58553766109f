package text_test

import (
	"strings"
	"testing"

	"precedent/store/text"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Amélie":        "amelie",
		"ＡＢＣ１２":         "abc12",
		"盜夢空間":          "盗梦空间",
		"Léon":          "leon",
		"Ørsted Straße": "orsted strasse",
		"":              "",
	} {
		if got := text.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
		if got := text.Fold(text.Fold(in)); got != want {
			t.Errorf("Fold twice (%q) = %q", in, got)
		}
	}
}

func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		"Who directed The Matrix?":        "who directed the matrix ?",
		"诺兰2000年起拍了几部sci-fi片":             "诺 兰 2000 年 起 拍 了 几 部 sci - fi 片",
		"films by 'Ang Lee' in 1,000":     "films by [ang] [lee] in 1000",
		"Nolan's 90s films, ≥ 8.5":        "nolan 's 90 s films , ≥ 8.5",
		"《黑客帝国》是谁导的":                      "[黑] [客] [帝] [国] 是 谁 导 的",
		"don't you've 'got mail' o'clock": "don 't you 've [got] [mail] o 'clock",
		"克里斯托弗·诺兰":                        "克 里 斯 托 弗 · 诺 兰",
		"١٢٣ ๕ १० ９":                      "123 5 10 9",
		"unclosed “quote":                 "unclosed “ quote",
		"":                                "",
	} {
		var b strings.Builder
		for i, tok := range text.Tokens(in) {
			if i > 0 {
				b.WriteByte(' ')
			}
			if tok.Quote > 0 {
				b.WriteString("[" + tok.Text + "]")
			} else {
				b.WriteString(tok.Text)
			}
			if tok.Start < 0 || tok.End > len(in) || tok.Start >= tok.End {
				t.Errorf("%q: token %q at %d:%d", in, tok.Text, tok.Start, tok.End)
			}
		}
		if b.String() != want {
			t.Errorf("Tokens(%q)\n got %s\nwant %s", in, b.String(), want)
		}
	}
}

func TestKey(t *testing.T) {
	for in, want := range map[string]string{
		"WALL·E":                "wall e",
		"Sci-Fi":                "sci fi",
		"Thelma & Louise":       "thelma and louise",
		"克里斯托弗·诺兰":              "克里斯托弗诺兰",
		"Ocean's Eleven":        "ocean's eleven",
		"2001: A Space Odyssey": "2001 a space odyssey",
	} {
		if got := text.KeyOf(in); got != want {
			t.Errorf("KeyOf(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("Who directed 'The Matrix'? 《黑客帝国》 1,000 8½")
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, tok := range text.Tokens(s) {
			if tok.Start < last || tok.End <= tok.Start || tok.End > len(s) {
				t.Fatalf("%q: token at %d:%d after %d", s, tok.Start, tok.End, last)
			}
			last = tok.Start
		}
	})
}
