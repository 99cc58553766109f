package reading

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"precedent/store/text"
)

//go:embed en.txt zh.txt
var lexiconFiles embed.FS

// Kind is the part a word plays in a question.
type Kind uint8

// Kinds of terms. Those without a comment mean what they say in the lexicon files.
const (
	Unknown Kind = iota
	Filler       // carries no meaning
	Blocker      // a personal word: no reading
	Dated        // a word that means another day tomorrow: a literal reading alone
	AskList
	AskCount
	AskExists
	AskWho
	AskWhere
	AskWhen
	AskRecommend
	AskPath
	YesNo
	Gt // more than; Op in Term
	CmpPost
	TimeCmp
	TimePost
	Between
	RangeTo // to, 到
	RangeEnd
	And
	Or
	Both
	Not
	Without
	With
	Has
	Most
	Least
	Top
	First
	Single // marks that one thing is asked: 哪部
	Plural
	Per
	SortBy
	Ascending
	Descending
	Average
	Sum
	Same
	Similar
	In
	By
	Of
	From
	For
	YearMark // 年
	DecadeMark
	AgentMark // 由
	Relative  // which/that/who as a relative word
	Known     // has a value recorded
	Missing   // has none
	Together
	Compare
	Measure // 部 个 位 名
	Contains
	Starts
	Ends
	Pronoun
	Only
	Also
	Except     // besides, 除了
	But        // 以外: what stands before is excepted
	Else       // who else, 还有谁: others than those excepted
	Noun       // a label
	Agent      // who does it: director
	Verb       // what is done, its doer before it
	Participle // what is done, its doer after it: directed by, starring
	Prop
	More // longer than
	Less
	PropMost  // longest
	PropLeast // shortest
	AskProp   // how long
	UnitWord
	Event  // born, released: what a date or place belongs to
	Absent // what the graph lacks
	Fixed  // a condition of the glossary without a slot
	Number
	Year
	Decade
)

var kindNames = map[string]Kind{
	"filler": Filler, "blocker": Blocker, "dated": Dated,
	"ask.list": AskList, "ask.count": AskCount, "ask.exists": AskExists, "ask.who": AskWho, "ask.where": AskWhere, "ask.when": AskWhen,
	"ask.recommend": AskRecommend, "ask.path": AskPath, "yesno": YesNo,
	"cmp": Gt, "cmp.post": CmpPost, "time": TimeCmp, "time.post": TimePost, "between": Between, "to": RangeTo, "range.end": RangeEnd,
	"and": And, "or": Or, "both": Both, "not": Not, "without": Without, "with": With, "has": Has,
	"most": Most, "least": Least, "top": Top, "first": First, "single": Single, "plural": Plural, "per": Per,
	"sort": SortBy, "ascending": Ascending, "descending": Descending, "average": Average, "sum": Sum,
	"same": Same, "similar": Similar, "in": In, "by": By, "of": Of, "from": From, "for": For,
	"year": YearMark, "decade": DecadeMark, "agent": AgentMark, "relative": Relative, "known": Known, "missing": Missing,
	"together": Together, "compare": Compare, "measure": Measure, "contains": Contains, "starts": Starts, "ends": Ends,
	"pronoun": Pronoun, "only": Only, "also": Also, "except": Except, "but": But, "else": Else,
}

// A Term is what a word or phrase means.
type Term struct {
	Kind   Kind
	Op     string  // of comparisons: > >= < <= =
	Rel    string  // relationship type
	Label  string  // of nouns, and the owner of Prop
	Prop   string  // property
	Factor float64 // of units: what one of them is in the property's own
	Work   bool    // a verb whose role the doer's labels decide: make, 拍
	Plural bool    // of nouns: speaks of several
	Name   string  // of fixed conditions and pronouns
}

// A Lexicon maps folded phrases of one language to terms. A phrase may have several.
type Lexicon struct {
	Language string
	terms    map[string][]Term
	first    map[string]int // longest phrase that begins with a token, in tokens
}

// maxPhrase bounds a phrase of a lexicon or glossary, in tokens.
const maxPhrase = 12

func newLexicon(language string) *Lexicon {
	return &Lexicon{Language: language, terms: make(map[string][]Term), first: make(map[string]int)}
}

// add maps phrase to term.
func (l *Lexicon) add(phrase string, t Term) error {
	ts, key := phraseOf(phrase)
	if len(ts) == 0 || len(ts) > maxPhrase {
		return fmt.Errorf("phrase %q: want 1 to %d words", phrase, maxPhrase)
	}
	if !slices.Contains(l.terms[key], t) {
		l.terms[key] = append(l.terms[key], t)
	}
	l.first[ts[0].Text] = max(l.first[ts[0].Text], len(ts))
	return nil
}

// phraseOf are the tokens of a phrase, and its key.
func phraseOf(phrase string) ([]text.Token, string) {
	phrase = strings.ReplaceAll(phrase, " '", "'")
	ts := unmarked(text.Tokens(phrase))
	if ending, ok := strings.CutPrefix(phrase, "'"); ok { // 's, 've: the ending of any word
		ts = unmarked(text.Tokens("x'" + ending))[1:]
	}
	return ts, text.Key(ts)
}

// Knows reports whether a folded word stands in the lexicon, alone or in a phrase.
func (l *Lexicon) Knows(word string) bool {
	if _, ok := l.terms[word]; ok {
		return true
	}
	_, ok := l.first[word]
	return ok
}

// parseLexicon reads lines "kind = phrase, phrase" and "kind > = phrase": an
// operator stands after the kind.
func parseLexicon(language, file, content string) (*Lexicon, error) {
	l := newLexicon(language)
	n := 0
	for line := range strings.Lines(content) {
		n++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		head, phrases, ok := strings.Cut(line, ": ")
		name, op, _ := strings.Cut(strings.TrimSpace(head), " ")
		kind, known := kindNames[name]
		if !ok || !known {
			return nil, fmt.Errorf("%s:%d: want a line like \"cmp >: more than, over\", got %q", file, n, line)
		}
		t := Term{Kind: kind}
		switch kind {
		case Gt, CmpPost, TimeCmp, TimePost:
			t.Op = strings.TrimSpace(op)
		default:
			t.Name = strings.TrimSpace(op)
		}
		for phrase := range strings.SplitSeq(phrases, ",") {
			if err := l.add(strings.TrimSpace(phrase), t); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
		}
	}
	return l, nil
}

func unmarked(ts []text.Token) []text.Token {
	return slices.DeleteFunc(slices.Clone(ts), func(t text.Token) bool { return t.Kind == text.Mark && t.Text != "&" })
}
