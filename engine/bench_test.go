package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
	"precedent/store/text"
)

// BenchmarkOpen opens the movie graph with the shipped cases and a library of
// n cases that are people's own.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{0, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := libraryOf(b, n)
			for b.Loop() {
				closeMovies(b, mustOpen(b, data))
			}
		})
	}
}

// BenchmarkFirstOpen opens the movie graph with an empty folder: until it
// answers, and until the shipped cases are in the library too.
func BenchmarkFirstOpen(b *testing.B) {
	var answered time.Duration
	for b.Loop() {
		data := b.TempDir()
		start := time.Now()
		e := mustOpen(b, data)
		askReuse(b, e, reusing[0])
		answered += time.Since(start)
		closeMovies(b, e)
	}
	b.ReportMetric(float64(answered.Microseconds())/1000/float64(b.N), "ms/answer")
}

// BenchmarkReuse asks what a case answers, with a library of n cases that are
// people's own beside the shipped ones.
func BenchmarkReuse(b *testing.B) {
	for _, n := range []int{0, 1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("takes a minute to prepare")
			}
			e := mustOpen(b, libraryOf(b, n))
			defer closeMovies(b, e)
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				askReuse(b, e, reusing[len(took)%len(reusing)])
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// BenchmarkLink finds the values that questions name.
func BenchmarkLink(b *testing.B) {
	e := mustOpen(b, b.TempDir())
	defer closeMovies(b, e)
	linker := e.snapshot().reader.Linker()
	for name, question := range map[string]string{
		"en": "which films directed by Christopher Nolan star Michael Caine", "misspelt": "who directed Inceptoin with Leonardo DiCaprip",
		"zh": "汤姆·汉克斯和梅格·瑞恩一起演过哪些电影", "misspelt zh": "谁导演了盗梦空见",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if len(linker.Mentions(question, text.Tokens(question))) == 0 {
					b.Fatal("nothing is found")
				}
			}
		})
	}
}

// reusing are questions that shipped cases answer.
var reusing = []string{"who directed Inception", "《泰坦尼克号》是谁导演的", "when was Titanic released", "films directed by Christopher Nolan"}

func askReuse(b *testing.B, e *Engine, question string) {
	if a := e.Ask(b.Context(), Question{Text: question}, nil); a.Route != ByCase {
		b.Fatalf("%q: %s: %s", question, a.Route, a.Text)
	}
}

func mustOpen(b *testing.B, data string) *Engine {
	e, _, err := Open(b.Context(), Config{Data: data})
	if err != nil {
		b.Fatal(err)
	}
	return e
}

func closeMovies(b *testing.B, e *Engine) {
	if err := e.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// libraryOf makes a folder of data with the shipped cases and n more that are
// verified, no two of which read alike.
func libraryOf(b *testing.B, n int) (data string) {
	b.Helper()
	data = b.TempDir()
	closeMovies(b, mustOpen(b, data))
	if n == 0 {
		return data
	}
	lib, err := cases.Open(b.Context(), cases.Config{Path: filepath.Join(data, "movies", "cases.db"), Graph: "movies"})
	if err != nil {
		b.Fatal(err)
	}
	defer lib.Close()
	made := make([]store.Case, n)
	film := []store.Slot{{Name: "film", Label: "Movie", Property: "title", Type: "string", Example: "Inception"}}
	for i := range made {
		made[i] = store.Case{Status: store.Verified, Slots: film, Query: "MATCH (m:Movie {title: $film}) RETURN m.year AS year",
			Wordings: []string{"the " + spelt(i) + " of {film}", "{film}的" + spelt(i)}}
	}
	if _, err := lib.AddAll(b.Context(), made, cases.Change{By: "bench"}); err != nil {
		b.Fatal(err)
	}
	return data
}

// spelt is a number in letters that make no word.
func spelt(n int) string {
	word := []byte("qx")
	for range 5 {
		word = append(word, "bdfgklmprt"[n%10])
		n /= 10
	}
	return string(word)
}
