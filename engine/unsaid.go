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

// mismatched are the objections to a query that says something else than the words of
// the question: another grouping, or for and, a property in place of the one that is
// named, a condition that nobody asked for.
func (a *asking) mismatched(d parsed) (out []objection) {
	if a.rd.Marks.Grouped && returnsOne(d.stmt) {
		out = append(out, objection{words.NoGroup, nil, "the question asks for a value of each group, the query returns one value of all"})
	}
	return slices.Concat(out, a.joined(d), a.otherUnits(d), a.unread(d), a.added(d), a.undenied(d))
}

// returnsOne reports whether a query returns aggregates and nothing to group them by.
func returnsOne(s *cypher.Statement) bool {
	for _, p := range s.Parts {
		for _, c := range p.Clauses {
			r, ok := c.(*cypher.Return)
			if !ok || r.Star {
				continue
			}
			return !slices.ContainsFunc(r.Items, func(it *cypher.Item) bool { return !aggregates(it.Expr) })
		}
	}
	return false
}

// aggregates reports whether an expression holds an aggregate.
func aggregates(e cypher.Expr) bool {
	found := false
	cypher.Walk(e, func(n cypher.Node) bool {
		c, ok := n.(*cypher.Call)
		found = found || ok && slices.Contains([]string{"count", "sum", "avg", "min", "max"}, strings.ToLower(c.Name))
		return !found
	})
	return found
}

// joined objects to "and" where nothing can be both, and to "or" that the question
// doesn't say.
func (a *asking) joined(d parsed) (out []objection) {
	cypher.Walk(d.stmt, func(n cypher.Node) bool {
		b, ok := n.(*cypher.Binary)
		switch {
		case !ok:
		case b.Op == cypher.And:
			l, lv := equalityOf(b.L, d.params)
			r, rv := equalityOf(b.R, d.params)
			if l != "" && l == r && lv != rv {
				out = append(out, objection{words.BothAtOnce, []any{fmt.Sprint(lv), fmt.Sprint(rv)},
					fmt.Sprintf("nothing has two values of %s at once; OR or IN may be meant", text.Line(l))})
			}
		case b.Op == cypher.Or && !a.rd.Marks.Either:
			l, r := comparedIn(b.L), comparedIn(b.R)
			if l != "" && r != "" && l != r {
				out = append(out, objection{words.EitherOr, nil, fmt.Sprintf("the query takes what meets %s or %s, the question doesn't say or", text.Line(l), text.Line(r))})
			}
		}
		return true
	})
	return out
}

// equalityOf is what e holds equal to a constant, printed, and the constant; "" where
// it is no such equation.
func equalityOf(e cypher.Expr, params map[string]any) (what string, value any) {
	if b, ok := e.(*cypher.Binary); ok && b.Op == cypher.And { // a AND b AND c
		return equalityOf(b.R, params)
	}
	c, ok := e.(*cypher.Comparison)
	if !ok || len(c.Ops) != 1 || c.Ops[0] != cypher.Eq {
		return "", nil
	}
	p, ok := c.X[0].(*cypher.Property)
	if !ok {
		return "", nil
	}
	switch v := c.X[1].(type) {
	case *cypher.Literal:
		return cypher.Print(p), v.Value
	case *cypher.Parameter:
		return cypher.Print(p), params[v.Name]
	}
	return "", nil
}

// comparedIn is the property that e, a single comparison, is about, printed; "" if it
// is something else.
func comparedIn(e cypher.Expr) string {
	c, ok := e.(*cypher.Comparison)
	if !ok || len(c.X) == 0 {
		return ""
	}
	if p, ok := c.X[0].(*cypher.Property); ok {
		return cypher.Print(p)
	}
	return ""
}

// spokenWords are the words of a name that say something: closedOn is "closed".
func spokenWords(name string) (out []string) {
	const least = 3 // letters
	for w := range strings.FieldsSeq(reading.Spoken(name)) {
		for _, pale := range paleEndings {
			if rest, ok := strings.CutSuffix(w, pale); ok && len(rest) > len("一") {
				w = rest
				break
			}
		}
		if text.IsHan(w) || len(w) >= least && !slices.Contains(paleWords, w) {
			out = append(out, w)
		}
	}
	return out
}

// paleWords stand in names of properties of any kind.
var paleWords = []string{"the", "and", "has", "date", "time", "name", "number", "type", "code", "value", "day", "days", "flag"}

// paleEndings do the same in Chinese names.
var paleEndings = []string{"日期", "时间", "名称", "编号"}

// hasWord reports whether the question says a word in some form of it.
func (a *asking) hasWord(word string) bool {
	if text.IsHan(word) {
		return strings.Contains(text.Fold(a.Restated), text.Fold(word))
	}
	for _, t := range text.Tokens(a.Restated) {
		if t.Kind == text.Word && sameWord(t.Text, word) {
			return true
		}
	}
	return false
}

// sameWord reports whether two English words are forms of one, as closed and closing.
func sameWord(a, b string) bool { return a == b || root(a) == root(b) }

// kin reports whether two English words may be of one family, as directed and director:
// alike but for an ending.
func kin(a, b string) bool {
	const least, enough, ending = 4, 6, 3 // letters
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	shorter, longer := min(len(a), len(b))-n, max(len(a), len(b))-n
	return sameWord(a, b) || n >= least && longer <= ending || n >= enough && shorter <= ending
}

// unread are properties that the question names by their own words, that nodes or
// relationships of the query have, and that it doesn't read.
func (a *asking) unread(d parsed) (out []objection) {
	named := map[string]bool{} // words of all that the query names
	owners := map[string]bool{}
	cypher.Walk(d.stmt, func(n cypher.Node) bool {
		if l, ok := n.(*cypher.Label); ok {
			owners[l.Name] = true
			for _, w := range spokenWords(l.Name) {
				named[w] = true
			}
		}
		return true
	})
	for key := range d.facts.Props {
		for _, w := range spokenWords(key) {
			named[w] = true
		}
	}
	for _, l := range a.Links {
		for _, t := range text.Tokens(l.Mention + " " + fmt.Sprint(l.Value)) {
			named[t.Text] = true
		}
	}
	for _, v := range d.values {
		if said, ok := v.(string); ok {
			for _, t := range text.Tokens(said) {
				named[t.Text] = true
			}
		}
	}
	isNamed := func(w string) bool {
		for known := range named {
			if kin(known, w) || text.IsHan(w) && (strings.Contains(known, w) || strings.Contains(w, known)) {
				return true
			}
		}
		return false
	}
	each(a.schema, func(owner string, p store.Property) {
		if !owners[owner] || d.facts.Props[p.Name] {
			return
		}
		if said := a.abbreviated(p); said != "" {
			out = append(out, objection{words.NotRead, []any{said}, fmt.Sprintf("the question says %s, the query doesn't read %s", text.Quote(said), text.Line(owner+"."+p.Name))})
			return
		}
		ws := spokenWords(p.Name)
		if len(ws) > 0 && !slices.ContainsFunc(ws, func(w string) bool { return !a.hasWord(w) && !a.hasOpposite(w) || isNamed(w) || a.follows(w, isNamed) }) && !a.isEvent(d, owner, p, ws) {
			said := strings.Join(ws, " ")
			out = append(out, objection{words.NotRead, []any{said}, fmt.Sprintf("the question says %s, the query doesn't read %s", text.Quote(said), text.Line(owner+"."+p.Name))})
		}
	})
	for _, r := range a.schema.Relationships {
		w := deedIn(r.Type)
		if w == "" || owners[r.Type] || !owners[r.Start] || !owners[r.End] || !a.speaksOf(w) || isNamed(w) || slices.ContainsFunc(a.schema.Relationships, func(o store.Relation) bool {
			joins := o.Start == r.Start && o.End == r.End || o.Start == r.End && o.End == r.Start || r.Start == r.End && (o.Start == r.Start || o.End == r.Start)
			return joins && owners[o.Type] && !a.isSaid(o.Type, owners) // it may be how the query says the verb
		}) {
			continue
		}
		owners[r.Type] = true // said once
		out = append(out, objection{words.NotRead, []any{w}, fmt.Sprintf("the question says %s, the query doesn't follow %s", text.Quote(w), text.Line(r.Type))})
	}
	return out
}

// isSaid reports whether the question says a word of a type that is none for a label of
// the query: a router is no ROUTES.
func (a *asking) isSaid(rel string, owners map[string]bool) bool {
	var nouns []string
	for _, l := range a.schema.Labels {
		if owners[l.Name] {
			nouns = append(nouns, spokenWords(l.Name)...)
		}
	}
	own := text.Tokens(without(a.Restated, a.rd, link.Mention.Sure))
	return slices.ContainsFunc(spokenWords(rel), func(w string) bool {
		return text.IsHan(w) && a.hasWord(w) || slices.ContainsFunc(own, func(t text.Token) bool {
			return t.Kind == text.Word && kin(t.Text, w) && !slices.ContainsFunc(nouns, func(n string) bool { return sameWord(n, t.Text) })
		})
	})
}

// deedIn is the word of a type's name that tells it from others: reviewed, 操作; "" if it
// has none.
func deedIn(name string) string {
	const least = 4 // letters
	for w := range strings.FieldsSeq(reading.Spoken(name)) {
		if text.IsHan(w) {
			return strings.ReplaceAll(reading.Spoken(name), " ", "")
		}
		if len(w) >= least && !guardrails.IsGeneral(w) && (reading.IsDone(w) || strings.HasSuffix(w, "s")) {
			return w
		}
		break
	}
	return ""
}

// speaksOf reports whether the question says a word where it names nothing.
func (a *asking) speaksOf(word string) bool {
	own := without(a.Restated, a.rd, link.Mention.Sure)
	if text.IsHan(word) {
		return strings.Contains(text.Fold(own), text.Fold(word))
	}
	return slices.ContainsFunc(text.Tokens(own), func(t text.Token) bool { return t.Kind == text.Word && sameWord(t.Text, word) })
}

// opposing are beginnings of English words that deny the rest.
var opposing = []string{"un", "in", "non", "dis", "im", "ir"}

// hasOpposite reports whether the question says the opposite of a word: unpaid.
func (a *asking) hasOpposite(word string) bool {
	return !text.IsHan(word) && slices.ContainsFunc(text.Tokens(a.Restated), func(t text.Token) bool {
		return slices.ContainsFunc(opposing, func(o string) bool {
			rest, ok := strings.CutPrefix(t.Text, o)
			return ok && t.Kind == text.Word && sameWord(strings.TrimPrefix(rest, "-"), word)
		})
	})
}

// undenied are conditions on what is so or not that the words turn round: unconfirmed,
// where the query takes what is confirmed; or nothing denied, where it takes what isn't.
func (a *asking) undenied(d parsed) (out []objection) {
	denied := a.rd.Marks.Negated || a.rd.Marks.Superlative || a.said().Denied || a.rd.Dated != ""
	if !denied && !text.IsHan(a.Restated) && !slices.ContainsFunc(allWords, a.hasWord) && !a.isUnclear(d) {
		for _, r := range d.facts.Rels {
			if r.Neg && len(r.Types) == 1 && !slices.ContainsFunc(text.Tokens(a.Restated), func(t text.Token) bool {
				return slices.ContainsFunc(opposing, func(o string) bool {
					return strings.HasPrefix(t.Text, o) && t.Kind == text.Word && len(t.Text) > len(o)+2
				})
			}) {
				out = append(out, objection{words.Strayed, []any{"NOT " + r.Types[0]}, fmt.Sprintf("the query keeps only what has no %s, and the question denies nothing", text.Line(r.Types[0]))})
			}
		}
	}
	for _, c := range d.facts.Compared {
		is, ok := constantOf(c, d.params).(bool)
		ws := spokenWords(c.Prop)
		if !ok || len(ws) == 0 || c.Op != "=" && c.Op != "<>" {
			continue
		}
		is = is == (c.Neg == (c.Op == "<>"))
		opposed := slices.ContainsFunc(ws, a.hasOpposite)
		said := !slices.ContainsFunc(ws, func(w string) bool { return !a.hasWord(w) })
		denied := denied || text.IsHan(c.Prop) && strings.ContainsAny(a.Restated, negativeHan)
		if opposed && is && !denied || said && !opposed && !is && !denied && !a.isUnclear(d) {
			out = append(out, objection{words.Added, []any{c.Prop, "=", fmt.Sprint(is)}, fmt.Sprintf("the query asks for %s = %v, the question for the opposite", text.Line(c.Prop), is)})
		}
	}
	return out
}

// allWords ask for what nothing is an exception of, which queries say by a denial.
var allWords = []string{"all", "every", "each", "only", "just", "always", "free", "empty", "idle", "missing", "lack", "lacks", "fail", "new"}

// negativeHan are the characters that deny in Chinese words.
const negativeHan = "不没未非无别否"

// follows reports whether a word of the question stands behind one that says what it is
// about: a poster's url.
func (a *asking) follows(word string, isNamed func(string) bool) bool {
	ts := text.Tokens(without(a.Restated, a.rd, link.Mention.Sure))
	for i, t := range ts[:max(len(ts)-1, 0)] {
		if t.Kind == text.Word && ts[i+1].Kind == text.Word && sameWord(ts[i+1].Text, word) && isNamed(t.Text) {
			return true
		}
	}
	return false
}

// abbreviated is a word of the question of which a property that tells kinds of things has
// the beginning as its code: euro, of EUR.
func (a *asking) abbreviated(p store.Property) string {
	const least, ending = 3, 3 // letters
	if !check.IsShared(p) {
		return ""
	}
	for _, sample := range p.Samples {
		code, ok := sample.(string)
		if !ok || len(code) < least || code != strings.ToUpper(code) || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return ""
		}
		for _, w := range a.rd.Unread {
			if rest, ok := strings.CutPrefix(w, strings.ToLower(code)); ok && len(rest) <= ending {
				return w
			}
		}
	}
	return ""
}

// isEvent reports whether the words of a property only say what all of its owners went
// through, or a relationship is: the films released, the most roles.
func (a *asking) isEvent(d parsed, owner string, p store.Property, ws []string) bool {
	for _, t := range a.schema.Types {
		if t.Name == owner && calls(d.facts, "count") {
			return true
		}
	}
	if len(ws) != 1 || !reading.IsDone(ws[0]) && !a.isDated(p.Name) {
		return false
	}
	always := false
	for _, l := range a.schema.Labels {
		always = always || l.Name == owner && l.Count > 0 && p.Present >= l.Count
	}
	said := a.said()
	return always && (len(said.Times) == 0 && !said.When || d.facts.Props["year"] || d.facts.Props["date"])
}

// otherUnits objects to a number held against a property that counts in another unit:
// 6 weeks against leadDays.
func (a *asking) otherUnits(d parsed) (out []objection) {
	for _, q := range d.quantities {
		for _, c := range d.facts.Compared {
			if v := constantOf(c, d.params); v != nil && q.Mistakes(v, strings.Fields(reading.Spoken(c.Prop))) {
				out = append(out, objection{words.OtherUnit, []any{q.Text, c.Prop, fmt.Sprint(v)},
					fmt.Sprintf("the question says %s, the query holds %s against %v", text.Quote(q.Text), text.Line(c.Prop), v)})
			}
		}
	}
	return out
}
