package discord_test

import (
	"slices"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// TestCheckLogsNobodyIn: the look leaves a bot at work alone, and breaks none of
// Discord's rules.
func TestCheckLogsNobodyIn(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := discordtest.Start(t, discordtest.Settings{})
		d := &discord.Discord{Token: "fake.token", APIURL: w.APIURL(), Dial: nettest.Dial(t)}
		found := d.Check(t.Context())
		for _, f := range found {
			if want := map[string]bot.State{"Discord commands": bot.Absent}[f.Part]; f.State != bot.Fine && f.State != want {
				t.Errorf("found %+v", f)
			}
		}
		link := "to add it to another, open https://discord.com/oauth2/authorize?client_id=" + w.AppID + "&scope=bot+applications.commands&permissions=274878024704"
		if last := found[len(found)-1]; last.Part != "Discord servers" || last.Cure != link {
			t.Errorf("found %+v, want the cure %q", last, link)
		}
		if len(found) != 5 || len(w.Identifies()) > 0 {
			t.Errorf("found %d, logged in %d times", len(found), len(w.Identifies()))
		}
		w.Clean(t)
	})
}

// TestCheckWaits: a rate limit is a matter of the moment.
func TestCheckWaits(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := discordtest.Start(t, discordtest.Settings{})
		w.Fail(discordtest.Fault{Path: "/gateway/bot", Status: 429, RetryAfter: 3 * time.Second})
		found := (&discord.Discord{Token: "fake.token", APIURL: w.APIURL(), Dial: nettest.Dial(t)}).Check(t.Context())
		i := slices.IndexFunc(found, func(f bot.Finding) bool { return f.Part == "Discord gateway" })
		if i < 0 || found[i].State != bot.Doubtful || found[i].What != "Discord asks to wait 3s" {
			t.Errorf("found %+v", found)
		}
	})
}
