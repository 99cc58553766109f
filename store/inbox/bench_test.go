package inbox_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"precedent/store/inbox"
)

func BenchmarkPut(b *testing.B) {
	in := open(b)
	for i := 0; b.Loop(); i++ {
		check(b, second(in.Put(b.Context(), event(i))))
	}
}

func BenchmarkFinish(b *testing.B) {
	in := open(b)
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		check(b, second(in.Put(b.Context(), event(i))))
		b.StartTimer()
		id := fmt.Sprint(i)
		check(b, in.Finish(b.Context(), id, inbox.Shown{Chat: "slack", Channel: "C1", Message: id, Answer: "a" + id, Event: id, User: "slack:U1", Body: "{}"}))
	}
}

func event(i int) inbox.Event {
	return inbox.Event{ID: fmt.Sprint(i), Queue: fmt.Sprint("ask slack:C", i%500), User: "slack:U1", Body: `{"text": "films of Michael Mann since 1990"}`}
}

// BenchmarkNext takes one more, while 64 are at work, of 10,000 open events in
// 500 queues, with 100,000 done ones about.
func BenchmarkNext(b *testing.B) {
	for name, queue := range map[string]func(i int) int{
		"mixed":         func(i int) int { return i % 500 },
		"one by one":    func(i int) int { return i / 20 },
		"of one, 9,500": func(i int) int { return max(0, i-9500) },
	} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "inbox.db")
			check(b, openAt(b, path).Close())
			fill(b, path, queue)
			in := openAt(b, path)
			var busy []string
			for _, e := range must[[]inbox.Event](b)(in.Next(b.Context(), nil, 64)) {
				busy = append(busy, e.Queue)
			}
			for b.Loop() {
				if got := must[[]inbox.Event](b)(in.Next(b.Context(), busy, 1)); len(got) != 1 {
					b.Fatalf("handed out %+v", got)
				}
			}
		})
	}
}

func fill(b *testing.B, path string, queue func(i int) int) {
	db := must[*sql.DB](b)(sql.Open("sqlite", path))
	defer db.Close()
	tx := must[*sql.Tx](b)(db.BeginTx(b.Context(), nil))
	insert := must[*sql.Stmt](b)(tx.Prepare("INSERT INTO events (id, queue, user, body, at, done) VALUES (?, ?, 'slack:U1', ?, 1, ?)"))
	for i := range 110_000 {
		e, done := event(i), i+1
		if e.Queue = fmt.Sprint("ask slack:C", queue(i%10_000)); i%11 == 0 {
			e.Queue, done = fmt.Sprint("ask slack:C", queue(i/11)), 0
		}
		check(b, second(insert.Exec(e.ID, e.Queue, e.Body, done)))
	}
	check(b, tx.Commit())
}
