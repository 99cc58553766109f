package bot_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/engine"
)

// TestFaults has Slack answer the posting of an answer and of a placeholder, and
// the edit of one, in each of the ways that it goes wrong. The answer stands there
// in the end, once.
func TestFaults(t *testing.T) {
	tests := []struct {
		name   string
		fault  slacktest.Fault
		method string // "" is each of the two
		says   string // in the answer
		twice  bool   // a message more than the answer may stand there
	}{
		{name: "429", fault: slacktest.Fault{Times: 3, RetryAfter: 1}},
		{name: "a connection that breaks", fault: slacktest.Fault{Times: 2}},
		{name: "a connection that breaks after the work is done", fault: slacktest.Fault{Applied: true}},
		{name: "HTTP 503", fault: slacktest.Fault{Times: 3, Status: 503}},
		{name: "internal_error after the work is done", fault: slacktest.Fault{Applied: true, Error: "internal_error"}},
		{name: "fatal_error, often", fault: slacktest.Fault{Times: 14, Error: "fatal_error"}},
		{name: "blocks refused", fault: slacktest.Fault{Error: "invalid_blocks"}, says: "Memento · 2000"},
		{name: "blocks refused twice", fault: slacktest.Fault{Times: 2, Error: "invalid_blocks"}},
		{name: "the message is gone", method: "chat.update", fault: slacktest.Fault{Error: "message_not_found"}, twice: true},
		{name: "too late to edit", method: "chat.update", fault: slacktest.Fault{Error: "edit_window_closed"}, twice: true},
	}
	for _, test := range tests {
		for _, method := range []string{"chat.postMessage", "chat.update"} {
			if test.method != "" && test.method != method {
				continue
			}
			t.Run(test.name+" at "+method, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					gate := make(chan struct{})
					o := opened(t, setting{slack: openWorkspace(), tune: func(d *bot.Desk) {
						quickly(d)
						d.Bot = gated(d.Bot(bot.Place{}), gate)
					}})
					o.slack.Fail(method, test.fault)
					asked := o.ask(slacktest.Alice, covered)
					if method == "chat.update" {
						o.answer(asked.TS, "working…")
					}
					close(gate)
					o.answer(asked.TS, film)
					o.settled()
					list := o.replies(asked.TS)
					if last := list[len(list)-1].Reads(); method == "chat.update" && !strings.Contains(last, test.says) {
						t.Errorf("the answer reads\n%s", last)
					}
					if want := map[bool]int{false: 1, true: 2}[test.twice]; len(list) != want {
						t.Errorf("%d messages, want %d:\n%s", len(list), want, o.slack.Show())
					}
					if !says(asked.TS, film)(list[len(list)-1]) {
						t.Errorf("the last message is no answer:\n%s", list[len(list)-1].Reads())
					}
					o.clean()
				})
			})
		}
	}
}

// TestBlind has the placeholder fail after it was posted where the bot may not
// look: it goes on standing there, which is the one way to leave something over;
// the answer is there once.
func TestBlind(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		o := opened(t, setting{slack: &slacktest.Options{Patience: patience}, tune: func(d *bot.Desk) {
			quickly(d)
			d.Bot = gated(d.Bot(bot.Place{}), gate)
		}})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Applied: true})
		asked := o.ask(slacktest.Alice, covered)
		o.answer(asked.TS, "working…")
		close(gate)
		o.answer(asked.TS, film)
		o.settled()
		answers := 0
		for _, m := range o.replies(asked.TS) {
			if strings.Contains(m.Reads(), film) {
				answers++
			}
		}
		if answers != 1 {
			t.Errorf("%d answers", answers)
		}
		o.clean()
	})
}

// TestDeletedInDoubt deletes a question whose placeholder was posted by a call that
// failed: it goes on standing there, but says that nothing is to come.
func TestDeletedInDoubt(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		defer close(gate)
		o := opened(t, setting{slack: openWorkspace(), tune: func(d *bot.Desk) {
			quickly(d)
			d.Bot = gated(d.Bot(bot.Place{}), gate)
		}})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Applied: true})
		asked := o.ask(slacktest.Alice, covered)
		o.answer(asked.TS, "working…")
		o.slack.Delete(slacktest.General, asked.TS)
		o.once(asked.TS, "Stopped.")
		o.clean()
	})
}

// gated is b, which answers once the gate is open.
func gated(b *bot.Bot, gate chan struct{}) func(bot.Place) *bot.Bot {
	ask := b.Ask
	b.Ask = func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return ask(ctx, q, p)
	}
	return func(bot.Place) *bot.Bot { return b }
}

// TestStorm has Slack answer 429 to everything for a while: each question is
// answered, those elsewhere as well.
func TestStorm(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), tune: quickly})
		for _, method := range []string{"chat.postMessage", "chat.update", "chat.postEphemeral", "response_url", "views.open", "views.publish", "users.info", "reactions.get",
			"conversations.replies", "conversations.history", "files.getUploadURLExternal", "files.completeUploadExternal"} {
			o.slack.Fail(method, slacktest.Fault{Times: 2, RetryAfter: 1})
		}
		asked := o.ask(slacktest.Alice, "all comedies")
		dm := o.slack.DM(slacktest.Bob)
		o.slack.Say(slacktest.Bob, dm, "", coveredZh)
		o.slack.Command(slacktest.Carol, slacktest.General, "/ask", covered)
		o.slack.OpenHome(slacktest.Bob)
		o.slack.AwaitMessage(dm, says("", film))
		o.aside(slacktest.Carol, film)
		m := o.answer(asked.TS, "rows 1–25 of 62")
		o.page(slacktest.Bob, "Ask me about the graph")
		o.press(slacktest.Bob, m, "more|")
		o.answer(asked.TS, "rows 26–50 of 62")
		o.slack.Await("the file", func() bool {
			for _, m := range o.slack.Messages(slacktest.General) {
				if len(m.Files) == 1 {
					return true
				}
			}
			return false
		})
		o.settled()
		o.clean()
	})
}

// TestAway has Slack out of reach for longer than anybody tries, and the desk
// end meanwhile.
func TestAway(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: drafted, tune: func(d *bot.Desk) { quickly(d); d.Pause = time.Millisecond }})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Times: 9})
		o.slack.Fail("conversations.replies", slacktest.Fault{Times: 3})
		asked := o.ask(slacktest.Alice, thrillers)
		o.slack.Await("many calls", func() bool { return len(o.slack.Calls("chat.postMessage")) > 3 })
		o.restart()
		o.answer(asked.TS, thriller)
		o.once(asked.TS, thriller)
		if n := o.model.Calls(); n > 4 {
			t.Errorf("the model was asked %d times for one question", n)
		}
	})
}

// TestGone takes things away under the bot: the placeholder, the whole channel,
// what a form opens with, and the right to speak.
func TestGone(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		o := opened(t, setting{slack: openWorkspace(), tune: func(d *bot.Desk) {
			quickly(d)
			d.Bot = gated(d.Bot(bot.Place{}), gate)
		}})
		asked := o.ask(slacktest.Alice, covered)
		m := o.answer(asked.TS, "working…")
		o.slack.Delete(slacktest.General, m.TS)
		close(gate)
		m = o.answer(asked.TS, film)

		o.slack.Fail("views.open", slacktest.Fault{Error: "expired_trigger_id"})
		o.press(slacktest.Bob, m, "down|") // the vote counts, form or none
		o.aside(slacktest.Bob, "noted as wrong")

		o.slack.AddChannel(slacktest.Channel{ID: slacktest.Random, Name: "random", Kind: "public_channel", Members: []string{slacktest.Alice, o.slack.BotUser}})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Times: 9, Error: "is_archived"})
		o.slack.Say(slacktest.Alice, slacktest.Random, "", "@precedent "+covered)
		o.slack.Await("a try", func() bool {
			return slices.ContainsFunc(o.slack.Calls("chat.postMessage"), func(c slacktest.Call) bool { return c.Error == "is_archived" })
		})
		o.settled() // and that is the end of it
	})
}

// TestMute has the bot hear where it may not speak: it tells the asker alone.
func TestMute(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace()})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Error: "restricted_action"})
		o.ask(slacktest.Bob, coveredZh)
		o.slack.AwaitMessage(o.slack.DM(slacktest.Bob), says("", film))
		o.settled()
		o.clean()
	})
}

// TestHang has the model never answer: people are told.
func TestHang(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), model: hangs, tune: func(d *bot.Desk) {
			quickly(d)
			d.Bot(bot.Place{}).Patience = 200 * time.Millisecond
		}})
		for _, question := range []string{thrillers, thrillersZh} {
			asked := o.ask(slacktest.Alice, question)
			o.answer(asked.TS, "")
			o.settled()
			list := o.replies(asked.TS)
			if len(list) != 1 || strings.Contains(list[0].Reads(), "…") || strings.Contains(list[0].Reads(), "Stop") {
				t.Errorf("%q is answered so:\n%s", question, o.slack.Show())
			}
		}
		o.clean()
	})
}

// TestPanic has the engine break in mid-question.
func TestPanic(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), tune: func(d *bot.Desk) {
			d.Bot(bot.Place{}).Ask = func(context.Context, engine.Question, func(engine.Progress)) engine.Answer { panic("broken") }
		}})
		asked := o.ask(slacktest.Alice, covered)
		o.once(asked.TS, "Please ask again")
		o.clean()
	})
}

// TestClock sets the machine's clock on by a day and back by two while an event
// waits and votes come.
func TestClock(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: drafted, tune: func(d *bot.Desk) {
			var n atomic.Int32
			d.Inbox.Now = func() time.Time {
				return time.Now().Add([]time.Duration{0, 24 * time.Hour, -24 * time.Hour}[n.Add(1)/3%3])
			}
		}})
		for i, question := range []string{thrillers, covered, thrillersZh} {
			o.slack.Fail("chat.postMessage", slacktest.Fault{Times: 7 - 6*min(i, 1)}) // the first is put off
			asked := o.ask([]string{slacktest.Alice, slacktest.Bob, slacktest.Carol}[i], question)
			m := o.answer(asked.TS, []string{thriller, film, thriller}[i])
			o.slack.React(slacktest.Carol, slacktest.General, m.TS, "-1")
		}
		o.settled()
	})
}
