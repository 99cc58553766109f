package bot

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// why writes what an answer rests on. find looks up a case, and may be nil.
func (s screen) why(ctx context.Context, a engine.Answer, find func(context.Context, string) (store.Case, error)) {
	w := words.In(a.Language).Why
	route := w.Routes[string(a.Route)]
	switch {
	case a.Refusal != nil:
		route = fmt.Sprintf(route, a.Refusal.Kind)
	case a.Error != nil:
		route = fmt.Sprintf(route, a.Error.Kind)
	}
	s.line(fmt.Sprintf(w.Route, route))
	if a.Case != nil {
		s.restsOn(ctx, *a.Case, a, find)
	} else if len(a.Cases) > 0 && a.Route == engine.ByModel {
		s.line(w.Shown)
		for _, c := range a.Cases {
			s.line(faint, "  "+c.ID+"  ", normal, Line(c.Question))
		}
	}
	for _, l := range a.Links {
		s.line(linked(l, words.In(a.Language)))
	}
	for _, c := range a.Changes {
		s.line(fmt.Sprintf(w.Change, Line(c.Before), Line(c.After), Line(c.Why)))
	}
	if a.Repairs > 0 {
		s.line(fmt.Sprintf(w.Repairs, a.Repairs))
	}
	s.line(faint, fmt.Sprintf(w.Calls, a.ModelCalls, a.EmbeddingCalls))
	s.line(faint, fmt.Sprintf(w.Answer, a.ID))
}

func (s screen) restsOn(ctx context.Context, id string, a engine.Answer, find func(context.Context, string) (store.Case, error)) {
	w := words.In(a.Language).Why
	question := ""
	for _, c := range a.Cases {
		if c.ID == id {
			question = c.Question
		}
	}
	s.line(fmt.Sprintf(w.Case, id, Line(question)))
	if find == nil {
		return
	}
	c, err := find(ctx, id)
	if err != nil {
		return // it was moved or removed since; what the answer says of it stands
	}
	if by := verified(c, words.In(a.Language)); by != "" {
		s.line(by)
	}
	if c.Note != "" {
		s.line(fmt.Sprintf(w.Note, Line(c.Note)))
	}
}

// verified says who verified a case, and when; "" if nobody did.
func verified(c store.Case, w *words.Words) string {
	switch {
	case c.VerifiedBy == cases.ByTheProgram:
		return w.Why.Shipped
	case c.VerifiedBy == "" || c.VerifiedAt == nil:
		return ""
	}
	return fmt.Sprintf(w.Why.Verified, Line(c.VerifiedBy), c.VerifiedAt.Format(time.DateOnly))
}

// linked says what in a question was taken for which value.
func linked(l store.Link, w *words.Words) string {
	return fmt.Sprintf(w.Why.Link, Line(l.Mention), Line(l.Label+"."+l.Property), Cell(l.Value), or(w.Why.How[string(l.How)], string(l.How)))
}

// voted says what a vote did.
func (s screen) voted(v engine.Voted, value string, w *words.Words) {
	switch value {
	case "up":
		s.line(green, w.ThankUp)
	case "down":
		s.line(yellow, w.ThankDown)
	default:
		s.line(w.TookBack)
	}
	if v.Case != nil && v.Before != v.After {
		s.line(fmt.Sprintf(w.Moved, Line(v.By), w.State(v.Before), w.State(v.After)))
	} else if v.Reason != "" {
		s.line(faint, fmt.Sprintf(w.VoteReason, Line(w.Because(v.Reason))))
	}
	if v.Flagged {
		s.line(w.Flagged)
	}
}

// literal is a parameter as a query would write it.
func literal(v any) string {
	if text, ok := v.(string); ok {
		return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
	}
	return cell(v)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Voted writes what a vote of value up, down or none did.
func (p Print) Voted(out io.Writer, v engine.Voted, value string, w *words.Words) {
	screen{out, p.Color, p.Width}.voted(v, value, w)
}
