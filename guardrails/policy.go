package guardrails

// Policy says what may be asked, run and said. The zero Policy is the default
// one; its fields only set limits and names to hide.
type Policy struct {
	MaxQuestion int // runes of a question; 0 means DefaultMaxQuestion

	// Hide lists names to keep from queries: "Person.email" a property of nodes
	// with that label or of relationships of that type, ":Secret" a label or
	// type with all it holds.
	Hide []string

	// Together reports whether one node may bear both labels; nil says that
	// any two labels may meet. The schema knows it.
	Together func(label, other string) bool
}

// DefaultMaxQuestion is the limit of the zero Policy, in runes.
const DefaultMaxQuestion = 1000

func (p Policy) maxQuestion() int {
	if p.MaxQuestion <= 0 {
		return DefaultMaxQuestion
	}
	return p.MaxQuestion
}
