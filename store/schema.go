package store

import "slices"

// A Schema describes a graph. It is immutable once made.
type Schema struct {
	Labels        []Label    // by name
	Types         []RelType  // by name
	Relationships []Relation // which labels a type joins, by start, type, end
	Indexes       []Index    // by name
	LabelSets     [][]string // the labels that nodes bear together, each by name; those seen
	Hidden        Found      `json:"-"` // of what the operator hides, what the graph has
	Sampled       bool       // the reading budget ran out: counts and triples may be incomplete
	Hash          string     // of everything above but counts, samples, label sets and Hidden; 16 hex digits
}

// Found are names of a graph.
type Found struct {
	Labels, Types []string
	Properties    []string // as Owner.key
}

// Knows reports whether name is a label of the graph, or else a type, hidden or
// not. A nil schema knows nothing.
func (s *Schema) Knows(name string, label bool) bool {
	switch {
	case s == nil:
		return false
	case label:
		return slices.ContainsFunc(s.Labels, func(l Label) bool { return l.Name == name }) || slices.Contains(s.Hidden.Labels, name)
	}
	return slices.ContainsFunc(s.Types, func(t RelType) bool { return t.Name == name }) || slices.Contains(s.Hidden.Types, name)
}

// Meet reports whether a node was seen to bear all of these labels. Of a nil
// schema, any may.
func (s *Schema) Meet(labels []string) bool {
	return s == nil || slices.ContainsFunc(s.LabelSets, func(set []string) bool {
		return !slices.ContainsFunc(labels, func(l string) bool { return !slices.Contains(set, l) })
	})
}

// A Label is a node label and the properties of its nodes. A node with several
// labels counts for each of them.
type Label struct {
	Name       string
	Count      int64
	Properties []Property // by name
}

// A RelType is a relationship type.
type RelType struct {
	Name       string
	Count      int64
	Properties []Property // by name
}

// A Property is a property of a label or type.
type Property struct {
	Name     string
	Type     string // STRING, INTEGER, FLOAT, BOOLEAN, DATE, …, LIST<STRING>; ANY where mixed
	Present  int64  // how many of the nodes or relationships seen have it
	Unique   bool   // unique-constrained, or a key
	Distinct int64  // distinct values, -1 if not counted
	Samples  []any  // up to 10 values; all of them where Distinct ≤ 10
	Min, Max any    // of numbers and temporals, or nil
}

// A Relation says that relationships of Type lead from nodes labelled Start to
// nodes labelled End.
type Relation struct {
	Start, Type, End string
	Count            int64
}

// An Index is an index that queries may name.
type Index struct {
	Name       string
	Type       string // RANGE, TEXT, FULLTEXT, VECTOR, POINT, LOOKUP
	OnNodes    bool
	Labels     []string // labels or types
	Properties []string
}
