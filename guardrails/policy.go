package guardrails

// Policy says what may be asked, run and said. The zero Policy is the default
// one; its fields only set limits and names to hide.
type Policy struct {
	MaxQuestion int      // runes of a question; 0 means DefaultMaxQuestion
	MaxQuery    int      // bytes of a query; 0 means DefaultMaxQuery
	MaxDepth    int      // subqueries, expressions and lists inside one another; 0 means DefaultMaxDepth
	Hide        []string // names to keep from queries: "Person.email", "ACTED_IN.salary", ":Secret"
}

// Limits of the zero Policy.
const (
	DefaultMaxQuestion = 1000  // runes
	DefaultMaxQuery    = 20000 // bytes
	DefaultMaxDepth    = 100   // levels
)

func (p Policy) maxQuestion() int { return orDefault(p.MaxQuestion, DefaultMaxQuestion) }
func (p Policy) maxQuery() int    { return orDefault(p.MaxQuery, DefaultMaxQuery) }
func (p Policy) maxDepth() int    { return orDefault(p.MaxDepth, DefaultMaxDepth) }

func orDefault(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}
