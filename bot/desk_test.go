package bot_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
)

// TestTalk follows a conversation on Slack: a mention, follow-ups in its thread,
// an edit, the same in Chinese, and a direct conversation.
func TestTalk(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace()})
		asked := o.ask(slacktest.Alice, covered)
		m := o.answer(asked.TS, film, "10 rows", "✓ verified case", "same kind as:", "answer ")
		o.settled()
		o.slack.Say(slacktest.Bob, slacktest.General, asked.TS, "and those of Steven Spielberg?")
		o.answer(asked.TS, "understood as:", "Jaws")
		o.settled()

		o.slack.Edit(slacktest.General, asked.TS, "@precedent films directed by Quentin Tarantino")
		o.slack.Await("the answer to the edit", func() bool {
			now, _ := o.slack.Message(slacktest.General, m.TS)
			return strings.Contains(now.Reads(), "Pulp Fiction") && !strings.Contains(now.Reads(), film)
		})
		if list := o.replies(asked.TS); len(list) != 2 {
			t.Errorf("the thread has %d messages of the bot, want 2:\n%s", len(list), o.slack.Show())
		}

		dm := o.slack.DM(slacktest.Alice)
		o.slack.Say(slacktest.Alice, dm, "", coveredZh)
		m = o.slack.AwaitMessage(dm, says("", film, "共 10 条", "✓ 已核实的案例"))
		if m.Thread != "" {
			t.Errorf("the answer to a direct message is in a thread: %+v", m)
		}
		o.slack.Say(slacktest.Alice, dm, "", "那斯皮尔伯格呢？")
		o.slack.AwaitMessage(dm, says("", "Jaws", "理解为："))
		o.clean()
	})
}

// TestPicks presses what the bot offers: what could be meant, and questions in
// place of one that isn't answered; also after another start.
func TestPicks(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace()})
		asked := o.ask(slacktest.Alice, "films by Nolen")
		m := o.answer(asked.TS, "Did you mean")
		if len(m.Blocks) == 0 || strings.Contains(m.Reads(), "👍") {
			t.Errorf("a question back is to be voted on:\n%s", m.Reads())
		}
		for range 2 { // the second press changes nothing, whoever presses
			o.press(slacktest.Bob, m, "pick|").AwaitAck()
		}
		o.answer(asked.TS, film)
		o.settled()
		if n := len(o.replies(asked.TS)); n != 2 {
			t.Errorf("%d messages after two presses of one button, want 2:\n%s", n, o.slack.Show())
		}

		other := o.ask(slacktest.Bob, "who directed Incepton")
		m = o.answer(other.TS, "Did you mean")
		third := o.ask(slacktest.Carol, "films starring Kate")
		offers := o.answer(third.TS, "No case covers this yet")
		o.settled()
		o.restart()
		o.press(slacktest.Bob, m, "pick|")
		o.answer(other.TS, "Christopher Nolan")
		o.press(slacktest.Carol, offers, "pick|")
		o.answer(third.TS, "✓ verified case")
		o.clean()
	})
}

// TestRows pages through a long answer, and reads the file that holds all of it.
func TestRows(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace()})
		asked := o.ask(slacktest.Alice, "all comedies")
		m := o.answer(asked.TS, "rows 1–25 of 62", "The file has all of it.")
		o.slack.Await("the file", func() bool { return len(o.slack.Calls("files.completeUploadExternal")) == 1 })
		var name string
		for _, posted := range o.slack.Messages(slacktest.General) {
			for _, id := range posted.Files {
				f, _ := o.slack.File(id)
				name = f.Name
				lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(f.Content), "\ufeff"))).ReadAll()
				if err != nil || len(lines) != 63 || posted.Thread != asked.TS {
					t.Errorf("the file has %d lines in thread %q, %v", len(lines), posted.Thread, err)
				}
			}
		}
		if !strings.HasSuffix(name, ".csv") {
			t.Errorf("the file is called %q", name)
		}
		o.press(slacktest.Bob, m, "more|")
		next := o.answer(asked.TS, "rows 26–50 of 62")
		o.settled()
		o.restart() // the rows are no longer in memory
		o.press(slacktest.Bob, next, "more|")
		last := o.answer(asked.TS, "rows 51–62 of 62")
		if list := slackButtons(t, last.Blocks); len(list) != 0 {
			t.Errorf("after the last rows there are buttons %v", list)
		}
		o.press(slacktest.Alice, m, "how|")
		o.aside(slacktest.Alice, "a verified case answered", "MATCH (m:Movie)", "Calls: 0 to the model")
		o.clean()
	})
}

// hangs is a model that never answers.
func hangs(string) modeltest.Reply { return modeltest.Hang() }

func quickly(d *bot.Desk) { d.Quiet = time.Millisecond }

// TestStop stops work on a question: by another, who may not, by the asker, by a
// curator, and by deleting the question.
func TestStop(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), model: hangs, tune: quickly})
		for i, who := range []string{slacktest.Alice, slacktest.Carol} {
			asked := o.ask(slacktest.Alice, thrillers+strings.Repeat("?", i))
			m := o.answer(asked.TS, "…")
			o.press(slacktest.Bob, m, "stop|")
			o.aside(slacktest.Bob, "Only whoever asked, or a curator")
			o.press(who, m, "stop|")
			o.slack.Await("it to stop", func() bool {
				now, _ := o.slack.Message(slacktest.General, m.TS)
				return strings.Contains(now.Reads(), "Stopped.") && len(slackButtons(t, now.Blocks)) == 0
			})
			o.settled()
		}
		asked := o.ask(slacktest.Alice, thrillersZh)
		m := o.answer(asked.TS, "……")
		o.slack.Delete(slacktest.General, asked.TS)
		o.slack.Await("it to stop", func() bool {
			now, _ := o.slack.Message(slacktest.General, m.TS)
			return strings.Contains(now.Reads(), "已停止")
		})
		o.settled()
		o.clean()
	})
}

// TestAskPrivately asks with a slash command: only the asker sees the answer, its
// rows, and what its buttons bring.
func TestAskPrivately(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: drafted, quorum: 1})
		o.slack.Command(slacktest.Alice, slacktest.General, "/ask", "all comedies")
		m := o.aside(slacktest.Alice, "rows 1–25 of 62", "The file has all of it.")
		o.aside(slacktest.Alice, "in our direct conversation")
		dm := o.slack.DM(slacktest.Alice)
		o.slack.Await("the file", func() bool {
			list := o.slack.Messages(dm)
			return len(list) == 2 && strings.Contains(list[0].Reads(), "all comedies") && len(list[1].Files) == 1
		})
		o.press(slacktest.Alice, m, "more|")
		o.aside(slacktest.Alice, "rows 26–50 of 62")
		o.press(slacktest.Alice, m, "how|")
		o.aside(slacktest.Alice, "a verified case answered")
		o.press(slacktest.Alice, m, "model|")
		o.aside(slacktest.Alice, "written now by the model")
		o.slack.Command(slacktest.Bob, slacktest.General, "/ask", thrillersZh)
		m = o.aside(slacktest.Bob, thriller, "模型刚写的查询")
		o.press(slacktest.Bob, m, "up|")
		o.aside(slacktest.Bob, "已记为正确")
		o.slack.Command(slacktest.Alice, slacktest.General, "/ask", "")
		o.aside(slacktest.Alice, "?")
		o.settled()
		if list := o.slack.Posted(slacktest.General); len(list) != 0 {
			t.Errorf("what was asked in private is seen by all:\n%s", o.slack.Show())
		}
		o.clean()
	})
}

// TestLimits asks too much, from where it may not be asked, and beyond what the
// model may cost.
func TestLimits(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: drafted, tune: func(d *bot.Desk) {
			d.Rules = bot.Rules{PerUser: 2, Channels: []string{"slack:" + slacktest.General}, People: []string{"slack:" + slacktest.Alice, "slack:" + slacktest.Bob, "slack-group:S1"}, UserTokens: 1}
		}})
		o.slack.SetGroup("S1", "U1")
		o.slack.AddUser(slacktest.User{ID: "U1", Name: "uma"})
		o.slack.Join("U1", slacktest.General)
		asked := o.ask("U1", covered)
		o.answer(asked.TS, film)
		first := o.ask(slacktest.Alice, thrillers)
		o.answer(first.TS, thriller)
		o.settled()
		spent := o.ask(slacktest.Alice, "which Italian thrillers since 1960 are over 90 minutes")
		o.answer(spent.TS, "Today's share of model calls is used up; it opens again at 00:00 UTC")
		slow := o.ask(slacktest.Alice, "太多问题了吗")
		o.answer(slow.TS, "提问有点多", "UTC")
		silent := o.ask(slacktest.Alice, covered)
		barred := o.ask(slacktest.Carol, covered)
		o.answer(barred.TS, "I'm not set up to answer you here")
		o.slack.Join(slacktest.Bob, slacktest.Private)
		away := o.slack.Say(slacktest.Bob, slacktest.Private, "", "@precedent "+covered)
		o.slack.AwaitMessage(slacktest.Private, says(away.TS, "I'm not set up to answer in this channel"))
		o.slack.Say(slacktest.Bob, slacktest.Private, "", "@precedent "+covered)
		o.slack.Command(slacktest.Alice, slacktest.General, "/ask", covered)
		o.aside(slacktest.Alice, "That was a lot of questions")
		o.settled()
		if n := len(o.slack.Posted(slacktest.Private)); n != 1 {
			t.Errorf("%d messages where it may not answer, want one", n)
		}
		if n := len(o.replies(silent.TS)); n != 0 {
			t.Errorf("somebody who knows that it is too much is told again")
		}
		o.clean()
	})
}

// TestGraphs maps a channel to a graph of its own.
func TestGraphs(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		dir := folder(t, map[string]string{"ships.csv": "id:ID,name,:LABEL\n1,Beagle,Ship\n2,Endurance,Ship\n"})
		second := opened(t, setting{graph: dir})
		o := opened(t, setting{slack: openWorkspace(), tune: func(d *bot.Desk) {
			movies := d.Bot(bot.Place{})
			d.Bot = func(at bot.Place) *bot.Bot {
				if at.Channel == slacktest.Private {
					return second.bot
				}
				return movies
			}
		}})
		asked := o.slack.Say(slacktest.Alice, slacktest.Private, "", "@precedent "+covered)
		o.slack.AwaitMessage(slacktest.Private, says(asked.TS, "No case covers this yet"))
		asked = o.ask(slacktest.Alice, covered)
		o.answer(asked.TS, film)
		o.clean()
	})
}
