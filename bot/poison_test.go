package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"precedent/bot/discordtest"
	"precedent/engine"
	"precedent/store"
)

// hostile are n people on Discord who mean ill.
func (o *office) hostile(n int) (names []string) {
	for i := range n {
		name := fmt.Sprintf("Mallory %d", i)
		o.discord.AddUser(name)
		names = append(names, name)
	}
	return names
}

// tally waits until so many votes stand on the case about thrillers.
func (o *office) tally(up, down int) {
	o.t.Helper()
	o.discord.Await(fmt.Sprintf("%d votes for and %d against", up, down), func() bool { v := o.status().Votes; return v.Up == up && v.Down == down })
	o.settled()
}

// notes are the bot's messages that say text.
func (o *office) notes(text string) (n int) {
	for _, m := range o.discord.Messages(o.discord.General) {
		if m.Author == o.discord.BotID && strings.Contains(m.Text(), text) {
			n++
		}
	}
	return n
}

// TestHostileCrowd has thirty people vote for and against with quorum 0: no
// answer changes, a curator is asked to look, once.
func TestHostileCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, discord: openGuild(), model: drafted, quorum: 0})
		written := o.command("Ann", thrillers, thriller)
		shipped := o.command("Ann", covered, "✓ verified case")
		crowd := o.hostile(30)
		for _, name := range crowd {
			o.discord.React(name, written, "👍")
			o.discord.React(name, shipped, "👎")
		}
		o.tally(30, 0)
		if c := o.status(); c.Status != store.Candidate {
			t.Errorf("thirty are for it: %s %+v", c.Status, c.Votes)
		}
		o.discord.AwaitMessage(o.discord.General, tells("Curators are asked to look at it"))
		for _, name := range crowd {
			o.discord.React(name, written, "👎")
		}
		o.tally(0, 30)
		if c := o.status(); c.Status != store.Candidate {
			t.Errorf("thirty are against it: %s", c.Status)
		}
		calls := o.model.Calls()
		o.command("Ben", thrillers, "written now by the model")
		o.command("Ben", coveredZh, film, "✓ 已核实的案例")
		if o.model.Calls() != calls+1 {
			t.Errorf("the model was asked %d times, want once", o.model.Calls()-calls)
		}
		run := o.discord.Run("Fay", o.discord.General, "cases")
		o.discord.Await("the queue", func() bool { m, ok := run.Response(); return ok && tells("members' votes are at -30", "Nolan")(m) })
		if n := o.notes("Curators are asked to look at it"); n != 2 {
			t.Errorf("it is said %d times that curators are asked to look, want once for each case", n)
		}
		o.clean()
	})
}

// TestColluders has three people with quorum 3 promote what is wrong. It is said
// who did it; one curator's press undoes it, and they can't do it again.
func TestColluders(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, discord: openGuild(), model: drafted, quorum: 3})
		wrong := o.command("Ann", thrillers, thriller)
		crowd := o.hostile(5)
		vote := func(emoji string, names ...string) {
			for _, name := range names {
				o.discord.React(name, wrong, emoji)
			}
		}
		vote("👍", append(crowd[:2:2], "Ann")...) // whoever asked doesn't count
		o.tally(3, 0)
		if c := o.status(); c.Status != store.Candidate {
			t.Errorf("two and the asker made it %s", c.Status)
		}
		vote("👍", crowd[2])
		note := o.discord.AwaitMessage(o.discord.General, tells("this is now a verified case"))
		if !strings.Contains(note.Text(), crowd[2]) && !strings.Contains(note.Text(), "<@") {
			t.Errorf("the note names nobody: %s", note.Text())
		}
		o.click("Fay", note, "undo|")
		o.discord.AwaitMessage(o.discord.General, tells("Undone; now candidate"))
		o.settled()
		vote("👍", crowd[3:]...)
		o.tally(6, 0)
		if c := o.status(); c.Status != store.Candidate {
			t.Errorf("after a curator undid it, members made it %s again", c.Status)
		}
		o.click("Fay", note, "undo|")
		o.alone("Fay", "can't be undone")

		// Verified by a curator, it takes one to demote it.
		o.discord.React("Fay", wrong, "👍")
		o.discord.AwaitMessage(o.discord.General, func(m discordtest.Message) bool { return tells("this is now a verified")(m) && m.ID != note.ID })
		o.settled()
		vote("👎", crowd...)
		o.tally(2, 5)
		if c := o.status(); c.Status != store.Verified {
			t.Errorf("five members made a curator's case %s", c.Status)
		}
		if a := o.engine.Ask(t.Context(), engine.Question{Text: thrillersZh}, nil); a.Route != engine.ByCase {
			t.Errorf("the case no longer answers: %s", a.Route)
		}
		if n := o.notes("Curators are asked to look at it"); n != 1 {
			t.Errorf("it is said %d times that curators are asked to look, want once", n)
		}
		o.clean()
	})
}
