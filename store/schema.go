package store

// A Schema describes a graph. It is immutable once made.
type Schema struct {
	Labels        []Label    // by name
	Types         []RelType  // by name
	Relationships []Relation // which labels a type joins, by start, type, end
	Indexes       []Index    // by name
	Sampled       bool       // the reading budget ran out: counts and triples may be incomplete
	Hash          string     // of everything above but counts and samples; 16 hex digits
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
