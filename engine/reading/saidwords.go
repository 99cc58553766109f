package reading

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"precedent/engine/link"
	"precedent/store/text"
)

//go:embed said.en.txt said.zh.txt
var saidFiles embed.FS

// saidKinds are the kinds of words in said.en.txt and said.zh.txt.
var saidKinds = []string{"order", "ordinal", "limit", "single", "several", "month", "month.mark", "day.mark", "doubtful", "lead", "quarter", "half", "range", "not", "loose", "share", "stored", "deep", "direct", "both"}

// A saidTerm is what a phrase of these files says.
type saidTerm struct{ kind, value string }

// A saidWords is these files, read.
type saidWords struct {
	terms   map[string][]saidTerm // by folded phrase
	longest map[string]int        // tokens of the longest phrase that begins with a token
}

var saidLexicon = sync.OnceValue(func() *saidWords {
	w := &saidWords{terms: make(map[string][]saidTerm), longest: make(map[string]int)}
	for _, file := range []string{"said.en.txt", "said.zh.txt"} {
		b, err := saidFiles.ReadFile(file)
		if err == nil {
			err = w.parse(file, string(b))
		}
		if err != nil {
			panic(err) // it is part of the program; TestSaidFiles reads it
		}
	}
	return w
})

func (w *saidWords) parse(file, content string) error {
	n := 0
	for line := range strings.Lines(content) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		head, phrases, ok := strings.Cut(line, ": ")
		kind, value, _ := strings.Cut(head, " ")
		if !ok || !slices.Contains(saidKinds, kind) {
			return fmt.Errorf("%s:%d: want a line like \"order desc: most, the most\", got %q", file, n, line)
		}
		for phrase := range strings.SplitSeq(phrases, ",") {
			ts := unmarked(text.Tokens(strings.TrimSpace(phrase)))
			if len(ts) == 0 {
				return fmt.Errorf("%s:%d: a phrase is empty", file, n)
			}
			key := text.Key(ts)
			w.terms[key] = append(w.terms[key], saidTerm{kind, value})
			w.longest[ts[0].Text] = max(w.longest[ts[0].Text], len(ts))
		}
	}
	return nil
}

// A piece is a run of tokens that says one thing of size, order or time.
type piece struct {
	from, to int
	said     []saidTerm
	terms    []Term
	qty      quantity
	named    bool // a value of the graph
}

func (p piece) is(kind string) (value string, ok bool) {
	for _, t := range p.said {
		if t.kind == kind {
			return t.value, true
		}
	}
	return "", false
}

func (p piece) term(kinds ...Kind) (Term, bool) {
	for _, t := range p.terms {
		if slices.Contains(kinds, t.Kind) {
			return t, true
		}
	}
	return Term{}, false
}

// IsStored reports whether a property of that name holds what is taken of many: "mean",
// "sum" or "share".
func IsStored(take, name string) bool {
	spoken := Spoken(name)
	words := strings.Fields(spoken)
	for phrase, terms := range saidLexicon().terms {
		if slices.Contains(terms, saidTerm{"stored", take}) && (slices.Contains(words, phrase) || text.IsHan(phrase) && strings.Contains(strings.ReplaceAll(spoken, " ", ""), strings.ReplaceAll(phrase, " ", ""))) {
			return true
		}
	}
	return false
}

// pieces cuts ts into the longest phrases that a lexicon knows, numbers and values.
func (r *Reader) pieces(ts []text.Token, mentions []link.Mention) []piece {
	var out []piece
	for i := 0; i < len(ts); i = out[len(out)-1].to {
		m := slices.IndexFunc(mentions, func(m link.Mention) bool { return m.From == i && m.Sure() && m.Spelt })
		switch {
		case m >= 0:
			out = append(out, piece{from: i, to: mentions[m].To, named: true})
		case ts[i].Quote > 0:
			out = append(out, piece{from: i, to: i + 1, named: true})
		default:
			out = append(out, r.pieceAt(ts, i))
		}
	}
	return out
}

// pieceAt is the longest phrase or number that begins at i.
func (r *Reader) pieceAt(ts []text.Token, i int) piece {
	own := saidLexicon()
	p := piece{from: i, to: i + 1}
	longest := own.longest[ts[i].Text]
	for _, l := range r.lexicons {
		longest = max(longest, l.first[ts[i].Text])
	}
	for j := min(len(ts), i+longest); j > i; j-- {
		if ts[j-1].Kind == text.Mark && j > i+1 {
			continue
		}
		key := text.Key(ts[i:j])
		said, terms := own.terms[key], []Term(nil)
		for _, language := range languages {
			terms = append(terms, r.lexicons[language].terms[key]...)
		}
		if len(said)+len(terms) > 0 {
			p.to, p.said, p.terms = j, said, terms
			break
		}
	}
	if _, sorts := p.term(Ascending, Descending); !sorts && len(p.said) == 0 {
		if to := own.reaching(ts, i+1, p.to); to > 0 { // the | highest priority
			p = piece{from: i, to: to}
		}
	}
	if q := quantityAt(ts[i:]); q.tokens > 0 && q.tokens >= p.to-i {
		if _, isTime := p.is("quarter"); !isTime {
			p.to, p.qty = i+q.tokens, q
		}
	}
	return p
}

// reachingKinds are the kinds of phrases that other phrases may not cut into: the
// first | half, the | highest.
var reachingKinds = []string{"order", "quarter", "half"}

// reaching is where the first phrase of these kinds begins that begins from i on, before to, and
// ends there or behind; 0 where none does.
func (w *saidWords) reaching(ts []text.Token, i, to int) int {
	for ; i < to; i++ {
		for j := min(len(ts), i+w.longest[ts[i].Text]); j >= to; j-- {
			if slices.ContainsFunc(w.terms[text.Key(ts[i:j])], func(t saidTerm) bool { return slices.Contains(reachingKinds, t.kind) }) {
				return i
			}
		}
	}
	return 0
}
