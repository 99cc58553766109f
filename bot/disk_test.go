package bot_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/store/disktest"
)

// What people are told whose question can't be kept, and the cure for its operator.
const (
	unkept   = "my disk takes nothing"
	unkeptZh = "我的磁盘写不进去"
)

// A failure of the disk, and its end. Each is called when nothing is at work.
type ailment struct {
	name  string
	small bool // the inbox is on a file system of its own
	cure  string
	take  func(o *office) (mend func())
}

func ailments() []ailment {
	file := func(o *office) string { return filepath.Join(o.inbox, "inbox") }
	return []ailment{
		{"no space left", true, "free some space", func(o *office) func() { return disktest.Fill(o.t, o.inbox) }},
		{"read-only", false, "give this user write access to both", func(o *office) func() {
			disktest.ReadOnly(o.t, file(o))
			return func() { disktest.Mend(o.t, file(o)) }
		}},
	}
}

// ails opens an office with both networks.
func (a ailment) opened(t *testing.T, s setting) *office {
	if a.small {
		s.inbox = disktest.Small(t, "2048")
	}
	s.slack, s.discord = openWorkspace(), openGuild()
	return opened(t, s)
}

// TestDiskTakesNothing asks in each way on both networks while the disk takes
// nothing, for a moment and for hours. Everybody is told at once, in their language;
// Slack hears in time that all arrived; and when there is room again everything is
// answered, voted and withdrawn, once.
func TestDiskTakesNothing(t *testing.T) {
	for _, a := range ailments() {
		for _, long := range []time.Duration{time.Second, 20 * time.Second, 3 * time.Hour} {
			t.Run(a.name+" for "+long.String(), func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					o := a.opened(t, setting{})
					first := o.ask(slacktest.Bob, covered)
					voted := o.answer(first.TS, film)
					o.settled()
					synctest.Wait()
					mend := a.take(o)

					began := time.Now()
					asked, zh := o.ask(slacktest.Alice, covered), o.ask(slacktest.Bob, coveredZh)
					dm := o.slack.Say(slacktest.Carol, o.slack.DM(slacktest.Carol), "", covered)
					mentioned := o.mention("Ann", covered)
					run := o.discord.Run("Ben", o.discord.General, "ask", question(coveredZh))
					o.slack.Command(slacktest.Carol, slacktest.General, "/ask", covered)
					o.slack.React(slacktest.Alice, slacktest.General, voted.TS, "-1")
					o.answer(asked.TS, unkept)
					o.answer(zh.TS, unkeptZh)
					o.slack.AwaitMessage(dm.Channel, says("", unkept))
					o.aside(slacktest.Carol, unkept)
					o.reply(mentioned, unkept)
					o.discord.Await("word to Ben", func() bool { m, ok := run.Response(); return ok && strings.Contains(m.Text(), unkeptZh) })
					if took := time.Since(began); took > 5*time.Second {
						t.Errorf("they were told after %v", took)
					}
					o.slack.Await("acknowledgements", func() bool { return acked(o.slack) })
					if took := time.Since(began); took > 5*time.Second {
						t.Errorf("it was acknowledged after %v", took)
					}
					down := o.part("inbox")
					if down.State != bot.Wrong || !strings.Contains(down.Cure, a.cure) {
						t.Errorf("the inbox is told to be %+v", down)
					}
					time.Sleep(long)
					synctest.Wait()
					mend()

					o.awaited("answer on Slack", func() bool { n, _ := o.slackAnswers(asked.TS, film); return n > 0 })
					o.answer(zh.TS, film, "共 10 条")
					o.slack.AwaitMessage(dm.Channel, says("", film))
					o.aside(slacktest.Carol, film)
					o.reply(mentioned, film)
					o.discord.Await("an answer to Ben", func() bool { m, ok := run.Response(); return ok && strings.Contains(m.Text(), film) })
					o.settled()
					if vote, err := o.desk.Inbox.Voted(t.Context(), o.last(first), "slack:"+slacktest.Alice); vote == "" || err != nil {
						t.Errorf("the vote is lost: %v", err)
					}
					time.Sleep(10 * time.Minute) // whatever Slack sends again
					for _, q := range []slacktest.Message{asked, zh} {
						if n, others := o.slackAnswers(q.TS, film); n != 1 || others != 0 {
							t.Errorf("%d answers and %d other messages to %s\n%s", n, others, q.TS, o.slack.Show())
						}
					}
					if n, others := o.discordAnswers(mentioned, film); n != 1 || others != 0 {
						t.Errorf("%d answers and %d other messages on Discord", n, others)
					}
					if n := o.said.times(a.cure); n != 1 {
						t.Errorf("the cure is %d times in the log", n)
					}
					o.awaitPart("inbox", bot.Fine)
					if long < 15*time.Minute { // else the rights to answer a command died meanwhile, as anywhere
						o.clean()
					}
				})
			})
		}
	}
}

// TestDiskAtWork takes the disk away while one question is worked on, and another
// waits for it: the first is answered all the same, whoever waits is told, and
// nothing is said twice, nor the model asked twice.
func TestDiskAtWork(t *testing.T) {
	for _, a := range ailments() {
		for _, shown := range []bool{false, true} {
			t.Run(a.name+map[bool]string{true: ", a placeholder up"}[shown], func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					gate := make(chan struct{})
					o := a.opened(t, setting{graph: movies, model: drafted, tune: func(d *bot.Desk) {
						if shown {
							quickly(d)
						}
						d.Bot = gated(d.Bot(bot.Place{}), gate)
					}})
					asked := o.ask(slacktest.Alice, thrillers)
					on := o.mention("Ann", thrillers)
					o.slack.Await("acknowledgements", func() bool { return acked(o.slack) })
					o.slack.Say(slacktest.Alice, slacktest.General, asked.TS, "@precedent "+covered)
					o.slack.Await("acknowledgements", func() bool { return acked(o.slack) })
					if shown {
						o.answer(asked.TS, "working…")
						o.reply(on, "working…")
					}
					time.Sleep(time.Second)
					synctest.Wait()
					mend := a.take(o)
					more := o.ask(slacktest.Bob, covered) // which the disk doesn't take
					o.answer(more.TS, unkept)
					o.answer(asked.TS, unkept) // the one that waits
					close(gate)
					o.answer(asked.TS, thriller)
					o.reply(on, thriller)
					calls := o.model.Calls()
					time.Sleep(time.Hour)
					synctest.Wait()
					if n, _ := o.slackAnswers(asked.TS, thriller); n != 1 || o.model.Calls() != calls {
						t.Errorf("%d answers while the disk takes nothing, %d calls of the model more", n, o.model.Calls()-calls)
					}
					mend()
					o.answer(asked.TS, film)
					o.answer(more.TS, film)
					o.settled()
					if n, others := o.slackAnswers(asked.TS, thriller); n != 1 || others != 1 {
						t.Errorf("%d answers and %d other messages\n%s", n, others, o.slack.Show())
					}
					if n, others := o.slackAnswers(more.TS, film); n != 1 || others != 0 {
						t.Errorf("%d answers and %d other messages\n%s", n, others, o.slack.Show())
					}
					if n, others := o.discordAnswers(on, thriller); n != 1 || others != 0 {
						t.Errorf("%d answers and %d other messages on Discord", n, others)
					}
					if o.model.Calls() != calls {
						t.Errorf("the model was called %d times more", o.model.Calls()-calls)
					}
					if n := o.said.times(a.cure); n != 1 {
						t.Errorf("the cure is %d times in the log", n)
					}
				})
			})
		}
	}
}

// TestDiskAndDeath has the program end while the disk takes nothing: what it read of
// the networks' history afterwards, it answers.
func TestDiskAndDeath(t *testing.T) {
	for _, a := range ailments() {
		t.Run(a.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				o := a.opened(t, setting{})
				o.answer(o.ask(slacktest.Bob, covered).TS, film) // so that the channel is known
				first := o.mention("Ben", covered)
				o.reply(first, film)
				o.settled()
				time.Sleep(10 * time.Second)
				synctest.Wait()
				mend := a.take(o)
				asked, on := o.ask(slacktest.Alice, covered), o.mention("Ann", covered)
				o.answer(asked.TS, unkept)
				o.reply(on, unkept)
				o.stop()
				if a.small { // the other is of a connection that is gone
					mend()
				}
				time.Sleep(time.Minute)
				o.start()
				o.answer(asked.TS, film)
				o.discord.AwaitMessage(o.discord.General, func(m discordtest.Message) bool { return m.ReplyTo == on.ID && strings.Contains(m.Text(), film) })
				o.settled()
				if n, _ := o.slackAnswers(asked.TS, film); n != 1 {
					t.Errorf("%d answers\n%s", n, o.slack.Show())
				}
				if n, _ := o.discordAnswers(on, film); n != 1 {
					t.Errorf("%d answers on Discord", n)
				}
			})
		})
	}
}
