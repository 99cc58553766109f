package bot_test

import (
	"testing"

	"precedent/bot/slacktest"
)

// TestInParts asks several things in one message; each gets its answer, or is told that it has none.
func TestInParts(t *testing.T) {
	t.Parallel()
	o := opened(t, setting{slack: openWorkspace()})
	asked := o.ask(slacktest.Alice, "Who directed Heat? And how many comedies are there? Who lent Al Pacino a hat?")
	o.answer(asked.TS, "Michael Mann")
	o.answer(asked.TS, "verified case", "how many")
	o.answer(asked.TS, "No case covers this yet")
	o.settled()
	if n := len(o.replies(asked.TS)); n != 3 {
		t.Errorf("three questions have %d answers", n)
	}
	asked = o.ask(slacktest.Bob, "《教父》是谁导演的？《教父》片长多少？")
	o.answer(asked.TS, "Francis Ford Coppola")
	o.answer(asked.TS, "175", "《教父》片长多少")
	o.clean()
}

// TestTeach has somebody say what a name means; once a curator has approved it,
// it is understood, and no sooner.
func TestTeach(t *testing.T) {
	t.Parallel()
	o := opened(t, setting{slack: openWorkspace(), model: drafted, quorum: 3})
	m := o.answer(o.ask(slacktest.Alice, "which spookier "+thrillers[6:]).TS, thriller)
	o.press(slacktest.Alice, m, "down|")
	o.slack.AwaitModal(slacktest.Alice)
	o.slack.Submit(slacktest.Alice, map[string]string{"reason": "value", "why": "“spookier” means Horror"})
	o.aside(slacktest.Alice, "I understood: “spookier” means Genre.name = Horror")
	o.settled()

	o.slack.OpenHome(slacktest.Carol)
	o.pressOn(slacktest.Carol, o.page(slacktest.Carol, "“spookier”指 Genre.name = Horror", "1 人这样说"), "approve|alias-")
	o.page(slacktest.Carol, "现为“已核实”")
	o.settled()
	o.answer(o.ask(slacktest.Bob, "how many spookier films are there").TS, "verified case")
	o.clean()
}
