package bot

import (
	"fmt"
	"io"
	"strings"

	"precedent/bot/words"
	"precedent/engine"
)

// namedItems is how many items of a list an answer's text names; a longer list
// is shown as a table too.
const namedItems = 10

// A Print says how to print an answer.
type Print struct {
	Color   bool
	Width   func() int // columns of the terminal; nil is 100
	Verbose bool       // with the id, the query and the times
}

// Answer writes an answer as people read it, the first rows of its table included.
func (p Print) Answer(out io.Writer, a engine.Answer) {
	s := screen{out, p.Color, p.Width}
	w := words.In(a.Language)
	s.text(a)
	s.offers(a)
	if tabular(a) {
		s.rows(a, 0, w)
	}
	if p.Verbose {
		s.query(a)
	}
	s.badge(a, w, p.Verbose)
}

// text writes what was understood and what the answer says, without what
// offers repeats with numbers.
func (s screen) text(a engine.Answer) {
	w := words.In(a.Language)
	if said := understood(a); said != "" {
		s.line(faint, fmt.Sprintf(w.Understood, said))
	}
	st := bold
	switch a.Route {
	case engine.Fault:
		st = red
	case engine.Refused, engine.Unanswered, engine.Clarify:
		st = yellow
	}
	s.line(st, answerText(a))
}

// canAnyway tells whether an answer is a refusal that asking anyway gets around.
func canAnyway(a engine.Answer) bool { return a.Refusal != nil && a.Refusal.Anyway }

// offered are what an answer offers to pick from by number.
func offered(a engine.Answer) []string {
	if len(a.Choices) == 0 {
		return a.Suggestions
	}
	labels := make([]string, len(a.Choices))
	for i, c := range a.Choices {
		labels[i] = c.Label
	}
	return labels
}

func (s screen) offers(a engine.Answer) {
	for i, label := range offered(a) {
		if i < len(a.Choices) {
			if l := a.Choices[i].Link; l.Label != "" {
				s.line(cyan, fmt.Sprintf("%3d  ", i+1), normal, Line(label), faint, "  "+Line(l.Label+"."+l.Property))
				continue
			}
		}
		s.line(cyan, fmt.Sprintf("%3d  ", i+1), normal, Line(label))
	}
}

// tabular tells whether an answer has rows that its text doesn't hold.
func tabular(a engine.Answer) bool {
	return len(a.Rows) > 1 && (len(a.Columns) > 1 || len(a.Rows) > namedItems)
}

// rows writes the page of the table that begins with row from, and returns
// where the next one begins.
func (s screen) rows(a engine.Answer, from int, w *words.Words) (next int) {
	to := min(from+PageRows, len(a.Rows))
	io.WriteString(s.out, Table(a.Columns, a.Rows[from:to], s.columns()))
	if from == 0 && to == len(a.Rows) && !a.Truncated {
		return to
	}
	parts := []string{rowsOf(a, from, to, w)}
	if left := len(a.Rows) - to; left == 1 {
		parts = append(parts, w.MoreOne)
	} else if left > 1 {
		parts = append(parts, fmt.Sprintf(w.More, min(left, PageRows)))
	}
	s.line(faint, strings.Join(parts, " · "))
	return to
}

// badge writes what an answer rests on.
func (s screen) badge(a engine.Answer, w *words.Words, verbose bool) {
	var parts []any
	add := func(st style, text string) {
		if len(parts) > 0 {
			parts = append(parts, faint, " · ")
		}
		parts = append(parts, st, text)
	}
	st := yellow
	if a.Route == engine.ByCase {
		st = green
	}
	for _, text := range origin(a, w) {
		add(st, text)
	}
	if verbose || a.Route.Answers() {
		add(faint, fmt.Sprintf(w.AnswerID, a.ID))
	}
	if verbose {
		add(faint, fmt.Sprintf(w.Why.Time, a.Timings.Total, a.Timings.Model, a.Timings.Database))
		add(faint, fmt.Sprintf(w.Why.Calls, a.ModelCalls, a.EmbeddingCalls))
	}
	if len(parts) > 0 {
		s.line(parts...)
	}
	if verbose && a.Reading != "" {
		s.line(faint, a.Reading)
	}
	if verbose && a.Unread != "" {
		s.line(faint, a.Unread)
	}
}

// query writes the query of an answer and its parameters.
func (s screen) query(a engine.Answer) {
	if a.Query == "" {
		return
	}
	s.line(cyan, strings.TrimSpace(a.Query))
	for _, name := range sortedKeys(a.Params) {
		s.line(faint, "  $"+name+" = ", normal, Line(literal(a.Params[name])))
	}
}
