package link

import (
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/text"
)

// isWeak reports whether nothing marks the words of m as a name. either says
// that they stand where a name could as well stand as what else they mean.
func (l *Linker) isWeak(ts []text.Token, m Mention) (weak, either bool) {
	is := l.kindOf(ts, m)
	if !is.calendar && !is.noun && !is.verb && !isCommon(ts[m.From:m.To]) && !l.isOrdinary(ts, m) {
		return false, false
	}
	if slices.ContainsFunc(m.Candidates, func(c Candidate) bool { return l.besideProp(ts, m, c) }) {
		return false, false
	}
	upper := ts[m.From].Upper || ts[m.From].Kind == text.Han
	if is.calendar {
		switch {
		case upper && (isAny("doer", ts, m.From, true) || l.isBeside(ts, m)):
			return false, false
		}
		return true, upper
	}
	if is.noun || is.verb {
		return l.isSchemas(ts, m, is)
	}
	number := ts[m.From].Kind == text.Number && m.To-m.From == 1
	if !number && isCapitalised(ts, m.From, m.To) {
		return false, false
	}
	return !l.isMarked(ts, m, is), false
}

// isBeside reports whether a word for the label of one of the candidates stands beside m.
func (l *Linker) isBeside(ts []text.Token, m Mention) bool {
	return slices.ContainsFunc(m.Candidates, func(c Candidate) bool { return l.besideNoun(ts, m, c.Labels) })
}

// isSchemas is isWeak for words that name a part of the schema, too: what they
// are there, unless a word for the label stands beside them.
func (l *Linker) isSchemas(ts []text.Token, m Mention, is wordKind) (weak, either bool) {
	if is.verb && !ts[m.From].Upper && l.endsNoun(ts, m.From) { // 学生选修课程
		return true, false
	}
	if slices.ContainsFunc(m.Candidates, func(c Candidate) bool { return l.beforeNoun(ts, m, c) }) {
		return false, false
	}
	if l.isBeside(ts, m) && (!is.verb || ts[m.From].Upper) && isClosed(ts, m.To) {
		return false, false
	}
	return true, ts[m.From].Kind == text.Word && isCapitalised(ts, m.From, m.To)
}

// endsNoun reports whether a word for any label ends before ts[i].
func (l *Linker) endsNoun(ts []text.Token, i int) bool {
	for n := 1; n <= maxNoun && i-n >= 0; n++ {
		key := text.Key(ts[i-n : i])
		for _, nouns := range l.nouns { // any
			if nouns[key] {
				return true
			}
		}
	}
	return false
}

// isMarked reports whether something beside common words marks them as a name.
func (l *Linker) isMarked(ts []text.Token, m Mention, is wordKind) bool {
	article := m.From > 0 && isArticle(ts[m.From-1].Text) && (m.To == len(ts) || ts[m.To].Kind == text.Mark) // is it a comedy?
	foreign := ts[m.From].Kind == text.Word && hasHan(ts)                                                    // 评分最高的comedy
	single := isSuperlative(ts, m.From) && isClosed(ts, m.To)                                                // the best comedy of 1994
	for _, c := range m.Candidates {
		category := l.categories[c.Label+"."+c.Property]
		switch {
		case category && l.shared[c.Label+"."+c.Property] && ts[m.From].Kind == text.Word && c.How != store.ByAlias && !foreign:
			switch said := l.isSaidOf(ts, m, c); {
			case l.isEvent(ts, m, c): // closed in August is no status
				if l.beforeNoun(ts, m, c) || said && (m.To == len(ts) || ts[m.To].Kind == text.Mark) {
					return true
				}
			case said || !is.small && l.isPlaced(ts, m, c):
				return true
			}
		case category && is.small && l.shared[c.Label+"."+c.Property]:
			if l.beforeNoun(ts, m, c) {
				return true
			}
		case category && (c.How == store.ByAlias || l.hasNounOf(ts, c) || article || foreign || single):
			return true
		case l.isOwner(ts, m, c):
			return true
		case l.besideNoun(ts, m, c.Labels) && (!is.small || ts[m.From].Upper || ts[m.From].Kind != text.Word || isClosed(ts, m.To)):
			return true
		}
	}
	return false
}

// isSuperlative reports whether a word like "best", "longest", "any" or an
// article stands before ts[i], perhaps with a number between.
func isSuperlative(ts []text.Token, i int) bool {
	if i > 0 && ts[i-1].Kind == text.Number {
		i--
	}
	if i == 0 || ts[i-1].Kind != text.Word {
		return false
	}
	w := ts[i-1].Text
	return isArticle(w) || superlatives[w] || len(w) > 4 && strings.HasSuffix(w, "est") || i > 1 && (w == "rated" || w == "grossing" || w == "expensive" || w == "recent") && (superlatives[ts[i-2].Text] || strings.HasSuffix(ts[i-2].Text, "est"))
}

var superlatives = wordSet("best worst top last latest first any every another most least")

// isClosed reports whether a noun may end before ts[i]: there the text ends,
// or a word follows that isn't part of a name or of a compound.
func isClosed(ts []text.Token, i int) bool {
	return i == len(ts) || ts[i].Kind == text.Mark || closers[ts[i].Text]
}

var closers = wordSet("of by with without in from before after since until between during on for and or that which whose who is was are were did does do has have had directed starring released made ever over under above below longer shorter rated set where")

// isOwner reports whether a title is the last word of the question, behind
// "of": "cast of heat".
func (l *Linker) isOwner(ts []text.Token, m Mention, c Candidate) bool {
	return m.From > 1 && ts[m.From].Kind == text.Word && ts[m.From-1].Text == "of" && (m.To == len(ts) || ts[m.To].Kind == text.Mark) &&
		!l.categories[c.Label+"."+c.Property] && !pronouns[ts[m.From].Text] && l.known(ts[m.From-2].Text)
}

var pronouns = wordSet("it its her him us them this that these those")

// isOrdinary reports whether m is one word in lower case after a word that
// ordinary nouns follow ("a joker", "its inception"), with no word for its label
// behind ("the titanic movie").
func (l *Linker) isOrdinary(ts []text.Token, m Mention) bool {
	if m.To-m.From != 1 || m.From == 0 || ts[m.From].Upper || ts[m.From].Kind != text.Word || !isDeterminer(ts[m.From-1].Text) {
		return false
	}
	if l.hasNoun(ts[m.To:min(len(ts), m.To+1)]) {
		return false
	}
	for _, c := range m.Candidates {
		if c.How != store.Folded || l.categories[c.Label+"."+c.Property] {
			return false
		}
	}
	return true
}

// hasNoun reports whether a word for any label stands in the question.
func (l *Linker) hasNoun(ts []text.Token) bool {
	for i := range ts {
		for n := 1; n <= 2 && i+n <= len(ts); n++ {
			key := text.Key(ts[i : i+n])
			for _, nouns := range l.nouns {
				if nouns[key] {
					return true
				}
			}
		}
	}
	return false
}

// isCapitalised reports whether ts[i:j] begins with a capital where ordinary
// words don't: in mid-sentence, before another capital, among Chinese; and in a
// text that doesn't capitalise everything.
func isCapitalised(ts []text.Token, i, j int) bool {
	if !ts[i].Upper {
		return false
	}
	if ts[i].Kind == text.Word && (i > 0 && ts[i-1].Kind == text.Han || j < len(ts) && ts[j].Kind == text.Han) {
		return true
	}
	first := i == 0 || ts[i-1].Kind == text.Mark && strings.Contains(".?!:", ts[i-1].Text)
	if first && !slices.ContainsFunc(ts[i+1:j], func(t text.Token) bool { return t.Upper }) {
		return false
	}
	for k, t := range ts {
		if (k < i || k >= j) && t.Kind == text.Word && !t.Upper && t.Text[0] != '\'' {
			return true
		}
	}
	return !slices.ContainsFunc(ts[:i], func(t text.Token) bool { return t.Kind == text.Word })
}

func hasHan(ts []text.Token) bool {
	return slices.ContainsFunc(ts, func(t text.Token) bool { return t.Kind == text.Han })
}

// besideNoun reports whether a word for one of labels stands right before or
// after m ("the film Up", "Up the movie", 电影《她》), the article aside.
func (l *Linker) besideNoun(ts []text.Token, m Mention, labels []string) bool {
	for _, label := range labels {
		nouns := l.nouns[label]
		for n := 1; n <= 3; n++ {
			if m.From-n >= 0 && nouns[text.Key(ts[m.From-n:m.From])] && !isPlural(ts[m.From-1]) {
				return true
			}
			if ts[m.From].Kind != text.Number && m.To+n < len(ts) && ts[m.To].Text == "the" && nouns[text.Key(ts[m.To+1:m.To+1+n])] {
				return true
			}
		}
	}
	return false
}

// isPlural reports whether a noun speaks of several things, so that what
// follows is no name for one of them ("films it …").
func isPlural(t text.Token) bool { return t.Kind == text.Word && strings.HasSuffix(t.Text, "s") }
