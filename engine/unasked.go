package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/engine/words"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// added are conditions that no word of the question asks for. Where the question has
// words that nothing explains, these may be how it asks, and nothing is added for sure.
func (a *asking) added(d parsed) (out []objection) {
	if a.isUnclear(d) {
		return nil
	}
	for _, c := range d.facts.Compared {
		v := constantOf(c, d.params)
		if v == nil || c.Count || c.Prop == "" || a.explains(d, c, v) {
			continue
		}
		out = append(out, objection{words.Added, []any{c.Prop, c.Op, fmt.Sprint(v)}, fmt.Sprintf("the query asks for %s %s %s, which the question doesn't say", text.Line(c.Prop), c.Op, text.Line(fmt.Sprint(v)))})
	}
	return append(out, a.strayed(d)...)
}

// strayed are relationships that lead to nothing which the query reads, and of which no
// word of the question speaks: only things that have one are kept.
func (a *asking) strayed(d parsed) (out []objection) {
	uses := make(map[string]int)
	counts := false
	cypher.Walk(d.stmt, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Variable:
			uses[n.Name]++
		case *cypher.NodePattern:
			uses[n.Var]++
		case *cypher.RelPattern:
			uses[n.Var]++
		case *cypher.Call:
			counts = counts || n.Star
		}
		return true
	})
	isFree := func(name string, props, where cypher.Expr) bool {
		return (name == "" || uses[name] == 1) && props == nil && where == nil
	}
	look := func(m *cypher.Match) {
		for _, p := range m.Patterns {
			for _, at := range []int{0, len(p.Elements) - 1} {
				next := at + 1
				if at > 0 {
					next = at - 1
				}
				if next < 0 || next >= len(p.Elements) {
					continue
				}
				node, isNode := p.Elements[at].(*cypher.NodePattern)
				rel, isRel := p.Elements[next].(*cypher.RelPattern)
				if !isNode || !isRel || !isFree(node.Var, node.Props, node.Where) || !isFree(rel.Var, rel.Props, rel.Where) || rel.Length != nil {
					continue
				}
				names := namesOf(rel.Types, node.Labels)
				if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
					ws := spokenWords(name)
					return len(ws) == 0 || a.hasOtherScript(name) || slices.ContainsFunc(ws, a.hasKin)
				}) {
					out = append(out, objection{words.Strayed, []any{strings.Join(names, " ")}, fmt.Sprintf("the query keeps only what has %s, which the question doesn't say", text.Line(strings.Join(names, " ")))})
				}
			}
		}
	}
	cypher.Walk(d.stmt, func(n cypher.Node) bool {
		if m, ok := n.(*cypher.Match); ok && !m.Optional && !counts {
			look(m)
		}
		return true
	})
	return out
}

// namesOf are the names in labels and types; none where it is more than one of each.
func namesOf(of ...cypher.LabelExpr) (names []string) {
	for _, e := range of {
		switch l := e.(type) {
		case nil:
		case *cypher.Label:
			names = append(names, l.Name)
		default:
			return nil
		}
	}
	return names
}

// constantOf is the constant that c compares with, nil if there is none.
func constantOf(c reading.Comparison, params map[string]any) any {
	if c.Literal {
		return c.Value
	}
	return params[c.Param]
}

// isUnclear reports whether the question has words that may ask for anything: that are
// in no lexicon and in no name or value that the query or the schema has.
func (a *asking) isUnclear(d parsed) bool {
	known := a.tellingWords(d)
	isKnown := func(is func(w string) bool) bool { return slices.ContainsFunc(known, is) }
	ts := text.Tokens(without(a.Restated, a.rd, link.Mention.Sure))
	run := 0 // characters that nothing explains, one after the other
	for i, t := range ts {
		unread := slices.Contains(a.rd.Unread, t.Text)
		with := func(k int) bool { // the character and its neighbour are in a known word
			return k >= 0 && k+1 < len(ts) && isKnown(func(w string) bool { return strings.Contains(w, ts[k].Text+ts[k+1].Text) })
		}
		if t.Kind != text.Han || !unread || with(i-1) || with(i) {
			run = 0
		} else if run++; run > 1 {
			return true
		}
		if t.Kind == text.Word && t.Quote == 0 && unread && !guardrails.IsGeneral(t.Text) && !isKnown(func(w string) bool { return kin(w, t.Text) }) {
			return true
		}
	}
	return false
}

func (a *asking) tellingWords(d parsed) (known []string) {
	add := func(said string) {
		for w := range strings.FieldsSeq(reading.Spoken(said)) {
			known = append(known, w)
		}
	}
	for _, l := range a.schema.Labels {
		add(l.Name)
	}
	for _, t := range a.schema.Types {
		add(t.Name)
	}
	each(a.schema, func(_ string, p store.Property) {
		add(p.Name)
		if check.IsShared(p) {
			for _, v := range p.Samples {
				if s, ok := v.(string); ok {
					add(s)
				}
			}
		}
	})
	for _, v := range d.values {
		if s, ok := v.(string); ok {
			add(s)
		}
	}
	return known
}

// explains says whether the question's words ask for a comparison.
func (a *asking) explains(d parsed, c reading.Comparison, v any) bool {
	if slices.ContainsFunc(a.Links, func(l store.Link) bool { return l.Property == c.Prop || l.Value == v }) {
		return true
	}
	ws := spokenWords(c.Prop)
	s, isText := v.(string)
	if isText {
		ws = append(ws, spokenWords(s)...)
		if strings.Contains(text.Fold(a.Restated), text.Fold(s)) {
			return true
		}
	}
	if slices.ContainsFunc(ws, a.hasKin) || text.IsHan(c.Prop) && strings.ContainsAny(a.Restated, c.Prop) {
		return true
	}
	said := a.said()
	if len(ws) == 0 || a.rd.Marks.Negated || a.rd.Marks.Superlative || a.rd.Dated != "" {
		return true // in some way of its own
	}
	if a.isDated(c.Prop) || isDate(v) {
		return len(said.Times) > 0 || said.Ranged || said.When || len(d.quantities) > 0
	}
	switch v := v.(type) {
	case string:
		if len(v) <= codeLength && !text.IsHan(v) || a.hasOtherScript(v) {
			return true // a code, or another language
		}
		linker := a.reader.Linker()
		return len(linker.Aliases(v)) > 0 || len(linker.Names(v)) == 0 && len(linker.Nearest(v)) > 0 // said by another name, or misspelled
	case bool:
		return a.hasOtherScript(c.Prop)
	case int64, float64:
		return a.hasOtherScript(c.Prop) || slices.ContainsFunc(d.quantities, func(q guardrails.Quantity) bool { return q.In(v, a.instant) })
	}
	return true
}

// isDate reports whether a constant is a day, a time or a length of time.
func isDate(v any) bool {
	s, ok := v.(string)
	if !ok || len(s) < len("P1Y") {
		return false
	}
	_, err := store.ParseDate(s[:min(len(s), len(time.DateOnly))])
	_, lasts := store.ParseDuration(s)
	return err == nil || lasts == nil
}

// hasKin reports whether the question says a word of the family of word.
func (a *asking) hasKin(word string) bool {
	if text.IsHan(word) {
		return a.hasWord(word)
	}
	return a.hasOpposite(word) || slices.ContainsFunc(text.Tokens(without(a.Restated, a.rd, link.Mention.Sure)), func(t text.Token) bool { return t.Kind == text.Word && kin(t.Text, word) })
}

// codeLength is the most bytes of a value that stands for a longer word: EUR, DE.
const codeLength = 3

// hasOtherScript reports whether the question has words in another script than s, so
// that it may say it in another language.
func (a *asking) hasOtherScript(s string) bool {
	want := text.Han
	if text.IsHan(s) {
		want = text.Word
	}
	return slices.ContainsFunc(text.Tokens(without(a.Restated, a.rd, link.Mention.Sure)), func(t text.Token) bool { return t.Kind == want })
}
