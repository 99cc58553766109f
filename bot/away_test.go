package bot_test

import (
	"testing"

	"precedent/bot/slacktest"
)

// TestVotesWhileAway gives and takes back reactions while the bot isn't running.
// What stands under an answer is counted after the next start, and a reaction of
// before overrules no later press.
func TestVotesWhileAway(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), discord: openGuild(), model: drafted, quorum: 0})
		asked := o.ask(slacktest.Alice, thrillers)
		m := o.answer(asked.TS, thriller)
		o.settled()
		o.slack.React(slacktest.Bob, slacktest.General, m.TS, "+1")
		o.slack.Await("the vote", func() bool { return acked(o.slack) })
		o.settled()
		o.press(slacktest.Bob, m, "down|")
		o.slack.React(slacktest.Alice, slacktest.General, m.TS, "-1")
		o.slack.Await("the votes", func() bool { return acked(o.slack) })
		o.settled()
		tally := func(when string, up, down int) {
			t.Helper()
			o.slack.Await("the votes "+when, func() bool { v := o.status().Votes; return v.Up == up && v.Down == down })
		}
		tally("before", 0, 2)

		found := o.reply(o.mention("Ann", thrillers), thriller)
		o.discord.React("Ben", found, "👍")
		o.discord.React("Ann", found, "👎")
		tally("on both networks", 1, 3)
		o.settled()

		o.stop()
		o.slack.Hold()
		o.slack.Unreact(slacktest.Alice, slacktest.General, m.TS, "-1")
		o.slack.React(slacktest.Carol, slacktest.General, m.TS, "thumbsup::skin-tone-4")
		o.discord.Unreact("Ann", found, "👎")
		o.discord.React("Cem", found, "👍🏿")
		o.start()
		tally("of Ben, Carol and Cem, and of Bob's press", 3, 1)
		o.slack.Release(false)
		o.slack.Await("all deliveries", func() bool { return acked(o.slack) })
		o.settled()
		tally("told twice", 3, 1)
		o.restart()
		o.settled()
		tally("after another start", 3, 1)

		// Whoever is forgotten isn't known again by a reaction that still stands, nor
		// counted twice by it.
		carol := "slack:" + slacktest.Carol
		if _, err := o.desk.Inbox.Forget(t.Context(), carol); err != nil {
			t.Fatal(err)
		}
		if _, err := o.engine.Library().Forget(t.Context(), carol); err != nil {
			t.Fatal(err)
		}
		o.restart()
		o.slack.AwaitSocket()
		o.settled()
		tally("after one was forgotten", 3, 1)
		if voted, err := o.desk.Inbox.Voted(t.Context(), o.last(asked), carol); err != nil || voted != "" {
			t.Errorf("who was forgotten is known again: %q, %v", voted, err)
		}
		o.clean()
	})
}

// last is the id of the answer to a question on Slack.
func (o *office) last(asked slacktest.Message) string {
	o.t.Helper()
	s, err := o.desk.Inbox.For(o.t.Context(), "slack:"+asked.Channel+"/"+asked.TS)
	if err != nil {
		o.t.Fatal(err)
	}
	return s.Answer
}
