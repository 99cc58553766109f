package discord_test

import (
	"fmt"
	"testing"
	"time"

	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// chaos is what a gateway may do to a bot.
var chaos = map[string]func(*world){
	"drop":             func(w *world) { w.Drop() },
	"hang-up 4000":     func(w *world) { w.Hangup(4000) },
	"hang-up 4009":     func(w *world) { w.Hangup(4009) },
	"heartbeat wanted": func(w *world) { w.RequestHeartbeat() },
	"refused":          fault(discordtest.GatewayFault{At: discordtest.OnConnect, Times: 2}),
	"cut before hello": fault(discordtest.GatewayFault{At: discordtest.BeforeHello, Times: 2}),
	"mute":             fault(discordtest.GatewayFault{At: discordtest.BeforeHello, Silent: true}),
	"mute after hello": fault(discordtest.GatewayFault{At: discordtest.AfterHello, Silent: true}),
	"cut after hello":  fault(discordtest.GatewayFault{At: discordtest.AfterHello}),
	"not let in":       fault(discordtest.GatewayFault{At: discordtest.AfterIdentify, Silent: true}),
	"cut after ready":  fault(discordtest.GatewayFault{At: discordtest.AfterReady}),
}

// deadlocks are those at which discordgo waits for a lock of its own, for ever or
// for a second: in a bubble time would wait with it.
var deadlocks = map[string]func(*world){
	"reconnect":        func(w *world) { w.Reconnect() },
	"invalid":          func(w *world) { w.InvalidateSessions(false) },
	"invalid but live": func(w *world) { w.InvalidateSessions(true) },
	"sent away":        fault(discordtest.GatewayFault{At: discordtest.AfterIdentify, Send: discordtest.SendReconnect}),
	"no session":       fault(discordtest.GatewayFault{At: discordtest.AfterIdentify, Send: discordtest.SendInvalid}),
	"sent away ready":  fault(discordtest.GatewayFault{At: discordtest.AfterReady, Send: discordtest.SendReconnect}),
}

// Whatever the gateway does, the bot comes back and hears each question once.
func TestGatewayChaos(t *testing.T) {
	t.Parallel()
	for name, harm := range chaos {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nettest.Test(t, func(t *testing.T) { comesBack(t, harm, time.Minute) })
		})
	}
	for name, harm := range deadlocks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comesBack(t, harm, 3*time.Second)
		})
	}
}

func comesBack(t *testing.T, harm func(*world), openWithin time.Duration) {
	set := calm
	set.Patience = 5 * time.Minute
	w := begin(t, set, func(d *discord.Discord) { d.OpenWithin = openWithin })
	w.Say("Ann", w.General, "<@"+w.BotID+"> 0")
	w.hears()
	harm(w)
	for i := range 5 {
		w.Say("Ann", w.General, fmt.Sprint("<@", w.BotID, "> ", i+1))
		time.Sleep(100 * time.Millisecond)
	}
	got := map[string]bool{}
	for range 5 {
		got[w.hears().Text] = true
	}
	if len(got) != 5 {
		t.Errorf("heard %v", got)
	}
	w.Await("a connection", func() bool { return w.Connected() == 1 })
	w.hearsNothing()
	if n := len(w.Resumes()); n != 0 {
		t.Errorf("resumed %d times", n)
	}
}

func fault(f discordtest.GatewayFault) func(*world) {
	return func(w *world) {
		w.FailGateway(f)
		w.Drop()
	}
}

// A socket that stays and says nothing more is given up.
func TestSilence(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, discordtest.Settings{Rates: discordtest.NoRates(), Heartbeat: 50 * time.Millisecond}, func(d *discord.Discord) { d.MaxSilence = 400 * time.Millisecond })
		w.Mute(true)
		w.HoldEvents()
		w.Say("Ann", w.General, "<@"+w.BotID+"> are you there?")
		w.Await("another connection", func() bool { return len(w.Identifies()) > 1 })
		w.Mute(false)
		if h := w.hears(); h.Text != "are you there?" {
			t.Errorf("heard %+v", h)
		}
	})
}

// Events come out of order, twice and late; each is heard once.
func TestDisorder(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		w.HoldEvents()
		asked := w.Say("Ann", w.General, "<@"+w.BotID+"> q")
		w.Edit(asked, "<@"+w.BotID+"> r")
		run := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "s"})
		w.ReleaseEvents(2, 1, 0, 0, 1, 2)
		run.Await()
		got := map[string]int{}
		for range 3 {
			got[w.hears().Text]++
		}
		if got["q"] != 1 || got["r"] != 1 || got["s"] != 1 {
			t.Errorf("heard %v", got)
		}
		w.hearsNothing()
		w.Clean(t)
	})
}

// Run ends with its ctx at any moment, and leaves the socket closed.
func TestStops(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		for _, at := range []discordtest.GatewayFault{{At: discordtest.BeforeHello, Silent: true}, {At: discordtest.AfterIdentify, Silent: true}} {
			w := begin(t, calm)
			w.FailGateway(at)
			w.Drop()
			w.AwaitConnected(0)
			time.Sleep(1200 * time.Millisecond) // discordgo takes a second to see that it was cut off
			began := time.Now()
			if err := w.stop(); err != nil || time.Since(began) > 5*time.Second {
				t.Errorf("stopped after %v with %v", time.Since(began), err)
			}
			w.AwaitConnected(0)
		}
	})
}

// Where Discord says at the start when to ask again, the bot does then.
func TestLimitedAtTheStart(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		if err := w.stop(); err != nil {
			t.Fatal(err)
		}
		w.Fail(discordtest.Fault{Path: "/applications/@me", Times: 2, Status: 429, RetryAfter: 50 * time.Millisecond, Scope: "global"})
		w.connect(func(d *discord.Discord) { d.Backoff = time.Hour })
	})
}
