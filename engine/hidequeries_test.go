package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing/fstest"

	"precedent/store"
)

// marker stands in every value that a hide list hides.
const marker = "HIDDEN"

var (
	hideLabels = []string{"A", "B", "C", "S"}
	hideTypes  = []string{"R", "Q", "T"}
	hideKeys   = []string{"name", "email", "x"}
)

// A hiding is a random graph, what is hidden in it, and the graph without that.
type hiding struct {
	hide           []string
	files, visible fstest.MapFS
}

func randomHiding(r *rand.Rand) hiding {
	var h hiding
	for len(h.hide) == 0 {
		for _, name := range append(slices.Clone(hideLabels), hideTypes...) {
			if r.IntN(6) == 0 {
				h.hide = append(h.hide, ":"+name)
			}
			for _, key := range append(slices.Clone(hideKeys), "w") {
				if r.IntN(12) == 0 {
					h.hide = append(h.hide, name+"."+key)
				}
			}
		}
	}
	hidden := store.NewHidden(h.hide)
	value := func(owners []string, key, v string) string {
		if hidden.Any(owners) || hidden.Property(owners, key) {
			return marker + v
		}
		return v
	}
	var nodes, rels [2]strings.Builder // all, and what is visible
	for i := range nodes {
		nodes[i].WriteString("uid:ID,name,email,x,:LABEL\n")
		rels[i].WriteString(":START_ID,:END_ID,:TYPE,rid,name,w\n")
	}
	gone := map[int]bool{}
	add := func(b *[2]strings.Builder, hide bool, line string) {
		b[0].WriteString(line + "\n")
		if !hide {
			cells := strings.Split(line, ",")
			for i := range cells {
				if strings.HasPrefix(cells[i], marker) {
					cells[i] = ""
				}
			}
			b[1].WriteString(strings.Join(cells, ",") + "\n")
		}
	}
	n, together := 4+r.IntN(5), 2+r.IntN(20)
	for i := range n {
		labels := []string{hideLabels[r.IntN(len(hideLabels))]}
		for r.IntN(together) == 0 {
			if l := hideLabels[r.IntN(len(hideLabels))]; !slices.Contains(labels, l) {
				labels = append(labels, l)
			}
		}
		var line strings.Builder
		line.WriteString(fmt.Sprint("n", i))
		for _, key := range hideKeys {
			line.WriteString(",")
			if r.IntN(4) > 0 {
				line.WriteString(value(labels, key, fmt.Sprint(key, r.IntN(3))))
			}
		}
		gone[i] = hidden.Any(labels)
		add(&nodes, gone[i], line.String()+","+strings.Join(labels, ";"))
	}
	for i := range n + r.IntN(n) {
		typ := hideTypes[r.IntN(len(hideTypes))]
		from, to := r.IntN(n), r.IntN(n)
		add(&rels, hidden.Name(typ) || gone[from] || gone[to], fmt.Sprintf("n%d,n%d,%s,r%d,%s,%s", from, to, typ, i,
			value([]string{typ}, "name", "name1"), value([]string{typ}, "w", fmt.Sprint("w", r.IntN(3)))))
	}
	files := func(i int) fstest.MapFS {
		return fstest.MapFS{"nodes.csv": {Data: []byte(nodes[i].String())}, "rels.csv": {Data: []byte(rels[i].String())}}
	}
	h.files, h.visible = files(0), files(1)
	return h
}

// A queryMaker writes random queries over the labels, types and keys above.
type queryMaker struct {
	*rand.Rand
	nodes, rels []string // variables in scope
	lists       []string // of nodes or relationships that repeat
	once        bool     // where nothing may repeat: in a comprehension
	n           int
}

func (m *queryMaker) one(of ...string) string { return of[m.IntN(len(of))] }

// fresh is a name for a variable, now and then one that stands for something else.
func (m *queryMaker) fresh() string {
	if m.n > 0 && m.IntN(4) == 0 {
		return fmt.Sprint("v", 1+m.IntN(m.n))
	}
	m.n++
	return fmt.Sprint("v", m.n)
}

func (m *queryMaker) label() string {
	l := m.one(hideLabels...)
	switch m.IntN(8) {
	case 0:
		return ":" + l + "|" + m.one(hideLabels...)
	case 1:
		return ":!" + l
	case 2:
		return ":" + l + "&" + m.one(hideLabels...)
	case 3, 4:
		return ""
	}
	return ":" + l
}

func (m *queryMaker) node(bind bool) string {
	name := ""
	switch {
	case len(m.nodes) > 0 && m.IntN(3) == 0:
		name = m.one(m.nodes...)
	case bind && m.IntN(4) > 0:
		name = m.fresh()
		m.nodes = append(m.nodes, name)
	}
	props := ""
	if m.IntN(10) == 0 {
		props = fmt.Sprintf(" {%s: '%s1'}", m.one(hideKeys...), m.one(hideKeys...))
	}
	return "(" + name + m.label() + props + ")"
}

func (m *queryMaker) path(bind bool) string { return m.longer(bind, m.IntN(3)) }

func (m *queryMaker) longer(bind bool, relationships int) string {
	var s strings.Builder
	s.WriteString(m.node(bind))
	for i := range relationships {
		if !m.once && m.IntN(6) == 0 && strings.HasSuffix(s.String(), ")") {
			s.WriteString(m.group(bind))
			if i < relationships-1 || m.IntN(2) == 0 {
				s.WriteString(m.node(bind))
			} else {
				return s.String()
			}
			continue
		}
		name, length := "", ""
		if m.IntN(5) == 0 {
			length = m.one("*1..2", "*..3", "*2")
		} else if bind && m.IntN(2) == 0 {
			name = m.fresh()
			m.rels = append(m.rels, name)
		}
		typ := m.one("", ":R", ":Q", ":T", ":R|Q", ":R|T")
		s.WriteString(m.one("-["+name+typ+length+"]->", "<-["+name+typ+length+"]-", "-["+name+typ+length+"]-") + m.node(bind))
	}
	return s.String()
}

// group is a pattern that repeats, with a WHERE on what one of its turns passes.
func (m *queryMaker) group(bind bool) string {
	fresh := func() string {
		if !bind || m.IntN(4) == 0 {
			return ""
		}
		m.n++
		return fmt.Sprint("v", m.n)
	}
	a, r, b := fresh(), fresh(), fresh()
	where := ""
	if a != "" && m.IntN(3) == 0 {
		where = " WHERE " + m.one(a+"."+m.key()+" IS NOT NULL", a+"."+m.key()+" <> 'x1'", "size(keys("+a+")) > 2", "EXISTS { ("+a+")--("+m.label()+") }")
	}
	for _, name := range []string{a, r, b} {
		if name != "" {
			m.lists = append(m.lists, name)
		}
	}
	return fmt.Sprintf("((%s%s)-[%s%s]-%s(%s%s)%s)%s", a, m.label(), r, m.one("", ":R", ":Q|T"), m.one("", ">"), b, m.label(), where, m.one("{1,2}", "{0,2}", "{2}"))
}

// inner runs f and forgets the variables that it made.
func (m *queryMaker) inner(f func() string) string {
	nodes, rels, lists := m.nodes, m.rels, m.lists
	s := f()
	m.nodes, m.rels, m.lists = slices.Clip(nodes), slices.Clip(rels), slices.Clip(lists)
	return s
}

func (m *queryMaker) thing() string {
	if all := append(slices.Clone(m.nodes), m.rels...); len(all) > 0 {
		return m.one(all...)
	}
	return "null"
}

func (m *queryMaker) key() string { return m.one("name", "email", "x", "w", "uid", "rid") }

func (m *queryMaker) value() string {
	x, k := m.thing(), m.key()
	if x == "null" {
		return "1"
	}
	if len(m.lists) > 0 && m.IntN(3) == 0 {
		l := m.one(m.lists...)
		return m.one("[i IN "+l+" | i."+k+"]", "head("+l+")."+k, l+"[0]."+k, "[i IN "+l+" | i {.*}]", "size("+l+")", l, "[i IN "+l+" | keys(i)]",
			"any(i IN "+l+" WHERE i."+k+" STARTS WITH '"+marker+"')")
	}
	switch m.IntN(22) {
	case 0:
		return x
	case 1:
		i := m.fresh()
		return fmt.Sprintf("[%s IN [%s] | %s.%s]", i, x, i, k)
	case 2:
		return fmt.Sprintf("%s['%s']", x, k)
	case 3:
		return fmt.Sprintf("%s {.%s}", x, k)
	case 4:
		return fmt.Sprintf("%s {.*}", x)
	case 5:
		return fmt.Sprintf("properties(%s)", x)
	case 6:
		return fmt.Sprintf("keys(%s)", x)
	case 7:
		return m.inner(func() string {
			m.once = true
			path := m.longer(true, 1+m.IntN(2))
			m.once = false
			return "[" + path + " | " + m.thing() + "." + k + "]"
		})
	case 8:
		return m.inner(func() string { return "COUNT { " + m.path(true) + " }" })
	case 9:
		return m.inner(func() string { return "COLLECT { MATCH " + m.path(true) + " RETURN " + m.thing() + "." + k + " }" })
	case 10:
		return fmt.Sprintf("head(collect(%s)).%s", x, k)
	case 11:
		return "count(*)"
	case 12:
		if len(m.nodes) > 0 {
			return "labels(" + m.one(m.nodes...) + ")"
		}
	case 13:
		if len(m.rels) > 0 {
			r := m.one(m.rels...)
			return m.one("type("+r+")", "startNode("+r+").uid", "endNode("+r+")."+k)
		}
	case 14:
		i := m.fresh()
		return fmt.Sprintf("size(reduce(s = '', %s IN collect(%s) | s + coalesce(%s.%s, '')))", i, x, i, k)
	case 15:
		return fmt.Sprintf("CASE WHEN %s IS NULL THEN 1 ELSE %s END", x+"."+k, m.thing()+"."+m.key())
	case 16:
		return fmt.Sprintf("count(DISTINCT %s.%s)", x, k)
	case 17:
		return fmt.Sprintf("{a: %s}.a.%s", x, k)
	}
	return x + "." + k
}

func (m *queryMaker) condition() string {
	x, k := m.thing(), m.key()
	return m.one(x+"."+k+" IS NOT NULL", x+"."+k+" CONTAINS '1'", x+"."+k+" = "+m.thing()+"."+m.key(),
		m.inner(func() string { return "EXISTS { " + m.path(true) + " }" }),
		m.inner(func() string {
			return "NOT EXISTS { MATCH " + m.path(true) + " WHERE " + m.thing() + "." + k + " IS NOT NULL }"
		}),
		"any(i IN ["+x+"] WHERE i."+k+" = 'x1')", "size(keys("+x+")) > 2", x+" IS NOT NULL", x+"."+k+" STARTS WITH '"+marker+"'")
}

func (m *queryMaker) query() string {
	m.nodes, m.rels, m.lists, m.n = nil, nil, nil, 0
	var b strings.Builder
	for range 1 + m.IntN(2) {
		switch m.IntN(7) {
		case 0:
			nodes := slices.Clone(m.nodes)
			m.rels, m.lists = nil, nil
			m.nodes = nil
			for _, n := range nodes {
				if m.IntN(2) == 0 {
					m.nodes = append(m.nodes, n)
				}
			}
			if len(m.nodes) > 0 {
				items := slices.Clone(m.nodes)
				for i := range items {
					switch alias := m.fresh(); m.IntN(5) {
					case 0:
						items[i], m.nodes[i] = items[i]+" AS "+alias, alias
					case 1:
						items[i] = "count(" + items[i] + ") AS " + items[i]
					case 2:
						items[i] = "head(collect(" + m.one(nodes...) + ")) AS " + items[i]
					}
				}
				fmt.Fprintf(&b, "WITH %s ", strings.Join(items, ", "))
				if m.IntN(3) == 0 {
					fmt.Fprintf(&b, "WHERE %s ", m.condition())
				}
			}
		case 1:
			if len(m.nodes) > 0 {
				x, v := m.one(m.nodes...), m.fresh()
				fmt.Fprintf(&b, "UNWIND [%s] AS %s ", x, v)
				m.nodes = append(m.nodes, v)
			}
		case 2:
			if len(m.nodes) > 0 {
				x, v := m.one(m.nodes...), m.fresh()
				fmt.Fprintf(&b, "CALL (%s) { MATCH (%s)--(%s%s) RETURN %s } ", x, x, v, m.label(), v)
				m.nodes = append(m.nodes, v)
			}
		}
		path := m.path(true)
		if m.IntN(8) == 0 && !strings.Contains(path, "*") {
			path = m.one("ALL SHORTEST ", "SHORTEST 1 GROUP ", "SHORTEST 9 GROUPS ", "ANY 99 ") + path
		}
		if m.IntN(6) == 0 {
			p := m.fresh()
			path = p + " = " + path
		}
		fmt.Fprintf(&b, "%sMATCH %s ", m.one("", "", "OPTIONAL "), path)
		if m.IntN(2) == 0 {
			fmt.Fprintf(&b, "WHERE %s ", m.condition())
		}
	}
	fmt.Fprintf(&b, "RETURN %s AS a, %s AS b", m.value(), m.value())
	if m.IntN(5) == 0 {
		fmt.Fprintf(&b, " ORDER BY %s", m.one("a", m.thing()+"."+m.key()))
	}
	return b.String()
}
