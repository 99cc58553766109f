package engine

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"precedent/guardrails"
	"precedent/store"
)

// TestImportRepeats imports lines of which some say what earlier ones do, in the
// same part of the import and in another.
func TestImportRepeats(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	e, _, err := Open(t.Context(), Config{Graph: "testdata/ask/films", Data: t.TempDir(), Log: slog.New(slog.DiscardHandler), Policy: guardrails.Policy{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	line := func(question, query string) string {
		return fmt.Sprintf("{\"question\":%q,\"query\":%q}\n", question, query)
	}
	const count, titles = "MATCH (f:Film) RETURN count(f) AS n", "MATCH (f:Film) RETURN f.title AS title"
	var many strings.Builder
	for i := range 3 * importBatch {
		many.WriteString(line("zzy "+strings.Repeat("q", i+1), count))
	}
	for _, tt := range []struct {
		name, lines string
		want        Imported
		err         string
	}{
		{"the same at once", line("zzx a", count) + line("zzx a", count), Imported{Added: 1, Present: 1}, ""},
		{"the same, otherwise written", line("zzx b", count) + line("ZZX  b?", "match (f:Film) return count(f) as n"), Imported{Added: 1, Present: 1}, ""},
		{"asked the same way, answered otherwise", line("zzx c", count) + line("zzx c", titles), Imported{}, "x.jsonl:2: case: x.jsonl:1 is asked the same way"},
		{"the same, much later", many.String() + line("zzy q", count), Imported{Added: 3 * importBatch, Present: 1}, ""},
		{"otherwise, much later", line("zzx d", count) + strings.ReplaceAll(many.String(), "zzy", "zzz") + line("zzx d", titles), Imported{}, fmt.Sprintf("x.jsonl:%d: case: x.jsonl:1 is asked the same way", 3*importBatch+2)},
		{"there already", line("zzy q", count) + line("zzy qq", count), Imported{Added: 0, Present: 2}, ""},
		{"wordings of one case", `{"wordings":["zzx e","zzx f"],"question":"zzx e","query":"` + count + `"}` + "\n" + line("zzx f", count) + line("zzx e", count), Imported{Added: 1, Present: 2}, ""},
		{"more than was said", line("zzx g", count) + `{"wordings":["zzx g","zzx h"],"question":"zzx g","query":"` + count + `"}` + "\n", Imported{}, "x.jsonl:1 is asked the same way"},
		{"by two at once", line("zzx k", count) + line("zzx l", count) + `{"wordings":["zzx k","zzx l"],"question":"zzx k","query":"` + count + `"}` + "\n", Imported{}, "is asked the same way"},
	} {
		done, err := e.Import(t.Context(), "x.jsonl", strings.NewReader(tt.lines), "tests", nil)
		if done != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %q", tt.name, done, err, tt.want, tt.err)
		}
	}
}

// TestSpool keeps cases with values of every kind and gives them back.
func TestSpool(t *testing.T) {
	s, err := newSpool(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	examples := []any{"a <b> & \u2028", int64(1 << 62), int64(-5), 8.0, 2.5, 1e300, true, []any{int64(1), "x", 2.0}}
	for i, v := range examples {
		c := store.Case{ID: fmt.Sprint(i), Question: "电影\n?", Query: "RETURN 1", Wordings: []string{"a", "b"}, Created: time.Unix(5, 6).UTC(), EmptyOK: true, Slots: []store.Slot{{Name: "x", Type: "t", Example: v}}}
		if err := s.add(c); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // as often as one likes
		n := 0
		for c, err := range s.all() {
			if err != nil || c.ID != fmt.Sprint(n) || c.Question != "电影\n?" || !c.EmptyOK || !c.Created.Equal(time.Unix(5, 6)) || fmt.Sprintf("%#v", c.Slots[0].Example) != fmt.Sprintf("%#v", examples[n]) {
				t.Errorf("%d: %+v, %v", n, c, err)
			}
			n++
		}
		if n != len(examples) {
			t.Errorf("%d cases", n)
		}
	}
}

// TestBatches holds no more of an import at a time than it may.
func TestBatches(t *testing.T) {
	for _, tt := range []struct{ n, size, want int }{{0, 1, 0}, {1, 1, 1}, {importBatch, 1, 1}, {importBatch + 1, 1, 2}, {10, importBatchBytes, 10}, {10, importBatchBytes / 2, 5}} {
		var cs iter.Seq[writtenCase] = func(yield func(writtenCase) bool) {
			for i := range tt.n {
				if !yield(writtenCase{line: i + 1, size: tt.size}) {
					return
				}
			}
		}
		got, seen := 0, 0
		for batch := range batches(cs) {
			got++
			for _, c := range batch {
				if seen++; c.line != seen {
					t.Errorf("%+v: line %d comes as %d", tt, c.line, seen)
				}
			}
		}
		if got != tt.want || seen != tt.n {
			t.Errorf("%+v: %d batches of %d", tt, got, seen)
		}
	}
}

// FuzzImport reads any bytes as a file of cases, as lines and as YAML, and as one
// of other names.
func FuzzImport(f *testing.F) {
	const one = `{"question":"how many films are there","query":"MATCH (f:Film) RETURN count(f) AS n"}`
	for _, seed := range []string{one, one + "\n\n" + one + "\r\n[1]\n", "\ufeff" + one, `{"slots":[[[[[`, `{"slots":[{"name":"a","type":"number","example":1e999}],"wordings":["{a}"],"query":"RETURN $a"}`,
		"- id: a\n  query: RETURN 1\n  en: [x, y]\n", "- id: a\n  query: RETURN $n\n  slots: [{name: n, type: number, example: 5}]\n  zh: ['{n} 部']\n", "- {id: &a x, query: *a}\n", "[[[[[[", "Genre.name:\n  Sci-Fi: [科幻, space]\n", "A.b: {c: {d: e}}\n", "x: [y]\n", strings.Repeat("- ", 80)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		last := 0
		for c := range readLines(bytes.NewReader(content)) {
			if c.line <= last || c.err == nil && c.size == 0 {
				t.Fatalf("%+v after line %d", c, last)
			}
			last = c.line
		}
		if found, err := parseCaseFile("x.yaml", content, "g"); err != nil {
			named(t, err)
		} else {
			for _, c := range found {
				if c.line == 0 || c.Question == "" || strings.TrimSpace(c.Query) == "" {
					t.Fatalf("%+v", c)
				}
			}
		}
		if _, err := parseAliases("x.yaml", content); err != nil {
			named(t, err)
		}
	})
}

func named(t *testing.T, err error) {
	if !strings.HasPrefix(err.Error(), "x.yaml") {
		t.Fatalf("no file: %v", err)
	}
}

// broken breaks off.
type broken struct{ io.Reader }

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// TestReadLinesBreaks says on which line reading broke off.
func TestReadLinesBreaks(t *testing.T) {
	var got []writtenCase
	for c := range readLines(broken{strings.NewReader("{}\n{}\n")}) {
		got = append(got, c)
	}
	if len(got) != 3 || got[2].line != 3 || got[2].err != io.ErrUnexpectedEOF {
		t.Errorf("%+v", got)
	}
}
