package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/inbox"
)

// reacted counts a reaction as a vote.
func (d *Desk) reacted(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	s, err := d.Inbox.At(ctx, h.Place.Chat, h.Place.Channel, h.Place.Message)
	switch {
	case errors.Is(err, inbox.ErrUnknown):
		// It may be an answer that is being posted right now.
		if e.Tries < unknownTries {
			return errLater
		}
		return d.finish(ctx, e.ID)
	case err != nil:
		return err
	case s.Answer == "": // not yet an answer
		if e.Tries < unknownTries || e.Tries < workingTries && d.atWorkOn(s.Event) != nil {
			return errLater
		}
		return d.finish(ctx, e.ID)
	}
	k, err := remembered(s)
	if err != nil {
		return d.finish(ctx, e.ID)
	}
	if _, err := d.vote(ctx, chat, h, k, engine.Vote{Answer: s.Answer, User: h.user(), Value: h.Text}); err != nil {
		return err
	}
	return d.finish(ctx, e.ID)
}

// vote counts a vote and tells the conversation what came of it. Its error is
// one to try again after.
func (d *Desk) vote(ctx context.Context, chat Chat, h Heard, k kept, v engine.Vote) (engine.Voted, error) {
	done := engine.Voted{Answer: v.Answer}
	last, err := d.cast(ctx, v.Answer, v.User)
	if err != nil {
		return done, err
	}
	mine := last
	if h.Kind == Reacted {
		mine = last.hearing(h)
	}
	stands := mine // where only the thumbs have changed, and not the vote
	mine.Value, mine.How, mine.At = v.Value, h.Kind, h.At
	if h.Counted {
		mine.How = counted
	}
	switch {
	case h.Removed && last.Value == "": // it comes before what it takes back
		mine.Value = string(cases.None)
		return done, d.keep(ctx, v.Answer, v.User, mine)
	case last.after(mine), h.Removed && last.Value != h.Text: // the person has voted since
		if h.Kind == Reacted {
			err = d.keep(ctx, v.Answer, v.User, stands)
		}
		return done, err
	case h.Removed:
		v.Value, mine.Value = string(cases.None), string(cases.None)
	}
	v.Curator = d.curates(ctx, chat, h)
	done, err = d.Bot(h.Place).Vote(ctx, v)
	switch {
	case errors.Is(err, cases.ErrBusy), errors.Is(err, cases.ErrFile):
		return done, err
	case err != nil:
		d.log().Warn("counting a vote", "answer", v.Answer, "user", v.User, "err", err)
		return done, nil
	}
	if err := d.keep(ctx, v.Answer, v.User, mine); err != nil {
		return done, err
	}
	w := words.In(k.Language)
	switch {
	case done.Case != nil && done.Before != done.After:
		c := Card{Language: k.Language, Tone: Noting, Text: moved(w, done, v.Value), Deed: w.Chat.By, By: h.User,
			Buttons: []Button{press(w.Chat.Undo, Ordinary, "undo", strconv.FormatInt(done.Change, 10), *done.Case, k.Language)}}
		if c.Text == w.Chat.Saved {
			c.Deed = w.Chat.SavedBy
		}
		d.say(ctx, chat, beside(k, h), c)
	case done.Flagged && v.Value == string(cases.Down) && done.Case != nil && d.lately.first("flag "+*done.Case, h.ID):
		d.say(ctx, chat, beside(k, h), Card{Language: k.Language, Tone: Noting, Text: w.Flagged})
	case v.Curator && done.Doubt != nil && done.Case != nil:
		c := store.Case{ID: *done.Case, Status: done.After}
		if eng := d.Bot(h.Place).Engine; eng != nil {
			if kept, err := eng.Library().Case(ctx, *done.Case); err == nil {
				c = kept
			}
		}
		d.say(ctx, chat, beside(k, h), doubtCard(c, *done.Doubt, w, chat.Fits()))
	case v.Curator && v.Value == string(cases.Up) && done.Reason != "":
		d.say(ctx, chat, beside(k, h), Card{Language: k.Language, Tone: Noting, Text: fmt.Sprintf(w.Chat.NotPromoted, Line(w.Because(done.Reason)))})
	}
	return done, nil
}

// moved says where a vote took a case.
func moved(w *words.Words, v engine.Voted, value string) string {
	switch {
	case value == string(cases.None), value == string(cases.Down) && v.After == store.Verified:
		return fmt.Sprintf(w.Chat.Undone, w.State(v.After))
	case v.After == store.Verified:
		return w.Chat.Saved
	case v.After == store.Rejected:
		return w.Chat.Rejected
	case v.After == store.Quarantined:
		return w.Chat.Quarantined
	}
	return fmt.Sprintf(w.Chat.Moved, w.State(v.After))
}

// thank says that a vote counts, where nothing else was said of it.
func (p *pressing) thank(ctx context.Context, done engine.Voted) error {
	switch {
	case done.Answer == "":
		return p.tell(ctx, fmt.Sprintf(p.w.VoteBroke, p.arg(0)))
	case done.Before != done.After:
		return nil
	case p.act == "up":
		return p.tell(ctx, p.w.ThankUp)
	}
	return p.tell(ctx, p.w.ThankDown)
}

// How often it is looked for the answer that a press or a reaction is to.
const (
	pressedTries = 4
	unknownTries = 10
	workingTries = 600 // while it is worked on
)

// beside is where a note on an answer goes: to all who saw it.
func beside(k kept, h Heard) Place {
	at := k.Place
	at.Message = k.Asked.Message
	if k.Private && h.Place.Token != "" {
		at.Token, at.User = h.Place.Token, h.User
	}
	return at
}
