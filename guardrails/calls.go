package guardrails

import (
	_ "embed"
	"strings"
	"sync"

	"precedent/store/cypher"
)

//go:embed allowed.txt
var allowedFile string

// callKind says what a procedure or function may learn.
type callKind uint8

const (
	notListed callKind = iota
	builtin            // a function of Neo4j's own
	ofValues           // works on the values it is given
	ofNames            // can read names or whole nodes
)

// allowedCalls maps the lower-cased name of a procedure or function.
var allowedCalls = sync.OnceValue(func() map[string]callKind {
	sections := map[string]callKind{"[functions]": builtin, "[values]": ofValues, "[names]": ofNames}
	calls := map[string]callKind{}
	kind := notListed
	for line := range strings.Lines(allowedFile) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if section, ok := sections[fields[0]]; ok {
			kind = section
			continue
		}
		for _, name := range fields[1:] {
			if fields[0] != "." {
				name = fields[0] + "." + name
			}
			calls[strings.ToLower(name)] = kind
		}
	}
	return calls
})

// refusedCall returns the verdict on the first call that is not allowed.
func (h *hidden) refusedCall(n cypher.Node) (Verdict, bool) {
	name, what := "", ""
	switch n := n.(type) {
	case *cypher.CallProcedure:
		name, what = n.Name, "procedure"
	case *cypher.Call:
		name, what = n.Name, "function"
	default:
		return Verdict{}, false
	}
	kind := allowedCalls()[strings.ToLower(name)]
	switch {
	case kind == notListed || kind == builtin && what == "procedure":
		return Verdict{Kind: Procedure, Pos: n.Pos(), Reason: "The " + what + " " + name +
			" is not among those known to only read the graph; answer with MATCH and the functions of Cypher instead."}, true
	case kind == ofNames && h != nil:
		return Verdict{Kind: Hidden, Pos: n.Pos(), Reason: "The " + what + " " + name +
			" could show names that the operator hides; answer with MATCH, labels and properties instead."}, true
	}
	return Verdict{}, false
}
