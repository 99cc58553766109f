package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
)

// gone is how long a network is out of reach: longer than the longest pause between tries.
const gone = 12 * time.Minute

// part is how a part of the office is.
func (o *office) part(name string) bot.Finding {
	for _, f := range o.parts.Findings() {
		if f.Part == name {
			return f
		}
	}
	o.t.Fatalf("there is no part %s", name)
	return bot.Finding{}
}

// awaitPart waits until a part is in a state.
func (o *office) awaitPart(name string, state bot.State) bot.Finding {
	o.t.Helper()
	for end := time.Now().Add(20 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if f := o.part(name); f.State == state {
			return f
		}
	}
	o.t.Fatalf("%s doesn't become %s: %+v", name, state, o.parts.Findings())
	return bot.Finding{}
}

// awaited waits for as long as a network may be tried again after.
func (o *office) awaited(what string, ok func() bool) {
	o.t.Helper()
	for end := time.Now().Add(20 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	if o.slack != nil {
		o.t.Log(o.slack.Show())
	}
	o.t.Fatalf("no %s", what)
}

// slackAnswers counts the bot's messages in a thread that hold text, and the others.
func (o *office) slackAnswers(thread, text string) (answers, others int) {
	for _, m := range o.replies(thread) {
		if strings.Contains(m.Reads(), text) {
			answers++
		} else {
			others++
		}
	}
	return answers, others
}

// discordAnswers is slackAnswers for replies to a message.
func (o *office) discordAnswers(asked discordtest.Message, text string) (answers, others int) {
	for _, m := range o.discord.Messages(asked.Channel) {
		switch {
		case m.ReplyTo != asked.ID || m.Deleted:
		case strings.Contains(m.Text(), text):
			answers++
		default:
			others++
		}
	}
	return answers, others
}

// An outage is one network's, while the other goes on.
type outage struct {
	name   string
	part   string // that is down then
	cure   string // in the log, once; "" where nobody has to do anything
	breaks func(*office)
	mends  func(*office)
	tokens map[string]string // wrong from the start
}

// many is more often than anything is tried in a test.
const many = 1_000_000

func (o *office) unfail() {
	for _, method := range []string{"chat.postMessage", "chat.update", "apps.connections.open", "auth.test"} {
		o.slack.Unfail(method)
	}
}

func slackOutages() (list []outage) {
	revoked := func(code string) func(*office) {
		return func(o *office) { o.slack.Revoke(code); o.slack.Drop() }
	}
	back := func(o *office) { o.slack.Revoke("") }
	fail := func(methods string, code string) func(*office) {
		return func(o *office) {
			for method := range strings.FieldsSeq(methods) {
				o.slack.Fail(method, slacktest.Fault{Times: many, Error: code})
			}
			if strings.Contains(methods, "connections") {
				o.slack.Drop()
			}
		}
	}
	const says = "chat.postMessage chat.update auth.test"
	for _, code := range []string{"invalid_auth", "account_inactive", "token_revoked", "token_expired"} {
		list = append(list, outage{name: code, part: "Slack", cure: "connections:write and copy the token", breaks: revoked(code), mends: back})
	}
	return append(list,
		outage{name: "a socket told to go, and no other", part: "Slack", cure: "connections:write and copy the token", mends: (*office).unfail, breaks: func(o *office) {
			o.slack.Fail("apps.connections.open", slacktest.Fault{Times: many, Error: "invalid_auth"})
			o.slack.Disconnect("refresh_requested")
			time.Sleep(11 * time.Second)
		}},
		outage{name: "Socket Mode off", part: "Slack", cure: "switch Socket Mode on", mends: (*office).unfail, breaks: func(o *office) {
			o.slack.Fail("apps.connections.open", slacktest.Fault{Times: many, Error: "socket_mode_off"})
			o.slack.Disconnect("link_disabled")
			time.Sleep(11 * time.Second)
		}},
		outage{name: "the app token's scope gone", part: "Slack", cure: "connections:write and copy the token", breaks: fail("apps.connections.open", "missing_scope"), mends: (*office).unfail},
		outage{name: "the bot token alone revoked", part: "Slack answers", cure: "OAuth & Permissions, copy the Bot User OAuth Token", breaks: fail(says, "token_revoked"), mends: (*office).unfail},
		outage{name: "the bot token alone of another kind", part: "Slack answers", cure: "OAuth & Permissions, copy the Bot User OAuth Token", breaks: fail(says, "not_allowed_token_type"), mends: (*office).unfail},
		outage{name: "the account inactive for the bot token", part: "Slack answers", cure: "OAuth & Permissions, copy the Bot User OAuth Token", breaks: fail(says, "account_inactive"), mends: (*office).unfail},
		outage{name: "chat:write taken away", part: "Slack answers", cure: "Add an OAuth Scope: chat:write",
			breaks: func(o *office) { o.slack.Grant(without(openWorkspace().Scopes, "chat:write")...) },
			mends:  func(o *office) { o.slack.Grant(openWorkspace().Scopes...) }},
		outage{name: "the network gone for long", part: "Slack",
			breaks: func(o *office) { o.reach["slack"].pull(); time.Sleep(gone) },
			mends:  func(o *office) { o.reach["slack"].plug() }},
		outage{name: "the network gone for long, thrice", part: "Slack",
			breaks: func(o *office) {
				for range 2 {
					o.reach["slack"].pull()
					time.Sleep(gone)
					o.reach["slack"].plug()
					o.awaitPart("Slack", bot.Fine)
				}
				o.reach["slack"].pull()
				time.Sleep(gone)
			},
			mends: func(o *office) { o.reach["slack"].plug() }},
		outage{name: "Slack answers 503 to all", part: "Slack", mends: (*office).unfail, breaks: func(o *office) {
			for method := range strings.FieldsSeq("apps.connections.open " + says) {
				o.slack.Fail(method, slacktest.Fault{Times: many, Status: 503})
			}
			o.slack.Drop()
		}},
	)
}

func without(list []string, drop string) (left []string) {
	for _, s := range list {
		if s != drop {
			left = append(left, s)
		}
	}
	return left
}

func discordOutages() (list []outage) {
	const token, intents = "application's page Bot (reset it there", "switch on MESSAGE CONTENT INTENT"
	closes := func(code int) (breaks, mends func(*office)) {
		var undo func()
		return func(o *office) {
			undo = o.discord.FailGateway(discordtest.GatewayFault{At: discordtest.AfterIdentify, Times: -1, Close: code})
			o.discord.Hangup(code)
		}, func(*office) { undo() }
	}
	for code, cure := range map[int]string{4004: token, 4013: intents, 4014: intents, 4011: "take it out of some", 4012: "a newer release"} {
		breaks, mends := closes(code)
		list = append(list, outage{name: fmt.Sprint("the gateway closes with ", code), part: "Discord", cure: cure, breaks: breaks, mends: mends})
	}
	faulty := func(name, part, cure string, breaks func(*office) (undo func())) outage {
		var undo func()
		return outage{name: name, part: part, cure: cure, breaks: func(o *office) { undo = breaks(o) }, mends: func(*office) { undo() }}
	}
	return append(list,
		outage{name: "the token reset", part: "Discord", cure: token, breaks: func(o *office) { o.discord.ResetToken("another.token") },
			mends: func(o *office) { o.discord.ResetToken("fake.token") }},
		faulty("401 to all, the gateway open", "Discord answers", token, func(o *office) func() {
			return o.discord.Fail(discordtest.Fault{Times: -1, Status: 401})
		}),
		outage{name: "the network gone for long", part: "Discord",
			breaks: func(o *office) { o.reach["discord"].pull(); time.Sleep(gone) },
			mends:  func(o *office) { o.reach["discord"].plug() }},
		faulty("the gateway out of reach", "Discord", "", func(o *office) func() {
			defer o.discord.Drop()
			return o.discord.FailGateway(discordtest.GatewayFault{At: discordtest.OnConnect, Times: -1})
		}),
		faulty("503 to all", "Discord", "", func(o *office) func() {
			defer o.discord.Drop()
			return o.discord.Fail(discordtest.Fault{Times: -1, Status: 503})
		}))
}

// TestAlone breaks one network in each of its ways: the other answers throughout,
// the cure is in the log once, and when it works again all is answered that was
// asked meanwhile, once.
func TestAlone(t *testing.T) {
	for _, out := range slackOutages() {
		t.Run("Slack: "+out.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				o := opened(t, setting{slack: openWorkspace(), discord: openGuild()})
				before := o.ask(slacktest.Alice, covered)
				o.answer(before.TS, film)
				out.breaks(o)
				asked := o.ask(slacktest.Alice, covered)
				down := o.awaitPart(out.part, bot.Wrong)
				for range 3 {
					o.reply(o.mention("Ann", covered), film)
					time.Sleep(20 * time.Minute)
				}
				o.told(out, down)
				out.mends(o)
				o.awaited("answer on Slack", func() bool { n, _ := o.slackAnswers(asked.TS, film); return n > 0 })
				o.awaitPart(out.part, bot.Fine)
				after := o.ask(slacktest.Bob, coveredZh)
				o.answer(after.TS, film)
				o.settled()
				for _, q := range []slacktest.Message{before, asked, after} {
					if n, others := o.slackAnswers(q.TS, film); n != 1 || others != 0 {
						t.Errorf("%d answers and %d other messages to %s\n%s", n, others, q.TS, o.slack.Show())
					}
				}
				o.told(out, down)
			})
		})
	}
	for _, out := range discordOutages() {
		t.Run("Discord: "+out.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				o := opened(t, setting{slack: openWorkspace(), discord: openGuild()})
				before := o.mention("Ann", covered)
				o.reply(before, film)
				out.breaks(o)
				asked := o.mention("Ann", covered)
				down := o.awaitPart(out.part, bot.Wrong)
				for range 3 {
					o.answer(o.ask(slacktest.Alice, covered).TS, film)
					time.Sleep(20 * time.Minute)
				}
				o.told(out, down)
				out.mends(o)
				o.awaited("answer on Discord", func() bool { n, _ := o.discordAnswers(asked, film); return n > 0 })
				o.awaitPart(out.part, bot.Fine)
				after := o.mention("Ben", coveredZh)
				o.reply(after, film)
				o.settled()
				for _, q := range []discordtest.Message{before, asked, after} {
					if n, others := o.discordAnswers(q, film); n != 1 || others != 0 {
						t.Errorf("%d answers and %d other messages to %s", n, others, q.ID)
					}
				}
				o.told(out, down)
			})
		})
	}
}

// told fails the test unless the operator was told once what to do.
func (o *office) told(out outage, down bot.Finding) {
	o.t.Helper()
	if out.cure == "" {
		if o.said.times("cure=") != 0 {
			o.t.Error("a cure is named for what passes by itself")
		}
		return
	}
	if n := o.said.times(out.cure); n != 1 {
		o.t.Errorf("the cure is %d times in the log", n)
	}
	if !strings.Contains(down.Cure, out.cure) || down.What == "" || down.Since.IsZero() {
		o.t.Errorf("the part is told to be %+v", down)
	}
}

// TestAloneFromTheStart has one network refuse the bot from the start: the other
// answers, and the first as soon as it takes the same token.
func TestAloneFromTheStart(t *testing.T) {
	for _, out := range []outage{
		{name: "a wrong bot token", part: "Slack", tokens: map[string]string{"slack": "xoxb-wrong"}, cure: "copy the Bot User OAuth Token",
			mends: func(o *office) { o.slack.Rename("xoxb-wrong", o.slack.AppToken) }},
		{name: "a wrong app token", part: "Slack", tokens: map[string]string{"slack-app": "xapp-wrong"}, cure: "connections:write and copy the token",
			mends: func(o *office) { o.slack.Rename(o.slack.BotToken, "xapp-wrong") }},
		{name: "both wrong", part: "Slack", tokens: map[string]string{"slack": "xoxb-wrong", "slack-app": "xapp-wrong"}, cure: "copy the Bot User OAuth Token",
			mends: func(o *office) { o.slack.Rename("xoxb-wrong", "xapp-wrong") }},
		{name: "a bot token of another kind", part: "Slack", tokens: map[string]string{"slack": "xapp-kind"}, cure: "copy the Bot User OAuth Token",
			mends: func(o *office) { o.slack.Rename("xapp-kind", o.slack.AppToken) }},
		{name: "a wrong Discord token", part: "Discord", tokens: map[string]string{"discord": "wrong.token"}, cure: "application's page Bot (reset it there",
			mends: func(o *office) { o.discord.ResetToken("wrong.token") }},
	} {
		t.Run(out.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				o := opened(t, setting{slack: openWorkspace(), discord: openGuild(), tokens: out.tokens})
				asks := func() {
					if out.part == "Slack" {
						o.reply(o.mention("Ann", covered), film)
					} else {
						o.answer(o.ask(slacktest.Alice, covered).TS, film)
					}
				}
				for range 3 {
					asks()
					time.Sleep(10 * time.Minute)
				}
				o.told(out, o.part(out.part))
				out.mends(o)
				o.awaitPart(out.part, bot.Fine)
				o.reply(o.mention("Ann", covered), film)
				o.answer(o.ask(slacktest.Alice, covered).TS, film)
				o.settled()
			})
		})
	}
}
