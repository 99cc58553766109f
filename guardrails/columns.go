package guardrails

import (
	"slices"

	"precedent/store/text"
)

// columnsFor are the columns that a claim is about: those its phrase measures,
// those its chunk names, those of the numbers there; the same of the sentence;
// the same of the question, unless it is of size; else all that hold numbers.
// Those of times only where the phrase is of times, or of anything.
func (g *grounding) columnsFor(s *statement, at span, what string) []int {
	var ordered []int
	for i, c := range g.known.columns {
		if c.ordered() {
			ordered = append(ordered, i)
		}
	}
	if what != "date" && what != anything && slices.ContainsFunc(ordered, func(i int) bool { return !g.isDate(i) }) {
		ordered = slices.DeleteFunc(ordered, g.isDate)
	}
	pick := func(fits func(column) bool) []int {
		var out []int
		for _, i := range ordered {
			if fits(g.known.columns[i]) {
				out = append(out, i)
			}
		}
		return out
	}
	if what != "" {
		if out := pick(func(c column) bool { return slices.Contains(c.what, what) }); len(out) > 0 {
			return out
		}
	}
	chunk := s.chunkOf(at.first)
	from, to := s.first, s.last
	for from <= s.last && s.chunkOf(from) != chunk {
		from++
	}
	for to > from && s.chunkOf(to) != chunk {
		to--
	}
	for _, part := range []span{{from, to}, s.span} {
		if out := g.named(pick, g.tokens[part.first:part.last+1]); len(out) > 0 {
			return out
		}
		if out := g.numbered(s, part, ordered); len(out) > 0 {
			return out
		}
	}
	if out := g.named(pick, g.known.questionTokens); len(out) > 0 && what != "size" {
		return out
	}
	return ordered
}

// anything is what a tie may be of.
const anything = "anything"

// named are the columns whose name words say, else those that measure what words mean.
func (g *grounding) named(pick func(func(column) bool) []int, ts []text.Token) []int {
	words := map[string]bool{}
	for i, t := range ts {
		words[t.Text] = true
		for _, one := range singulars(t.Text) {
			words[one] = true
		}
		for n := 2; n <= 3 && i+n <= len(ts); n++ {
			if t.Kind == text.Han {
				words[text.Key(ts[i:i+n])] = true
			}
		}
	}
	if out := pick(func(c column) bool {
		return slices.ContainsFunc(c.name, func(w string) bool {
			return len(w) > 2 && (words[w] || slices.ContainsFunc(singulars(w), func(one string) bool { return words[one] }))
		})
	}); len(out) > 0 {
		return out
	}
	said := map[string]bool{}
	for name, m := range theClaims().measures {
		for w := range m.says {
			if words[w] && !(name == "count" && len(w) <= 3 && counterWord.has(w)) {
				said[name] = true
			}
		}
	}
	return pick(func(c column) bool { return slices.ContainsFunc(c.what, func(w string) bool { return said[w] }) })
}

// numbered are the columns that hold the numbers of a part of a sentence, of
// the rows these are said of.
func (g *grounding) numbered(s *statement, part span, ordered []int) []int {
	var out []int
	for _, n := range s.numerals {
		if n.first < part.first || n.last > part.last || n.kind != plain && n.kind != minutes && n.kind != decade {
			continue
		}
		rows := g.target(s, n.span).rows(g.known)
		for _, i := range ordered {
			if slices.Contains(out, i) || !slices.Contains(g.fitting(s, n), i) {
				continue
			}
			for r, in := range rows {
				if cell := g.known.columns[i].cells[r]; in && cell.single && cell.reads(n) {
					out = append(out, i)
					break
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// isDate reports whether a column orders times.
func (g *grounding) isDate(column int) bool {
	return slices.Contains(g.known.columns[column].what, "date")
}

// hasDates reports whether the table has a column of times.
func (g *grounding) hasDates() bool {
	return slices.ContainsFunc(g.known.columns, func(c column) bool { return slices.Contains(c.what, "date") })
}

// fitting are the columns that n may be of, by the word behind it and its unit:
// "42 orders" is of the column orders, if there is one.
func (g *grounding) fitting(s *statement, n numeral) []int {
	var all, named []int
	noun := g.noun(n)
	for i, c := range g.known.columns {
		all = append(all, i)
		if noun != "" && slices.ContainsFunc(c.name, func(word string) bool {
			return word == noun || slices.Contains(singulars(noun), word) || slices.Contains(singulars(word), noun)
		}) && slices.ContainsFunc(c.cells, func(c cell) bool { return len(c.numbers)+len(c.sizes)+len(c.spans) > 0 }) {
			named = append(named, i)
		}
	}
	if len(named) > 0 {
		return named
	}
	label := noun != "" && g.isLabel(noun)
	out := all[:0]
	for _, i := range all {
		what := g.known.columns[i].what
		switch {
		case label && len(what) > 0 && !slices.Contains(what, "count"):
		case periodWord.has(noun) && slices.Contains(what, "date"):
		case n.kind == minutes && len(what) > 0 && !slices.Contains(what, "length"):
		case n.kind == percent && len(what) > 0 && slices.Contains(what, "date"):
		default:
			out = append(out, i)
		}
	}
	return out
}

func (g *grounding) fits(s *statement, n numeral, column int) bool {
	noun := g.noun(n)
	if periodWord.has(noun) {
		return slices.Contains(g.known.columns[column].what, "date")
	}
	return slices.Contains(g.fitting(s, n), column)
}

// comparable reports whether a limit may be of a column: none of years is.
func (g *grounding) comparable(column int, n numeral) bool {
	year := n.scale == 1 && n.value >= 1800 && n.value <= 2100 && n.decimals == 0
	return year == slices.Contains(g.known.columns[column].what, "date") || !slices.Contains(g.known.columns[column].what, "date")
}

// noun is the word right behind a number, or behind a hyphen there.
func (g *grounding) noun(n numeral) string {
	if n.last+1 < len(g.tokens) && g.tokens[n.last+1].Kind == text.Word {
		return g.tokens[n.last+1].Text
	}
	return ""
}

// isLabel reports whether a word names what rows are of, or its plural.
func (g *grounding) isLabel(word string) bool {
	return slices.ContainsFunc(append(singulars(word), word), func(w string) bool {
		p := g.known.whole[w]
		return p != nil && p.schema && p.rows == nil && p.upper
	})
}
