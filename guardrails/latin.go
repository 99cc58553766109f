package guardrails

import (
	"slices"
	"strings"
	"unicode"

	"precedent/store/text"
)

// capitalised asks of each run of capitalised words that it be a fact.
func (g *grounding) capitalised() {
	for i := 0; i < len(g.tokens); i++ {
		if !g.upper(i) {
			continue
		}
		end := i
		for {
			next := end + 1
			for next < len(g.tokens) && linkWord.has(g.tokens[next].Text) && !g.covered[next] && next-end <= 2 {
				next++
			}
			for next < len(g.tokens) && next == end+1 && g.tokens[next].Kind == text.Mark && strings.Contains("-.·", g.tokens[next].Text) && g.tokens[next].Start == g.tokens[end].End {
				next++
			}
			if next >= len(g.tokens) || !g.upper(next) || g.tokens[next-1].Text == "." && !g.initial(next-2) {
				break
			}
			end = next
		}
		g.run(span{i, end})
		i = end
	}
}

// upper reports whether token i begins with a capital and is not accounted for.
func (g *grounding) upper(i int) bool {
	return i >= 0 && i < len(g.tokens) && g.tokens[i].Upper && g.tokens[i].Kind == text.Word && !g.covered[i]
}

// initial reports whether token i is one letter, as in "J. K. Rowling".
func (g *grounding) initial(i int) bool { return i >= 0 && len(g.tokens[i].Text) == 1 }

// run judges a run of capitalised words; ordinary words at its ends don't count.
func (g *grounding) run(at span) {
	for at.first <= at.last && g.isOrdinary(at.first) {
		g.covered[at.first] = true
		at.first++
	}
	for at.last >= at.first && g.isOrdinary(at.last) {
		g.covered[at.last] = true
		at.last--
	}
	if at.first > at.last {
		return
	}
	ts := unmarked(g.tokens[at.first : at.last+1])
	if g.known.says(ts) || len(ts) == 1 && (g.inflected(ts[0]) || g.opening(at.first)) {
		g.name(at, g.known.part(ts))
		g.cover(at)
		return
	}
	g.want(at, false)
}

// opening reports whether token i is a common word that begins a sentence.
func (g *grounding) opening(i int) bool {
	return g.known.isCommon != nil && strings.HasSuffix(g.tokens[i].Text, "ly") && (i == 0 || strings.ContainsAny(g.tokens[i-1].Text, ".!?;")) && g.known.isCommon(g.tokens[i].Text)
}

func (g *grounding) isOrdinary(i int) bool {
	word := g.tokens[i].Text
	if month := monthWord.of(word); month > 0 {
		return g.known.months[int(month)]
	}
	return ordinary()[word] || g.tokens[i].Kind == text.Mark || linkWord.has(word)
}

// latin asks of each word in letters that it be of the facts or common; in a
// Chinese text of the facts.
func (g *grounding) latin() {
	han, latin := 0, 0
	for _, t := range g.tokens {
		switch t.Kind {
		case text.Han:
			han++
		case text.Word:
			latin++
		}
	}
	for i := 0; i < len(g.tokens); i++ {
		if g.covered[i] || g.tokens[i].Kind != text.Word {
			continue
		}
		end := i
		for end+1 < len(g.tokens) && !g.covered[end+1] && g.tokens[end+1].Kind == text.Word && g.doubted(end+1, han >= latin) {
			end++
		}
		if g.doubted(i, han >= latin) {
			g.run(span{i, end})
			i = end
		}
	}
}

// doubted reports whether word i, not capitalised, could be a made-up name.
func (g *grounding) doubted(i int, chinese bool) bool {
	t := g.tokens[i]
	foreign := strings.ContainsFunc(t.Text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)
	})
	switch {
	case foreign:
		return !g.known.words[t.Text]
	case chinese:
		return true
	case currencyWord.has(t.Text):
		return !g.known.words[t.Text]
	case g.isOrdinary(i) || g.known.words[t.Text] || g.inflected(t) || g.known.isCommon == nil || strings.HasPrefix(t.Text, "'"):
		return false
	case t.Joined && i > 0 && g.tokens[i-1].Kind == text.Number:
		return !g.common(t.Text)
	}
	return !g.common(t.Text) || g.misplaced(i)
}

// misplaced reports whether a common word stands where a name does: behind
// "by" or "with" without an article, or beside another such word.
func (g *grounding) misplaced(i int) bool {
	before, after := "", ""
	if i > 0 {
		before = g.tokens[i-1].Text
	}
	if i+1 < len(g.tokens) && g.tokens[i+1].Kind == text.Word {
		after = g.tokens[i+1].Text
	}
	if !roleWord.has(before) {
		return false
	}
	return !strings.HasSuffix(g.tokens[i].Text, "ing") && !strings.HasSuffix(g.tokens[i].Text, "ly") && !strings.HasSuffix(g.tokens[i].Text, "s") && !ordinary()[after] && after != ""
}

// inflected reports whether a known text has the word in another number or tense.
func (g *grounding) inflected(t text.Token) bool {
	return slices.ContainsFunc(stems(t.Text), func(stem string) bool { return g.known.stems[stem] })
}

// stems are an English word and what it may be made of by an ending.
func stems(word string) []string {
	out := append(singulars(word), word)
	for _, ending := range []string{"ed", "d", "ing"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) > 2 {
			out = append(out, stem)
		}
	}
	return out
}

// singulars are what an English word may be the plural of.
func singulars(word string) []string {
	var out []string
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(stem) > 2 {
		out = append(out, stem+"y")
	}
	if stem, ok := strings.CutSuffix(word, "es"); ok && len(stem) > 2 {
		out = append(out, stem)
	}
	if stem, ok := strings.CutSuffix(word, "s"); ok && len(stem) > 2 {
		out = append(out, stem)
	}
	return out
}

// common reports whether a word, or what it is made of, is a common one.
func (g *grounding) common(word string) bool {
	return slices.ContainsFunc(stems(word), func(stem string) bool { return len(stem) > 2 && g.known.isCommon(stem) }) ||
		len(word) > 6 && wordSuffix.ends(word)
}
