// Package meaning holds what questions ask: small typed trees over a graph's schema
// that know no language and no domain.
//
// A [Meaning] prints itself as Cypher ([Printer.Query]); [Meaning.Key] is its canonical
// print with values as typed slots, so that two questions ask the same if their keys
// are equal. The evaluator that tests hold the printed queries against is slow and
// plain, and stands in eval_test.go. Nothing here runs a query or reads a question.
//
// Unknown is not no: what compares with a missing value neither holds nor is denied.
// Things count once, however many relationships lead to them. Start at tree.go.
package meaning

// A Meaning is what a question asks of a set.
type Meaning struct {
	Do Do
	Of *Set

	Columns []Measure // List: what is shown beside the key; [Compare]: what is compared, one
	Measure Measure   // Total: what is added up, averaged …
	Fn      Fn        // Total, and Each where Measure is set; "" counts
	Each    *Each     // what groups are made by, nil for none
	With    *Set      // Share: the part, of the same label as Of; Compare: the other one
}

// Do is what is asked of a set.
type Do string

// What can be asked.
const (
	List    Do = "list"    // its members
	Count   Do = "count"   // how many they are
	Exists  Do = "exists"  // whether there is one
	Total   Do = "total"   // Fn of Measure over its members
	Groups  Do = "groups"  // for each Each: how many, or Fn of Measure
	Share   Do = "share"   // how many of its members are in With, and per cent
	Compare Do = "compare" // Columns[0] of its only member and of With's
)

// A Fn makes one value of many. Missing values are left out of all of them.
type Fn string

// The functions.
const (
	Avg    Fn = "avg"
	Sum    Fn = "sum"
	Min    Fn = "min"
	Max    Fn = "max"
	Median Fn = "median"
)

// Each is what groups are made by: a property of the members, or the members of Set
// that Role leads to, by their key.
type Each struct {
	Property string
	Role     Role
	Set      *Set

	Having *Bound // of the value of a group, nil for none
	Order  Sort   // of the groups by that value
	Take   int    // the first so many of them, 0 for all
}

// A Set is the nodes of a label that meet all conditions.
type Set struct {
	Label string
	Where []Condition

	By   Measure // what it is ordered by, nil for nothing
	Sort Sort
	Take int  // the first so many, 0 for all
	Nth  int  // with Ties: which value counts, 0 and 1 are the first
	Ties bool // those that share the Nth value, however many they are
}

// Sort is the direction of an order.
type Sort string

// Directions.
const (
	Unsorted   Sort = ""
	Ascending  Sort = "asc"
	Descending Sort = "desc"
)

// A Role leads from a node to others, by one relationship or a path of them. With
// holds for the last relationship: the part played in that very film.
type Role struct {
	Steps []Step
	With  []Bound
}

// A Step is a relationship; Back says that it is followed against its direction.
type Step struct {
	Type string
	Back bool
}

// A Bound compares a property with a value.
type Bound struct {
	Property string // "" where a group's or a count's value is meant
	Op       Op
	Value    Value
}

// An Op compares.
type Op string

// Comparisons. Within is of a period, Has of a list, PartOf of text that is a list whose
// parts Value.Next stands between. Text folds nothing.
const (
	Eq       Op = "="
	Ne       Op = "<>"
	Lt       Op = "<"
	Le       Op = "<="
	Gt       Op = ">"
	Ge       Op = ">="
	Within   Op = "within"
	Has      Op = "has"
	PartOf   Op = "part of"
	Contains Op = "contains"
)

// A Value is what the question names: a link, a number, a day, or a period.
type Value struct {
	Is   any  // string, int64, float64, bool; of a period its first value
	Next any  // of a period what comes right behind it, else nil
	Kind Kind // by which it is a typed slot in a key
	Slot string
}

// A Kind is the type of a slot.
type Kind string

// The kinds.
const (
	Text    Kind = "text"
	Integer Kind = "integer"
	Float   Kind = "float"
	Truth   Kind = "truth"
	Day     Kind = "day" // as ISO 8601 writes it
)

// A Condition is met by a node or not, or nobody knows. The node is that of the
// innermost set around it.
type Condition interface{ condition() }

// The conditions. Those that speak of another node number it by how many sets stand
// around it: 0 is the set that the meaning is of, 1 one that a condition of it leads to.
type (
	// Property compares a property of the node.
	Property struct{ Bound }
	// Than compares a property of the node with one of a node around it.
	Than struct {
		Property string
		Op       Op
		Node     int
		Other    string
	}
	// Known is a property that has a value; Missing one that has none.
	Known   struct{ Property string }
	Missing struct{ Property string }
	// Related is how many of those that Role leads to are in Set.
	Related struct {
		How  Quantifier
		N    Bound // of Number
		Role Role
		Set  *Set
	}
	// Same is the very node of a set around it.
	Same struct{ Node int }
	// Not denies, Either takes what meets any, Both what meets all.
	Not    struct{ Cond Condition }
	Either struct{ Conds []Condition }
	Both   struct{ Conds []Condition }
)

// A Quantifier says how many.
type Quantifier string

// Quantifiers. Every is about all that Role leads to of the set's label, of which there
// is at least one; what is unknown of one of them is no yes.
const (
	Some   Quantifier = "some"
	None   Quantifier = "none"
	Every  Quantifier = "every"
	Number Quantifier = "number" // as many different ones as N says
)

func (Property) condition() {}
func (Than) condition()     {}
func (Known) condition()    {}
func (Missing) condition()  {}
func (Related) condition()  {}
func (Same) condition()     {}
func (Not) condition()      {}
func (Either) condition()   {}
func (Both) condition()     {}

// A Measure is a value of a node.
type Measure interface{ measure() }

// The measures.
type (
	// Prop is a property.
	Prop struct{ Property string }
	// CountOf is how many different members of Set Role leads to.
	CountOf struct {
		Role Role
		Set  *Set
	}
	// Of is Fn of a property of the different members of Set that Role leads to.
	Of struct {
		Fn       Fn
		Property string
		Role     Role
		Set      *Set
	}
	// Minus is a difference, By a ratio; by 0 it is unknown.
	Minus struct{ A, B Measure }
	By    struct{ A, B Measure }
)

func (Prop) measure()    {}
func (CountOf) measure() {}
func (Of) measure()      {}
func (Minus) measure()   {}
func (By) measure()      {}
