package cypher

// A Pos is a byte offset into the text of a query. [Position] turns it into a
// line and a column.
type Pos int

// A Node is anything in a query's tree. Trees may be edited in place and
// printed again with [Print]; the printed text depends on the tree alone,
// never on positions or on the text it was parsed from.
type Node interface {
	Pos() Pos
}

// At is embedded in every node and holds where it began in the parsed text.
// It is zero in nodes that were built by hand.
type At Pos

func (a At) Pos() Pos { return Pos(a) }

// A Statement is a whole query: one part, or several joined by UNION.
// A subquery in braces is a Statement too.
type Statement struct {
	At
	Parts []*Part
	All   []bool // All[i]: UNION ALL, not UNION, between Parts[i] and Parts[i+1]
}

// A Part is a sequence of clauses without UNION.
type Part struct {
	At
	Clauses []Clause
}

// A Clause is one of *[Match], *[Unwind], *[With], *[Return], *[CallSubquery]
// and *[CallProcedure]. Clauses that write, load or administer have no tree:
// the parser refuses them by kind.
type Clause interface {
	Node
	clause()
}

type (
	// Match is MATCH or OPTIONAL MATCH.
	Match struct {
		At
		Optional bool
		Patterns []*Path
		Hints    []*Hint
		Where    Expr // or nil
	}
	// Hint is a USING hint; the planner's business, kept for printing.
	Hint struct {
		At
		Kind     string // "INDEX", "TEXT INDEX", "RANGE INDEX", "POINT INDEX", "SCAN", "JOIN"
		Seek     bool   // INDEX SEEK
		Vars     []string
		Label    string // "" for JOIN
		Property []string
	}
	// Unwind is UNWIND List AS Var.
	Unwind struct {
		At
		List Expr
		Var  string
	}
	// With is WITH, with its WHERE.
	With struct {
		At
		Projection
		Where Expr // or nil
	}
	// Return is RETURN.
	Return struct {
		At
		Projection
	}
	// CallSubquery is CALL { … } or CALL (a, b) { … }.
	CallSubquery struct {
		At
		Optional  bool
		Scoped    bool     // written with a variable scope clause, CALL (…) {
		ImportAll bool     // CALL (*) {
		Imports   []string // CALL (a, b) {
		Body      *Statement
	}
	// CallProcedure is CALL name(args) YIELD ….
	CallProcedure struct {
		At
		Optional  bool
		Name      string // dotted, as written, without backquotes: "db.index.fulltext.queryNodes"
		Args      []Expr
		HasArgs   bool // false for CALL name without parentheses
		Yield     []YieldItem
		YieldStar bool
		Where     Expr // or nil
	}
)

func (*Match) clause()         {}
func (*Unwind) clause()        {}
func (*With) clause()          {}
func (*Return) clause()        {}
func (*CallSubquery) clause()  {}
func (*CallProcedure) clause() {}

// A YieldItem is Name AS Alias; Alias is "" where none is written.
type YieldItem struct{ Name, Alias string }

// A Projection is the body that WITH and RETURN share.
type Projection struct {
	Distinct bool
	Star     bool // *, possibly followed by Items
	Items    []*Item
	OrderBy  []*SortItem
	Skip     Expr // or nil
	Limit    Expr // or nil
}

// An Item is one projected expression. Text is the source text of the
// expression as written, which names the column where Alias is "" (Neo4j uses
// the text verbatim); it is "" in trees built by hand, where [Item.Name] prints
// the expression.
type Item struct {
	At
	Expr  Expr
	Alias string
	Text  string
}

// A SortItem is one key of ORDER BY.
type SortItem struct {
	At
	Expr Expr
	Desc bool
}

// A Path is one comma-separated pattern of a MATCH, or a pattern inside an
// expression.
type Path struct {
	At
	Var      string   // p in p = (…), or ""
	Shortest Shortest // shortestPath((…)) and its kin
	K        int64    // of SHORTEST k
	Elements []Element
}

// Shortest is the way of selecting among matching paths.
type Shortest int

const (
	AnyPath              Shortest = iota // no selection: all paths
	ShortestPath                         // shortestPath(…)
	AllShortestPaths                     // allShortestPaths(…)
	SelectAnyShortest                    // ANY SHORTEST …
	SelectAllShortest                    // ALL SHORTEST …
	SelectShortestK                      // SHORTEST k …
	SelectShortestGroups                 // SHORTEST k GROUPS …
	SelectAny                            // ANY …, ANY k …
)

// An Element is a *[NodePattern], *[RelPattern] or *[GroupPattern].
// In a Path nodes and relationships alternate, except beside a group.
type Element interface {
	Node
	element()
}

type (
	// NodePattern is (v:Label {props} WHERE …).
	NodePattern struct {
		At
		Var    string
		Labels LabelExpr // or nil
		Props  Expr      // *Map, *Parameter or nil
		Where  Expr      // or nil
	}
	// RelPattern is -[v:TYPE*1..3 {props} WHERE …]->.
	RelPattern struct {
		At
		Var    string
		Types  LabelExpr // or nil
		Dir    Direction
		Length *Length // variable length, or nil for exactly one
		Quant  *Quant  // a quantifier behind the arrow, ->+ or ->{1,3}, or nil
		Props  Expr    // *Map, *Parameter or nil
		Where  Expr    // or nil
	}
	// GroupPattern is a quantified or merely parenthesised path, ((a)-->(b) WHERE …){1,3}.
	GroupPattern struct {
		At
		Path  *Path
		Where Expr   // or nil
		Quant *Quant // or nil
	}
)

func (*NodePattern) element()  {}
func (*RelPattern) element()   {}
func (*GroupPattern) element() {}

// Direction of a relationship pattern as written, left to right.
type Direction int

const (
	Both  Direction = iota // -[]- or <-[]->
	Right                  // -[]->
	Left                   // <-[]-
)

// Length is *, *n, *n.., *..m or *n..m. Min and Max are nil where not written;
// for *n both point to n.
type Length struct{ Min, Max *int64 }

// Quant is +, *, {n}, {n,}, {,m} or {n,m}: Min 1 and Max nil for +, Min 0 and
// Max nil for *.
type Quant struct {
	Min int64
	Max *int64
}

// A LabelExpr is one of *[Label], *[LabelWildcard], *[LabelNot], *[LabelAnd],
// *[LabelOr]; for relationships the labels are types.
type LabelExpr interface {
	Node
	labelExpr()
}

type (
	Label struct {
		At
		Name string
	}
	LabelWildcard struct{ At }
	LabelNot      struct {
		At
		X LabelExpr
	}
	LabelAnd struct {
		At
		L, R   LabelExpr
		Colons bool // written :A:B, not :A&B
	}
	LabelOr struct {
		At
		L, R LabelExpr
	}
)

func (*Label) labelExpr()         {}
func (*LabelWildcard) labelExpr() {}
func (*LabelNot) labelExpr()      {}
func (*LabelAnd) labelExpr()      {}
func (*LabelOr) labelExpr()       {}

// An Expr is an expression.
type Expr interface {
	Node
	expr()
}

type (
	// Literal is null, a boolean, an integer, a float or a string:
	// Value is nil, bool, int64, float64 (also ±Inf, NaN) or string.
	Literal struct {
		At
		Value any
	}
	Parameter struct {
		At
		Name string
	} // $name
	Variable struct {
		At
		Name string
	}
	// Property is X.Key.
	Property struct {
		At
		X   Expr
		Key string
	}
	// Index is X[I].
	Index struct {
		At
		X, I Expr
	}
	// Slice is X[From..To]; either bound may be nil.
	Slice struct {
		At
		X, From, To Expr
	}
	List struct {
		At
		Items []Expr
	}
	// Map is {key: value, …} in written order.
	Map struct {
		At
		Keys   []string
		Values []Expr
	}
	// MapProjection is v{.a, .*, b, c: expr}.
	MapProjection struct {
		At
		Var   string
		Items []MapItem
	}
	Unary struct {
		At
		Op UnaryOp
		X  Expr
	}
	Binary struct {
		At
		Op   BinaryOp
		L, R Expr
	}
	// Comparison is a chain, X[0] Ops[0] X[1] Ops[1] X[2] …, of which
	// each neighbouring pair must hold. len(Ops) == len(X)-1 ≥ 1.
	Comparison struct {
		At
		Ops []CompareOp
		X   []Expr
	}
	// IsNull is X IS NULL or X IS NOT NULL.
	IsNull struct {
		At
		X   Expr
		Not bool
	}
	// IsTyped is X IS :: TYPE or X IS NOT :: TYPE; Type is as written, upper-cased.
	IsTyped struct {
		At
		X    Expr
		Not  bool
		Type string
	}
	// IsNormalized is X IS NORMALIZED or X IS NOT NFKC NORMALIZED; Form is NFC,
	// NFD, NFKC or NFKD, "" where none is written, which means NFC.
	IsNormalized struct {
		At
		X    Expr
		Not  bool
		Form string
	}
	// HasLabels is X:Label used as a predicate.
	HasLabels struct {
		At
		X      Expr
		Labels LabelExpr
	}
	// Call is a function call. Name is dotted, as written, without
	// backquotes. count(*) has Star set. trim(LEADING x FROM s) is a call of
	// ltrim with s and x, From set; TRAILING one of rtrim, BOTH or nothing one of
	// btrim. normalize(s, NFD) has Form NFD.
	Call struct {
		At
		Name     string
		Distinct bool
		Star     bool
		From     bool
		Form     string
		Args     []Expr
	}
	// Case has Subject nil in the form CASE WHEN cond THEN ….
	Case struct {
		At
		Subject Expr
		Whens   []When
		Else    Expr // or nil
	}
	// Subject is what the CASE around it tells apart, where WHEN says it without
	// writing it: the left of > in CASE x WHEN > 3 THEN ….
	Subject struct{ At }
	// ListComprehension is [Var IN List WHERE Where | Map].
	ListComprehension struct {
		At
		Var   string
		List  Expr
		Where Expr // or nil
		Map   Expr // or nil
	}
	// PatternComprehension is [Path WHERE Where | Map].
	PatternComprehension struct {
		At
		Path  *Path
		Where Expr // or nil
		Map   Expr
	}
	// Quantified is all|any|none|single(Var IN List WHERE Where); Kind is lower case.
	Quantified struct {
		At
		Kind  string
		Var   string
		List  Expr
		Where Expr // or nil
	}
	// Reduce is reduce(Acc = Init, Var IN List | Body).
	Reduce struct {
		At
		Acc  string
		Init Expr
		Var  string
		List Expr
		Body Expr
	}
	// PatternPredicate is a bare pattern used as an expression: (a)-->(b).
	PatternPredicate struct {
		At
		Path *Path
	}
	// Subquery is EXISTS { … }, COUNT { … } or COLLECT { … }; the short form
	// EXISTS { (a)-->(b) WHERE … } is held as a Body of one Match, Bare set.
	// exists((a)-->(b)) is a Call whose argument is a PatternPredicate.
	Subquery struct {
		At
		Kind SubqueryKind
		Bare bool
		Body *Statement
	}
)

func (*Literal) expr()              {}
func (*Parameter) expr()            {}
func (*Variable) expr()             {}
func (*Property) expr()             {}
func (*Index) expr()                {}
func (*Slice) expr()                {}
func (*List) expr()                 {}
func (*Map) expr()                  {}
func (*MapProjection) expr()        {}
func (*Unary) expr()                {}
func (*Binary) expr()               {}
func (*Comparison) expr()           {}
func (*IsNull) expr()               {}
func (*IsTyped) expr()              {}
func (*IsNormalized) expr()         {}
func (*Subject) expr()              {}
func (*HasLabels) expr()            {}
func (*Call) expr()                 {}
func (*Case) expr()                 {}
func (*ListComprehension) expr()    {}
func (*PatternComprehension) expr() {}
func (*Quantified) expr()           {}
func (*Reduce) expr()               {}
func (*PatternPredicate) expr()     {}
func (*Subquery) expr()             {}

// A MapItem is one entry of a map projection: .* (All), .Key (Value nil,
// Var false), a variable (Var true) or Key: Value.
type MapItem struct {
	At
	All   bool
	Var   bool
	Key   string
	Value Expr
}

// When is WHEN Cond THEN Then, or WHEN Cond, Or[0], Or[1] THEN Then. With a
// subject, each is a value that it may equal, or a test of a [Subject].
type When struct {
	Cond Expr
	Or   []Expr
	Then Expr
}

// Tests reports whether e, behind WHEN, tests the subject by itself, and isn't a
// value that the subject may equal.
func Tests(e Expr) bool {
	var x Expr
	switch e := e.(type) {
	case *Comparison:
		x = e.X[0]
	case *Binary:
		x = e.L
	case *IsNull:
		x = e.X
	case *IsTyped:
		x = e.X
	case *IsNormalized:
		x = e.X
	}
	_, ok := x.(*Subject)
	return ok
}

// UnaryOp is an operator with one operand.
type UnaryOp int

const (
	Not  UnaryOp = iota
	Neg          // -x
	Plus         // +x
)

// BinaryOp is an operator with two operands, comparisons excepted.
type BinaryOp int

const (
	Or BinaryOp = iota
	Xor
	And
	Add
	Sub
	Mul
	Div
	Mod
	Pow
	Concat // ||
	In
	StartsWith
	EndsWith
	Contains
	Matches // =~
)

// CompareOp is a comparison operator.
type CompareOp int

const (
	Eq CompareOp = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// SubqueryKind is the kind of a subquery expression.
type SubqueryKind int

const (
	Exists SubqueryKind = iota
	Count
	Collect
)
