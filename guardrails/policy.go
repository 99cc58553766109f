package guardrails

import "precedent/store"

// Policy says what may be asked, run and said. The zero Policy is the default
// one; its fields only set limits and names to hide.
type Policy struct {
	MaxQuestion int // runes of a question; 0 means DefaultMaxQuestion

	// Lists are the word lists that questions are held against; nil: those for every
	// graph. See [With].
	Lists func() *Lists

	// Hide lists names to keep from queries: "Person.email" a property of nodes
	// with that label or of relationships of that type, ":Secret" a label or
	// type with all it holds.
	Hide []string

	// Schema says which labels meet on a node and which names are labels or
	// types; nil says that any two labels may meet. It matters where names are hidden.
	Schema *store.Schema
}

// DefaultMaxQuestion is the limit of the zero Policy, in runes.
const DefaultMaxQuestion = 1000

func (p Policy) lists() *Lists {
	if p.Lists != nil {
		return p.Lists()
	}
	return theLists()
}

func (p Policy) maxQuestion() int {
	if p.MaxQuestion <= 0 {
		return DefaultMaxQuestion
	}
	return p.MaxQuestion
}
