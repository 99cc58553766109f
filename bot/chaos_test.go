package bot_test

import (
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
	"precedent/store/cases"
)

// slowly is a model that takes as long as the gate is shut.
func slowly(gate chan struct{}) func(string) modeltest.Reply {
	return func(prompt string) modeltest.Reply {
		<-gate
		return drafted(prompt)
	}
}

// once fails the test unless one message of the bot stands in the thread, and it reads texts.
func (o *office) once(thread string, texts ...string) {
	o.t.Helper()
	o.answer(thread, texts...)
	o.settled()
	if list := o.replies(thread); len(list) != 1 || !says(thread, texts...)(list[0]) {
		o.t.Errorf("%d messages in the thread, want one with %q:\n%s", len(list), texts, o.slack.Show())
	}
}

// TestOutOfOrder brings things twice and in the wrong order.
func TestOutOfOrder(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: drafted, quorum: 1})
		o.slack.Duplicate(4)
		asked := o.ask(slacktest.Alice, thrillers)
		m := o.answer(asked.TS, thriller)
		o.once(asked.TS, thriller)

		// A vote is taken back before it is heard of.
		o.slack.Hold()
		o.slack.React(slacktest.Bob, slacktest.General, m.TS, "+1")
		o.slack.Unreact(slacktest.Bob, slacktest.General, m.TS, "+1")
		o.slack.Release(true)
		o.slack.React(slacktest.Alice, slacktest.General, m.TS, "-1")
		o.slack.Await("all deliveries", func() bool { return acked(o.slack) })
		o.settled()
		if c := o.status(); c.Votes.Up != 0 {
			t.Errorf("a vote that was taken back stands: %+v", c.Votes)
		}
		// An edit comes before the question it changes.
		o.slack.Hold()
		asked = o.ask(slacktest.Bob, covered)
		o.slack.Edit(slacktest.General, asked.TS, "@precedent films directed by Quentin Tarantino")
		o.slack.Release(true)
		o.once(asked.TS, "Pulp Fiction")
		// A question's end comes before it.
		o.slack.Hold()
		asked = o.ask(slacktest.Bob, covered)
		o.slack.Delete(slacktest.General, asked.TS)
		o.slack.Release(true)
		o.slack.Await("all deliveries", func() bool { return acked(o.slack) })
		o.settled()
		if list := o.replies(asked.TS); len(list) != 0 {
			t.Errorf("a question that is gone was answered:\n%s", o.slack.Show())
		}
		o.clean()
	})
}

func acked(s *slacktest.Server) bool {
	for _, d := range s.Deliveries() {
		if !d.Acked() {
			return false
		}
	}
	return true
}

// known waits until it is kept where the placeholder of a question stands.
func (o *office) known(asked slacktest.Message) {
	o.t.Helper()
	o.slack.Await("it to be kept where the placeholder is", func() bool {
		_, err := o.desk.Inbox.For(o.t.Context(), "slack:"+asked.Channel+"/"+asked.TS)
		return err == nil
	})
}

// TestEarlyReaction reacts to the placeholder, before the answer stands there.
func TestEarlyReaction(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: slowly(gate), quorum: 1, tune: quickly})
		asked := o.ask(slacktest.Alice, thrillers)
		m := o.answer(asked.TS, "…")
		o.known(asked)
		o.slack.React(slacktest.Bob, slacktest.General, m.TS, "thumbsup")
		o.slack.Edit(slacktest.General, asked.TS, "@precedent "+thrillersZh) // waits its turn
		close(gate)
		o.slack.Await("the vote", func() bool { return o.status().Votes.Up == 1 })
		o.settled()
		o.clean()
	})
}

// TestCutSocket cuts the socket at every stage while people ask and vote.
func TestCutSocket(t *testing.T) {
	for _, stage := range []slacktest.Stage{slacktest.Dialling, slacktest.BeforeHello, slacktest.InEnvelope, slacktest.AfterEnvelope, slacktest.BeforeAck, slacktest.AfterAck} {
		t.Run(string(stage), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				o := opened(t, setting{slack: openWorkspace()})
				o.slack.DropAt(stage, 1)
				if stage == slacktest.Dialling || stage == slacktest.BeforeHello {
					o.slack.Drop()
				}
				asked := o.ask(slacktest.Alice, covered)
				o.slack.AwaitSocket()
				time.Sleep(2 * time.Minute) // Slack sends again what found nobody
				m := o.answer(asked.TS, film)
				o.settled() // reactions wait for an answer to be kept, and here that is not long
				o.slack.DropAt(stage, 1)
				o.slack.React(slacktest.Carol, slacktest.General, m.TS, "-1")
				o.slack.AwaitSocket()
				time.Sleep(2 * time.Minute)
				o.answer(asked.TS, "Taken out of use")
				o.settled()
				if list := o.replies(asked.TS); len(list) != 2 {
					t.Errorf("%d messages, want an answer and a note:\n%s", len(list), o.slack.Show())
				}
				for _, v := range o.slack.Violations() {
					if v.Method != "ack" { // acknowledged late, by a clock that was moved on
						t.Error(v)
					}
				}
			})
		})
	}
}

// TestRestart ends the desk in mid-question. Its placeholder says so, and the
// answer goes there after the next start.
func TestRestart(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: slowly(gate), tune: quickly})
		asked := o.ask(slacktest.Alice, thrillersZh)
		m := o.answer(asked.TS, "……")
		o.known(asked)
		o.desk.Grace = time.Millisecond
		o.stop()
		if now, _ := o.slack.Message(slacktest.General, m.TS); !strings.Contains(now.Reads(), "我正在重启") {
			t.Errorf("the placeholder reads %q", now.Reads())
		}
		close(gate)
		o.start()
		o.once(asked.TS, thriller)
		if entries, err := o.engine.Library().Conversation(t.Context(), "slack:"+slacktest.General+"/"+asked.TS, 9); err != nil || len(entries) == 0 {
			t.Errorf("the journal has %v, %v", []cases.Entry(entries), err)
		}
		o.clean()
	})
}

// TestGrace ends the desk in mid-question, and the answer comes within the grace
// that it has for that: it is posted as if nothing were.
func TestGrace(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: slowly(gate), tune: func(d *bot.Desk) { quickly(d); d.Grace = 0 }})
		asked := o.ask(slacktest.Alice, thrillers)
		o.answer(asked.TS, "…")
		o.known(asked)
		time.AfterFunc(bot.DefaultGrace-time.Second, func() { close(gate) })
		began := time.Now()
		o.stop()
		if took := time.Since(began); took >= bot.DefaultGrace {
			t.Errorf("ended after %v", took)
		}
		o.answer(asked.TS, thriller)
		o.start()
		o.settled()
		o.once(asked.TS, thriller)
		o.clean()
	})
}

// TestOrphan ends the desk between the posting of a placeholder and its being
// kept: the next start finds it by what it carries.
func TestOrphan(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), model: hangs, tune: quickly})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Applied: true, Delay: time.Hour, Error: "internal_error"})
		asked := o.ask(slacktest.Alice, covered+" with a budget below 100 and 20 more things")
		o.answer(asked.TS, "…")
		o.desk.Grace = time.Millisecond
		o.stop()
		o.start()
		o.slack.Await("it to go on there", func() bool { return len(o.slack.Calls("chat.update")) > 0 })
		if list := o.replies(asked.TS); len(list) != 1 {
			t.Errorf("%d placeholders, want one:\n%s", len(list), o.slack.Show())
		}
		o.desk.Grace = time.Millisecond
	})
}
