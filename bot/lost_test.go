package bot_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
)

// What brings a table with a file beside it.
const (
	long  = "all comedies"
	rows  = "rows 1–25 of 62"
	lates = 40 * time.Second // longer than the bot waits for an answer
)

// TestLostOnSlack has Slack do what it is asked and the word of that be lost, in each
// way, at each step, whether the bot may read the channel or not: the answer and its
// file stand there once, and nothing else does.
func TestLostOnSlack(t *testing.T) {
	faults := map[string]slacktest.Fault{
		"cut":            {Applied: true},
		"cut twice":      {Applied: true, Times: 2},
		"500":            {Applied: true, Status: 500},
		"internal_error": {Applied: true, Error: "internal_error"},
		"too late":       {Applied: true, Delay: lates},
		"done too late":  {Delay: lates},
	}
	for name, fault := range faults {
		for _, step := range []string{"a placeholder", "an answer", "an edit", "files.getUploadURLExternal", "upload", "files.completeUploadExternal"} {
			for _, blind := range []bool{false, true} {
				if (blind || !strings.HasPrefix(step, "a")) && name != "cut" && name != "too late" { // what else there is was shown at a post
					continue
				}
				t.Run(fmt.Sprint(name, " at ", step, map[bool]string{true: ", blind"}[blind]), func(t *testing.T) {
					inBubble(t, func(t *testing.T) {
						gate := make(chan struct{})
						workspace := openWorkspace()
						if blind {
							workspace = &slacktest.Options{Patience: patience}
						}
						o := opened(t, setting{slack: workspace, tune: func(d *bot.Desk) {
							if step != "an answer" {
								quickly(d)
							}
							d.Bot = gated(d.Bot(bot.Place{}), gate)
						}})
						method := map[string]string{"a placeholder": "chat.postMessage", "an answer": "chat.postMessage", "an edit": "chat.update"}[step]
						o.slack.Fail(or(method, step), fault)
						asked := o.ask(slacktest.Alice, long)
						if step != "an answer" {
							o.answer(asked.TS, "working…")
							time.Sleep(time.Minute / 2)
						}
						close(gate)
						o.answer(asked.TS, rows)
						o.settled()
						time.Sleep(5 * time.Minute)
						o.stands(asked)
					})
				})
			}
		}
	}
}

// stands fails the test unless an answer and its file are all that replies to a
// message on Slack.
func (o *office) stands(asked slacktest.Message) {
	o.t.Helper()
	var n tally
	for _, m := range o.replies(asked.TS) {
		n.add(m.Reads(), len(m.Files))
	}
	if n != standing {
		o.t.Errorf("%+v\n%s", n, o.slack.Show())
	}
}

// A tally counts messages by what they hold.
type tally struct{ answers, files, others int }

// standing is one answer with its file, and nothing else.
var standing = tally{answers: 1, files: 1}

// add counts a message that says text and holds so many files.
func (n *tally) add(text string, files int) {
	switch {
	case strings.Contains(text, rows):
		n.answers++
	case files > 0:
		n.files++
	default:
		n.others++
	}
}

// TestLostOnForgetfulSlack is what is left where Slack makes a second message of an
// id and the bot may not read the channel: nothing is lost, and who presses Stop on
// what was left over takes it away.
func TestLostOnForgetfulSlack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		o := opened(t, setting{slack: &slacktest.Options{Patience: patience, Forgetful: true}, tune: func(d *bot.Desk) {
			quickly(d)
			d.Bot = gated(d.Bot(bot.Place{}), gate)
		}})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Applied: true})
		asked := o.ask(slacktest.Alice, covered)
		left := o.answer(asked.TS, "working…")
		close(gate)
		o.answer(asked.TS, film)
		o.settled()
		if n, others := o.slackAnswers(asked.TS, film); n != 1 || others != 1 {
			t.Fatalf("%d answers, %d other messages", n, others)
		}
		o.press(slacktest.Bob, left, "stop|")
		o.slack.AwaitMessage(slacktest.General, func(m slacktest.Message) bool {
			return m.TS == left.TS && strings.Contains(m.Reads(), "Stopped.")
		})
		o.settled()
		if n, others := o.slackAnswers(asked.TS, film); n != 1 || others != 1 {
			t.Errorf("%d answers, %d other messages", n, others)
		}
	})
}

// TestLostOnDiscord is TestLostOnSlack for Discord: mentions and commands.
func TestLostOnDiscord(t *testing.T) {
	faults := map[string]discordtest.Fault{
		"cut":           {Cut: true, After: true},
		"cut twice":     {Cut: true, After: true, Times: 2},
		"500":           {Status: 500, After: true},
		"502":           {Status: 502, After: true, Times: 3},
		"done too late": {Hold: make(chan struct{})},
	}
	for name, fault := range faults {
		for _, step := range []string{"a placeholder", "an answer", "an edit", "a file", "a command's answer", "a command's file"} {
			if name != "cut" && name != "done too late" && step != "a placeholder" && step != "an answer" && step != "a command's file" { // likewise
				continue
			}
			t.Run(name+" at "+step, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					fault := fault
					if fault.Hold != nil {
						fault.Hold = make(chan struct{})
					}
					gate := make(chan struct{})
					o := opened(t, setting{discord: openGuild(), tune: func(d *bot.Desk) {
						if step != "an answer" {
							quickly(d)
						}
						d.Bot = gated(d.Bot(bot.Place{}), gate)
					}})
					fails := func(method, path string) {
						fault.Method, fault.Path = method, path
						o.discord.Fail(fault)
					}
					channel := "/channels/" + o.discord.General + "/messages"
					if step == "a placeholder" || step == "an answer" {
						fails("POST", channel)
					}
					if strings.HasPrefix(step, "a command") {
						run := o.discord.Run("Ann", o.discord.General, "ask", question(long))
						run.Await()
						time.Sleep(time.Second)
						fails(map[bool]string{true: "PATCH", false: "POST"}[step == "a command's answer"], "/webhooks/")
						close(gate)
						o.discord.Await("the answer", func() bool { m, ok := run.Response(); return ok && strings.Contains(m.Text(), rows) })
						o.settled()
						time.Sleep(5 * time.Minute)
						if list := o.discord.Messages(o.discord.General); len(list) != 2 {
							t.Errorf("%d messages: %+v", len(list), list)
						}
						return
					}
					asked := o.mention("Ann", long)
					if step != "an answer" { // the placeholder is up, but where that was never done
						time.Sleep(time.Minute / 2)
					}
					switch step {
					case "an edit":
						fails("PATCH", channel)
					case "a file":
						fails("POST", channel)
					}
					close(gate)
					o.reply(asked, rows)
					o.settled()
					time.Sleep(5 * time.Minute)
					var n tally
					for _, m := range o.discord.Messages(o.discord.General) {
						if m.Author == o.discord.BotID {
							n.add(m.Text(), len(m.Files))
						}
					}
					if n != standing {
						t.Errorf("%+v", n)
					}
				})
			})
		}
	}
}

// TestClockJumps sets the machine's clock on and back by days while a network is out
// of reach for hours, and while posts fail: nothing is given up, nothing said twice.
func TestClockJumps(t *testing.T) {
	for name, jumps := range map[string][]time.Duration{
		"on by three days":      {72 * time.Hour},
		"back by three days":    {-72 * time.Hour},
		"on and back":           {72 * time.Hour, -72 * time.Hour, 0},
		"back and on":           {-25 * time.Hour, 25 * time.Hour},
		"back by a year":        {-8766 * time.Hour},
		"on by an hour at each": {time.Hour, 2 * time.Hour, 3 * time.Hour, 4 * time.Hour, 5 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var off atomic.Int64
				o := opened(t, setting{slack: openWorkspace(), discord: openGuild(), tune: func(d *bot.Desk) {
					d.Inbox.Now = func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
				}})
				o.slack.Fail("chat.postMessage", slacktest.Fault{Times: many, Status: 503})
				undo := o.discord.Fail(discordtest.Fault{Method: "POST", Path: "/messages", Times: -1, Status: 503})
				asked, on := o.ask(slacktest.Alice, covered), o.mention("Ann", covered)
				for _, jump := range jumps {
					time.Sleep(gone)
					off.Store(int64(jump))
				}
				time.Sleep(gone)
				undo()
				o.slack.Unfail("chat.postMessage")
				o.awaited("answer on Slack", func() bool { n, _ := o.slackAnswers(asked.TS, film); return n > 0 })
				o.awaited("answer on Discord", func() bool { n, _ := o.discordAnswers(on, film); return n > 0 })
				o.settled()
				if n, others := o.slackAnswers(asked.TS, film); n != 1 || others != 0 {
					t.Errorf("%d answers, %d other messages on Slack", n, others)
				}
				if n, others := o.discordAnswers(on, film); n != 1 || others != 0 {
					t.Errorf("%d answers, %d other messages on Discord", n, others)
				}
			})
		})
	}
}
