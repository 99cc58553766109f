package check

import (
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// A Checker holds queries against one schema. It is made once for a schema and
// may be used from several goroutines at a time.
type Checker struct {
	graph *graph

	// Values, if set, says what is known of a value that the query looks for in the
	// property of a label. It is asked of texts only, of properties that the label
	// has, and of none by a Checker made from triples. It is called at most once for
	// each label, property and value of a query, and must be safe for concurrent
	// use. Set it before the first Check.
	Values func(label, property string, value string) Holding
}

// A Holding is what is known of a value that a query looks for.
type Holding struct {
	Known   bool   // all values of the property are known; else nothing else is
	Held    bool   // this is one of them
	Is      string // one of them that it can only stand for: written otherwise, another name of it; or ""
	Nearest []any  // values that exist, the most alike first
	All     bool   // these are all that exist
}

// New makes a Checker for s, which it doesn't keep.
func New(s *store.Schema) *Checker { return &Checker{graph: graphOf(s)} }

// FromTriples makes a Checker that knows nothing but which labels the types
// join: each triple is a start label, a type and an end label. Labels and types
// that stand in no triple are unknown; properties are never judged, and neither
// is the order of missing values.
func FromTriples(triples [][3]string) *Checker {
	s := &store.Schema{}
	for _, t := range triples {
		s.Relationships = append(s.Relationships, store.Relation{Start: t[0], Type: t[1], End: t[2]})
	}
	g := graphOf(s)
	g.labels.properties, g.types.properties = nil, nil
	return &Checker{graph: g}
}

// A Result is what checking a query found.
type Result struct {
	// Statement is the corrected query, or the very tree that was given where
	// nothing had to change.
	Statement *cypher.Statement
	// Text is the text that was given, byte for byte, where nothing had to
	// change; else the printed Statement.
	Text string
	// Changes are the corrections in the order of the text.
	Changes []Change
	// Params are the parameters that Statement takes: those that were given, or where
	// one had to change, a copy.
	Params map[string]any
	// Findings are what may be wrong, in the order of the text.
	Findings []Finding
	// Lookups are texts that the query looks for in properties whose values aren't
	// all known.
	Lookups []Lookup
	// Problems are what could not be corrected, in the order of the text.
	// Their positions are offsets in the text that was given.
	Problems []store.Problem
	// Fits is false when some relationship pattern exists in the schema in
	// neither direction, so that the query can match nothing there.
	Fits bool
}

// A Change is one correction.
type Change struct {
	Kind   string `json:"kind"`   // "direction", "null" or "value"
	Before string `json:"before"` // the corrected pattern or clause as it was, printed
	After  string `json:"after"`
	Why    string `json:"why"` // a sentence in English
}

// Check holds stmt, the tree parsed from text, against the schema. Params are
// the values of the query's parameters, as far as they are known.
func (c *Checker) Check(text string, stmt *cypher.Statement, params map[string]any) Result {
	v := &survey{graph: c.graph, values: c.Values, text: text, params: params, fits: true}
	v.taken = takenBy(stmt)
	v.statement(stmt, nil, visible)
	v.directions()
	v.judgeNames()
	v.judgeProperties()
	v.judgeUses()
	slices.SortStableFunc(v.problems, func(a, b store.Problem) int { return a.Pos - b.Pos })
	slices.SortStableFunc(v.findings, func(a, b Finding) int { return a.Pos - b.Pos })
	result := Result{Statement: stmt, Text: text, Params: v.corrected(), Problems: v.problems, Findings: v.findings, Lookups: v.lookups, Fits: v.fits}
	if len(v.edits) > 0 {
		slices.SortStableFunc(v.edits, func(a, b edit) int { return int(a.node.Pos() - b.node.Pos()) })
		result.Statement = apply(stmt, v.edits)
		result.Text = cypher.Print(result.Statement)
		for _, e := range v.edits {
			if e.Kind != "" {
				result.Changes = append(result.Changes, e.Change)
			}
		}
	}
	for _, p := range v.replaced {
		result.Changes = append(result.Changes, p.Change)
	}
	return result
}

// A survey is what one reading of a query gathers.
type survey struct {
	graph  *graph
	values func(label, property string, value string) Holding
	text   string
	params map[string]any

	hops       []*hop
	names      []nameUse
	properties []propertyUse
	uses       []use
	sorts      []sorting
	picks      []taking  // min() and max()
	counts     []taking  // count() of something
	apart      []Finding // patterns that nothing joins
	guarded    []origin  // properties that can't be null in the rows at hand

	problems []store.Problem
	findings []Finding
	lookups  []Lookup
	edits    []edit
	replaced []replacement  // of parameters
	taken    map[string]int // how often the query takes a parameter
	fits     bool
}

// problem notes p, but for one already noted of the same kind, name and message.
func (v *survey) problem(p store.Problem) {
	if !slices.ContainsFunc(v.problems, func(q store.Problem) bool {
		return q.Kind == p.Kind && q.Name == p.Name && q.Message == p.Message
	}) {
		v.problems = append(v.problems, p)
	}
}

// mostFindings is how many findings one query has: a list of a thousand values that
// nothing holds is wrong once.
const mostFindings = 8

// find notes f, but for what is noted already.
func (v *survey) find(f Finding) {
	if len(v.findings) < mostFindings && !slices.ContainsFunc(v.findings, func(g Finding) bool {
		return f.Kind == g.Kind && f.Of == g.Of && f.Has == g.Has && f.By == g.By && f.Words == g.Words
	}) {
		v.findings = append(v.findings, f)
	}
}
