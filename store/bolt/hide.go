package bolt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"precedent/store"
)

// leaveOut takes what is hidden from labels, types and indexes, and notes what of it
// the graph has.
func (r *schemaReader) leaveOut(ctx context.Context, labels, types []string) (shownLabels, shownTypes []string, err error) {
	if r.hide.Nothing() {
		return labels, types, nil
	}
	r.schema.Hidden, err = r.hide.Find(labels, types, func(owner, key string) (bool, error) {
		pattern := "(x:" + quote(owner) + ")"
		if !slices.Contains(labels, owner) {
			pattern = "()-[x:" + quote(owner) + "]->()"
		}
		rows, err := r.rows(ctx, "MATCH "+pattern+" WHERE x."+quote(key)+" IS NOT NULL RETURN 1 LIMIT 1")
		if errors.Is(err, store.ErrTimeout) {
			return true, nil // nobody knows
		}
		return len(rows) > 0, err
	})
	if err != nil {
		return nil, nil, err
	}
	labels, types = slices.DeleteFunc(labels, r.hide.Name), slices.DeleteFunc(types, r.hide.Name)
	r.schema.Indexes = slices.DeleteFunc(r.schema.Indexes, func(i store.Index) bool {
		return r.hide.Any(i.Labels) || slices.ContainsFunc(i.Properties, func(key string) bool { return r.hide.Property(i.Labels, key) })
	})
	return labels, types, nil
}

// labelSets reads which labels nodes bear together.
func (r *schemaReader) labelSets(ctx context.Context) error {
	match := "MATCH " + r.node("x", "")
	n, known, err := r.size(ctx, match+" RETURN count(x)")
	if err != nil {
		return err
	}
	if !known || n > r.graph.config.ScanLimit {
		match += fmt.Sprintf(" WITH x LIMIT %d", r.graph.config.SampleSize)
		r.stop("", store.StopScan, r.graph.config.SampleSize)
	}
	rows, err := r.rows(ctx, match+" RETURN DISTINCT labels(x)")
	if errors.Is(err, store.ErrTimeout) {
		r.stop("", store.StopTime, 0)
		return nil
	}
	for _, row := range rows {
		set := texts(row[0])
		slices.Sort(set)
		r.schema.LabelSets = append(r.schema.LabelSets, set)
	}
	slices.SortFunc(r.schema.LabelSets, slices.Compare)
	r.schema.LabelSets = slices.CompactFunc(r.schema.LabelSets, slices.Equal)
	return err
}

// node is the pattern of the nodes of a label, or of all for "", that aren't hidden.
func (r *schemaReader) node(variable, label string) string {
	var labels []string
	if label != "" {
		labels = append(labels, quote(label))
	}
	for _, name := range r.schema.Hidden.Labels {
		labels = append(labels, "!"+quote(name))
	}
	if len(labels) > 0 {
		variable += ":" + strings.Join(labels, "&")
	}
	return "(" + variable + ")"
}

// shown is the condition that v, under key k of x, is there to see: x is a node,
// or a relationship of the type that name is.
func (r *schemaReader) shown(name string, nodes bool) string {
	var where strings.Builder
	where.WriteString(" WHERE v IS NOT NULL")
	for owner, key := range r.hide.Owned() {
		switch text := literal(key); {
		case nodes:
			where.WriteString(" AND NOT (k = " + text + " AND x:" + quote(owner) + ")")
		case owner == name:
			where.WriteString(" AND k <> " + text)
		}
	}
	return where.String()
}

// literal is s as Cypher writes it.
func literal(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
