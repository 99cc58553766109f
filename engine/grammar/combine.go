package grammar

import (
	"slices"

	"precedent/engine/meaning"
)

// A combinator makes of pieces what they say together: every way in which the schema
// lets them, none where their types don't fit. option is the word behind it in the
// grammar file. A part that was left out is nil.
type combinator func(r *sentence, parts []any, option string) []any

var combinators map[string]combinator

func init() {
	combinators = map[string]combinator{
		"same":         func(_ *sentence, parts []any, _ string) []any { return one(parts[0]) },
		"entity":       entity,
		"named":        named,
		"things":       things,
		"join":         join,
		"where":        where,
		"kind":         kind,
		"near":         nearby,
		"done":         doneBy,
		"does":         does,
		"is":           isValue,
		"flag":         flagged,
		"bound":        bound,
		"between":      between,
		"contains":     contains,
		"known":        known,
		"in":           happened,
		"dated":        datedBy,
		"both":         both,
		"deny":         deny,
		"average":      averageOf,
		"placed":       placed,
		"compareevent": compareEvent,
		"donemore":     doneMore,
		"shareof":      shareOf,
		"rankevent":    rankEvent,
		"topevent":     topEvent,
		"valued":       valuedSet,
		"rankdoneback": rankDoneBack,
		"comparetwo":   compareTwo,
		"comparecount": compareCount,
		"doesany":      doesAny,
		"doneany":      doneAny,
		"listdone":     listDone,
		"wherenumber":  whereNumber,
		"propkind":     propKind,
		"boundset":     boundSet,
		"among":        among,
		"insidenear":   insideNear,
		"datedset":     datedSet,
		"spread":       spread,
		"inside":       inside,
		"ordered":      orderedGroups,
		"columns":      columns,
		"shown":        shown,
		"measure":      measureOf,
		"counted":      countedOf,
		"rank":         rank,
		"list":         list,
		"value":        value,
		"total":        total,
		"groups":       groups,
		"compare":      compare,
		"share":        share,
		"doers":        doers,
		"range":        periodRange,
		"where2":       whereNear,
		"nthrank":      nthRank,
		"countdone":    countDone,
		"countnear":    countNear,
		"wheredone":    whereDone,
		"who":          who,
		"rankdone":     rankDone,
		"rankwho":      rankWho,
		"toprank":      topRank,
		"countwhere":   countWhere,
		"existswhere":  existsWhere,
		"truth":        truth,
	}
}

// lenient are the combinators of which a part may be left out.
var lenient = []string{"average", "between", "bound", "doers", "groups"}

func one(v any) []any { return []any{v} }

// then feeds each result of one combinator to another.
func then(results []any, next func(any) []any) (out []any) {
	for _, v := range results {
		out = append(out, next(v)...)
	}
	return out
}

func setOf(label string, where ...meaning.Condition) *meaning.Set {
	return &meaning.Set{Label: label, Where: where}
}

// with is s, narrowed by c.
func with(s *meaning.Set, c meaning.Condition) *meaning.Set {
	out := *s
	out.Where = append(slices.Clone(s.Where), c)
	return &out
}

// isBare reports whether s is all things of its label.
func isBare(s *meaning.Set) bool { return len(s.Where) == 0 && s.By == nil }
