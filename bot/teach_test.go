package bot_test

import (
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
)

// TestInParts asks several things in one message; each gets its answer, or is told that it has none.
func TestInParts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace()})
		asked := o.ask(slacktest.Alice, "Who directed Heat? And how many comedies are there? Who lent Al Pacino a hat?")
		o.answer(asked.TS, "Michael Mann")
		o.answer(asked.TS, "verified case", "how many")
		o.answer(asked.TS, "No case covers this yet")
		o.settled()
		if n := len(o.replies(asked.TS)); n != 3 {
			t.Errorf("three questions have %d answers", n)
		}
		greeted := o.ask(slacktest.Carol, "hello? how are you? are you there?")
		o.once(greeted.TS, "You can ask me, for example")
		asked = o.ask(slacktest.Bob, "《教父》是谁导演的？《教父》片长多少？")
		o.answer(asked.TS, "Francis Ford Coppola")
		o.answer(asked.TS, "175", "《教父》片长多少")
		o.clean()
	})
}

// TestInPartsWithModel asks several things, of which a case answers one, the model
// another, and nobody the third. The network fails half-way: each is answered
// once all the same. Then the asker stops it, and all of it stops.
func TestInPartsWithModel(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: slowly(gate), tune: quickly})
		const several = covered + "? How are you today? " + thrillers + "?"
		asked := o.ask(slacktest.Alice, several)
		o.answer(asked.TS, "…")
		o.known(asked)
		o.slack.Fail("chat.postMessage", slacktest.Fault{Delay: time.Millisecond})
		o.slack.Fail("chat.postMessage", slacktest.Fault{Times: 6, Status: 500}) // as often as one card is tried
		close(gate)
		o.answer(asked.TS, film, "✓ verified case")
		o.answer(asked.TS, "How are you today?", "questions about the graph")
		o.answer(asked.TS, thriller, "written now by the model")
		o.settled()
		if n := len(o.replies(asked.TS)); n != 3 {
			t.Errorf("three questions have %d answers:\n%s", n, o.slack.Show())
		}
		if strings.Contains(o.model.Prompts(), several) {
			t.Errorf("the model was asked several things at once:\n%s", o.model.Prompts())
		}
		o.clean()
	})
}

// TestEditParts edits a message that asks several things: each answer is there once,
// and what is no longer asked is taken back.
func TestEditParts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace()})
		asked := o.ask(slacktest.Alice, covered+"? How many comedies are there?")
		o.answer(asked.TS, film)
		second := o.answer(asked.TS, "How many comedies are there?", "62")
		o.settled()
		edit := func(text string, texts ...string) {
			t.Helper()
			o.slack.Edit(slacktest.General, asked.TS, "@precedent "+text)
			o.answer(asked.TS, texts...)
			o.slack.Await("all deliveries", func() bool { return acked(o.slack) })
			o.settled()
			if n := len(o.replies(asked.TS)); n != 2 {
				t.Errorf("after %q there are %d answers:\n%s", text, n, o.slack.Show())
			}
		}
		edit(covered+"? How many thrillers are there?", "How many thrillers are there?")
		edit("films directed by Quentin Tarantino", "Pulp Fiction")
		now, _ := o.slack.Message(slacktest.General, second.TS)
		if text := now.Reads(); !strings.Contains(text, "no longer asks this") || strings.Contains(text, "👍") {
			t.Errorf("what is no longer asked reads\n%s", text)
		}
		o.clean()
	})
}

// TestStopParts stops several questions, and all of them stop.
func TestStopParts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), model: hangs, tune: quickly})
		asked := o.ask(slacktest.Alice, covered+"? "+thrillers+"? How many comedies do you like best?")
		m := o.answer(asked.TS, "…")
		o.press(slacktest.Alice, m, "stop|")
		o.once(asked.TS, "Stopped.")
		o.clean()
	})
}

// TestEditsCount edits a question beyond what one may ask in a minute.
func TestEditsCount(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), tune: func(d *bot.Desk) { d.Rules.PerUser = 2 }})
		asked := o.ask(slacktest.Alice, covered)
		o.answer(asked.TS, film)
		for _, now := range []string{"films directed by Quentin Tarantino", "films directed by Steven Spielberg", "films directed by Ang Lee"} {
			o.settled()
			o.slack.Edit(slacktest.General, asked.TS, "@precedent "+now)
			o.slack.Await("all deliveries", func() bool { return acked(o.slack) })
		}
		o.once(asked.TS, "That was a lot of questions")
		o.clean()
	})
}

// TestTeach has somebody say what a name means; once a curator has approved it,
// it is understood, and no sooner.
func TestTeach(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: drafted, quorum: 3})
		m := o.answer(o.ask(slacktest.Alice, "which spookier "+thrillers[6:]).TS, thriller)
		o.press(slacktest.Alice, m, "down|")
		o.slack.AwaitModal(slacktest.Alice)
		o.slack.Submit(slacktest.Alice, map[string]string{"reason": "value", "why": "“spookier” means Horror"})
		o.aside(slacktest.Alice, "I understood: “spookier” means Genre.name = Horror")
		o.settled()

		o.slack.OpenHome(slacktest.Carol)
		o.pressOn(slacktest.Carol, o.page(slacktest.Carol, "“spookier”指 Genre.name = Horror", "1 人这样说"), "approve|alias-")
		o.page(slacktest.Carol, "现状态：已核实")
		o.settled()
		o.answer(o.ask(slacktest.Bob, "how many spookier films are there").TS, "verified case")
		o.clean()
	})
}
