package discord_test

import (
	"fmt"
	"testing"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// Nothing stays of connections that ended, nor of a Run: a bubble doesn't end
// well while a goroutine of it lives.
func TestNothingStays(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		for i := range 5 {
			w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: fmt.Sprint(i)})
			w.edit(*w.hears().Shown, bot.Card{Text: "38"})
			w.away(false, func() {})
		}
	})
}
