package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"precedent/store"
)

// Bounds of a table that speaks for itself.
const (
	plainRows    = 10 // rows of a small table
	plainColumns = 3
	namedItems   = 10 // items of a list named in the text
)

// tell puts the answer into words: a value, a list or a small table without
// the model, which is asked only where a drafted answer needs it.
func (a *asking) tell(ctx context.Context) {
	defer since(&a.Timings.Tell, time.Now())
	if a.Text != "" || a.Route != ByCase && a.Route != ByModel {
		return
	}
	a.Text = a.plainText()
}

// plainText is what the table says by itself.
func (a *asking) plainText() string {
	n := len(a.Rows)
	var b strings.Builder
	switch {
	case n == 0 || a.isNull():
		b.WriteString(a.nothing())
	case n == 1 && len(a.Columns) == 1:
		if yes, ok := a.Rows[0][0].(bool); ok {
			b.WriteString(map[bool]string{true: a.w.Yes, false: a.w.No}[yes])
		} else {
			b.WriteString(a.cell(a.Rows[0][0]))
		}
	case n == 1:
		b.WriteString(a.named(a.Rows[0]))
	case len(a.Columns) == 1:
		fmt.Fprintf(&b, a.w.Rows, n)
		b.WriteString(" " + a.firstColumn())
	default:
		fmt.Fprintf(&b, a.w.Rows, n)
		b.WriteString(" " + a.firstColumn())
	}
	if a.Truncated {
		fmt.Fprintf(&b, " "+a.w.Truncated, n)
	}
	if a.shortened > 0 {
		b.WriteString(" " + a.w.Shortened)
	}
	return b.String()
}

// isNull reports whether every cell is null or an empty list.
func (a *asking) isNull() bool {
	for _, row := range a.Rows {
		for _, v := range row {
			if list, ok := v.([]any); v != nil && !(ok && len(list) == 0) {
				return false
			}
		}
	}
	return true
}

// nothing says what was looked for and not found.
func (a *asking) nothing() string {
	var names []string
	for _, l := range a.Links {
		names = append(names, fmt.Sprint(l.Value))
	}
	if len(names) == 0 {
		return a.w.NoneBare
	}
	return fmt.Sprintf(a.w.None, strings.Join(names, a.w.ListSep))
}

// named is a row with its column names: "title: Inception, year: 2010".
func (a *asking) named(row []any) string {
	var parts []string
	for i, v := range row {
		parts = append(parts, a.Columns[i]+": "+a.cell(v))
	}
	return strings.Join(parts, a.w.ListSep)
}

// firstColumn names the first few things of the first column.
func (a *asking) firstColumn() string {
	var names []string
	for _, row := range a.Rows[:min(len(a.Rows), namedItems)] {
		name := a.cell(row[0])
		if len(row) == 2 {
			name += " (" + a.cell(row[1]) + ")"
		}
		names = append(names, name)
	}
	s := strings.Join(names, a.w.ListSep)
	if more := len(a.Rows) - len(names); more > 0 {
		s += a.w.ListSep + fmt.Sprintf(a.w.More, more)
	}
	return s
}

// cell is a value as people read it.
func (a *asking) cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case string:
		return v
	case int64:
		return thousands(v)
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, a.cell(x))
		}
		return strings.Join(parts, a.w.ListSep)
	case store.Node:
		for _, key := range []string{"name", "title"} {
			if s, ok := v.Properties[key].(string); ok {
				return s
			}
		}
	case store.Path:
		var parts []string
		for _, n := range v.Nodes {
			parts = append(parts, a.cell(n))
		}
		return strings.Join(parts, " – ")
	case fmt.Stringer:
		return v.String()
	}
	b, err := store.EncodeValue(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// thousands groups the digits of numbers of more than four of them, which
// leaves years alone.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	digits := strings.TrimPrefix(s, "-")
	if len(digits) <= 4 {
		return s
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return s[:len(s)-len(digits)] + b.String()
}

// withoutHidden drops hidden properties from nodes and relationships in a table.
func (e *Engine) withoutHidden(t store.Table) store.Table {
	if len(e.hide) == 0 {
		return t
	}
	for _, row := range t.Rows {
		for i, v := range row {
			row[i] = e.reveal(v)
		}
	}
	return t
}

// reveal is v as it may be seen.
func (e *Engine) reveal(v any) any {
	hidden := func(owners []string, props map[string]any) map[string]any {
		out := make(map[string]any, len(props))
		for k, p := range props {
			keep := true
			for _, h := range e.hide {
				for _, o := range owners {
					keep = keep && h != o+"."+k && h != ":"+o
				}
			}
			if keep {
				out[k] = p
			}
		}
		return out
	}
	switch v := v.(type) {
	case store.Node:
		v.Properties = hidden(v.Labels, v.Properties)
		return v
	case store.Relationship:
		v.Properties = hidden([]string{v.Type}, v.Properties)
		return v
	case store.Path:
		for i := range v.Nodes {
			v.Nodes[i] = e.reveal(v.Nodes[i]).(store.Node)
		}
		for i := range v.Relationships {
			v.Relationships[i] = e.reveal(v.Relationships[i]).(store.Relationship)
		}
		return v
	case []any:
		for i := range v {
			v[i] = e.reveal(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = e.reveal(v[k])
		}
	}
	return v
}
