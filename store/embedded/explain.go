package embedded

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// problemAt is a name that the graph does not have.
type problemAt struct {
	kind, name string
	at         cypher.Pos
}

func (c *compiler) unknownName(kind, name string, at cypher.Pos) {
	p := problemAt{kind, name, at}
	if !slices.ContainsFunc(c.problems, func(o problemAt) bool { return o.kind == kind && o.name == name }) {
		c.problems = append(c.problems, p)
	}
}

func sortedNames(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

// Explain parses and plans q; see [store.Graph].
func (g *Graph) Explain(ctx context.Context, q store.Query) ([]store.Problem, error) {
	if err := g.open(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrTimeout, err)
	}
	st, err := g.compile(q.Text)
	if err != nil {
		return nil, err
	}
	out := g.absent(st.problems)
	for _, name := range sortedNames(st.needs) {
		if _, ok := q.Params[name]; !ok {
			out = append(out, store.Problem{Kind: "parameter", Name: name, Pos: st.needs[name],
				Message: fmt.Sprintf("The parameter $%s has no value.", name)})
		}
	}
	slices.SortStableFunc(out, func(a, b store.Problem) int { return a.Pos - b.Pos })
	return out, nil
}

// absent are the names of a statement that the graph lacks.
func (g *Graph) absent(problems []problemAt) (out []store.Problem) {
	known := map[string][]string{"label": g.labels.text, "type": g.types.text, "property": g.keys.text}
	for _, p := range problems {
		problem := store.Problem{Kind: p.kind, Name: p.name, Nearest: nearest(p.name, known[p.kind]), Pos: int(p.at)}
		problem.Message = fmt.Sprintf("The graph has no %s `%s`", map[string]string{"label": "label", "type": "relationship type", "property": "property"}[p.kind], p.name)
		if problem.Nearest != "" {
			problem.Message += fmt.Sprintf("; the nearest is `%s`", problem.Nearest)
		}
		problem.Message += "."
		out = append(out, problem)
	}
	return out
}

// nearest returns the name that is closest to s in edits, case aside, or ""
// where none is within a third of its length.
func nearest(s string, known []string) string {
	best, least := "", max(1, len([]rune(s))/3)+1
	for _, k := range slices.Sorted(slices.Values(known)) {
		if d := editDistance(foldCase(s), foldCase(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

func foldCase(s string) []rune {
	var out []rune
	for _, r := range s {
		if r == '_' || r == ' ' {
			continue
		}
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		out = append(out, r)
	}
	return out
}

// editDistance counts insertions, deletions, replacements and swaps of
// neighbours (optimal string alignment).
func editDistance(a, b []rune) int {
	var before []int // the row before prev
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range a {
		cur := make([]int, len(b)+1)
		cur[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			cur[j+1] = min(prev[j]+cost, prev[j+1]+1, cur[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
		}
		before, prev = prev, cur
	}
	return prev[len(b)]
}
