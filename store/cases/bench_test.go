package cases_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

// filled returns a library of n cases.
func filled(b *testing.B, n int, c cases.Config) *cases.Library {
	b.Helper()
	lib := open(b, c)
	must[[]store.Case](b)(lib.AddAll(b.Context(), many(n), ann))
	return lib
}

// heap returns the bytes in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func recallEach(b *testing.B, lib *cases.Library, before float64) {
	questions := make([]string, 64)
	for i := range questions {
		questions[i] = numbered(i * 31).Question
	}
	must[[]cases.Match](b)(lib.Recall(b.Context(), questions[0], 5))
	inUse := (heap() - before) / (1 << 20)
	for i := 0; b.Loop(); i++ {
		must[[]cases.Match](b)(lib.Recall(b.Context(), questions[i%len(questions)], 5))
	}
	b.ReportMetric(inUse, "MiB")
}

func BenchmarkRecallHashed(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			before := heap()
			recallEach(b, filled(b, n, cases.Config{}), before)
		})
	}
}

func BenchmarkRecallProvider1536(b *testing.B) {
	before := heap()
	lib := filled(b, 10_000, cases.Config{})
	embed := func(_ context.Context, text string) ([]float32, error) {
		random := rand.New(rand.NewPCG(uint64(len(text)), uint64(text[len(text)-1])))
		v := make([]float32, 1536)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		return v, nil
	}
	lib.UseEmbeddings("provider", embed, 2)
	for {
		m := must[[]cases.Match](b)(lib.Recall(b.Context(), "which films", 1))
		if len(m) > 0 && m[0].Model == "provider" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	recallEach(b, lib, before)
}

func BenchmarkOpen10000(b *testing.B) {
	path := filepath.Join(b.TempDir(), "cases.db")
	check(b, filled(b, 10_000, cases.Config{Path: path}).Close())
	for _, first := range []bool{false, true} {
		b.Run(map[bool]string{false: "open", true: "open and first recall"}[first], func(b *testing.B) {
			for b.Loop() {
				lib := must[*cases.Library](b)(cases.Open(b.Context(), cases.Config{Path: path}))
				if first {
					must[[]cases.Match](b)(lib.Recall(b.Context(), "which films were made", 5))
				}
				b.StopTimer()
				lib.Close()
				b.StartTimer()
			}
		})
	}
}

func BenchmarkAddAll10000(b *testing.B) {
	cs := many(10_000)
	for b.Loop() {
		lib := must[*cases.Library](b)(cases.Open(b.Context(), cases.Config{Path: filepath.Join(b.TempDir(), "cases.db")}))
		must[[]store.Case](b)(lib.AddAll(b.Context(), cs, ann))
		b.StopTimer()
		lib.Close()
		b.StartTimer()
	}
}

func BenchmarkSyncUnchanged(b *testing.B) {
	lib := open(b, cases.Config{})
	shipped := many(500)
	must[cases.Synced](b)(lib.Sync(b.Context(), shipped, "hash"))
	for b.Loop() {
		must[cases.Synced](b)(lib.Sync(b.Context(), shipped, "hash"))
	}
}

func BenchmarkSyncFirst500(b *testing.B) {
	shipped := many(500)
	for b.Loop() {
		lib := must[*cases.Library](b)(cases.Open(b.Context(), cases.Config{Path: filepath.Join(b.TempDir(), "cases.db")}))
		must[cases.Synced](b)(lib.Sync(b.Context(), shipped, "hash"))
		b.StopTimer()
		lib.Close()
		b.StartTimer()
	}
}

func BenchmarkVote(b *testing.B) {
	lib := filled(b, 1_000, cases.Config{Quorum: 3})
	answers := make([]string, 1000)
	for i := range answers {
		answers[i] = must[string](b)(lib.Record(b.Context(), cases.Entry{Route: "case", CaseID: numbered(i).ID}))
	}
	must[cases.Entry](b)(lib.Entry(b.Context(), answers[999]))
	for i := 0; b.Loop(); i++ {
		must[cases.Outcome](b)(lib.Vote(b.Context(), cases.Ballot{Answer: answers[i%1000], User: fmt.Sprint("user", i/1000), Value: cases.Up}))
	}
}

// Paced as questions are: a busy loop would measure the disk.
func BenchmarkRecord(b *testing.B) {
	lib := filled(b, 1_000, cases.Config{})
	e := cases.Entry{User: "ann", Conversation: "c", Question: "which films were made", Query: "MATCH (m:Movie) RETURN m.title", Route: "case", CaseID: "case000001",
		Params: map[string]any{"year": int64(2000)}, Timings: map[string]float64{"total": 1.5, "link": 0.5}}
	var spent time.Duration
	n := 0
	for b.Loop() {
		start := time.Now()
		must[string](b)(lib.Record(b.Context(), e))
		spent += time.Since(start)
		n++
		time.Sleep(time.Millisecond)
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(n), "µs/record")
}

func BenchmarkChanged(b *testing.B) {
	lib := filled(b, 10_000, cases.Config{})
	_, seq, err := lib.Since(b.Context(), 0)
	check(b, err)
	for b.Loop() {
		must[bool](b)(lib.Changed(b.Context(), seq))
	}
}

func BenchmarkHashed(b *testing.B) {
	for b.Loop() {
		cases.Hashed("which science fiction films did Christopher Nolan direct since 2000")
	}
}
