package engine

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/philippgille/chromem-go"

	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/text"
)

// BenchmarkOpen opens the movie graph with the shipped cases and a library of
// n cases that are people's own.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{0, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := libraryOf(b, n, nil)
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
			e := mustOpen(b, libraryOf(b, n, nil))
			defer closeMovies(b, e)
			var took []float64
			for b.Loop() {
				start := time.Now()
				askReuse(b, e, reusing[len(took)%len(reusing)])
				took = append(took, float64(time.Since(start))/float64(time.Millisecond))
			}
			reportTimes(b, took)
		})
	}
}

// BenchmarkWrite asks what a model answers, and reports the time of the program
// itself, without that of the model and the graph. Cases are recalled by hashed
// vectors, or by those of the model that embeds.
func BenchmarkWrite(b *testing.B) {
	for _, l := range []struct{ cases, dimensions int }{{1_000, 0}, {10_000, 1536}, {100_000, 0}} {
		b.Run(fmt.Sprintf("%d×%d", l.cases, cmp.Or(l.dimensions, cases.HashedDims)), func(b *testing.B) {
			if l.cases > 10_000 && testing.Short() {
				b.Skip("takes a minute to prepare")
			}
			server := modeltest.Respond(b, func(string) modeltest.Reply { return modeltest.JSON(flopped) })
			server.Dimensions = l.dimensions
			c := model.Config{BaseURL: server.URL, Name: "writes"}
			var embed chromem.EmbeddingFunc
			if l.dimensions > 0 {
				c.EmbeddingName = embedder
				embed = func(_ context.Context, text string) ([]float32, error) {
					return modeltest.EmbeddingOf(text, l.dimensions), nil
				}
			}
			e, _, err := Open(b.Context(), Config{Data: libraryOf(b, l.cases, embed), Model: &c})
			if err != nil {
				b.Fatal(err)
			}
			defer closeMovies(b, e)
			waitForVectors(b, e.library, c.EmbeddingName)
			var took []float64
			for b.Loop() {
				a := e.Ask(b.Context(), Question{Text: "which Nolan films flopped"}, nil)
				if a.Route != ByModel || a.ModelCalls != 1 || a.EmbeddingCalls != len(c.EmbeddingName)/len(embedder) {
					b.Fatalf("%s by %d and %d calls: %s", a.Route, a.ModelCalls, a.EmbeddingCalls, a.Text)
				}
				took = append(took, a.Timings.Total-a.Timings.Model-a.Timings.Database)
			}
			reportTimes(b, took)
		})
	}
}

// embedder is the name of a model that embeds.
const embedder = "embeds"

// flopped is a model's draft.
var flopped = draft{Action: "query", Query: "MATCH (:Person {name: $name})-[:DIRECTED]->(m:Movie) WHERE m.revenue < m.budget RETURN m.title AS title",
	Params: []param{{"name", "Christopher Nolan"}}}

// waitForVectors returns once those of the model that embeds rank, if there is one.
func waitForVectors(b *testing.B, lib *cases.Library, name string) {
	for want := cmp.Or(name, cases.HashedModel); ; time.Sleep(100 * time.Millisecond) {
		found, err := lib.Recall(b.Context(), "which films", 1)
		if err != nil {
			b.Fatal(err)
		}
		if len(found) > 0 && found[0].Model == want {
			return
		}
	}
}

// reportTimes reports the median and the 99th percentile of milliseconds.
func reportTimes(b *testing.B, took []float64) {
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "p50-ms")
	b.ReportMetric(took[len(took)*99/100], "p99-ms")
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
// verified, no two of which read alike. With embed, all have its vectors.
func libraryOf(b *testing.B, n int, embed chromem.EmbeddingFunc) (data string) {
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
	if embed != nil {
		lib.UseEmbeddings(embedder, embed, 0)
		waitForVectors(b, lib, embedder)
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
