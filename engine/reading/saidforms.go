package reading

import (
	"slices"
	"strings"

	"precedent/store/text"
)

// forms finds what is taken of many, how far relationships are followed, how conditions
// are joined, and the things that are asked for.
func (h *hearing) forms() {
	for i, p := range h.ps {
		if p.named || p.qty.tokens > 0 {
			continue
		}
		words := h.words(i, i+1)
		for kind, to := range map[string]*string{"deep": &h.Deep, "direct": &h.Direct, "both": &h.Both} {
			if _, ok := p.is(kind); ok {
				*to = words
			}
		}
		if _, ok := p.is("share"); ok && h.at(i-1).qty.tokens == 0 {
			h.Share = words
		}
		for kind, to := range map[Kind]*string{Average: &h.Mean, Starts: &h.Starts, Ends: &h.Ends, Or: &h.Either} {
			if _, ok := p.term(kind); ok {
				*to = words
			}
		}
		if _, ok := p.term(By); ok {
			h.By = true
		}
		if _, ok := p.term(Per); ok {
			h.Per = true
		}
		if _, ok := p.term(Sum); ok && h.isOf(i+1) && !h.has(AskCount) {
			h.Sum = words
		}
		if _, ok := p.term(AskCount); ok && h.Number.Label == "" {
			h.Number = h.thingAt(i + 1)
		}
		if h.Which.Label == "" && h.opens(i) {
			h.Which = h.thingAt(i + 1)
		}
	}
}

// opens reports whether piece i asks which: as the first word, or wherever in Chinese.
func (h *hearing) opens(i int) bool {
	t, lists := h.ps[i].term(AskList)
	_, single := h.ps[i].is("single")
	_, several := h.ps[i].is("several")
	if h.has(AskCount) || !lists && !single && !several {
		return false
	}
	if h.ts[h.ps[i].from].Kind == text.Han {
		return strings.Contains(h.words(i, i+1), "哪")
	}
	return i == 0 && t.Name != "any"
}

func (h *hearing) has(k Kind) bool {
	for _, p := range h.ps {
		if _, ok := p.term(k); ok {
			return true
		}
	}
	return false
}

// isOf reports whether a property stands at piece i, an article or a word before it.
func (h *hearing) isOf(i int) bool {
	for k := i; k <= i+1; k++ {
		if t, ok := h.at(k).term(Prop); ok {
			_, noun := h.at(k).term(Noun)
			kind := h.types[t.Label+"."+t.Prop]
			return !noun && (kind == "INTEGER" || kind == "FLOAT")
		}
	}
	return false
}

// thingAt is the label of the noun at piece i, or behind names and words that tell of what
// kind it is; nothing where it owns what is asked for.
func (h *hearing) thingAt(i int) Thing {
	for k := i; k <= i+2 && k < len(h.ps); k++ {
		p := h.ps[k]
		if t, ok := p.term(Noun); ok && !p.named {
			next := h.at(k + 1)
			_, noun := next.term(Noun, Prop)
			unread := !t.Plural && k+1 < len(h.ps) && len(next.terms)+len(next.said) == 0 && !next.named && next.qty.tokens == 0 && h.ts[next.from].Kind != text.Mark
			if slices.Contains([]string{"的", "s", "'s", "'"}, h.text(k+1)) || noun || unread {
				return Thing{} // its, or part of a longer name
			}
			for _, other := range p.terms {
				if other.Kind == Noun && other.Label != t.Label || other.Kind == Prop || other.Kind == Verb {
					return Thing{}
				}
			}
			return Thing{t.Label, h.words(k, k+1)}
		}
		if _, measure := p.term(Measure); !p.named && len(p.terms)+len(p.said) > 0 && !measure {
			return Thing{}
		}
	}
	return Thing{}
}
