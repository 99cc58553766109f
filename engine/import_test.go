package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"precedent/engine"
)

// TestImportReports imports many lines, of which some are wrong: errors come in
// the order of the lines, and nothing is imported.
func TestImportReports(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wrong func(line int) bool
		want  []int
		more  bool
	}{
		{"two", func(line int) bool { return line == 3 || line == 57 }, []int{3, 57}, false},
		{"all", func(int) bool { return true }, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := open(t, engine.Config{Graph: "testdata/ask/films"})
			var lines strings.Builder
			for i := range 60 {
				label := "Film"
				if tt.wrong(i + 1) {
					label = "Flim"
				}
				fmt.Fprintf(&lines, "{\"question\": \"zzyzx %s?\", \"query\": \"MATCH (f:%s) RETURN count(f) AS n\"}\n", strings.Repeat("q", i+1), label)
			}
			done, err := e.Import(t.Context(), "lines.jsonl", strings.NewReader(lines.String()), "tests", nil)
			if done.Added != 0 || err == nil {
				t.Fatalf("%+v, %v", done, err)
			}
			at := -1
			for _, line := range tt.want {
				i := strings.Index(err.Error(), fmt.Sprintf("lines.jsonl:%d: ", line))
				if i <= at {
					t.Errorf("line %d is missing or comes late:\n%v", line, err)
				}
				at = i
			}
			if got := strings.Count(err.Error(), "lines.jsonl:"); got != len(tt.want) {
				t.Errorf("%d lines are reported, want %d", got, len(tt.want))
			}
			if more := strings.Contains(err.Error(), "perhaps more"); more != tt.more {
				t.Errorf("more: %t", more)
			}
		})
	}
}
