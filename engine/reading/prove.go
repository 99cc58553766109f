package reading

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store/cypher"
)

// Prove reports what keeps a query from saying what the frame says: a
// relationship, comparator, negation, order or limit of one that the other
// lacks. params names the parameters of the frame's slots, in the order of
// Frame.Slots. It returns nil where words and query prove each other, else an [Unproven].
func (r *Reader) Prove(f *Frame, params []string, s *cypher.Statement) error {
	p := prover{r: r, f: f, q: FactsOf(s), params: params}
	p.words()
	said := len(p.missing)
	p.query()
	if len(p.missing) == 0 {
		return nil
	}
	return Unproven{Words: p.missing[:said:said], Query: p.missing[said:]}
}

// Unproven is what words and a query don't prove of each other, in sentences.
type Unproven struct {
	Words []string // what the words say, and the query doesn't
	Query []string // what the query says, and the words don't
}

func (u Unproven) Error() string { return strings.Join(slices.Concat(u.Words, u.Query), "; ") }

type prover struct {
	r       *Reader
	f       *Frame
	q       *Facts
	params  []string
	missing []string
	claimed map[int]bool // comparisons that the words account for
}

func (p *prover) miss(format string, args ...any) {
	p.missing = append(p.missing, fmt.Sprintf(format, args...))
}

// words checks that everything the words say is in the query.
func (p *prover) words() {
	p.claimed = make(map[int]bool)
	k := 0
	for _, c := range p.f.Conds {
		params := p.params[k : k+len(c.Slots)]
		k += len(c.Slots)
		p.cond(c, params)
	}
	if p.f.N != nil {
		name := p.params[k]
		if !slices.ContainsFunc(p.q.Limits, func(e cypher.Expr) bool {
			x, ok := e.(*cypher.Parameter)
			return ok && x.Name == name
		}) {
			p.miss("the words say how many, the query has no LIMIT $%s", name)
		}
	}
	for _, rel := range p.f.doings() {
		if !p.hasRel(rel, false) {
			p.miss("the words say %s, the query doesn't follow it", rel)
		}
	}
	ask, prop, _ := strings.Cut(p.f.Ask, " ")
	_, prop = split(prop)
	switch ask {
	case "count":
		if !p.calls("count", "") && !p.calls("size", "") {
			p.miss("the words ask how many, the query doesn't count")
		}
	case "average":
		if !p.calls("avg", prop) {
			p.miss("the words ask for an average of %s, the query takes none", prop)
		}
	case "sum":
		if !p.calls("sum", prop) {
			p.miss("the words ask for the sum of %s, the query takes none", prop)
		}
	case "path":
		if !p.q.Shortest {
			p.miss("the words ask for a path, the query looks for none")
		}
	}
	for _, t := range p.f.Target {
		name, _, _ := strings.Cut(strings.TrimPrefix(t, "decade of "), " via ")
		if _, prop := split(name); prop != "" && !p.q.Props[prop] {
			p.miss("the words ask for %s, the query doesn't read it", name)
		}
	}
	p.order()
	if g := strings.TrimPrefix(p.f.Group, "decade of "); g != "" {
		if _, prop := split(g); prop != "" && !p.q.Props[prop] {
			p.miss("the words group by %s, the query doesn't read it", g)
		}
	}
}

// doings are the relationship types that the frame's target and group name.
func (f *Frame) doings() []string {
	var out []string
	for _, t := range append([]string{f.Group}, f.Target...) {
		if _, via, ok := strings.Cut(t, " via "); ok && !strings.Contains(via, "/") {
			out = append(out, strings.Split(via, "+")...)
		}
	}
	return out
}

func (p *prover) calls(name, prop string) bool {
	return slices.ContainsFunc(p.q.Calls, func(c CallFact) bool {
		return c.Name == name && (prop == "" || slices.Contains(c.Props, prop))
	})
}

func (p *prover) hasRel(rel string, neg bool) bool {
	return slices.ContainsFunc(p.q.Rels, func(r RelFact) bool {
		return r.Neg == neg && (len(r.Types) == 0 || slices.Contains(r.Types, rel))
	})
}

// compared claims a comparison that fits; neg and <> are one.
func (p *prover) compared(prop string, count bool, neg bool, param string, ops ...string) bool {
	found := false
	for i, c := range p.q.Compared {
		op, n := c.Op, c.Neg
		if op == "<>" {
			op, n = "=", !n
		}
		if c.Count == count && (count || c.Prop == prop) && n == neg && param != "" && (c.Param == param || slices.Contains(c.Params, param)) && slices.Contains(ops, op) {
			p.claimed[i] = true
			found = true
		}
	}
	return found
}

func (p *prover) cond(c Cond, params []string) {
	_, prop := split(c.Prop)
	said := c.key()
	param := func(i int) string {
		if i < len(params) {
			return params[i]
		}
		return ""
	}
	for _, rel := range c.Rel {
		neg := c.Neg
		if !p.hasRel(rel, neg) && !(neg && p.hasRel(rel, false) && p.negatedParam(params)) {
			p.miss("the words say %q, the query has no such %s", said, rel)
			return
		}
	}
	switch {
	case strings.HasPrefix(c.What, "is "), c.What == "like", strings.HasPrefix(c.What, "same "), strings.HasSuffix(c.What, " by"), len(c.Rel) > 0 && !strings.HasPrefix(c.What, "count ") && len(c.Slots) > 0, c.Than != "" && len(c.Slots) > 0:
		for i, s := range c.Slots {
			if !p.compared(s.Property, false, c.Neg, param(i), "=", "in") && !(c.Neg && p.hasRel(first(c.Rel), true) && p.compared(s.Property, false, false, param(i), "=", "in")) {
				p.miss("the words name %s, the query doesn't look for $%s in it", s, param(i))
			}
		}
		if c.Than != "" && !p.than(prop, c.Op, prop) {
			p.miss("the words say %q, the query doesn't compare so", said)
		}
		if what, ok := strings.CutPrefix(c.What, "same "); ok && c.Prop != "" && !p.than(prop, "=", prop) {
			p.miss("the words say the same %s, the query doesn't compare so", what)
		}
	case strings.HasPrefix(c.What, "count "):
		if !p.compared("", true, c.Neg, param(0), c.Op) {
			p.miss("the words say %q, the query doesn't count so", said)
		}
	case strings.HasPrefix(c.What, "has "):
		if !slices.ContainsFunc(p.q.Nulls, func(n NullFact) bool { return n.Prop == prop && n.Null == c.Neg }) {
			p.miss("the words say %q, the query doesn't", said)
		}
	case c.Than != "": // its budget
		_, than, _ := strings.Cut(c.Than, " ")
		if !p.than(prop, c.Op, than) {
			p.miss("the words say %q, the query doesn't compare so", said)
		}
	case c.Op == "between":
		if !p.compared(prop, false, c.Neg, param(0), ">=") || !p.compared(prop, false, c.Neg, param(1), "<=") {
			p.miss("the words say %q, the query needs >= $%s and <= $%s", said, param(0), param(1))
		}
	case c.Op == "decade":
		if !p.compared(prop, false, c.Neg, param(0)+"_from", ">=") || !p.compared(prop, false, c.Neg, param(0)+"_to", "<") {
			p.miss("the words say %q, the query needs >= $%s_from and < $%s_to", said, param(0), param(0))
		}
	case c.Op == "has":
		for i := range c.Slots {
			if !p.compared(prop, false, c.Neg, param(i), "has", "=") {
				p.miss("the words say %q, the query doesn't look for $%s in %s", said, param(i), prop)
			}
		}
	case c.Op == "in": // a part of a place
		if !p.compared(prop, false, c.Neg, param(0), "has", "contains", "=", "ends with") {
			p.miss("the words say %q, the query doesn't look for $%s in %s", said, param(0), prop)
		}
	case c.Op != "":
		if !p.compared(prop, false, c.Neg, param(0), c.Op) && !(c.Neg && p.compared(prop, false, false, param(0), opposite[c.Op])) {
			p.miss("the words say %q, the query doesn't compare %s so with $%s", said, prop, param(0))
		}
	case c.Prop != "": // a fixed condition
		for _, name := range p.r.glossary.Conditions[c.What].Properties {
			if _, prop := split(name); !p.q.Props[prop] {
				p.miss("the words say %q, the query doesn't read %s", said, prop)
			}
		}
	}
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

// ties are the relationship types by which what is asked for hangs together
// with what the conditions are on: the genres of a film.
func (p *prover) ties() []string {
	var out []string
	for _, t := range p.f.Target {
		if strings.Contains(t, " via ") {
			continue
		}
		label, _ := split(t)
		for _, c := range p.f.Conds {
			found := ""
			for rel, w := range p.r.glossary.Relationships {
				if w.From == label && w.To == c.Label || w.From == c.Label && w.To == label {
					if found != "" {
						found = ""
						break
					}
					found = rel
				}
			}
			if found != "" {
				out = append(out, found)
			}
		}
	}
	return out
}

var opposite = map[string]string{">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "<>"}

func (p *prover) negatedParam(params []string) bool {
	return slices.ContainsFunc(p.q.Compared, func(c Comparison) bool {
		return slices.Contains(params, c.Param) && (c.Neg || c.Op == "<>")
	})
}

func (p *prover) than(prop, op, than string) bool {
	return slices.ContainsFunc(p.q.Compared, func(c Comparison) bool {
		return !c.Neg && (c.Prop == prop && c.Than == than && c.Op == op || c.Prop == than && c.Than == prop && flipped[c.Op] == op)
	})
}

func (p *prover) order() {
	f := p.f
	if f.Order == "" {
		return
	}
	count := f.Order == "count" || strings.HasPrefix(f.Order, "count ")
	_, prop := split(f.Order)
	if f.Order == "value" {
		_, name, _ := strings.Cut(f.Ask, " ")
		_, prop = split(name)
	}
	ok := slices.ContainsFunc(p.q.Orders, func(o OrderFact) bool {
		return o.Desc == f.Desc && (count && o.Count || !count && slices.Contains(o.Props, prop))
	})
	if !ok && f.Limit == LimitOne { // the largest, by max()
		name := "min"
		if f.Desc {
			name = "max"
		}
		ok = slices.ContainsFunc(p.q.Calls, func(c CallFact) bool { return c.Name == name && (count || slices.Contains(c.Props, prop)) })
	}
	if !ok {
		dir := "ascending"
		if f.Desc {
			dir = "descending"
		}
		p.miss("the words order by %s, %s, the query doesn't", f.Order, dir)
	}
	if f.Limit == LimitSome && len(p.q.Limits) == 0 {
		p.miss("the words ask for the first few, the query has no LIMIT")
	}
}

// query checks that the query says no more than the words.
func (p *prover) query() {
	f := p.f
	if f.Ask == "recommend" || f.Ask == "path" {
		return
	}
	rels := f.doings()
	for _, c := range f.Conds {
		rels = append(rels, c.Rel...)
		if w, ok := p.r.glossary.Conditions[c.What]; ok {
			rels = append(rels, w.Relations...)
		}
	}
	rels = append(rels, p.ties()...)
	for rel := range p.r.glossary.Relationships { // the rating that users gave
		if strings.Contains(f.Ask+" "+f.Order+" "+strings.Join(f.Target, " "), rel+".") {
			rels = append(rels, rel)
		}
	}
	loose := f.Ask + " " + f.Group + " " + f.Order + " " + strings.Join(f.Target, " ")
	for _, q := range p.q.Rels {
		for _, t := range q.Types {
			w := p.r.glossary.Relationships[t]
			tied := strings.Contains(loose, t) || strings.Contains(loose, w.From) && strings.Contains(loose, w.To) && (f.Group != "" || strings.HasPrefix(f.Order, "count") || strings.HasPrefix(f.Order, "average") || strings.HasPrefix(f.Order, "sum"))
			if !slices.Contains(rels, t) && !tied && !strings.Contains(loose, "/") {
				p.miss("the query follows %s, of which the words say nothing", t)
			}
		}
		if q.Neg && !slices.ContainsFunc(f.Conds, func(c Cond) bool { return c.Neg }) {
			p.miss("the query denies %s, the words don't", strings.Join(q.Types, "|"))
		}
	}
	fixed := make(map[string]bool)
	for _, c := range f.Conds {
		for _, name := range p.r.glossary.Conditions[c.What].Properties {
			_, prop := split(name)
			fixed[prop] = true
		}
		if c.Prop != "" && c.Than != "" {
			_, prop := split(c.Prop)
			fixed[prop] = true
		}
	}
	for i, c := range p.q.Compared {
		if p.claimed[i] || fixed[c.Prop] || c.Than != "" {
			continue
		}
		if c.Param == "" && !c.Literal {
			continue
		}
		if c.Count && c.Literal && c.Value == int64(0) || c.Count && f.Ask == "exists" {
			continue
		}
		if c.Op == "<>" && !c.Neg && slices.Contains(p.params, c.Param) && slices.ContainsFunc(p.q.Compared, func(o Comparison) bool { return o.Param == c.Param && o.Prop == c.Prop && o.Op == "=" }) {
			continue // others than the one named
		}
		what := c.Prop
		if c.Count {
			what = "a number"
		}
		if c.Literal && c.Value == nil {
			continue
		}
		p.miss("the query compares %s (%s), of which the words say nothing", what, c.Op)
	}
	for _, n := range p.q.Nulls {
		if n.Null && !fixed[n.Prop] && !slices.ContainsFunc(f.Conds, func(c Cond) bool { return strings.HasSuffix(c.Prop, "."+n.Prop) }) {
			p.miss("the query wants %s to be missing, the words don't", n.Prop)
		}
	}
	if f.Limit == NoLimit && len(p.q.Limits) > 0 {
		p.miss("the query has a LIMIT, the words none")
	}
	if p.q.Skips > 0 {
		p.miss("the query skips rows, the words don't")
	}
}
