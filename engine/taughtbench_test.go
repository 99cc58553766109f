package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"precedent/engine/link"
	"precedent/engine/reading"
)

// TestSayings looks for both places in each sentence of taught.txt.
func TestSayings(t *testing.T) {
	n := 0
	for line := range strings.Lines(sayingsFile) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "before: ") || strings.HasPrefix(line, "after: ") {
			continue
		}
		n++
		if strings.Count(line, "{") != 2 || strings.Count(line, "{name}") != 1 || strings.Count(line, "{value}") != 1 {
			t.Errorf("%q: want {name} and {value}", line)
		}
	}
	known := knownSayings()
	if n == 0 || len(known.all) != n || len(known.before) == 0 || len(known.after) == 0 {
		t.Errorf("%d sentences of %d", len(known.all), n)
	}
}

// BenchmarkLinkTaught is what the next question waits for once an alias is
// approved, in each process: the linker of the shipped graph, and of 100,000
// values, made anew.
func BenchmarkLinkTaught(b *testing.B) {
	e := mustOpen(b, b.TempDir())
	defer closeMovies(b, e)
	s := *e.snapshot()
	alias := []link.Alias{{Label: "Person", Property: "name", Value: "Tom Hanks", Name: "Hanksy"}}
	values := s.reader.Linker().Values()
	for _, n := range []int{len(values), 100_000} {
		many := slices.Clone(values)
		for i := len(many); i < n; i++ {
			many = append(many, link.Value{Label: "Person", Property: "name", Value: fmt.Sprintf("Person %s %s", spelt(i%317), spelt(i)), Labels: []string{"Person"}})
		}
		b.Run(fmt.Sprintf("%d values", n), func(b *testing.B) {
			s := s
			var err error
			if s.reader, err = reading.New(s.reader.Glossary(), s.schema, many, e.aliases); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := e.readerWith(&s, alias); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTeach reads a correction of which nothing is kept.
func BenchmarkTeach(b *testing.B) {
	e := mustOpen(b, b.TempDir())
	defer closeMovies(b, e)
	for b.Loop() {
		e.snapshot().teaching("no, by “Hanksy” I meant the actor Tom Hanks", "movies starring Hanksy")
	}
}
