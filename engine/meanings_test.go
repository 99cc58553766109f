package engine

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var meaningsOf = flag.String("meanings-of", "", "GRAPH:FILE of questions, one a line, to print the meanings of")

// TestPrintMeanings prints what questions mean, for who works on the grammar.
func TestPrintMeanings(t *testing.T) {
	graph, file, ok := strings.Cut(*meaningsOf, ":")
	if !ok {
		t.Skip("only with -meanings-of")
	}
	c := Config{Data: t.TempDir()}
	if graph != "movies" {
		c.Graph = filepath.Join("testdata/fair", graph)
	}
	e, _, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	s := e.snapshot()
	r := s.grammar
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read, all := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		q := lines.Text()
		var row struct{ Graph, Question string }
		if json.Unmarshal([]byte(q), &row) == nil {
			if row.Graph != graph {
				continue
			}
			q = row.Question
		}
		rd := r.Read(q)
		all++
		if len(rd.Meanings) == 1 {
			read++
		}
		fmt.Printf("%s\n", q)
		for _, m := range rd.Meanings {
			fmt.Printf("      %s\n      = %s\n", m.Exact(), r.Say(m, rd.Language))
		}
		if len(rd.Meanings) == 0 {
			fmt.Printf("   -- unread %q bounded %t\n", rd.Unread, rd.Bounded)
		}
	}
	fmt.Printf("%d of %d have one meaning\n", read, all)
}
