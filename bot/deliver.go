package bot

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// How a card gets through.
const (
	deliverTries = 6                // calls that fail without saying why
	longestWait  = 10 * time.Minute // that a network may ask for; beyond it the event is put off
)

// deliver gets a card before people's eyes: at at, in place of what stands
// there, or as a new message at to where at is nil. It waits where the network
// asks for it, says it plainly where the network rejects how it is drawn, and
// posts anew where the message is gone. The error of a card that can't be
// brought there at all wraps ErrGone, ErrBarred, ErrExpired or ErrRejected; that
// of a network that is out of reach, errAway. After a call that failed without
// saying whether it did its work, a card that Carries something is looked for
// first; one that doesn't, such as a note, may come twice.
func (d *Desk) deliver(ctx context.Context, chat Chat, to Place, at *Place, c Card) (Place, error) {
	tries, plain, tried, doubt := 0, 0, false, false
	for {
		place, err := to, error(nil)
		switch {
		case at != nil:
			place, err = chat.Edit(ctx, *at, c)
		case tried && c.Carries != "":
			// The call before may have done it.
			var found bool
			if place, found, err = chat.Find(ctx, to, c.Carries); err == nil && found {
				at = &place
				continue
			}
			place, err = chat.Post(ctx, to, c)
		default:
			place, err = chat.Post(ctx, to, c)
		}
		if err == nil {
			if doubt && at == nil && c.Carries != "" && place.User == "" { // it may be one of before that the network gives
				at, doubt = &place, false
				continue
			}
			return place, nil
		}
		if ctx.Err() != nil {
			return Place{}, context.Cause(ctx)
		}
		wait, asked := errors.AsType[Wait](err)
		switch {
		case asked && wait.For > longestWait:
			return Place{}, err
		case asked:
			if err := pause(ctx, wait.For); err != nil {
				return Place{}, err
			}
		case errors.Is(err, ErrRejected) && plain < 3:
			d.log().Error("a card was rejected; it is said more plainly", "chat", chat.Name(), "err", err)
			plain++
			c = plainer(c, plain)
		case errors.Is(err, ErrExpired) && (to.Token != "" || at != nil && at.Token != ""):
			to.Token, at, tried = "", nil, true
		case errors.Is(err, ErrGone) && at != nil:
			at = nil
			if c.Carries != "" {
				c.Carries += "+" // a network may know the other by it, and make no second
			}
		case errors.Is(err, ErrBlind):
			tried = false // it can't be looked up: better twice than never
		case errors.Is(err, ErrCrowded):
			return Place{}, err
		case nowhere(err):
			return Place{}, fmt.Errorf("bringing a card to %s: %w", chat.Name(), err)
		case lasts(err): // the network is to be put right first
			return Place{}, fmt.Errorf("bringing a card to %s: %w: %w", chat.Name(), errAway, err)
		default:
			if tries++; tries == deliverTries {
				return Place{}, fmt.Errorf("bringing a card to %s: %w: %w", chat.Name(), errAway, err)
			}
			tried, doubt = true, true
			if err := pause(ctx, or(d.Pause, DefaultPause)<<(tries-1)); err != nil {
				return Place{}, err
			}
		}
	}
}

// lasts tells whether somebody has to do something before a network takes anything.
func lasts(err error) bool {
	_, ok := errors.AsType[*Lasting](err)
	return ok
}

// nowhere tells whether an error of deliver says that a card can't be brought
// there, however often that is tried.
func nowhere(err error) bool {
	return errors.Is(err, ErrGone) || errors.Is(err, ErrBarred) || errors.Is(err, ErrRejected) || errors.Is(err, ErrExpired)
}

// plainer is a card with less in it that a network could reject: at first
// without a table, then without anything but its text, and then that undrawn.
func plainer(c Card, step int) Card {
	if c.Table != nil {
		c.Text += "\n" + c.Table.lines()
	}
	c.Table, c.Items = nil, nil
	c.Bare = step > 2
	if step > 1 {
		c.Code, c.Small, c.Understood, c.Buttons, c.By = "", nil, "", nil, ""
		c.Text = clip(c.Text, plainText)
	} else {
		c.Text = clip(c.Text, plainTable)
	}
	return c
}

// How much of a rejected card is said, in characters.
const (
	plainTable = 1500
	plainText  = 500
)
