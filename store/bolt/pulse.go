package bolt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/store"
)

const (
	pulseBudget = 30 * time.Second // for all that a pulse asks
	pulseSample = 100              // nodes or relationships of each label and type that are looked at
)

// indexPart is the part of a pulse that all indexes and constraints are.
const indexPart = "indexes and constraints"

// Pulse tells what changed without reading the graph: of each label and type how many
// there are, which the count store knows, and the properties, their types and the
// labels at both ends of the first hundred; which indexes and constraints there are;
// and where the server says it (Enterprise, Aura), the number of the last transaction.
// What Config.Hide names is left out. It asks two questions for each label and type.
func (g *Graph) Pulse(ctx context.Context) (store.Pulse, error) {
	r := g.reader(pulseBudget)
	p, err := r.pulse(ctx)
	if err != nil {
		return nil, fmt.Errorf("taking the graph's pulse: %w", g.explainError(ctx, err))
	}
	return p, nil
}

func (r *schemaReader) pulse(ctx context.Context) (store.Pulse, error) {
	labels, types, err := r.vocabulary(ctx)
	if err != nil {
		return nil, err
	}
	p := store.Pulse{indexPart: fmt.Sprintf("%+v %v", r.schema.Indexes, r.constraints()), store.TransactionPart: r.lastTransaction(ctx)}
	for _, name := range labels {
		match := "MATCH " + r.node("x", name)
		n, err := r.count(ctx, match+" RETURN count(x)")
		if err != nil {
			return nil, err
		}
		if n == 0 { // a name outlives its last node
			continue
		}
		if p[store.LabelPart(name)], err = r.sign(ctx, n, match, "", name, true); err != nil {
			return nil, err
		}
	}
	for _, name := range types {
		from, to := r.node("a", ""), r.node("b", "")
		n, err := r.count(ctx, "MATCH "+r.node("", "")+"-[x:"+quote(name)+"]->"+r.node("", "")+" RETURN count(x)")
		if err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		if p[store.TypePart(name)], err = r.sign(ctx, n, "MATCH "+from+"-[x:"+quote(name)+"]->"+to, ", labels(a) AS a, labels(b) AS b", name, false); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// sign is that of a label or type with n members: how many, and what the first of
// them, x in the pattern, are like.
func (r *schemaReader) sign(ctx context.Context, n int64, match, ends, name string, nodes bool) (string, error) {
	seen := ""
	if ends != "" {
		seen = " + [l IN a | '(' + l] + [l IN b | ')' + l]"
	}
	rows, err := r.rows(ctx, fmt.Sprintf("%s WITH x%s LIMIT %d UNWIND [k IN keys(x)%s | k + ' ' + valueType(x[k])]%s AS s RETURN DISTINCT s ORDER BY s", match, ends, pulseSample, r.notHidden(name, nodes), seen))
	signs := make([]string, 0, len(rows)+1)
	signs = append(signs, fmt.Sprint(n))
	for _, row := range rows {
		s, _ := row[0].(string)
		if end := strings.TrimLeft(s, "()"); end != s && r.hide.Name(end) {
			continue
		}
		signs = append(signs, s)
	}
	return strings.Join(signs, "\n"), err
}

// notHidden is the condition that k is a key of x that is there to see.
func (r *schemaReader) notHidden(name string, nodes bool) string {
	var where []string
	for owner, key := range r.hide.Owned() {
		switch text := literal(key); {
		case nodes:
			where = append(where, "NOT (k = "+text+" AND x:"+quote(owner)+")")
		case owner == name:
			where = append(where, "k <> "+text)
		}
	}
	if where == nil {
		return ""
	}
	return " WHERE " + strings.Join(where, " AND ")
}

// lastTransaction is the number of the last one, as far as the server says it.
func (r *schemaReader) lastTransaction(ctx context.Context) string {
	rows, err := r.rows(ctx, "SHOW DATABASES YIELD name, lastCommittedTxn, home")
	if err != nil {
		return "" // older servers don't have the column, and some users not the right
	}
	var last []string
	for _, row := range rows {
		if row[1] != nil && (row[0] == r.graph.config.Database || r.graph.config.Database == "" && row[2] == true) {
			last = append(last, fmt.Sprint(row[1]))
		}
	}
	slices.Sort(last) // a line for each member of a cluster
	return strings.Join(last, " ")
}

// constraints are the properties that are unique, in order, without what is hidden.
func (r *schemaReader) constraints() []string {
	var all []string
	for k := range r.unique {
		if r.hide.Name(k.name) || r.hide.Property([]string{k.name}, k.property) {
			continue
		}
		all = append(all, fmt.Sprintf("%t %q %q", k.nodes, k.name, k.property))
	}
	slices.Sort(all)
	return all
}

// keptLabel are the properties of a label that is the same as before.
func (r *schemaReader) keptLabel(name string) ([]store.Property, bool) {
	if r.before == nil || !r.same(store.LabelPart(name)) {
		return nil, false
	}
	i := slices.IndexFunc(r.before.Labels, func(l store.Label) bool { return l.Name == name })
	if i < 0 {
		return nil, false
	}
	return r.sealed(r.before.Labels[i].Properties, true, name), true
}

// keptType are the properties of a type that is the same as before.
func (r *schemaReader) keptType(name string) ([]store.Property, bool) {
	if r.before == nil || !r.same(store.TypePart(name)) {
		return nil, false
	}
	i := slices.IndexFunc(r.before.Types, func(t store.RelType) bool { return t.Name == name })
	if i < 0 {
		return nil, false
	}
	return r.sealed(r.before.Types[i].Properties, false, name), true
}

// sealed are properties with the constraints that there are now.
func (r *schemaReader) sealed(properties []store.Property, nodes bool, name string) []store.Property {
	properties = slices.Clone(properties)
	for i := range properties {
		properties[i].Unique = r.unique[uniqueKey{nodes, name, properties[i].Name}]
	}
	return properties
}

// keptRelations are what a type joins, where that and all labels are the same as before.
func (r *schemaReader) keptRelations(name string) (kept []store.Relation, ok bool) {
	if r.before == nil || !r.same(store.TypePart(name)) {
		return nil, false
	}
	for _, l := range r.schema.Labels {
		if !r.same(store.LabelPart(l.Name)) && !r.apart(name, l.Name) {
			return nil, false
		}
	}
	for _, rel := range r.before.Relationships {
		if rel.Type == name {
			kept = append(kept, rel)
		}
	}
	return kept, len(kept) > 0
}

// apart tells whether a label was there before, and no relationship of a type at it:
// there is none then now, since those of the type are the same.
func (r *schemaReader) apart(typ, label string) bool {
	return slices.ContainsFunc(r.before.Labels, func(l store.Label) bool { return l.Name == label }) &&
		!slices.ContainsFunc(r.before.Relationships, func(rel store.Relation) bool {
			return rel.Type == typ && (rel.Start == label || rel.End == label)
		})
}
