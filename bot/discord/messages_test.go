package discord_test

import (
	"slices"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// What people say elsewhere, and what bots say, isn't for the bot.
func TestNotForTheBot(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, talkative)
		w.Change("Bob", func(u *discordtest.User) { u.Bot = true })
		w.Say("Ann", w.General, "who directed Alien?")
		w.Say("Bob", w.General, "<@"+w.BotID+"> ping")
		theirs := w.Say("Ann", w.General, "look at that")
		w.Reply("Ann", theirs, "and that")
		w.React("Ann", theirs, "👍") // not on the bot's message
		ours := w.message(w.post(bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: "hello"}).Message)
		w.React("Ann", ours, "🎉")
		w.React("Ann", ours, "thumbs:123")
		w.React("Bob", ours, "👍") // a bot
		thread := w.Thread("Ann", theirs, "aside")
		w.Say("Ann", thread, "in it")
		w.Change("Bob", func(u *discordtest.User) { u.Bot = false })
		w.hearsNothing()
		w.Clean(t)
	})
}

func TestMentionsAreReadable(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, talkative)
		role := w.AddRole("curators")
		other := w.Say("Bob", w.General, "hi").Author
		w.stopAndConnect()
		for said, want := range map[string]string{
			"<@" + w.BotID + "> who?":                                       "who?",
			"who <@!" + w.BotID + "> ?":                                     "who ?",
			"<@" + w.BotID + "> did <@" + other + "> see <@&" + role + ">?": "did @Bob see @curators?",
			"<@" + w.BotID + "> in <#" + w.General + "> or <#123>":          "in #general or #?",
			"<@" + w.BotID + "> </ask:123> <:smile:123> <a:wave:123>":       "/ask :smile: :wave:",
			"<@" + w.BotID + ">":                                            "",
		} {
			w.Say("Ann", w.General, said)
			if h := w.hears(); h.Text != want || h.Kind != bot.Asked {
				t.Errorf("%q was heard as %q", said, h.Text)
			}
		}
		w.Clean(t)
	})
}

// Follow-ups: a reply to the bot calls it; in a thread that belongs to it no
// call is needed, where it may read all.
func TestFollowUps(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		for _, reads := range []bool{false, true} {
			w := begin(t, talkative, func(d *discord.Discord) { d.Content = reads })
			first := w.Say("Ann", w.General, "<@"+w.BotID+"> first")
			answer := w.message(w.post(w.hears().Place, bot.Card{Text: "answer"}).Message)
			w.Reply("Ann", answer, "second")
			if h := w.hears(); h.Text != "second" || h.Conversation != "discord:"+w.General+"/"+first.Author || h.MidThread {
				t.Errorf("a reply was heard as %+v", h)
			}
			thread := w.Thread("Bob", answer, "more")
			w.Say("Bob", thread, "third")
			w.Say("Bob", thread, "<@"+w.BotID+"> fourth")
			h := w.hears()
			if reads && h.Text == "third" {
				h = w.hears()
			} else if reads {
				t.Errorf("in its own thread the bot heard %+v", h)
			}
			if want := (bot.Place{Chat: "discord", Team: w.Guild, Channel: w.General, Thread: thread, Message: h.Place.Message}); h.Text != "fourth" || h.Place != want || h.Conversation != "discord:"+thread {
				t.Errorf("in a thread the bot heard %+v", h)
			}
			if at := w.post(h.Place, bot.Card{Text: "fifth"}); at.Thread != thread || at.Channel != w.General || w.message(at.Message).Channel != thread {
				t.Errorf("it answered at %+v", at)
			}
			w.hearsNothing()
			w.Clean(t)
		}
	})
}

// A mention in the middle of a thread says so, once, and what is above can be
// read.
func TestMidThread(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, talkative, content)
		start := w.Say("Ann", w.General, "I saw Alien")
		thread := w.Thread("Ann", start, "films")
		w.Say("Bob", thread, "who directed it? <#"+w.General+">")
		w.Say("Ann", thread, "no idea")
		w.Say("Bob", thread, "<@"+w.BotID+"> you know?")
		h := w.hears()
		if !h.MidThread {
			t.Errorf("heard %+v", h)
		}
		above, err := w.chat.Above(t.Context(), h.Place, 10)
		if want := []string{"I saw Alien", "who directed it? #general", "no idea"}; err != nil || !slices.Equal(above, want) {
			t.Errorf("above stands %q %v, want %q", above, err, want)
		}
		if above, err = w.chat.Above(t.Context(), h.Place, 1); err != nil || !slices.Equal(above, []string{"no idea"}) {
			t.Errorf("the last one above is %q %v", above, err)
		}
		w.post(h.Place, bot.Card{Text: "Ridley Scott."})
		w.Say("Bob", thread, "<@"+w.BotID+"> sure?")
		if h := w.hears(); h.MidThread {
			t.Errorf("heard %+v", h)
		}
		w.stopAndConnect(content)
		w.Say("Bob", thread, "<@"+w.BotID+"> really?")
		if h := w.hears(); h.MidThread {
			t.Errorf("after a restart heard %+v", h)
		}
		w.Clean(t)
	})
}

func TestEditsAndDeletions(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		asked := w.Say("Ann", w.General, "<@"+w.BotID+"> who directed Alein?")
		w.hears()
		edited := w.Edit(asked, "<@"+w.BotID+"> who directed Alien?")
		h := w.hears()
		if h.Kind != bot.Amended || h.Text != "who directed Alien?" || h.Place.Message != asked.ID || !strings.HasPrefix(h.ID, "discord:"+w.General+"/"+asked.ID+"@") || h.User != asked.Author {
			t.Errorf("an edit was heard as %+v", h)
		}
		w.Edit(asked, "never mind") // without mention, and unread
		w.Thread("Bob", asked, "a thread changes a message and isn't an edit")
		w.Delete(edited)
		if h := w.hears(); h.Kind != bot.Withdrawn || h.Place.Message != asked.ID || h.Place.Channel != w.General {
			t.Errorf("a deletion was heard as %+v", h)
		}
		w.hearsNothing()
		w.Clean(t)
	})
}

// In a thread, all that is about a message names the same place.
func TestThreadsAreOnePlace(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, talkative, content)
		start := w.Say("Ann", w.General, "films")
		for _, fresh := range []bool{false, true} { // the second time nobody told of the thread
			thread := w.Thread("Ann", start, "films")
			asked := w.Say("Ann", thread, "<@"+w.BotID+"> q")
			place := bot.Place{Chat: "discord", Team: w.Guild, Channel: w.General, Thread: thread, Message: asked.ID}
			id := "discord:" + w.General + "/" + asked.ID
			if h := w.hears(); h.Place != place || h.ID != id {
				t.Errorf("heard %+v", h)
			}
			at := w.post(place, bot.Card{Text: "38"})
			if fresh {
				w.Archive(thread)
				w.stopAndConnect(content)
			}
			w.Edit(asked, "<@"+w.BotID+"> r")
			if h := w.hears(); h.Place != place || !strings.HasPrefix(h.ID, id+"@") || h.Text != "r" {
				t.Errorf("an edit was heard as %+v", h)
			}
			w.React("Ann", w.message(at.Message), "👍")
			if h := w.hears(); h.Place.Channel != at.Channel || h.Place.Thread != at.Thread || h.Place.Message != at.Message || h.Place.Team != at.Team {
				t.Errorf("a reaction was heard as %+v", h)
			}
			w.Delete(asked)
			if h := w.hears(); h.Place != place || h.Kind != bot.Withdrawn {
				t.Errorf("a deletion was heard as %+v", h)
			}
			start = w.Say("Ann", w.General, "more films")
		}
		w.Clean(t)
	})
}

func TestThumbs(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		answer := w.message(w.post(bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: "38"}).Message)
		ids := map[string]bool{}
		for emoji, want := range map[string]string{"👍": "up", "👍🏻": "up", "👍🏿": "up", "👎": "down", "👎🏽": "down"} {
			for range 2 {
				w.React("Ann", answer, emoji)
				added := w.hears()
				w.Unreact("Ann", answer, emoji)
				removed := w.hears()
				if added.Text != want || added.Removed || removed.Text != want || !removed.Removed || added.Kind != bot.Reacted || added.Place.Message != answer.ID {
					t.Errorf("%s was heard as %+v, then %+v", emoji, added, removed)
				}
				ids[added.ID], ids[removed.ID] = true, true
			}
		}
		if len(ids) != 20 {
			t.Errorf("20 events have %d ids", len(ids))
		}
		direct := w.message(w.post(bot.Place{Channel: w.DM("Ann")}, bot.Card{Text: "38"}).Message)
		w.React("Ann", direct, "👍")
		if h := w.hears(); !h.Private || h.Place.Team != "" || h.Text != "up" {
			t.Errorf("a thumb in private was heard as %+v", h)
		}
		w.Clean(t)
	})
}

// stopAndConnect ends the bot's life and begins another.
func (w *world) stopAndConnect(tune ...func(*discord.Discord)) {
	w.t.Helper()
	if err := w.stop(); err != nil {
		w.t.Error(err)
	}
	w.AwaitConnected(0)
	w.chat = w.connect(tune...)
}
