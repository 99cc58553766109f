// Package desktest has what the tests of the networks put in place of the core.
package desktest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"precedent/bot"
)

// Missed is the reactions that stood under a message at a time and that heard
// lacks, and those that it has and that stood no longer: see [bot.Desk.Missed].
func Missed(heard []bot.Heard, under bot.Place, stood map[string][]string, at time.Time) (missed []bot.Heard) {
	before := map[[2]string]bool{} // by person and thumb
	for _, h := range heard {
		if h.Kind == bot.Reacted && h.Place.Message == under.Message {
			before[[2]string{h.User, h.Text}] = !h.Removed
		}
	}
	now := map[[2]string]bool{}
	for user, thumbs := range stood {
		for _, thumb := range thumbs {
			now[[2]string{user, thumb}] = true
		}
	}
	for _, thumb := range append(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(now))...) {
		if before[thumb] != now[thumb] {
			before[thumb] = now[thumb]
			missed = append(missed, bot.Heard{ID: fmt.Sprint("missed ", under.Message, thumb, now[thumb], at.UnixNano()), Kind: bot.Reacted,
				Place: under, User: thumb[0], Text: thumb[1], Removed: !now[thumb], At: at})
		}
	}
	return missed
}
