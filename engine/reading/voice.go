package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/store/text"
)

// A Part is the end of a relationship at which the words put a value: who reports to
// Ann puts Ann where reports lead to, who does Ann report to where they begin.
type Part struct {
	Values []any // that the words may mean
	Words  string
	Start  bool // else the relationship's end
}

// Parts are the parts that the words of a question give its values in relationships of
// a type that joins things of one kind, so that its direction says who does what. A
// value of which they leave that open has none.
func (r *Reader) Parts(question string, mentions []link.Mention, rel string) (parts []Part) {
	ts := text.Tokens(question)
	v := voice{question: question, ts: ts, verbs: r.voices(rel), mentions: mentions}
	for _, m := range mentions {
		if !m.Sure() {
			continue
		}
		start, ok := v.part(m)
		if !ok {
			continue
		}
		p := Part{Words: question[ts[m.From].Start:ts[m.To-1].End], Start: start}
		for _, c := range m.Candidates {
			p.Values = append(p.Values, c.Value)
		}
		parts = append(parts, p)
	}
	return parts
}

// A doing is one of the phrases for a relationship type.
type doing struct {
	stems   []string // of its first word, or the characters
	han     bool
	turned  bool // its doer is at the end: managed by
	nominal bool // parent of: what follows is the end, whatever stands between
	has     bool // has parent: the parent is the end
}

// voices are the phrases for a type: its own name, and those of the glossary whose doer
// comes first.
func (r *Reader) voices(rel string) (out []doing) {
	phrases := []string{Spoken(rel)}
	for _, of := range InOrder(r.glossary.Relationships[rel].Verb) {
		for _, p := range of {
			phrases = append(phrases, text.KeyOf(p))
		}
	}
	for _, p := range phrases {
		if text.IsHan(p) {
			p = strings.TrimRight(strings.ReplaceAll(p, " ", ""), "给于到至自了过着")
			if n := len([]rune(p)); n > 1 {
				out = append(out, doing{stems: strings.Split(p, ""), han: true})
			}
			continue
		}
		words := strings.Fields(p)
		if len(words) > 1 && slices.Contains(being, words[0]) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		last := words[len(words)-1]
		d := doing{turned: last == "by", nominal: last == "of"}
		if words[0] == "has" && len(words) > 1 {
			d.has, words = true, words[1:]
		}
		d.stems = []string{stem(words[0])}
		out = append(out, d)
	}
	return out
}

var being = []string{"is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"}

// stem is what the forms of an English verb begin with; it is for comparing.
func stem(word string) string {
	const least = 3 // letters that stay
	if forms, ok := irregulars().verb[word]; ok {
		word = forms[0]
	}
	for _, ending := range []string{"ing", "ied", "ies", "ed", "es", "s"} {
		if s, ok := strings.CutSuffix(word, ending); ok && len(s) >= least && !strings.HasSuffix(word, "ss") {
			if strings.HasPrefix(ending, "i") && ending != "ing" {
				s += "y"
			}
			word = s
			break
		}
	}
	if len(word) > least {
		word = strings.TrimSuffix(word, "e")
	}
	if n := len(word); n > least && word[n-1] == word[n-2] {
		word = word[:n-1]
	}
	return word
}

// A voice is a question that is looked at for who does what.
type voice struct {
	question string
	ts       []text.Token
	verbs    []doing
	mentions []link.Mention
}

// named reports whether token i is of a name.
func (v *voice) named(i int) bool {
	return slices.ContainsFunc(v.mentions, func(m link.Mention) bool { return m.Sure() && m.From <= i && i < m.To })
}

func (v *voice) at(i int) string {
	if i < 0 || i >= len(v.ts) {
		return ""
	}
	return v.ts[i].Text
}

// part is the end of the relationship at which m stands: its start or not; false where
// nothing says so.
func (v *voice) part(m link.Mention) (start, ok bool) {
	said := false
	for _, d := range v.verbs {
		at := v.find(d)
		if len(at) == 0 {
			continue
		}
		said = true
		if len(at) > 1 {
			return false, false // of which it is, nobody knows
		}
		if d.han {
			start, ok = v.hanPart(m, at[0], at[0]+len(d.stems))
		} else {
			start, ok = v.latinPart(m, at[0], d)
		}
		if ok {
			return start != d.turned, true
		}
	}
	switch {
	case said, text.IsHan(v.question) && slices.ContainsFunc(v.verbs, func(d doing) bool { return d.han }):
		return false, false
	case text.IsHan(v.question):
		return v.unnamedPart(m)
	}
	return v.latinUnnamed(m)
}

// latinUnnamed is part where an English verb is none of the graph's words: does X lead,
// who leads X.
func (v *voice) latinUnnamed(m link.Mention) (start, ok bool) {
	foreign := slices.ContainsFunc(v.verbs, func(d doing) bool { return !d.han })
	before := v.at(m.From - 1)
	switch {
	case foreign || v.at(m.To) == "s" || v.at(m.To) == "'s":
		return false, false
	case slices.Contains([]string{"do", "does", "did"}, before):
		return true, true
	}
	ends := !slices.ContainsFunc(v.ts[m.To:], func(t text.Token) bool { return t.Kind != text.Mark })
	return false, ends && before == "to"
}

// find are the tokens at which d is said.
func (v *voice) find(d doing) (at []int) {
	for i, t := range v.ts {
		if v.named(i) || t.Quote > 0 {
			continue
		}
		if !d.han && t.Kind == text.Word && stem(t.Text) == d.stems[0] {
			at = append(at, i)
		}
		if d.han && i+len(d.stems) <= len(v.ts) && text.Key(v.ts[i:i+len(d.stems)]) == strings.Join(d.stems, "") {
			at = append(at, i)
		}
	}
	return at
}

// latinPart is part of an English verb at token i, as if its doer were the start.
func (v *voice) latinPart(m link.Mention, i int, d doing) (start, ok bool) {
	after := m.From > i
	owned := v.at(m.To) == "s" || v.at(m.To) == "'s" || v.at(m.To) == "'" // Ann's
	switch {
	case d.has: // the parent of X
		return true, after && v.at(i+1) == "of"
	case owned:
		return false, d.nominal && m.To+1 == i
	case after && v.at(i+1) == "of" && !d.nominal:
		return false, false // the reports of X
	}
	by := slices.IndexFunc(v.ts[i+1:], func(t text.Token) bool { return t.Text == "by" })
	was := slices.ContainsFunc(v.ts[max(0, i-passiveReach):i], func(t text.Token) bool { return slices.Contains(being, t.Text) })
	done := !strings.HasSuffix(v.at(i), "ing") && IsDone(v.at(i)) && (was || by == 0)
	switch {
	case d.nominal && after:
		return false, v.at(i+1) == "of" || v.at(i+1) == "for"
	case d.nominal || !done:
		return !after, true
	case !after:
		return false, true // was X advised
	}
	return true, by >= 0 && i+1+by < m.From // advised by X
}

// passiveReach is how many words stand at most between "was" and what was done.
const passiveReach = 5

// IsDone reports whether an English word may be what was done to something: managed, led.
func IsDone(word string) bool {
	if forms, ok := irregulars().verb[word]; ok {
		return len(forms) > 1 && forms[0] != word
	}
	return strings.HasSuffix(word, "ed")
}

// hanPart is part of a Chinese verb from token i to j.
func (v *voice) hanPart(m link.Mention, i, j int) (start, ok bool) {
	suffers := func(from, to int) bool {
		return slices.ContainsFunc(v.ts[max(from, 0):max(from, 0, to)], func(t text.Token) bool { return slices.Contains(passives, t.Text) })
	}
	if m.From >= j {
		for k := j; k < m.From; k++ {
			if !strings.Contains("了过着给于到自向", v.at(k)) && v.ts[k].Kind != text.Mark {
				return false, false
			}
		}
		return false, !suffers(0, i)
	}
	before := v.at(m.From - 1)
	switch between := text.Key(v.ts[m.To:i]); {
	case slices.Contains(passives, before):
		return true, true // 被X管理
	case slices.Contains(towards, before):
		return false, true // 向X汇报
	case suffers(m.To, i):
		return false, true // X被谁管理
	case strings.Contains(between, "的"):
		return false, false
	}
	return true, true
}

// passives put the doer behind them, towards the one it is done to.
var passives, towards = []string{"被", "由", "受"}, []string{"向", "给", "对", "跟", "为", "从", "与"}

// unnamedPart is part where the verb is none of the graph's words: a Chinese question on
// a graph of English names. Two words in Han characters or more between what is
// asked and a name are the verb, of which the first does it.
func (v *voice) unnamedPart(m link.Mention) (start, ok bool) {
	asked := slices.IndexFunc(v.ts, func(t text.Token) bool {
		return t.Kind == text.Han && slices.Contains([]string{"哪", "谁", "几"}, t.Text)
	})
	if asked < 0 || slices.ContainsFunc(v.ts, func(t text.Token) bool { return slices.Contains(passives, t.Text) || slices.Contains(towards, t.Text) }) {
		return false, false
	}
	from, to := m.To, asked
	if asked < m.From {
		from, to = asked, m.From
	}
	if to < from || to-from < 2 || v.at(m.To) == "的" || v.at(to-1) == "有" || v.at(to-1) == "是" || v.at(from+1) == "是" || slices.ContainsFunc(v.ts[from:to], func(t text.Token) bool {
		return t.Text == "的" || t.Text == "里" || t.Text == "中" || t.Text == "和"
	}) {
		return false, false
	}
	return m.From < asked, true
}
