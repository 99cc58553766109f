package discord_test

import (
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
)

// Nothing stays of connections that ended, nor of a Run. Not parallel: it counts
// what all of the program runs.
func TestNothingStays(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("life", func(t *testing.T) {
		w := begin(t, calm)
		for i := range 5 {
			w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: fmt.Sprint(i)})
			w.edit(*w.hears().Shown, bot.Card{Text: "38"})
			w.away(false, func() {})
		}
	})
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(20 * time.Millisecond) {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, now %d:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}
