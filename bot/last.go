package bot

import (
	"context"
	"errors"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store/inbox"
)

// last says the last word on a question, an answer or c, and ends the event.
func (d *Desk) last(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, c Card, k kept, a *engine.Answer) error {
	shown, err := d.bring(ctx, chat, e, h, to, at, c, k, a)
	switch {
	case nowhere(err):
		d.log().Error("an answer has no place left to go", "event", h.ID, "err", err)
		return d.Inbox.Finish(ctx, e.ID)
	case err != nil:
		return err
	}
	return d.Inbox.Finish(ctx, e.ID, shown)
}

// bring brings a card, or an answer where a isn't nil, before people's eyes. What
// it carries is the event, unless c says otherwise.
func (d *Desk) bring(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, c Card, k kept, a *engine.Answer) (inbox.Shown, error) {
	carries, understood, answer, files := or(c.Carries, h.asks()), c.Understood, "", []File(nil)
	if a != nil {
		c, files = lay(*a, 0, chat.Fits())
		c.Understood = or(c.Understood, understood)
		k.Language, answer = a.Language, a.ID
		k.Suggestions = a.Suggestions
		for _, choice := range a.Choices {
			k.Choices = append(k.Choices, choice.Link)
		}
		d.pages.keep(a.ID, a.Columns, a.Rows, a.Truncated)
	}
	c.Carries = carries
	if at == nil {
		if err := d.Inbox.Note(ctx, e.ID, posting); err != nil {
			return inbox.Shown{}, err
		}
	}
	place, err := d.deliver(ctx, chat, to, at, c)
	if errors.Is(err, ErrBarred) { // it may listen there, and not speak
		place, err = d.deliver(ctx, chat, Place{Chat: to.Chat, User: h.User}, nil, c)
	}
	if err != nil {
		return inbox.Shown{}, err
	}
	shown := k.shown(place, answer, carries, h.user())
	if len(files) > 0 {
		if err := d.Inbox.Show(ctx, shown); err != nil { // people vote and press while the file is on its way
			return shown, err
		}
		for _, f := range files {
			d.attach(ctx, chat, place, f, k.Language)
		}
	}
	return shown, nil
}

// nowhere tells whether an error of deliver says that a card can't be brought
// there, however often that is tried.
func nowhere(err error) bool {
	return errors.Is(err, ErrGone) || errors.Is(err, ErrBarred) || errors.Is(err, ErrRejected) || errors.Is(err, ErrExpired)
}

// attach puts a file up beside an answer, or says that it can't.
func (d *Desk) attach(ctx context.Context, chat Chat, at Place, f File, language string) {
	for tries := range deliverTries {
		err := chat.Attach(ctx, at, f)
		wait, asked := errors.AsType[Wait](err)
		switch {
		case err == nil:
			return
		case errors.Is(err, ErrBarred) && at.User != "": // others would see it there
			here := Place{Chat: at.Chat, User: at.User}
			if alone, err := d.deliver(ctx, chat, here, nil, Card{Language: language, Tone: Noting, Text: f.Alt}); err == nil {
				d.say(ctx, chat, at, Card{Language: language, Tone: Noting, Text: words.In(language).Chat.FileAside})
				at = alone
				continue
			}
			fallthrough
		case nowhere(err), asked && wait.For > longestWait, tries == deliverTries-1:
			d.log().Warn("attaching a file", "chat", chat.Name(), "err", err)
			d.say(ctx, chat, at, Card{Language: language, Tone: Noting, Text: words.In(language).Chat.NoFile})
			return
		case !asked:
			wait.For = or(d.Pause, DefaultPause) << tries
		}
		if pause(ctx, wait.For) != nil {
			return
		}
	}
}

// say posts a note; if that fails, the log has it.
func (d *Desk) say(ctx context.Context, chat Chat, to Place, c Card) {
	if _, err := d.deliver(ctx, chat, to, nil, c); err != nil {
		d.log().Warn("saying something", "chat", chat.Name(), "err", err)
	}
}

// ending tells, where something is shown already, that it isn't forgotten.
func (d *Desk) ending(chat Chat, at *Place, c Card) {
	if at == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), endingTime)
	defer cancel()
	if _, err := chat.Edit(ctx, *at, c); err != nil {
		d.log().Warn("saying that the program ends", "chat", chat.Name(), "err", err)
	}
}

// endingTime is how long it may take to say that the program ends.
const endingTime = 3 * time.Second

// giveUp ends an event that was taken up too often.
func (d *Desk) giveUp(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	w := h.words()
	c := Card{Carries: h.asks(), Language: w.Language, Tone: Breaking, Text: w.Chat.GaveUp}
	switch h.Kind {
	case Asked, Amended:
		at, _, err := d.standing(ctx, chat, e, h)
		if err != nil {
			at = h.Shown
		}
		if _, err := d.deliver(ctx, chat, h.Place, at, c); err != nil {
			d.log().Error("saying that a question is given up", "event", e.ID, "err", err)
		}
	case Pressed, Filled:
		d.aside(ctx, chat, h, c)
	}
	return d.Inbox.Finish(ctx, e.ID)
}
