package engine

import (
	"context"

	"precedent/store/cases"
)

// rememberedTurns is how many earlier turns of a conversation are looked at.
const rememberedTurns = 6

// remembered are the earlier turns of the question's conversation, as the
// journal has them.
func (a *asking) remembered(ctx context.Context) []Turn {
	entries, err := a.library.Conversation(ctx, a.q.Conversation, rememberedTurns)
	if err != nil {
		a.log.Warn("reading the conversation", "err", err)
	}
	var turns []Turn
	for _, e := range entries {
		turns = append(turns, TurnOf(e))
	}
	return turns
}

// TurnOf is what the journal has of an answer as a turn of a conversation:
// without rows.
func TurnOf(e cases.Entry) Turn {
	return Turn{Question: e.Question, Restated: e.Restated, Query: e.Query, Params: e.Params, Route: Route(e.Route), Links: e.Links, Columns: e.Columns}
}

// journal writes down how the answer came about.
func (a *asking) journal(ctx context.Context) {
	scope := cases.Public
	if a.q.Private {
		scope = cases.Private
	}
	e := cases.Entry{
		ID: a.ID, User: a.q.User, Scope: scope, Conversation: a.q.Conversation, Question: a.Question, Restated: a.Restated, Language: a.Language,
		Links: a.Links, Reading: a.rd.Key(), Query: a.Query, Params: a.Params, Columns: a.Columns, RowCount: len(a.Rows), Truncated: a.Truncated,
		Route: string(a.Route), Drafts: a.drafts, Repairs: a.Repairs, ModelCalls: a.ModelCalls, EmbeddingCalls: a.EmbeddingCalls,
		PromptTokens: a.PromptTokens, ReplyTokens: a.CompletionTokens, Timings: a.Timings.byName(),
	}
	if a.Case != nil {
		e.CaseID = *a.Case
	}
	for _, c := range a.Cases {
		e.ShownCases = append(e.ShownCases, c.ID)
	}
	if a.Error != nil {
		e.Error = a.Error.Kind
	}
	if _, err := a.library.Record(ctx, e); err != nil {
		a.log.Error("writing the journal", "answer", a.ID, "err", err)
	}
}

func (t Timings) byName() map[string]float64 {
	return map[string]float64{"total": t.Total, "link": t.Link, "allow": t.Allow, "restate": t.Restate, "reuse": t.Reuse, "recall": t.Recall,
		"write": t.Write, "check": t.Check, "read": t.Read, "doubt": t.Doubt, "tell": t.Tell, "model": t.Model, "database": t.Database}
}
