package bot_test

import (
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
)

// TestFaultsOnDiscord has Discord answer a post, an edit and an interaction's
// answer in each of the ways that it goes wrong.
func TestFaultsOnDiscord(t *testing.T) {
	tests := []struct {
		name  string
		fault discordtest.Fault
	}{
		{"429", discordtest.Fault{Times: 2, Status: 429, RetryAfter: 50 * time.Millisecond}},
		{"429 for all", discordtest.Fault{Times: 2, Status: 429, RetryAfter: 50 * time.Millisecond, Scope: "global"}},
		{"a cut", discordtest.Fault{Times: 2, Cut: true}},
		{"a cut after the work is done", discordtest.Fault{Cut: true, After: true}},
		{"503", discordtest.Fault{Times: 3, Status: 503}},
		{"500 after the work is done", discordtest.Fault{Status: 500, After: true}},
		{"a body refused", discordtest.Fault{Status: 400, Code: 50035}},
		{"a body refused twice", discordtest.Fault{Times: 2, Status: 400, Code: 50035}},
		{"the message is gone", discordtest.Fault{Status: 404, Code: 10008}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				gate := make(chan struct{})
				o := opened(t, setting{discord: openGuild(), tune: func(d *bot.Desk) {
					quickly(d)
					d.Bot = gated(d.Bot(bot.Place{}), gate)
				}})
				for method, path := range map[string]string{"POST": "channels/" + o.discord.General + "/messages", "PATCH": "/messages/"} {
					f := test.fault
					if f.Method, f.Path = method, path; method == "PATCH" || f.Code != 10008 {
						o.discord.Fail(f)
					}
				}
				asked := o.mention("Ann", covered)
				o.discord.Run("Ben", o.discord.General, "ask", question(coveredZh))
				close(gate)
				o.discord.AwaitMessage(o.discord.General, tells(film, "10 rows"))
				o.discord.AwaitMessage(o.discord.General, tells(film, "共 10 条"))
				o.settled()
				answers := 0
				for _, m := range o.discord.Messages(o.discord.General) {
					if m.Author != o.discord.BotID || m.ID == asked.ID {
						continue
					}
					if strings.Contains(m.Text(), film) {
						answers++
					} else if test.fault.Code != 10008 {
						t.Errorf("a message stays that is no answer: %q", m.Text())
					}
				}
				if answers != 2 {
					t.Errorf("%d answers to two questions", answers)
				}
			})
		})
	}
}

// TestDeadToken has an interaction's token die before the answer is there: the bot
// speaks for itself, once, and to one person alone where only they should hear.
func TestDeadToken(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		guild := openGuild()
		guild.TokenLife = 10 * time.Second // Discord's 15 minutes are longer than a question may take
		o := opened(t, setting{discord: guild, tune: func(d *bot.Desk) { d.Bot = gated(d.Bot(bot.Place{}), gate) }})
		run := o.discord.Run("Ann", o.discord.General, "ask", question(covered))
		run.Await()
		time.Sleep(11 * time.Second)
		close(gate)
		m := o.discord.AwaitMessage(o.discord.General, tells(film))
		o.settled()
		i := o.click("Ben", m, "how|")
		i.Await()
		o.alone("Ben", "a verified case answered")
		if n := len(o.discord.Messages(o.discord.General)); n > 2 {
			t.Errorf("%d messages for one question", n)
		}
	})
}

// TestFormTooLate has the right to open a form die before that is done: the vote
// counts, and who gave it hears so; the next press opens it. What is sent with a
// form by then without a right to answer counts as well.
func TestFormTooLate(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{discord: openGuild()})
		m := o.command("Ann", covered, film)
		late := func(act func() *discordtest.Interaction) *discordtest.Interaction {
			hold := make(chan struct{})
			o.discord.Fail(discordtest.Fault{Path: "/callback", Hold: hold})
			i := act()
			i.Expire()
			close(hold)
			return i
		}
		dead := late(func() *discordtest.Interaction { return o.discord.Click("Ben", m, "👎 Wrong") })
		o.discord.AwaitMessage(o.discord.DM("Ben"), tells("noted as wrong"))
		if kind, _ := dead.Answered(); kind != 0 {
			t.Errorf("a dead interaction was answered with %d", kind)
		}
		form := o.click("Ben", m, "down|")
		if _, ok := form.Modal(); !ok {
			t.Fatal("the next press opens no form")
		}
		late(func() *discordtest.Interaction {
			return o.discord.Submit(form, map[string]string{"reason": "value", "why": "that is another Nolan"})
		})
		o.discord.AwaitMessage(o.discord.DM("Ben"), tells("Thank you, noted."))
		o.settled()
	})
}

// TestGatewayFaults breaks the gateway in each of its ways while people ask.
func TestGatewayFaults(t *testing.T) {
	ways := map[string]func(s *discordtest.Server){
		"invalid session":       func(s *discordtest.Server) { s.InvalidateSessions(false) },
		"invalid session, live": func(s *discordtest.Server) { s.InvalidateSessions(true) },
		"reconnect":             func(s *discordtest.Server) { s.Reconnect() },
		"cut":                   func(s *discordtest.Server) { s.Drop() },
		"sessions expired":      func(s *discordtest.Server) { s.ExpireSessions(); s.Drop() },
		"hung up":               func(s *discordtest.Server) { s.Hangup(4000) },
		"told twice":            func(s *discordtest.Server) { s.Duplicate(5) },
		"refused at the next hello": func(s *discordtest.Server) {
			s.FailGateway(discordtest.GatewayFault{At: discordtest.OnConnect, Times: 2})
			s.Drop()
		},
	}
	for name, breaks := range ways {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				o := opened(t, setting{discord: openGuild(), quorum: 1})
				first := o.reply(o.mention("Ann", covered), film)
				o.settled()
				breaks(o.discord)
				asked := o.mention("Ben", long) // nobody may be listening
				o.discord.React("Fay", first, "👎")
				o.discord.AwaitConnected(1)
				o.reply(asked, "Comedy 01")
				o.discord.AwaitMessage(o.discord.General, tells("Taken out of use"))
				o.settled()
				answers := 0
				for _, m := range o.discord.Messages(o.discord.General) {
					if m.ReplyTo == asked.ID {
						answers++
					}
				}
				if answers != 1 {
					t.Errorf("%d answers", answers)
				}
			})
		})
	}
}
