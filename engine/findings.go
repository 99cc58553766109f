package engine

import (
	"fmt"
	"slices"
	"strings"

	"precedent/engine/check"
	"precedent/engine/reading"
	"precedent/engine/words"
)

// said is what the words of the question say of size, order, number and time.
func (a *asking) said() reading.Said { return a.reader.Said(a.Restated, a.rd.Mentions) }

// heldTo is what a query is held against; one says whether a step leads to one at most.
func (a *asking) heldTo(one func(check.Step) bool) check.Asked {
	return check.Asked{Question: a.Restated, Said: a.said(), One: one, Today: a.instant,
		Parts: func(rel string) []reading.Part { return a.reader.Parts(a.Restated, a.rd.Mentions, rel) }}
}

// mistaken are the objections to a query that fits the schema: what it lacks of the
// question, what it says otherwise, and literals that nothing holds.
func (a *asking) mistaken(done check.Result, asked check.Asked) []objection {
	d := a.parsed(done.Statement, done.Params)
	missing := a.counterparts(d)
	found := a.checker.Doubts(done.Text, done.Statement, done.Params, asked)
	found = slices.DeleteFunc(found, func(f check.Finding) bool { // raised as a number
		return f.Kind == check.Unasked && slices.ContainsFunc(missing, func(o objection) bool {
			return (o.kind == words.NoNumber || o.kind == words.OtherNumber) && len(o.args) > 0 && strings.Contains(f.Words, fmt.Sprint(o.args[0]))
		})
	})
	return slices.Concat(missing, a.mismatched(d), a.objections(append(done.Findings, found...)))
}

// objections are findings with their sentences.
func (a *asking) objections(found []check.Finding) (out []objection) {
	for _, f := range found {
		kind, args := a.sentence(f)
		out = append(out, objection{kind, args, f.Back(a.rowsToModel)})
	}
	return out
}

// sentence is what people are told of a finding.
func (a *asking) sentence(f check.Finding) (kind words.Doubt, args []any) {
	has, by, said := clipped(f.Has), clipped(f.By), clipped(f.Words)
	switch f.Kind {
	case check.Unheld:
		return words.Unheld, []any{clipped(f.Of), has}
	case check.Mistyped:
		return words.Mistyped, []any{clipped(f.Of), f.Want, has}
	case check.Multiplied:
		return words.Multiplied, []any{has}
	case check.Repeated:
		return words.Repeated, []any{has}
	case check.Twin:
		return words.Twin, []any{clipped(f.Of), has}
	case check.Ungrouped:
		return words.NoGroup, nil
	case check.Product:
		return words.Unjoined, []any{has, by}
	case check.Reversed:
		return words.Reversed, []any{said, has}
	case check.Turned:
		return words.Turned, []any{said, has}
	case check.Unlimited:
		if f.Has == "" {
			return words.NoLimit, []any{said}
		}
		return words.OtherLimit, []any{said, has}
	case check.Bound:
		return words.OtherBound, []any{said, has}
	case check.Unlike:
		if f.Has == "" {
			return words.NoNumber, []any{said}
		}
		return words.OtherBound, []any{said, has}
	case check.Unasked:
		if f.Has == "" {
			return words.NoTime, []any{said}
		}
		return words.OtherTime, []any{said, has}
	case check.Emptied:
		return words.Emptied, []any{has}
	case check.Apart:
		return words.Apart, []any{has}
	case check.Tied:
		var names []string
		for _, v := range f.Values {
			names = append(names, clipped(fmt.Sprint(v)))
		}
		if !f.All {
			names = append(names, "…")
		}
		return words.Tied, []any{strings.Join(names, a.w.ListSep)}
	}
	return words.Untold, nil
}
