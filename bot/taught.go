package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// A pending is what waits for a curator: a case, or another name for a value.
type pending struct {
	c *store.Case
	t *cases.Taught
}

// card lays out what waits.
func (x pending) card(ctx context.Context, eng *engine.Engine, w *words.Words, fits Fits) Card {
	if x.t != nil {
		return taughtItem(*x.t, w, fits)
	}
	return item(ctx, eng, *x.c, w, fits)
}

// taughtItem lays out another name for a value.
func taughtItem(t cases.Taught, w *words.Words, fits Fits) Card {
	card := Card{Language: w.Language, Tone: Noting, Text: clip(taughtText(t, w), fits.Text),
		Buttons: []Button{press(w.Chat.Approve, Good, "approve", t.ID, w.Language), press(w.Chat.Reject, Bad, "reject", t.ID, w.Language)}}
	small := func(text string) { card.Small = append(card.Small, clip(Line(text), fits.Small)) }
	small(fmt.Sprintf(w.Chat.TaughtBy, t.Teachers))
	if note := w.Chat.TaughtNotes[t.Note]; note != "" {
		small(note)
	}
	if t.Private {
		small(w.Chat.FromAside)
	}
	return card
}

func taughtText(t cases.Taught, w *words.Words) string {
	return fmt.Sprintf(w.Chat.Taught, Line(t.Name), Line(t.Label+"."+t.Property), Line(t.Value))
}

// teach takes what a person wrote about an answer for another name of a value,
// where it is one, and says what became of it.
func (p *pressing) teach(ctx context.Context, said string) (told string, err error) {
	eng := p.Bot(p.h.Place).Engine
	if eng == nil || strings.TrimSpace(said) == "" {
		return p.w.Chat.FormThanks, nil
	}
	t, ok, err := eng.Teach(ctx, p.arg(0), p.h.user(), p.k.Private || p.k.Closed, said)
	switch {
	case errors.Is(err, cases.ErrBusy):
		return "", err
	case err != nil:
		p.log().Warn("learning another name", "answer", p.arg(0), "err", err)
		return p.w.Chat.FormThanks, nil
	case !ok && t.Note == "":
		return p.w.Chat.FormThanks, nil
	case !ok:
		return fmt.Sprintf(p.w.Chat.TaughtAlready, taughtText(t, p.w)), nil
	}
	return fmt.Sprintf(p.w.Chat.TaughtThanks, taughtText(t, p.w)), nil
}

// decide approves or rejects another name for a value.
func (p *pressing) decide(ctx context.Context, eng *engine.Engine) error {
	t, err := eng.DecideTaught(ctx, p.arg(0), p.act != "reject", p.h.user(), "curated")
	switch {
	case errors.Is(err, cases.ErrBusy):
		return err
	case err != nil:
		return p.tell(ctx, fmt.Sprintf(p.w.Chat.NotKept, Line(p.w.Because(err.Error()))))
	}
	back := press(p.w.Chat.Reject, Ordinary, "reject", t.ID, p.w.Language)
	if t.Status != store.Verified {
		back = press(p.w.Chat.Approve, Ordinary, "approve", t.ID, p.w.Language)
	}
	return p.show(ctx, Card{Language: p.w.Language, Tone: Noting, Deed: p.w.Chat.By, By: p.h.User, Buttons: []Button{back},
		Text: taughtText(t, p.w) + "\n" + fmt.Sprintf(p.w.Chat.Moved, p.w.State(t.Status))})
}
