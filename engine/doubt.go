package engine

import (
	"fmt"
	"slices"
	"strings"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/engine/words"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// parsed is a draft's query, what is read off it, and the numbers of the question.
type parsed struct {
	stmt       *cypher.Statement
	params     map[string]any
	facts      *reading.Facts
	values     []any // its literals and parameters
	quantities []guardrails.Quantity
}

func (a *asking) parsed(s *cypher.Statement, params map[string]any) parsed {
	return parsed{s, params, reading.FactsOf(s), valuesIn(s, params), guardrails.Quantities(without(a.Restated, a.rd, link.Mention.Sure))}
}

// counterparts are the objections to a query that lacks what the question says: a
// linked value, a number, a negation, a superlative or a count.
func (a *asking) counterparts(d parsed) []objection {
	f := d.facts
	out := slices.Concat(a.unlinked(d), a.uncounted(d))
	chosen := slices.ContainsFunc(d.values, a.isChosen)
	instead := slices.ContainsFunc(d.values, func(v any) bool { // another language's values may be what is asked
		s, _ := v.(string)
		return v == false || a.isChosen(v) && !a.hasOtherScript(s)
	})
	if a.rd.Marks.Negated && !instead && !a.denies(d) {
		out = append(out, objection{words.NoDenial, nil, "the question says not or without, the query denies nothing"})
	}
	if a.rd.Marks.Superlative && !chosen && len(f.Orders) == 0 && !calls(f, "max", "min", "percentilecont", "percentiledisc") && !slices.ContainsFunc(f.Rels, func(r reading.RelFact) bool { return r.Neg }) {
		out = append(out, objection{words.NoExtreme, nil, "the question asks for the most or least of something, the query orders nothing"})
	}
	if a.rd.Marks.Counted && len(f.Calls) == 0 && !measures(d.stmt) && !a.readsNumber(f) {
		out = append(out, objection{words.NoCount, nil, "the question asks how many, the query doesn't count"})
	}
	return out
}

// unlinked are the linked values of the question that the query doesn't look for. A common
// word that is a kind of what the query looks for, and otherwise in no way said, is one.
func (a *asking) unlinked(d parsed) (out []objection) {
	for _, m := range a.rd.Mentions {
		if !m.Sure() && !a.isKind(d, m) {
			continue
		}
		found := false
		for _, c := range m.Candidates {
			key := text.KeyOf(fmt.Sprint(c.Value))
			found = found || slices.ContainsFunc(d.values, func(v any) bool {
				s, ok := v.(string)
				return ok && strings.Contains(text.KeyOf(s), key)
			})
			for name := range d.facts.Props { // closed may be said by closedOn
				found = found || slices.ContainsFunc(spokenWords(name), func(w string) bool { return sameWord(w, key) })
			}
		}
		if c := m.Candidates[0]; !found {
			out = append(out, objection{words.NoLink, []any{clipped(c.Mention)},
				fmt.Sprintf("the question names %s.%s %s, the query doesn't look for it", promptName(c.Label), promptName(c.Property), text.Quote(fmt.Sprint(c.Value)))})
		}
	}
	return out
}

// isKind reports whether a mention that may be no name is a value which many nodes of a
// label of the query share, by a property that the query doesn't read.
func (a *asking) isKind(d parsed, m link.Mention) bool {
	if m.Candidates[0].How == store.ByEdit || slices.ContainsFunc(strings.Fields(text.KeyOf(m.Candidates[0].Mention)), func(w string) bool { return a.reader.Knows(w) }) {
		return false
	}
	ts := text.Tokens(a.Restated)
	if m.To < len(ts) && slices.Contains(determiners, ts[m.To].Text) || m.From > 0 && ts[m.From-1].Text == "to" {
		return false // open the list
	}
	labels := make(map[string]bool)
	cypher.Walk(d.stmt, func(n cypher.Node) bool {
		if l, ok := n.(*cypher.Label); ok {
			labels[l.Name] = true
		}
		return true
	})
	return !slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool {
		shared := false
		for _, l := range a.schema.Labels {
			shared = shared || l.Name == c.Label && slices.ContainsFunc(l.Properties, func(p store.Property) bool { return p.Name == c.Property && check.IsShared(p) })
		}
		return !shared || !labels[c.Label] || d.facts.Props[c.Property]
	})
}

// determiners are words that stand behind a verb rather than behind what something is.
var determiners = []string{"the", "a", "an", "this", "that", "these", "those", "my", "our", "your", "it", "them", "me", "us"}

// uncounted are the numbers of the question that nothing in the query says.
func (a *asking) uncounted(d parsed) (out []objection) {
	named := slices.Clone(d.values)
	for name := range d.facts.Props {
		named = append(named, name) // open24h, ISO27001
	}
	var used []string
	today := a.instant
	for _, v := range d.values {
		n, isNumber := v.(int64)
		at, isText := v.(string)
		if isText {
			_, err := store.ParseDate(at)
			isText = err == nil
		}
		if (isNumber && n > 1 || isText) && len(used) < shownUsed && !slices.ContainsFunc(d.quantities, func(q guardrails.Quantity) bool { return q.In(v, today) }) {
			used = append(used, fmt.Sprint(v))
		}
	}
	for _, q := range d.quantities {
		if q.IsSmall() || slices.ContainsFunc(named, func(v any) bool { return q.In(v, today) }) {
			continue
		}
		o := objection{words.NoNumber, []any{clipped(q.Text)}, fmt.Sprintf("the question says %s, the query doesn't use it", text.Quote(q.Text))}
		if len(used) > 0 {
			o.kind, o.args = words.OtherNumber, append(o.args, strings.Join(used, a.w.ListSep))
		}
		out = append(out, o)
	}
	return out
}

// shownUsed is how many values of a query are told beside a number that it lacks.
const shownUsed = 3

// isChosen reports whether v is false, or a value of the graph that the question
// doesn't name: "not shipped" looked for as one of the other statuses, "the highest
// level" as P0.
func (a *asking) isChosen(v any) bool {
	s, ok := v.(string)
	if !ok {
		return v == false
	}
	return s != "" && len(a.reader.Linker().Names(s)) > 0 && !strings.Contains(text.KeyOf(a.Restated), text.KeyOf(s)) &&
		!slices.ContainsFunc(a.Links, func(l store.Link) bool { return l.Value == s })
}

// readsNumber reports whether the query returns a property that holds numbers, as "how
// many" may ask for one that is stored, or reads one that the question names: the
// follower count.
func (a *asking) readsNumber(f *reading.Facts) bool {
	return a.hasProperty(func(p store.Property) bool {
		return (p.Type == "INTEGER" || p.Type == "FLOAT") && (f.Returned[p.Name] || f.Props[p.Name] && slices.ContainsFunc(spokenWords(p.Name), a.hasWord))
	})
}

// hasProperty reports whether some property of the schema is so.
func (a *asking) hasProperty(is func(store.Property) bool) (found bool) {
	each(a.schema, func(_ string, p store.Property) { found = found || is(p) })
	return found
}

// measures reports whether the query asks for the size of something.
func measures(s *cypher.Statement) bool {
	found := false
	cypher.Walk(s, func(n cypher.Node) bool {
		c, ok := n.(*cypher.Call)
		found = found || ok && slices.Contains([]string{"size", "length"}, strings.ToLower(c.Name))
		return !found
	})
	return found
}

func calls(f *reading.Facts, names ...string) bool {
	return slices.ContainsFunc(f.Calls, func(c reading.CallFact) bool { return slices.Contains(names, c.Name) })
}

// denies reports whether a query leaves something out: NOT, <>, IS NULL, = 0, and where
// the question says a number, or a date is compared, a comparison: "not more than 5",
// "not since March".
func (a *asking) denies(d parsed) bool {
	f := d.facts
	bounds := []string{"<", "<=", ">", ">="}
	not := false
	cypher.Walk(d.stmt, func(n cypher.Node) bool {
		u, ok := n.(*cypher.Unary)
		not = not || ok && u.Op == cypher.Not
		return !not
	})
	return not || slices.ContainsFunc(f.Rels, func(r reading.RelFact) bool { return r.Neg }) ||
		slices.ContainsFunc(f.Compared, func(c reading.Comparison) bool {
			return c.Neg || c.Op == "<>" || c.Literal && c.Value == int64(0) ||
				slices.Contains(bounds, c.Op) && (len(a.rd.Marks.Numbers) > 0 || a.isDated(c.Prop))
		}) ||
		slices.ContainsFunc(f.Nulls, func(n reading.NullFact) bool { return n.Null })
}

// isDated reports whether some property of that name holds a date or a time.
func (a *asking) isDated(key string) bool {
	return a.hasProperty(func(p store.Property) bool {
		return p.Name == key && (strings.HasSuffix(p.Type, "DATE") || strings.Contains(p.Type, "TIME"))
	})
}

// valuesIn are the literals of a query and the values of its parameters.
func valuesIn(s *cypher.Statement, params map[string]any) []any {
	var out []any
	var add func(v any)
	add = func(v any) {
		if list, ok := v.([]any); ok {
			for _, x := range list {
				add(x)
			}
			return
		}
		out = append(out, v)
	}
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Literal:
			add(n.Value)
		case *cypher.Parameter:
			add(params[n.Name])
		}
		return true
	})
	return out
}

// allNull reports whether rows hold nothing but missing values; no rows do.
func allNull(rows [][]any) bool {
	for _, r := range rows {
		for _, v := range r {
			if v != nil {
				return false
			}
		}
	}
	return true
}
