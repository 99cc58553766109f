package embedded

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

func (l *loader) node(file string, line int, h header, cells []field) (goOn bool) {
	g := l.g
	n := node{id: int32(len(g.nodes))}
	if len(g.nodes) == math.MaxInt32 {
		return !l.fail(file, line, "", "is one node too many: the embedded graph holds at most %d; use Neo4j", math.MaxInt32)
	}
	var labels []int32
	props, ok := l.props(file, line, h, cells)
	if !ok {
		return len(l.errs) <= maxLoadErrors
	}
	for i := range h {
		c, text := &h[i], cells[i].text
		switch c.kind {
		case idColumn:
			if text == "" {
				return !l.fail(file, line, c.text, "has no id: every node needs one")
			}
			space := l.space(c.space)
			if _, taken := space[text]; taken {
				return !l.fail(file, line, c.text, "id %.80q is used twice: remove one of the nodes, or keep the ids apart with ID spaces, as in :ID(Movie)", text)
			}
			space[strings.Clone(text)] = n.id
			l.held += int64(len(text))
		case labelColumn:
			for part := range strings.SplitSeq(text, ";") {
				if part = strings.TrimSpace(part); part == "" {
					continue
				}
				if id := g.labels.add(strings.Clone(part)); !slices.Contains(labels, id) {
					labels = append(labels, id)
				}
				if len(labels) > maxLabels {
					return !l.fail(file, line, c.text, "has more than %d labels: keep what tells nodes apart in a property", maxLabels)
				}
			}
		}
	}
	slices.Sort(labels)
	n.labels, n.props = l.labelSet(labels), props
	for i := range h {
		if h[i].kind == idColumn && h[i].name != "" {
			for _, label := range labels {
				g.uniqueKeys[[2]int32{label, g.keys.find(h[i].name)}] = true
			}
		}
	}
	l.held += heldNode
	g.nodes = append(g.nodes, n)
	g.bySet[n.labels] = append(g.bySet[n.labels], n.id)
	return true
}

// space is the ID space of a name: its nodes by their ids.
func (l *loader) space(name string) map[string]int32 {
	space := l.ids[name]
	if space == nil {
		space = map[string]int32{}
		l.ids[name] = space
	}
	return space
}

func (l *loader) labelSet(labels []int32) int32 {
	key := fmt.Sprint(labels)
	set, ok := l.sets[key]
	if !ok {
		set = int32(len(l.g.labelSets))
		l.sets[key] = set
		l.held += int64(heldSet + len(key) + 4*len(labels))
		l.g.labelSets = append(l.g.labelSets, labels)
		l.g.bySet = append(l.g.bySet, nil)
	}
	return set
}

func (l *loader) props(file string, line int, h header, cells []field) (props []prop, ok bool) {
	ok = true
	props = make([]prop, 0, len(h))
	for i := range h {
		c := &h[i]
		if c.name == "" || c.kind != propertyColumn && c.kind != idColumn || cells[i].null() {
			continue
		}
		v, err := c.value(cells[i])
		if err != nil {
			ok = false
			if l.fail(file, line, c.text, "%w", err) {
				return nil, false
			}
			continue
		}
		if v != nil {
			l.held += heldProp + held(v)
			props = append(props, prop{l.g.keys.add(c.name), l.keep(v)})
		}
	}
	return slices.Clip(props), ok
}

// held is how many bytes a value takes.
func held(v any) int64 {
	switch v := v.(type) {
	case string:
		return 16 + int64(len(v))
	case []any:
		n := int64(24)
		for _, item := range v {
			n += 16 + held(item)
		}
		return n
	}
	return 16
}

// keep frees a text from the line that it was cut from, and keeps equal short
// ones once.
func (l *loader) keep(v any) any {
	switch v := v.(type) {
	case string:
		return l.text(v)
	case []any:
		for i, item := range v {
			v[i] = l.keep(item)
		}
	}
	return v
}

func (l *loader) text(s string) string {
	const short, most = 32, 100_000
	if len(s) > short {
		return strings.Clone(s)
	}
	if kept, ok := l.texts[s]; ok {
		return kept
	}
	s = strings.Clone(s)
	if len(l.texts) < most {
		l.texts[s] = s
	}
	return s
}

func (l *loader) relationship(file string, line int, h header, cells []field) (goOn bool) {
	g := l.g
	r := rel{id: int32(len(g.rels))}
	if len(g.rels) == math.MaxInt32 {
		return !l.fail(file, line, "", "is one relationship too many: the embedded graph holds at most %d; use Neo4j", math.MaxInt32)
	}
	props, ok := l.props(file, line, h, cells)
	for i := range h {
		c, text := &h[i], cells[i].text
		switch c.kind {
		case startColumn, endColumn:
			id, found := l.ids[c.space][text]
			switch {
			case text == "":
				return !l.fail(file, line, c.text, "has no id: name the node that the relationship joins")
			case !found && c.space != "":
				return !l.fail(file, line, c.text, "no node of ID space %s has the id %.80q: add the node or remove the line", c.space, text)
			case !found:
				return !l.fail(file, line, c.text, "no node has the id %.80q: add the node or remove the line", text)
			case c.kind == startColumn:
				r.start = id
			default:
				r.end = id
			}
		case typeColumn:
			if strings.TrimSpace(text) == "" {
				return !l.fail(file, line, c.text, "has no type: every relationship needs one")
			}
			r.typ = g.types.add(strings.Clone(strings.TrimSpace(text)))
		}
	}
	if !ok {
		return len(l.errs) <= maxLoadErrors
	}
	r.props = props
	l.held += heldRel
	g.rels = append(g.rels, r)
	return true
}
