package engine

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"precedent/engine/reading"
	"precedent/store/movies"
)

// TestShippedCases holds every shipped case to the rules: each wording has a
// frame, all wordings of a case have the same, no two cases share one, words
// and query prove each other, and the query finds rows for its own example.
// CASES=lists.yaml reports on one file only.
func TestShippedCases(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	only := os.Getenv("CASES")
	files, err := fs.Glob(movies.Cases, "cases/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	reader := e.snapshot().reader
	keys := make(map[string]string)
	n := 0
	for _, name := range files {
		b, err := movies.Cases.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cs, err := parseCaseFile(name, b, "movies")
		if err != nil {
			t.Error(err)
			continue
		}
		for _, written := range cs {
			c := written.Case
			n++
			fail := func(format string, args ...any) {
				if only == "" || strings.HasSuffix(name, only) {
					t.Errorf("%s: %s: %s", name, c.ID, fmt.Sprintf(format, args...))
				}
			}
			first := ""
			zh := 0
			for _, w := range c.Wordings {
				rd, err := reader.ReadWording(w, c.Slots)
				if err != nil {
					fail("%q: %v", w, err)
					continue
				}
				if rd.Language == "zh" {
					zh++
				}
				if rd.Frame == nil {
					fail("%q has no frame: %s", w, rd.Why)
					continue
				}
				if first == "" {
					first = rd.Key()
				}
				if rd.Key() != first {
					fail("%q reads as\n\t\t%s\n\tnot as the first wording:\n\t\t%s", w, rd.Key(), first)
					continue
				}
				if err := prove(reader, rd, &c); err != nil {
					fail("%q and the query don't prove each other: %v\n\t\t%s", w, err, rd.Key())
				}
			}
			if zh < 3 || len(c.Wordings)-zh < 3 {
				fail("%d English and %d Chinese wordings; want three of each", len(c.Wordings)-zh, zh)
			}
			if other := keys[first]; other != "" && first != "" {
				fail("reads as case %s does:\n\t\t%s", other, first)
			}
			keys[first] = c.ID
			if err := e.checkPromotion(t.Context(), c); err != nil && !strings.Contains(err.Error(), "prove each other") && !strings.Contains(err.Error(), "the same way") {
				fail("%v", err)
			}
		}
	}
	t.Logf("%d cases", n)
}

// TestShippedListsInOrder holds every list that a shipped case collects to an
// order, since Cypher promises none: people are to see the same each time.
func TestShippedListsInOrder(t *testing.T) {
	cs, err := shippedCases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cs {
		parts := strings.Split(c.Query, "collect(")
		for i := range parts[1:] {
			clauses := strings.Split(strings.Join(parts[:i+1], ""), "WITH ")
			near := clauses[max(0, len(clauses)-2):]
			if !strings.Contains(strings.Join(near, ""), "ORDER BY") {
				t.Errorf("%s collects what is in no order:\n%s", c.ID, c.Query)
			}
		}
	}
}

// TestReadings prints how each line of the file QUESTIONS reads; a tool for
// those who write cases and lexicons.
func TestReadings(t *testing.T) {
	file := os.Getenv("QUESTIONS")
	if file == "" {
		t.Skip("set QUESTIONS to a file of questions, one a line")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	framed, covered, n := 0, 0, 0
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if i := strings.Index(line, `"question": "`); i >= 0 {
			line, _, _ = strings.Cut(line[i+len(`"question": "`):], `"}`)
		}
		n++
		rd := e.snapshot().reader.Read(line)
		in, k := e.covering(line, rd)
		switch {
		case k == 1:
			covered++
			framed++
			fmt.Printf("= %s\n\t%s → %s\n", line, rd.Key(), in.c.ID)
		case rd.Frame != nil:
			framed++
			fmt.Printf("+ %s\n\t%s\n", line, rd.Key())
		default:
			fmt.Printf("- %s\n\t%s\n", line, rd.Why)
		}
	}
	fmt.Printf("%d questions, %d with a frame, %d covered\n", n, framed, covered)
}

var _ = reading.Language
