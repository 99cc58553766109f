package link

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"precedent/store"
	"precedent/store/text"
)

// Bounds of looking for misspelt names.
const (
	minMisspelt    = 4 // letters of a word that may be misspelt
	maxCorrections = 6 // words tried for one misspelt word
	maxEditTokens  = 5 // words of a misspelt name
	minHanMisspelt = 3 // characters of a Chinese name that may have a wrong one
	maxHanMisspelt = 12

	maxDistanceEver = 2 // edits of a word
)

// editIndex finds words within a small edit distance, and Chinese keys with
// one wrong character.
type editIndex struct {
	byEnd map[end][]letters // words of the keys, each under its first and its last letter
	words map[string]bool
	han   map[string][]string // key with one character masked → keys
	byKey map[string][]entry

	once sync.Once // it is built on first use
}

// end is one end of words of a length in bytes. A single edit leaves one of a
// word's ends as it was, so words that share neither are not compared.
type end struct {
	length int
	letter byte
	last   bool
}

// letters is a word and the set of its letters, for a quick look.
type letters struct {
	word string
	set  uint32
}

func (x *editIndex) build(byKey map[string][]entry, keys []string) {
	x.byKey = byKey
	x.byEnd = make(map[end][]letters)
	x.words = make(map[string]bool)
	x.han = make(map[string][]string)
	for _, key := range keys {
		if text.IsHan(key) {
			for _, mask := range masks(key) {
				x.han[mask] = append(x.han[mask], key)
			}
			continue
		}
		for w := range strings.FieldsSeq(key) {
			if !x.words[w] {
				x.words[w] = true
				if len(w) >= minMisspelt {
					l := letters{w, letterSet(w)}
					first, last := end{len(w), w[0], false}, end{len(w), w[len(w)-1], true}
					x.byEnd[first] = append(x.byEnd[first], l)
					x.byEnd[last] = append(x.byEnd[last], l)
				}
			}
		}
	}
}

// masks returns key with each character in turn replaced by a mask. The first
// character of a short name stays: it is the family name.
func masks(key string) []string {
	rs := []rune(key)
	if len(rs) < minHanMisspelt || len(rs) > maxHanMisspelt || strings.Contains(key, " ") {
		return nil
	}
	var out []string
	for i := range rs {
		if i == 0 && len(rs) == minHanMisspelt {
			continue
		}
		m := append([]rune(nil), rs...)
		m[i] = '_'
		out = append(out, string(m))
	}
	return out
}

func letterSet(w string) (set uint32) {
	for i := range len(w) {
		if c := w[i]; 'a' <= c && c <= 'z' {
			set |= 1 << (c - 'a')
		} else {
			set |= 1 << 26
		}
	}
	return set
}

// maxDistance is how many edits a word of n bytes may have: one in short
// words, two from eight letters (Damerau 1964: most misspellings are one edit).
func maxDistance(n int) int {
	if n >= 8 {
		return maxDistanceEver
	}
	return 1
}

// near returns up to maxCorrections words near w, nearest first.
func (x *editIndex) near(w string) []string {
	limit := maxDistance(len(w))
	set := letterSet(w)
	var found [maxDistanceEver + 1][]string
	compare := func(c letters) {
		if bits.OnesCount32(set^c.set) > 2*limit {
			return
		}
		if d := distance(w, c.word, limit); d <= limit && len(found[d]) < maxCorrections {
			found[d] = append(found[d], c.word)
		}
	}
	for n := len(w) - limit; n <= len(w)+limit; n++ {
		for _, c := range x.byEnd[end{n, w[0], false}] {
			compare(c)
		}
		for _, c := range x.byEnd[end{n, w[len(w)-1], true}] {
			if c.word[0] != w[0] {
				compare(c)
			}
		}
	}
	out := slices.Concat(found[:]...)
	return out[:min(len(out), maxCorrections)]
}

// distance is the optimal string alignment distance of a and b (insertions,
// deletions, substitutions, swaps of neighbours), or limit+1 if it is more.
func distance(a, b string, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	const longestWord = 64
	if len(a) > longestWord || len(b) > longestWord {
		return limit + 1
	}
	var rows [3][longestWord + 1]int
	prev2, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			cur[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

func abs(n int) int { return max(n, -n) }

// misspelt returns mentions within a small edit distance of a value or alias:
// in tokens that no mention of found covers, or reaching over shorter ones
// whole ("Mulholand Drive" over Drive).
func (l *Linker) misspelt(question string, ts []text.Token, found []Mention) []Mention {
	l.Ready()
	s := speller{Linker: l, question: question, ts: ts, covered: make([]*Mention, len(ts)), near: make(map[string][]string)}
	for i := range found {
		if found[i].Weak {
			continue
		}
		for k := found[i].From; k < found[i].To; k++ {
			s.covered[k] = &found[i]
		}
	}
	var all []Mention
	for i := range ts {
		switch {
		case ts[i].Kind == text.Mark || ts[i].Kind == text.Number:
		case ts[i].Kind == text.Han:
			all = append(all, s.han(i)...)
		default:
			all = append(all, s.words(i)...)
		}
	}
	return longest(all)
}

// A speller looks for misspelt names in one question.
type speller struct {
	*Linker
	question string
	ts       []text.Token
	covered  []*Mention          // the mention that covers a token
	near     map[string][]string // what words may be misspellings of
}

// choices are the words that token i may stand for, and whether it is misspelt.
func (s *speller) choices(i int) (words []string, wrong bool) {
	w := s.ts[i].Text
	if s.covered[i] != nil || len(w) < minMisspelt || s.edits.words[w] || s.known(w) {
		return []string{w}, false
	}
	words, ok := s.near[w]
	if !ok {
		words = s.edits.near(w)
		s.near[w] = words
	}
	return words, true
}

// reaches reports whether ts[i:j] holds each mention that it touches whole.
func (s *speller) reaches(i, j int) bool {
	for _, m := range s.covered[i:j] {
		if m != nil && (m.From < i || j < m.To) {
			return false
		}
	}
	return !splitsQuote(s.ts, i, j)
}

func (s *speller) words(i int) (best []Mention) {
	keys := []string{""}
	wrong := false
	words := 0
	for j := i; j < len(s.ts) && words < maxEditTokens; j++ {
		if s.ts[j].Kind == text.Mark && s.ts[j].Text != "&" && j > i {
			continue
		}
		if s.ts[j].Kind != text.Word {
			break
		}
		words++
		choices, w := s.choices(j)
		wrong = wrong || w
		var next []string
		for _, k := range keys {
			for _, c := range choices {
				if k != "" && !strings.HasPrefix(c, "'") {
					c = " " + c
				}
				next = append(next, k+c)
			}
		}
		keys = next[:min(len(next), maxCorrections*maxCorrections)]
		if !wrong || !s.reaches(i, j+1) || words == 1 && s.inflects(s.ts[j], keys) {
			continue
		}
		if es := s.entries(keys); len(es) > 0 {
			best = []Mention{{From: i, To: j + 1, Candidates: s.candidates(es, s.question[s.ts[i].Start:s.ts[j].End])}}
		}
	}
	return best
}

// inflects reports whether t is a common word or the plural of one of keys,
// and so hardly a misspelling by itself: "heart" is not Heat.
func (s *speller) inflects(t text.Token, keys []string) bool {
	return common(t.Text) || !t.Upper && slices.ContainsFunc(keys, func(k string) bool { return t.Text == k+"s" })
}

func (s *speller) entries(keys []string) []entry {
	var es []entry
	for _, k := range keys {
		for _, e := range s.edits.byKey[k] {
			es = append(es, entry{e.value, store.ByEdit})
		}
	}
	return dedupe(es)
}

func (s *speller) han(i int) []Mention {
	for j := min(len(s.ts), i+maxHanMisspelt+2); j-i >= minHanMisspelt; j-- {
		if s.ts[j-1].Kind != text.Han || !s.reaches(i, j) || s.covered[i] != nil && s.covered[i] == s.covered[j-1] ||
			slices.ContainsFunc(s.ts[i:j], func(t text.Token) bool { return t.Kind != text.Han && t.Text != "·" }) {
			continue
		}
		said := text.Key(s.ts[i:j])
		var keys []string
		for _, mask := range masks(said) {
			for _, k := range s.edits.han[mask] {
				if s.plausible(said, k) {
					keys = append(keys, k)
				}
			}
		}
		if es := s.entries(keys); len(es) > 0 {
			return []Mention{{From: i, To: j, Candidates: s.candidates(es, s.question[s.ts[i].Start:s.ts[j-1].End])}}
		}
	}
	return nil
}

// hanGrammar are characters that stand beside names.
const hanGrammar = "的了吗呢吧是在和与跟里有没谁哪几多个部位拍导演看上中下前后之等或及"

// plausible reports whether the character of said that differs from key is a
// typo. A word of the language there ("的", "导") is grammar, unless it stands
// inside a longer name or isn't one that stands beside names.
func (s *speller) plausible(said, key string) bool {
	long := utf8.RuneCountInString(key) > minHanMisspelt
	for i, r := range said {
		k, n := utf8.DecodeRuneInString(key)
		key = key[n:]
		if r == k {
			continue
		}
		inside := i > 0 && key != ""
		if s.known(string(r)) && !(long && (inside || !strings.ContainsRune(hanGrammar, r))) {
			return false
		}
	}
	return true
}

func dedupe(es []entry) []entry {
	seen := make(map[int32]bool)
	out := es[:0]
	for _, e := range es {
		if !seen[e.value] {
			seen[e.value] = true
			out = append(out, e)
		}
	}
	return out
}
