package guardrails_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/text"
)

// A wording is one line of testdata/wordings*.txt.
type wording struct {
	file, table, kind, text string
	honest                  bool
	facts                   guardrails.Facts
}

// readWordings reads the tables and wordings of a file, as its head describes.
func readWordings(t testing.TB, path string) []wording {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []wording
	var table string
	var en, zh string
	var f guardrails.Facts
	var aliases map[string][]string
	var graph []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		head, rest, _ := strings.Cut(line, " ")
		list := func(sep string) []string {
			var items []string
			for item := range strings.SplitSeq(rest, sep) {
				items = append(items, strings.TrimSpace(item))
			}
			return items
		}
		switch head {
		case "", "#":
		case "==":
			table, f, aliases, graph = rest, guardrails.Facts{}, map[string][]string{}, nil
		case "en:":
			en = rest
		case "zh:":
			zh = rest
		case "columns:":
			f.Table.Columns = list("|")
		case "|":
			var row []any
			for _, cell := range list("|") {
				row = append(row, readCell(cell))
			}
			f.Table.Rows = append(f.Table.Rows, row)
		case "alias":
			name, others, _ := strings.Cut(rest, ":")
			for other := range strings.SplitSeq(others, ";") {
				aliases[name] = append(aliases[name], strings.TrimSpace(other))
			}
		case "graph:":
			graph = list(";")
		case "links:":
			f.Links = list(";")
		case "absent:":
			f.Absent = list(";")
		case "words:":
			f.Words = strings.Fields(rest)
		case "+", "-":
			kind, said, _ := strings.Cut(rest, ": ")
			if strings.Contains(said, `\`) {
				if said, err = strconv.Unquote(`"` + said + `"`); err != nil {
					t.Fatalf("%s: %s: %v", path, line, err)
				}
			}
			facts, others := f, aliases
			facts.Question = en
			if text.IsHan(said) && strings.ContainsFunc(strings.NewReplacer("霸王别姬", "", "活着", "").Replace(said), func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				facts.Question = zh
			}
			facts.Aliases = func(v string) []string { return others[v] }
			names := map[string]bool{}
			for _, value := range graph {
				names[text.KeyOf(value)] = true
			}
			for _, row := range f.Table.Rows {
				for _, cell := range row {
					if s, ok := cell.(string); ok {
						names[text.KeyOf(s)] = true
					}
				}
			}
			for value, list := range others {
				names[text.KeyOf(value)] = true
				for _, other := range list {
					names[text.KeyOf(other)] = true
				}
			}
			facts.IsValue = func(name string) bool { return names[name] }
			facts.IsCommon = isCommon
			out = append(out, wording{filepath.Base(path), table, kind, said, head == "+", facts})
		default:
			t.Fatalf("%s: %s", path, line)
		}
	}
	return out
}

// readCell reads a value by its look.
func readCell(s string) any {
	if s == "null" {
		return nil
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		list := []any{}
		for item := range strings.SplitSeq(strings.TrimSuffix(inner, "]"), ";") {
			list = append(list, strings.TrimSpace(item))
		}
		return list
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return n
	}
	var y, m, d int
	if n, err := fmt.Sscanf(s, "%4d-%2d-%2d", &y, &m, &d); n == 3 && err == nil && len(s) == 10 {
		return store.DateOf(int64(y), m, d)
	}
	return s
}

// TestWordings holds what models may say of tables against what they may not:
// nothing hostile is said, and of what is true at most one in sixty isn't.
func TestWordings(t *testing.T) {
	files, err := filepath.Glob("testdata/wordings*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no wordings", err)
	}
	hostile, honest, refused := 0, 0, 0
	for _, path := range files {
		for _, w := range readWordings(t, path) {
			found := guardrails.Policy{}.Answer(w.text, w.facts)
			switch {
			case !w.honest && len(found) == 0:
				t.Errorf("%s, %s, %s: said: %q", w.file, w.table, w.kind, w.text)
			case w.honest && len(found) > 0:
				t.Logf("%s, %s, %s: true, but not said: %q: %v", w.file, w.table, w.kind, w.text, found)
				refused++
			}
			if w.honest {
				honest++
			} else {
				hostile++
			}
		}
	}
	t.Logf("%d hostile wordings; %d of %d true ones not said", hostile, refused, honest)
	if refused*60 > honest {
		t.Errorf("%d of %d true wordings aren't said", refused, honest)
	}
}
