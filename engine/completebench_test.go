package engine

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

// typing is what people may type, and how many suggestions a chat asks for.
var typing = []struct{ what, typed string }{
	{"nothing matches", "the qxzz"}, {"next to nothing", "the year in whicq"}, {"one letter", "e"}, {"nearly all begin", "the q"}, {"nearly all hold", " of inception"},
	{"zh nothing matches", "的电影有多多"}, {"zh one letter", "的"}, {"zh nearly all hold", "的qx"}, {"4,000 letters", strings.Repeat("e", 4000)}, {"nothing typed", ""},
}

const mostChoices = 25

// BenchmarkComplete completes what somebody types, with a library of n cases
// that are people's own beside the shipped ones; and does so first, and after
// one case changed, with the time that its index needs alone.
func BenchmarkComplete(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		e := mustOpen(b, libraryOf(b, n, nil))
		e.Complete(b.Context(), "w", mostChoices)
		for _, t := range typing {
			b.Run(fmt.Sprintf("%d/%s", n, t.what), func(b *testing.B) {
				benchTyping(b, func() { e.Complete(b.Context(), t.typed, mostChoices) })
			})
		}
		b.Run(fmt.Sprintf("%d/first", n), func(b *testing.B) { benchFirst(b, e) })
		b.Run(fmt.Sprintf("%d/one changed", n), func(b *testing.B) { benchChanged(b, e) })
		closeMovies(b, e)
	}
}

// BenchmarkCompleteShipped completes with 10,000 cases that have as many wordings
// as the shipped ones, four in each language, and with no library to follow.
func BenchmarkCompleteShipped(b *testing.B) {
	shipped, err := shippedCases()
	if err != nil {
		b.Fatal(err)
	}
	var many []*store.Case
	for i := range 10_000 {
		c := shipped[i%len(shipped)]
		c.ID = fmt.Sprint(c.ID, i)
		many = append(many, &c)
	}
	var none *completions
	found := none.with(many, 1)
	for _, t := range typing {
		b.Run(t.what, func(b *testing.B) {
			benchTyping(b, func() { found.find(b.Context(), t.typed, mostChoices) })
		})
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			none.with(many, 1)
		}
		b.ReportMetric(float64(heapOf(func() any { return none.with(many, 1) }))/float64(len(many)), "B/case")
	})
}

func benchTyping(b *testing.B, complete func()) {
	var took []float64
	for b.Loop() {
		start := time.Now()
		complete()
		took = append(took, float64(time.Since(start))/float64(time.Millisecond))
	}
	reportTimes(b, took)
}

// benchFirst makes completions, and reports how much memory they take.
func benchFirst(b *testing.B, e *Engine) {
	benchTyping(b, func() {
		e.completions = nil
		e.Complete(b.Context(), "w", mostChoices)
	})
	known, seq := e.verified()
	var none *completions
	b.ReportMetric(float64(heapOf(func() any { return none.with(known, seq) }))/float64(len(known)), "B/case")
}

// heapOf is how many bytes of memory what make returns takes.
func heapOf(make func() any) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	made := make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(made)
	return after.HeapAlloc - before.HeapAlloc
}

// benchChanged completes after another case changed each time.
func benchChanged(b *testing.B, e *Engine) {
	var took, alone []float64
	verified, seq := e.verified()
	for b.Loop() {
		b.StopTimer()
		c := *verified[len(took)*37%len(verified)]
		c.Wordings = append([]string{fmt.Sprint("changed ", len(took))}, c.Wordings...)
		if _, err := e.library.Replace(context.Background(), c, cases.Change{By: "bench"}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		start := time.Now()
		if err := e.follow(b.Context()); err != nil {
			b.Fatal(err)
		}
		followed := time.Now()
		e.completable()
		alone = append(alone, float64(time.Since(followed))/float64(time.Millisecond))
		e.Complete(b.Context(), "w", mostChoices)
		took = append(took, float64(time.Since(start))/float64(time.Millisecond))
	}
	if _, now := e.verified(); now == seq {
		b.Fatal("nothing changed")
	}
	var sum float64
	for _, ms := range alone {
		sum += ms
	}
	b.ReportMetric(sum/float64(len(alone)), "ms/index")
	reportTimes(b, took)
}
