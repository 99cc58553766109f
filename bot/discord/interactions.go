package discord

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"precedent/bot"
	"precedent/bot/words"
)

// Buttons that commands press.
const (
	caseButton  = "case|" // on a message
	queueButton = "queue|"
)

// Discord knows the commands by their English names, whatever it shows.
var known = words.EnglishCommands

const original = "@original" // the message that an interaction was answered with

// interacted hears an interaction, then acknowledges it.
func (d *Discord) interacted(ctx context.Context, i interaction) {
	if i.Type == isTyping {
		d.suggest(ctx, i)
		return
	}
	if i.Member != nil && i.Member.Roles != nil {
		d.members.told(i.Guild, i.user(), i.Member.Roles)
	}
	h, answer, ok := d.heardBy(i)
	if !ok {
		d.log().Warn("Discord tells of an interaction that nobody knows", "type", i.Type, "name", i.Data.Name)
		return
	}
	one := d.acks.begin(i.Token, i.Application, i.Limit)
	if one == nil {
		return
	}
	err := d.hear(ctx, h)
	unkept := errors.Is(err, bot.ErrUnkept)
	if seenTo(err) != nil { // Discord tells the person that it failed
		d.log().Error("keeping an interaction", "id", h.ID, "error", err)
		d.acks.end(one, false)
		return
	}
	if !unkept && h.Kind == bot.Pressed && i.Type == isComponent && d.Form != nil {
		if f, ok := d.Form(ctx, h); ok {
			if drawn, err := drawForm(f); err != nil {
				d.log().Error("drawing a form", "form", f.ID, "error", err)
			} else {
				answer = callback{Type: openForm, Data: drawn}
			}
		}
	}
	err = d.acknowledge(ctx, i, answer)
	if err != nil {
		d.log().Error("acknowledging an interaction", "id", h.ID, "error", err)
	}
	d.acks.end(one, true)
}

// heardBy says what an interaction is, and how it is acknowledged.
func (d *Discord) heardBy(i interaction) (h bot.Heard, answer callback, ok bool) {
	c := d.roomOf(i)
	h = bot.Heard{ID: name + ":i/" + i.ID, Place: d.place(c, ""), Conversation: conversation(c, i.user()), User: i.user(),
		Private: c.Guild == "", Closed: d.closed(c), Language: language(i.Locale), At: when(i.ID)}
	shown := h.Place
	shown.Message, shown.Token = original, i.Token
	answer = callback{Type: deferMessage}
	privately := func() {
		answer.Data, h.Private = flagged{flagEphemeral}, true
		h.Place.User, h.Place.Token = i.user(), i.Token
		shown.User = i.user()
		h.Shown = &shown
	}
	switch {
	case i.calls(known.Ask, words.ChineseCommands.Ask):
		h.Kind, h.Text, h.Shown = bot.Asked, strings.TrimSpace(i.option(known.Question)), &shown
		return h, answer, true
	case i.calls(known.Cases, words.ChineseCommands.Cases):
		h.Kind, h.Button = bot.Pressed, queueButton
		privately()
		return h, answer, true
	case i.calls(known.Curate, words.ChineseCommands.Curate):
		h.Kind, h.Button, h.Place.Message = bot.Pressed, caseButton, i.Data.Target
		privately()
		return h, answer, true
	case i.Type == isComponent, i.Type == isModal:
		h.Kind, h.Button = bot.Pressed, i.Data.CustomID
		h.Place.User, h.Place.Token = i.user(), i.Token
		if i.Type == isModal {
			h.Kind, h.Fields = bot.Filled, map[string]string{}
			for _, f := range i.Data.Components {
				f.fields(h.Fields)
			}
		}
		if i.Message == nil { // a form that no message's button opened
			privately()
			return h, answer, true
		}
		h.Place.Message = i.Message.ID
		h.Private = h.Private || i.Message.Flags&flagEphemeral != 0
		return h, callback{Type: deferUpdate}, true
	}
	return h, answer, false
}

func (d *Discord) roomOf(i interaction) channel {
	c := channel{ID: i.ChannelID}
	if known, ok := d.rooms.known(i.ChannelID); ok {
		c = known
	} else if i.Channel != nil {
		c = *i.Channel
		c.ID = i.ChannelID
	}
	c.Guild = i.Guild
	return c
}

// language of a client's locale.
func language(locale string) string {
	switch first, _, _ := strings.Cut(locale, "-"); first {
	case "zh", "en":
		return first
	}
	return ""
}

const (
	mostChoices = 25
	mostChoice  = 100 // code points; it is what the person then asks, so that it can't be cut
)

type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// suggest completes what a person types.
func (d *Discord) suggest(ctx context.Context, i interaction) {
	choices := []choice{}
	if d.Suggest != nil {
		seen := map[string]bool{}
		for _, s := range d.Suggest(ctx, d.place(d.roomOf(i), ""), i.option(known.Question), language(i.Locale), mostChoices) {
			s = strings.TrimSpace(line(s))
			if n := utf8.RuneCountInString(s); n > 0 && n <= mostChoice && !seen[s] && len(choices) < mostChoices {
				seen[s] = true
				choices = append(choices, choice{s, s})
			}
		}
	}
	err := d.acknowledge(ctx, i, callback{Type: giveChoices, Data: map[string]any{"choices": choices}})
	if err != nil {
		d.log().Warn("completing a question", "error", err)
	}
}
