package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
)

// thriller is a question that no case covers, with a year and minutes of its own.
func thriller(n int) string {
	return fmt.Sprintf("which French thrillers since %d are over %d minutes", 1900+n%100, 90+n/100)
}

var thrillerWords = regexp.MustCompile(`which French thrillers since (\d+) are over (\d+) minutes`)

// thrillerModel writes the query for whichever of them is asked, after a while.
func thrillerModel(t testing.TB, delay time.Duration) *modeltest.Server {
	return modeltest.Respond(t, func(prompt string) modeltest.Reply {
		asked := thrillerWords.FindAllStringSubmatch(prompt, -1)
		if asked == nil {
			return modeltest.Status(500, "the prompt has no question")
		}
		last := asked[len(asked)-1]
		year, _ := strconv.Atoi(last[1])
		minutes, _ := strconv.Atoi(last[2])
		r := modeltest.JSON(map[string]any{"action": "query",
			"query": `MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $genre})
WHERE $country IN m.countries AND m.year >= $year AND m.runtime > $minutes
RETURN m.title AS title, m.year AS year
ORDER BY year, title`,
			"params": []map[string]any{{"name": "genre", "value": "Thriller"}, {"name": "country", "value": "France"}, {"name": "year", "value": year}, {"name": "minutes", "value": minutes}}})
		r.Delay = delay
		return r
	})
}

// BenchmarkCrowd has 100 people ask 1,000 questions in 50 channels within a
// minute of a model that takes 800 ms. It reports the bot's own share of the
// time to each answer, and its memory.
func BenchmarkCrowd(b *testing.B) {
	b.Run("Slack", func(b *testing.B) { crowd(b, onSlack) })
	b.Run("Discord", func(b *testing.B) { crowd(b, onDiscord) })
}

func crowd(b *testing.B, begin func(testing.TB) network) {
	const (
		people, channels, questions = 100, 50, 1000
		span, thinking              = time.Minute, 800 * time.Millisecond
	)
	for b.Loop() {
		n := begin(b)
		n.fill(people, channels)
		s := on(b, n, thrillerModel(b, thinking))
		asked := make(map[string]time.Time)
		begun := time.Now()
		for i := range questions {
			time.Sleep(time.Until(begun.Add(span * time.Duration(i) / questions)))
			at := time.Now()
			asked[n.ask(i%people, i%channels, thriller(i))] = at
		}
		n.Await("all answers", func() bool { return len(answers(n)) >= questions })
		peak := mebibytes(b, s.cmd.Process.Pid, "VmHWM")
		s.stop()
		var own []float64
		for _, r := range n.replies() {
			if r.isAnswer() {
				own = append(own, float64(r.at.Sub(asked[r.q])-thinking)/float64(time.Millisecond))
			}
		}
		slices.Sort(own)
		report(b, own[len(own)/2], "own-p50-ms")
		report(b, own[len(own)*95/100], "own-p95-ms")
		report(b, float64(len(answers(n))), "answered")
		report(b, float64(twice(n)), "answered-twice")
		report(b, peak, "VmHWM-MiB")
		report(b, float64(n.limited()), "429s")
	}
}

// BenchmarkConversations has 1,000 conversations on Slack one after the other,
// and then 10,000 with another start of the program, a question of each. It
// reports what the program holds after the last: memory (VmRSS) and goroutines.
func BenchmarkConversations(b *testing.B) {
	for b.Loop() {
		for unit, talks := range map[string]int{"1k": 1_000, "10k": 10_000} {
			memory, goroutines := converse(b, talks)
			report(b, memory, "MiB-"+unit)
			report(b, float64(goroutines), "goroutines-"+unit)
		}
	}
}

func converse(b *testing.B, talks int) (memory float64, goroutines int) {
	const channels, batch = 5_000, 500
	workspace := &slackNetwork{Server: slacktest.Start(b, slacktest.Options{Patience: patience})}
	workspace.fill(1, channels)
	config := filepath.Join(b.TempDir(), "config.yaml")
	if err := os.WriteFile(config, []byte("limits: {per_user: -1, per_channel: -1, per_minute: -1}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	s := on(b, workspace, modeltest.New(b), "PRECEDENT_CONFIG="+config)
	for i := range talks {
		workspace.ask(0, i%channels, "who directed Heat?")
		if i%batch == batch-1 {
			workspace.Await("answers", func() bool { return len(workspace.Calls("chat.postMessage")) > i })
		}
	}
	time.Sleep(settled)
	return mebibytes(b, s.cmd.Process.Pid, "VmRSS"), s.goroutines()
}
