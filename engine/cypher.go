package engine

import (
	"context"
	"errors"
	"fmt"

	"precedent/engine/check"
	"precedent/store"
)

// A CypherCheck asks what the policy and the schema say of a query.
type CypherCheck struct {
	Query  string      `json:"query"`
	Schema [][3]string `json:"schema,omitempty"` // start, type, end; nil: the graph's own
}

// A CypherVerdict is the answer to a [CypherCheck].
type CypherVerdict struct {
	Verdict  string          `json:"verdict"` // allow or refuse
	Kind     string          `json:"kind"`    // read, write, admin, load, procedure, hidden, syntax, unsupported
	Reason   string          `json:"reason"`
	Query    string          `json:"query"` // corrected
	Changes  []Change        `json:"changes"`
	Problems []store.Problem `json:"problems"`
	Fits     bool            `json:"fits"` // false when a pattern exists in neither direction
}

// CheckCypher checks a query without running it.
func (e *Engine) CheckCypher(ctx context.Context, c CypherCheck) CypherVerdict {
	v := e.gate.judge(c.Query)
	out := CypherVerdict{Verdict: "allow", Kind: string(v.Kind), Reason: v.Reason, Query: c.Query, Changes: []Change{}, Problems: []store.Problem{}, Fits: true}
	if !v.Allow {
		out.Verdict = "refuse"
		return out
	}
	checker := e.snapshot().checker
	if c.Schema != nil {
		checker = check.FromTriples(c.Schema)
	}
	done := checker.Check(c.Query, v.Statement, nil)
	out.Query, out.Fits = done.Text, done.Fits
	for _, ch := range done.Changes {
		out.Changes = append(out.Changes, Change{ch.Kind, ch.Before, ch.After, ch.Why})
	}
	out.Problems = append(out.Problems, done.Problems...)
	for _, f := range done.Findings {
		p := store.Problem{Kind: "value", Name: f.Has, Pos: f.Pos, Message: f.Back(true)}
		if f.Kind == check.Unheld && len(f.Values) > 0 {
			p.Nearest = fmt.Sprint(f.Values[0])
		}
		out.Problems = append(out.Problems, p)
	}
	return out
}

// RunCypher runs a query that the policy allows, as it is.
func (e *Engine) RunCypher(ctx context.Context, q store.Query) (store.Table, error) {
	return e.gate.run(ctx, q, e.limits)
}

// CypherErrorKind is the kind, for programs, of an error of RunCypher: the
// kind of a refusal, or unsupported, timeout, unavailable, denied, missing, query.
func CypherErrorKind(err error) string {
	if p, ok := errors.AsType[errPolicy](err); ok {
		return string(p.Kind)
	}
	for kind, is := range map[string]error{"unsupported": store.ErrUnsupported, "timeout": store.ErrTimeout, "unavailable": store.ErrUnavailable,
		"denied": store.ErrDenied, "missing": store.ErrMissing, "query": store.ErrQuery} {
		if errors.Is(err, is) {
			return kind
		}
	}
	return "internal"
}
