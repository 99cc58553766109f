package link

import (
	"math/bits"
	"strings"
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
)

// editIndex finds words within a small edit distance, and Chinese keys with
// one wrong character.
type editIndex struct {
	byLength map[int][]letters // words of the keys, by length in bytes
	words    map[string]bool
	han      map[string][]string // key with one character masked → keys
	byKey    map[string][]entry
}

// letters is a word and the set of its letters, for a quick look.
type letters struct {
	word string
	set  uint32
}

func (x *editIndex) build(byKey map[string][]entry) {
	x.byKey = byKey
	x.byLength = make(map[int][]letters)
	x.words = make(map[string]bool)
	x.han = make(map[string][]string)
	for key := range byKey {
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
					x.byLength[len(w)] = append(x.byLength[len(w)], letters{w, letterSet(w)})
				}
			}
		}
	}
}

// masks returns key with each character in turn replaced by a mask. The first
// character of a short name stays: it is the family name.
func masks(key string) []string {
	rs := []rune(key)
	if len(rs) < minHanMisspelt || len(rs) > 12 || strings.Contains(key, " ") {
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
		return 2
	}
	return 1
}

// near returns up to maxCorrections words near w, nearest first.
func (x *editIndex) near(w string) []string {
	limit := maxDistance(len(w))
	set := letterSet(w)
	var out []string
	for d := 1; d <= limit; d++ {
		for n := len(w) - d; n <= len(w)+d; n++ {
			for _, c := range x.byLength[n] {
				if bits.OnesCount32(set^c.set) <= 2*d && len(out) < maxCorrections && distance(w, c.word, d) == d {
					out = append(out, c.word)
				}
			}
		}
	}
	return out
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

// misspelt returns mentions within a small edit distance of a value or alias,
// in tokens that no mention of found covers.
func (l *Linker) misspelt(question string, ts []text.Token, found []Mention) []Mention {
	covered := make([]bool, len(ts))
	for _, m := range found {
		if m.Weak {
			continue
		}
		for i := m.From; i < m.To; i++ {
			covered[i] = true
		}
	}
	var all []Mention
	for i := range ts {
		switch {
		case covered[i] || ts[i].Kind == text.Mark || ts[i].Kind == text.Number:
		case ts[i].Kind == text.Han:
			all = append(all, l.misspeltHan(question, ts, covered, i)...)
		default:
			all = append(all, l.misspeltWords(question, ts, covered, i)...)
		}
	}
	return longest(all)
}

func (l *Linker) misspeltWords(question string, ts []text.Token, covered []bool, i int) []Mention {
	keys := []string{""}
	wrong := false
	var best []Mention
	for j := i; j < min(len(ts), i+maxEditTokens) && !covered[j] && ts[j].Kind == text.Word; j++ {
		w := ts[j].Text
		choices := []string{w}
		if len(w) >= minMisspelt && !l.edits.words[w] && !l.known(w) {
			choices = l.edits.near(w)
			wrong = true
		}
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
		if !wrong || splitsQuote(ts, i, j+1) {
			continue
		}
		var es []entry
		for _, k := range keys {
			for _, e := range l.edits.byKey[k] {
				es = append(es, entry{e.value, store.ByEdit})
			}
		}
		if len(es) > 0 {
			best = []Mention{{From: i, To: j + 1, Candidates: l.candidates(dedupe(es), question[ts[i].Start:ts[j].End])}}
		}
	}
	return best
}

func (l *Linker) misspeltHan(question string, ts []text.Token, covered []bool, i int) []Mention {
	for j := min(len(ts), i+12); j-i >= minHanMisspelt; j-- {
		ok := !splitsQuote(ts, i, j)
		for k := i; k < j && ok; k++ {
			ok = !covered[k] && (ts[k].Kind == text.Han)
		}
		if !ok {
			continue
		}
		key := text.Key(ts[i:j])
		var es []entry
		for _, mask := range masks(key) {
			for _, k := range l.edits.han[mask] {
				if l.plausibleHan(key, k) {
					for _, e := range l.edits.byKey[k] {
						es = append(es, entry{e.value, store.ByEdit})
					}
				}
			}
		}
		if len(es) > 0 {
			return []Mention{{From: i, To: j, Candidates: l.candidates(dedupe(es), question[ts[i].Start:ts[j-1].End])}}
		}
	}
	return nil
}

// plausibleHan reports whether the character of said that differs from key is
// no word of the language there ("的", "导"): then it is grammar, not a typo.
func (l *Linker) plausibleHan(said, key string) bool {
	for _, r := range said {
		k, n := utf8.DecodeRuneInString(key)
		key = key[n:]
		if r != k && l.known(string(r)) {
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
