package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"precedent/engine/reading"
	"precedent/engine/tell"
	"precedent/store/cypher"
	"precedent/store/text"
)

// Bounds of a table that speaks for itself.
const (
	plainRows    = 10 // rows of a small table
	plainColumns = 3
)

// tell puts the answer into words: a value, a list or a small table without
// the model, which is asked only where a drafted answer needs it.
func (a *asking) tell(ctx context.Context) {
	defer since(&a.Timings.Tell, time.Now())
	if a.Text != "" || !a.Route.Answers() {
		return
	}
	a.Text = a.plainText()
}

// plainText is what the table says by itself.
func (a *asking) plainText() string {
	return tell.Text(tell.Found{
		Question: a.Restated, Counted: a.rd.Marks.Counted, Query: a.Query, Params: a.Params, Columns: a.Columns, Rows: a.Rows,
		Truncated: a.Truncated, Shortened: a.shortened > 0, Missing: a.missing(),
	}, a.w)
}

// isNull reports whether the table holds nothing.
func (a *asking) isNull() bool { return tell.IsNull(a.Rows) }

// missing are the values that the question names, the query looks for as they
// are, and the graph is known not to hold in any spelling.
func (a *asking) missing() []string {
	if len(a.Rows) > 0 || a.Route != ByModel {
		return nil
	}
	s, err := cypher.Parse(a.Query)
	if err != nil {
		return nil
	}
	pulled := make(map[string]bool) // properties whose values are all known
	for _, v := range a.reader.Linker().Values() {
		pulled[v.Property] = true
	}
	asked := text.Fold(a.Question + " " + a.Restated)
	var out []string
	for _, c := range reading.FactsOf(s).Compared {
		v, ok := a.Params[c.Param].(string)
		if c.Literal {
			v, ok = c.Value.(string)
		}
		if !ok || v == "" || c.Op != "=" || c.Neg || !pulled[c.Prop] || slices.Contains(out, v) {
			continue
		}
		if len(a.reader.Linker().Names(v)) == 0 && strings.Contains(asked, text.Fold(v)) {
			out = append(out, v)
		}
	}
	return out
}
