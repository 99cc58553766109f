package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/engine/link"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/text"
)

// telling are the fields of prompts/tell.tmpl.
type telling struct {
	Question foreign
	Language string
	Table    string
}

// told is the model's reply to prompts/tell.tmpl.
type told struct {
	Answer       string `json:"answer"`
	Insufficient bool   `json:"insufficient" description:"true if the table doesn't answer the question"`
	Reason       string `json:"reason" description:"what is missing, if insufficient"`
}

// maxToldRows is how many rows a telling call gets.
const maxToldRows = 50

// word has the model put the table into words where it doesn't speak for
// itself. What it says must stand in the table; else the table stands alone. A
// repair says that the rows don't answer the question.
func (a *asking) word(ctx context.Context) error {
	if a.speaks() || !a.rowsToModel {
		return nil
	}
	start := time.Now()
	a.progress(Progress{Stage: Telling, Query: a.Query, Rows: len(a.Rows)})
	p, err := prompt("tell.tmpl", telling{foreign(a.Restated), a.Language, a.tableText()})
	since(&a.Timings.Tell, start)
	if err != nil {
		return err
	}
	var t told
	if err := a.ask(ctx, p, &t); err != nil {
		a.log.Warn("telling", "ref", a.ID, "err", err)
		return nil // the table stands
	}
	if t.Insufficient {
		if a.Repairs == maxRepairs {
			return nil
		}
		return repair("its rows don't answer the question: " + t.Reason)
	}
	if !a.says(t.Answer) {
		a.log.Info("wording that says nothing replaced by the table", "ref", a.ID)
		return nil
	}
	if wrong := a.policy.Answer(t.Answer, a.facts()); len(wrong) > 0 {
		a.log.Info("ungrounded wording replaced by the table", "ref", a.ID, "what", wrong[0])
		return nil
	}
	a.Text = t.Answer
	return nil
}

// speaks reports whether the table needs no words: nothing, a value, a list or
// a small table, and no comparison to draw.
func (a *asking) speaks() bool {
	if len(a.Rows) == 0 || a.isNull() {
		return true
	}
	if a.compares() {
		return false
	}
	return len(a.Rows) == 1 && len(a.Columns) <= plainColumns || len(a.Columns) == 1 || len(a.Rows) <= plainRows && len(a.Columns) <= plainColumns
}

// compares reports whether the question sets things against each other, so
// that the answer is what follows from the rows.
func (a *asking) compares() bool {
	return a.rd.Marks.Compared && (len(a.Rows) > 1 || len(a.Columns) > 2)
}

// says reports whether a wording names a cell of the table; where things are
// compared, cells of two rows.
func (a *asking) says(answer string) bool {
	want := 1
	if a.compares() && len(a.Rows) > 1 {
		want = 2
	}
	folded := text.Fold(answer)
	plain := strings.ReplaceAll(folded, ",", "")
	n := 0
	for _, row := range a.Rows {
		for _, v := range row {
			if cell := text.Fold(tableCell(v)); v != nil && cell != "" && (strings.Contains(folded, cell) || strings.Contains(plain, cell)) {
				n++
				break
			}
		}
	}
	return n >= want
}

// facts are what a wording may say.
func (a *asking) facts() guardrails.Facts {
	f := guardrails.Facts{
		Question: a.Question + "\n" + a.Restated,
		Table:    store.Table{Columns: a.Columns, Rows: a.Rows},
		IsValue:  a.isNamed,
		IsCommon: link.IsCommon,
	}
	mentions := map[string][]string{}
	for _, l := range a.Links {
		value := fmt.Sprint(l.Value)
		f.Links = append(f.Links, value)
		mentions[value] = append(mentions[value], l.Mention)
		if !a.tells(l.Value) && slices.ContainsFunc(a.Links, func(m store.Link) bool {
			return m.Label == l.Label && m.Property == l.Property && a.tells(m.Value)
		}) {
			f.Absent = append(f.Absent, value)
		}
	}
	f.Aliases = func(value string) []string { return slices.Concat(mentions[value], a.reader.Linker().Aliases(value)) }
	f.Words = a.names()
	return f
}

// tells reports whether a value is a cell of the table.
func (a *asking) tells(value any) bool {
	return slices.ContainsFunc(a.Rows, func(row []any) bool {
		return slices.ContainsFunc(row, func(cell any) bool { return text.Fold(tableCell(cell)) == text.Fold(tableCell(value)) })
	})
}

// tableText is the table as lines of tab-separated cells, texts in quotes.
func (a *asking) tableText() string {
	var b strings.Builder
	for j, c := range a.Columns {
		if j > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(text.Quote(c))
	}
	b.WriteByte('\n')
	for i, row := range a.Rows {
		if i == maxToldRows {
			fmt.Fprintf(&b, "… %d rows in all\n", len(a.Rows))
			break
		}
		for j, v := range row {
			if j > 0 {
				b.WriteByte('\t')
			}
			if s, ok := v.(string); ok {
				b.WriteString(text.Quote(s))
			} else {
				b.WriteString(text.Line(tableCell(v)))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func tableCell(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := store.EncodeValue(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
