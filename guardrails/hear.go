package guardrails

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"precedent/store/text"
)

// endings writes contractions out.
var endings = map[string]string{"'s": "is", "'re": "are", "'m": "am", "'ll": "will", "'d": "would", "'ve": "have"}

// hear cuts a question into what patterns match.
func (l *Lists) hear(s string) *heard {
	h := &heard{folded: text.Fold(s)}
	start := true // of a sentence
	part := true  // of a clause
	lastEnd := 0  // byte after the token before
	push := func(word string, t text.Token) {
		if start && len(h.tokens) > 0 {
			h.ends[len(h.tokens)] = true
		}
		h.tokens = append(h.tokens, word)
		h.quoted = append(h.quoted, t.Quote > 0)
		h.sentences = append(h.sentences, start)
		h.clauses = append(h.clauses, start || part)
		h.ends = append(h.ends, false)
		start, part = false, false
	}
	h.ends = append(h.ends, false)
	for _, t := range text.Tokens(s) {
		if strings.ContainsAny(s[lastEnd:t.Start], "\n\r") {
			start = true
		}
		if strings.ContainsAny(s[lastEnd:t.Start], "\"“”'‘’「」《》") {
			part = true
		}
		lastEnd = t.End
		switch {
		case t.Kind == text.Mark:
			if endsSentence(s, t) {
				start = true
			}
			h.asks = h.asks || t.Text == "?"
			part = part || strings.Contains(",;:-([", t.Text)
		case t.Kind == text.Word && t.Joined && strings.HasPrefix(t.Text, "'"):
			l.contract(h, t, push)
		default:
			if meant := l.spelling[t.Text]; meant != nil {
				for _, word := range meant {
					push(word, t)
				}
				continue
			}
			push(t.Text, t)
		}
	}
	h.ends[len(h.tokens)] = true
	l.skipPolite(h)
	return h
}

// contract writes the ending t out behind the last token.
func (l *Lists) contract(h *heard, t text.Token, push func(string, text.Token)) {
	if t.Text == "'t" && len(h.tokens) > 0 {
		last := &h.tokens[len(h.tokens)-1]
		switch *last {
		case "can":
		case "won":
			*last = "will"
		default:
			*last = strings.TrimSuffix(*last, "n")
		}
		push("not", t)
		return
	}
	if t.Text == "'s" && len(h.tokens) > 0 && h.tokens[len(h.tokens)-1] == "let" {
		push("us", t)
	} else if word, ok := endings[t.Text]; ok {
		push(word, t)
	} else {
		push(strings.TrimPrefix(t.Text, "'"), t)
	}
}

// endsSentence reports whether the mark t ends one: a full stop before a space
// or the end, not the one in "evil.com".
func endsSentence(s string, t text.Token) bool {
	switch t.Text {
	case "!", "?":
		return true
	case ".", "…":
		next, _ := utf8.DecodeRuneInString(s[t.End:])
		return t.End == len(s) || unicode.IsSpace(next) || t.End-t.Start > 1
	}
	return false
}

// skipPolite lets a sentence and a clause begin also behind a polite opening.
func (l *Lists) skipPolite(h *heard) {
	for i, token := range h.tokens {
		if !h.clauses[i] {
			continue
		}
		l.at(token, func(e entry) bool {
			if e.rule != l.polite {
				return true
			}
			if used, ok := e.pattern.match(h, i); ok {
				if next := used[len(used)-1] + 1; next < len(h.tokens) {
					h.clauses[next] = true
					h.sentences[next] = h.sentences[next] || h.sentences[i]
				}
			}
			return true
		})
	}
}

// join puts the tokens at the given positions together, words apart by a space.
func (h *heard) join(at []int) string {
	parts := make([]string, len(at))
	for k, i := range at {
		parts[k] = h.tokens[i]
	}
	return strings.Join(parts, " ")
}
