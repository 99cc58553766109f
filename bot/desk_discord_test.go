package bot_test

import (
	"slices"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/discordtest"
)

func question(text string) discordtest.Option {
	return discordtest.Option{Name: "question", Value: text}
}

// mention has somebody ask the bot in a channel of Discord.
func (o *office) mention(user, text string) discordtest.Message {
	o.t.Helper()
	return o.discord.Say(user, o.discord.General, "<@"+o.discord.BotID+"> "+text)
}

// reply waits for the bot's answer to a message on Discord.
func (o *office) reply(to discordtest.Message, texts ...string) discordtest.Message {
	o.t.Helper()
	return o.discord.AwaitMessage(to.Channel, func(m discordtest.Message) bool { return m.ReplyTo == to.ID && tells(texts...)(m) })
}

// command gives /ask and waits for its answer.
func (o *office) command(user, text string, texts ...string) discordtest.Message {
	o.t.Helper()
	run := o.discord.Run(user, o.discord.General, "ask", question(text))
	var m discordtest.Message
	o.discord.Await("the answer to "+text, func() (ok bool) { m, ok = run.Response(); return ok && tells(texts...)(m) })
	return m
}

// alone waits for what only one person sees on Discord.
func (o *office) alone(user string, texts ...string) (found discordtest.Message) {
	o.t.Helper()
	o.discord.Await("a word to "+user+" alone: "+strings.Join(texts, ", "), func() bool {
		i := slices.IndexFunc(o.discord.Ephemerals(user), tells(texts...))
		if i >= 0 {
			found = o.discord.Ephemerals(user)[i]
		}
		return i >= 0
	})
	return found
}

// TestTalkOnDiscord follows a conversation there: /ask, a mention, a follow-up in
// a thread, an edit, in both languages, and a direct conversation.
func TestTalkOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, discord: openGuild()})
		o.command("Ann", coveredZh, film, "共 10 条", "✓ 已核实的案例")
		asked := o.mention("Ben", covered)
		m := o.reply(asked, film, "✓ verified case")
		thread := o.discord.Thread("Ben", m, "Nolan")
		o.discord.Say("Cem", thread, "and those of Steven Spielberg?")
		o.discord.AwaitMessage(thread, tells("understood as", "Jaws"))
		o.settled()
		o.discord.Edit(asked, "<@"+o.discord.BotID+"> films directed by Quentin Tarantino")
		o.discord.Await("the answer to the edit", func() bool {
			now, _ := o.discord.Message(m.ID)
			return strings.Contains(now.Text(), "Pulp Fiction") && !strings.Contains(now.Text(), film)
		})
		dm := o.discord.DM("Ann")
		o.discord.Say("Ann", dm, coveredZh)
		o.discord.AwaitMessage(dm, tells(film, "✓ 已核实的案例"))
		o.discord.Say("Ann", dm, "那斯皮尔伯格呢？")
		o.discord.AwaitMessage(dm, tells("Jaws", "理解为"))
		o.settled()
		for _, typed := range []string{"", "films dir", "导演"} {
			i := o.discord.Type("Ann", o.discord.General, "ask", "question", question(typed))
			if i.Await(); len(i.Choices()) == 0 {
				t.Errorf("%q is completed to nothing", typed)
			}
		}
		o.clean()
	})
}

// TestPicksOnDiscord presses what the bot offers there, twice, and after another start.
func TestPicksOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, discord: openGuild()})
		m := o.command("Ann", "films by Nolen", "Did you mean")
		o.click("Ben", m, "pick|")
		o.click("Cem", m, "pick|")
		o.discord.AwaitMessage(o.discord.General, tells(film))
		o.settled()
		if n := len(o.discord.Messages(o.discord.General)); n != 2 {
			t.Errorf("%d messages, want the question back and one answer", n)
		}
		m = o.command("Ann", "films starring Kate", "No case covers this yet")
		o.settled()
		o.restart()
		o.click("Ann", m, "pick|")
		o.discord.AwaitMessage(o.discord.General, tells("Tom Hanks", "✓ verified case"))
		o.settled()
		o.clean()
	})
}

// TestRowsOnDiscord pages through a long answer there.
func TestRowsOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{discord: openGuild()})
		m := o.command("Ann", "all comedies", "rows 1–", "of 62", "The file has all of it.")
		file := o.discord.AwaitMessage(o.discord.General, func(m discordtest.Message) bool { return len(m.Files) == 1 })
		if lines := strings.Count(string(file.Files[0].Bytes), "\r\n"); lines != 63 {
			t.Errorf("the file has %d lines, want 63", lines)
		}
		seen := 0
		for n := 1; ; n++ {
			i := slices.IndexFunc(m.Buttons(), func(b discordtest.Button) bool { return strings.HasPrefix(b.CustomID, "more|") })
			if i < 0 {
				break
			}
			before := len(o.discord.Messages(o.discord.General))
			if n == 2 {
				o.settled()
				o.restart()
			}
			o.discord.Click("Ben", m, m.Buttons()[i].CustomID)
			o.discord.Await("more rows", func() bool { return len(o.discord.Messages(o.discord.General)) == before+1 })
			list := o.discord.Messages(o.discord.General)
			m = list[len(list)-1]
			if seen++; !strings.Contains(m.Text(), "of 62") {
				t.Errorf("the next rows read\n%s", m.Text())
			}
		}
		if !strings.Contains(m.Text(), "–62 of 62") {
			t.Errorf("the last rows read\n%s", m.Text())
		}
		o.clean()
	})
}

// TestQuickOnDiscord has the model answer before a hint is due: the command's
// answer is drawn once.
func TestQuickOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, discord: openGuild(), model: drafted})
		o.command("Ann", thrillers, thriller)
		o.settled()
		if n := len(o.discord.Requests("PATCH", "/messages/@original")); n != 1 {
			t.Errorf("a quick answer was drawn %d times", n)
		}
		o.clean()
	})
}

// TestStopOnDiscord stops work on a question there.
func TestStopOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{discord: openGuild(), model: hangs, tune: quickly})
		m := o.command("Ann", thrillers, "…")
		o.click("Ben", m, "stop|")
		o.alone("Ben", "Only whoever asked, or a curator")
		o.click("Ann", m, "stop|")
		o.discord.Await("it to stop", func() bool {
			now, _ := o.discord.Message(m.ID)
			return tells("Stopped.")(now) && len(now.Buttons()) == 0
		})
		asked := o.mention("Ben", thrillersZh)
		m = o.reply(asked, "……")
		o.discord.Delete(asked)
		o.discord.Await("it to stop", func() bool { now, _ := o.discord.Message(m.ID); return tells("已停止")(now) })
		o.settled()
		o.clean()
	})
}

// TestLimitsOnDiscord asks too much there: a mention is told once, a command each
// time, for it would wait for ever.
func TestLimitsOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{discord: openGuild(), tune: func(d *bot.Desk) { d.Rules = bot.Rules{PerUser: 1} }})
		o.reply(o.mention("Ann", covered), film)
		o.reply(o.mention("Ann", covered), "That was a lot of questions")
		o.mention("Ann", covered)
		o.command("Ann", coveredZh, "提问有点多")
		o.command("Ann", coveredZh, "提问有点多")
		o.settled()
		if n := len(o.discord.Messages(o.discord.General)); n != 3+2+2 {
			t.Errorf("%d messages, want 7", n)
		}
		o.clean()
	})
}
