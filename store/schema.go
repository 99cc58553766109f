package store

import (
	"slices"

	"precedent/store/text"
)

// A Schema describes a graph. It is immutable once made.
type Schema struct {
	Labels        []Label    // by name
	Types         []RelType  // by name
	Relationships []Relation // which labels a type joins, by start, type, end
	Indexes       []Index    // by name
	LabelSets     [][]string // the labels that nodes bear together, each by name; those seen
	Hidden        Found      `json:"-"` // of what the operator hides, what the graph has
	Sampled       bool       // the graph was read in part: counts and triples may be incomplete
	Stops         []Stop     // what kept the reading from being complete; none unless Sampled
	Hash          string     // of everything above but counts, samples, label sets, Hidden and Stops; 16 hex digits
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
	Samples  []any  // the most frequent first: of strings all as far as MaxListed and MaxListedBytes allow, else up to MaxSamples
	Min, Max any    // of numbers and temporals, or nil

	Looks text.Looks // of strings: what up to MaxListed of them look like, spread over all
	Items *Property  // of lists of strings: their items, Present as often as they stand in lists; nil if not read
}

// Bounds of the samples of a property.
const (
	MaxSamples     = 10      // values, where not all are kept
	MaxListed      = 100     // strings of which all are kept
	MaxListedBytes = 8 << 10 // of these strings together
)

// Lists reports whether Samples are all the values.
func (p Property) Lists() bool { return p.Distinct > 0 && int64(len(p.Samples)) == p.Distinct }

// SetSamples sets Samples and Looks from distinct values in the order of their
// frequency: all there are, or at least the first MaxSamples. spread are up to
// MaxListed of all values; nil means that values are all.
func (p *Property) SetSamples(values, spread []any) {
	keep, size := MaxSamples, 0
	for _, v := range values {
		s, ok := v.(string)
		if size += len(s); !ok {
			size += MaxListedBytes
		}
	}
	if len(values) <= MaxListed && size <= MaxListedBytes {
		keep = MaxListed
	}
	p.Samples = slices.Clone(values[:min(len(values), keep)])
	if spread == nil {
		spread = Spread(values)
	}
	p.Looks = text.LooksOf(spread)
}

// Spread are up to MaxListed of values, evenly from first to last.
func Spread(values []any) []any {
	if len(values) <= MaxListed {
		return values
	}
	out := make([]any, MaxListed)
	for i := range out {
		out[i] = values[i*len(values)/MaxListed]
	}
	return out
}

// A Stop is a limit that kept a part of a graph from being read in full.
type Stop struct {
	Part  string    // a label or a type; "" is the whole
	Limit StopLimit //
	At    int64     // the limit: milliseconds of StopTime, else members read
}

// StopLimit is a kind of limit.
type StopLimit string

// Limits of reading a schema.
const (
	StopTime StopLimit = "time" // its share of the budget ran out
	StopScan StopLimit = "scan" // it has more members than are read in full, so some were
)

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
