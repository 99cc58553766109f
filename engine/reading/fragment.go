package reading

import (
	"slices"
	"strings"

	"precedent/store/text"
)

// picking are words by which a follow-up picks from what was answered: those
// that say so anywhere, and those that do where they begin it.
var picking = struct{ anywhere, first []string }{
	anywhere: []string{" of them ", " of those ", " of these ", "这些里", "这里面", "这些当中"},
	first:    []string{"only those ", "only the ones ", "just those ", "just the ones ", "the ones ", "those ", "which ones ", "其中", "哪些是", "哪几部是", "里面", "只看", "只要"},
}

// picks reports whether a question picks from what was answered.
func picks(question string) bool {
	q := strings.ToLower(strings.TrimSpace(question))
	return slices.ContainsFunc(picking.anywhere, func(w string) bool { return strings.Contains(" "+q+" ", w) }) ||
		slices.ContainsFunc(picking.first, func(w string) bool { return strings.HasPrefix(q, w) })
}

// A fragment is a follow-up without the words that tie it to what went before.
type fragment struct {
	text     string
	language string
	tokens   []text.Token
	segs     []segment // that mean something
	narrows  bool      // it picks from what was answered
}

func (r *Reader) fragment(question string) fragment {
	f := fragment{text: trimOpener(question), narrows: picks(question)}
	f.tokens = text.Tokens(f.text)
	mentions := r.linker.Mentions(f.text, f.tokens)
	f.language = spokenIn(f.text, f.tokens, mentions, nil)
	if Language(question) == "zh" {
		f.language = "zh"
	}
	f.segs = meaningful(r.segments(r.lexicons[f.language], f.tokens, mentions, nil))
	return f
}

func (f fragment) has(kinds ...Kind) bool {
	return slices.ContainsFunc(f.segs, func(s segment) bool {
		return s.mention == nil && s.qty.tokens == 0 && slices.ContainsFunc(kinds, s.has)
	})
}

// Leans reports whether a question says too little to stand alone, though it may
// read like one that does: "how many?", "in Chinese?", "the longest one?". It
// names neither what it is about nor what was done.
func (r *Reader) Leans(question string) bool {
	f := r.fragment(question)
	if f.narrows {
		return true
	}
	mentions, said := 0, false
	for _, s := range f.segs {
		if len(s.terms) == 0 && s.mention == nil && s.qty.tokens == 0 {
			return false
		}
		if s.mention != nil {
			mentions++
		}
		said = said || !s.has(And)
	}
	asks := f.has(AskList, AskCount, Plural, Single, YesNo)
	switch {
	case !said:
		return false
	case mentions == 0 && !f.has(Noun, AskList, AskCount, Plural) && f.isBare():
		return !f.has(Agent) || opensFollowUp(question) // who? 导演呢?
	case f.language == "zh" && !asks && f.isOwned():
		return true
	case f.has(Noun, Agent, AskWho, AskWhere, AskWhen, AskRecommend, AskPath, AskProp, Event, Together, Compare, Similar, Same, Average, Sum, Per, Pronoun, Blocker, Dated, Absent):
		return false
	case slices.ContainsFunc(f.segs, func(s segment) bool { return s.mention == nil && s.has(Verb) && !s.has(Prop) }):
		return false
	case mentions == 0 && asks && r.asksElse(f.text):
		return false
	case mentions == 0 && !f.has(Fixed):
		return true
	}
	for i, s := range f.segs {
		if s.has(AskList) || s.has(AskCount) {
			continue
		}
		return s.mention == nil && (slices.ContainsFunc([]Kind{In, By, With, From, Without, Not, Participle}, s.has) || s.has(Fixed) && len(f.segs) == i+1)
	}
	return false
}

// isBare reports whether a follow-up is nothing but who or what was done.
func (f fragment) isBare() bool {
	return f.has(AskWho, AskWhere, AskWhen, Verb, Agent, Event) && !slices.ContainsFunc(f.segs, func(s segment) bool {
		return s.qty.tokens > 0 || !slices.ContainsFunc([]Kind{AskWho, AskWhere, AskWhen, Verb, Agent, Event, And}, s.has)
	})
}

// isOwned reports whether a Chinese follow-up ends in 的, so that what it is
// about is left out: 成龙主演的, 中文的.
func (f fragment) isOwned() bool {
	return !strings.ContainsAny(f.text, "哪谁什几") && !f.has(AskWho, AskWhere, AskWhen, AskProp, YesNo) && strings.HasSuffix(strings.TrimRight(f.text, "?？。 "), "的")
}

// asksElse reports whether a question asks for something other than what is
// meant where nothing is named: for people, for languages.
func (r *Reader) asksElse(question string) bool {
	f := r.Read(question).Frame
	return f != nil && f.Order == "" && len(f.Target) == 1 && f.Target[0] != r.deed()
}

// maxSilent is how many words may stand beside a value without making it a
// question of its own: "Inception?", but not "is Inception in the database".
const maxSilent = 1

// IsValue reports whether a question is nothing but one value: "James Cameron?"
func (r *Reader) IsValue(question string) bool {
	f := r.fragment(question)
	_, _, ok := r.only(f)
	if !ok || f.has(Noun, Event, By, With) {
		return false
	}
	said, words := 0, len(f.tokens)
	for _, s := range f.segs {
		said += s.to - s.from
	}
	return opensFollowUp(question) || words-said <= maxSilent
}

// Replaces reports whether a question asks the same of another: "what about …",
// "…呢".
func Replaces(question string) bool {
	q := strings.TrimSpace(strings.ToLower(question))
	return strings.Contains(q, "what about ") || strings.Contains(q, "how about ") ||
		slices.ContainsFunc(closers, func(c string) bool { return strings.HasSuffix(q, c) })
}
