package engine

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"precedent/engine/meaning"
	"precedent/engine/reading"
	"precedent/store"
)

var wordingStep = flag.Int("wording-step", 50, "every how many'th wording of the shipped cases is composed")

// TestComposedWordings asks wordings of the shipped cases of the grammar alone: what it
// has one meaning for must find what the case's own query finds.
func TestComposedWordings(t *testing.T) {
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	s := e.snapshot()
	r := s.grammar
	cs, err := shippedCases()
	if err != nil {
		t.Fatal(err)
	}
	printer := r.Printer()
	sayable := map[string]int{}
	n, read, several, equal := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	i := 0
	for _, c := range cs {
		for _, w := range c.Wordings {
			if i++; i%*wordingStep != 0 {
				continue
			}
			q, err := reading.Fill(w, c.Slots)
			if err != nil {
				t.Fatal(err)
			}
			rd := r.Read(q)
			n[rd.Language]++
			if len(rd.Meanings) != 1 {
				if len(rd.Meanings) > 1 {
					several[rd.Language]++
					if testing.Verbose() {
						fmt.Printf("2 %s\n", q)
						for _, m := range rd.Meanings {
							fmt.Printf("      %s\n", m.Exact())
						}
					}
				} else if testing.Verbose() {
					fmt.Printf("0 %s %q\n", q, rd.Unread)
				}
				continue
			}
			read[rd.Language]++
			m := rd.Meanings[0]
			composed := printer.Query(m)
			got, err := e.gate.run(t.Context(), composed, store.Limits{Rows: 1000})
			if err != nil {
				t.Errorf("%s\n\t%s\n\t%s: %v", q, m.Exact(), composed.Text, err)
				continue
			}
			want := e.Ask(t.Context(), Question{Text: q}, nil)
			if want.Route != ByCase { // its example names several things
				continue
			}
			if !answersSame(m, got.Rows, want.Rows) {
				fmt.Printf("X %s\n      %s\n      got  %.200s\n      want %.200s\n", q, m.Exact(), fmt.Sprint(got.Rows), fmt.Sprint(want.Rows))
				continue
			}
			equal[rd.Language]++
			for _, language := range []string{"en", "zh"} {
				said := r.Say(m, language)
				if said == "" {
					if testing.Verbose() {
						fmt.Printf("S %s mute %s\n", language, m.Exact())
					}
					continue
				}
				again := r.Read(said)
				if len(again.Meanings) == 1 && again.Meanings[0].Exact() == m.Exact() {
					sayable[language]++
				} else if testing.Verbose() {
					fmt.Printf("R %s: %s\n      %s\n", language, said, m.Exact())
					for _, m := range again.Meanings {
						fmt.Printf("      %s\n", m.Exact())
					}
					if len(again.Meanings) == 0 {
						fmt.Printf("      unread %q\n", again.Unread)
					}
				}
			}
		}
	}
	fmt.Fprintf(os.Stderr, "of %v wordings one meaning %v, several %v; equal %v; said and read again %v\n", n, read, several, equal, sayable)
}

// answersSame reports whether what a meaning found is what a case's query found: the
// values of its first column, and for a value or group its last, in a column of the
// other's.
func answersSame(m *meaning.Meaning, got, want [][]any) bool {
	column := func(rows [][]any, i int) (out []string) {
		for _, row := range rows {
			v := row[i]
			if f, ok := store.Float(v); ok {
				v = fmt.Sprintf("%.2f", f)
				if f > 1000 {
					v = fmt.Sprintf("%.0f", f)
				}
			}
			out = append(out, strings.TrimSuffix(fmt.Sprint(v), ".0"))
		}
		return out
	}
	if m.Do == meaning.Exists {
		return len(got) == 1 && (len(want) > 0) == (got[0][0] == true) || len(want) == 1 && fmt.Sprint(want[0][0]) == fmt.Sprint(got[0][0])
	}
	if len(got) == 0 || len(want) == 0 {
		return len(got) == len(want)
	}
	var of []int
	switch {
	case m.Do == meaning.Groups:
		of = []int{0, 1}
	case m.Do == meaning.List && len(m.Columns) > 0:
		of = []int{1}
	default:
		of = []int{len(got[0]) - 1}
		if m.Do == meaning.List {
			of = []int{0}
		}
	}
	for _, i := range of {
		mine := column(got, i)
		found := false
		for j := range want[0] {
			theirs := column(want, j)
			if m.Of.By == nil {
				slices.Sort(mine)
				slices.Sort(theirs)
			}
			n := min(len(mine), len(theirs))
			if slices.Equal(mine, theirs) || m.Of.By != nil && m.Of.Take == 0 && !m.Of.Ties && n > 0 && slices.Equal(mine[:n], theirs[:n]) {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}
