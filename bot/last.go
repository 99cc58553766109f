package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store/inbox"
)

// A lastWord is the last that is said on a question.
type lastWord struct {
	card   Card
	kept   kept
	answer string        // id of the answer that the card shows; "" for none
	files  func() []File // that go beside it; nil for none
}

// replies lays out answers. Where there are several, each says which question it
// is to.
func (q *question) replies(answers []engine.Answer) []lastWord {
	list := make([]lastWord, len(answers))
	for i, a := range answers {
		c, partial := lay(a, 0, q.chat.Fits())
		if len(answers) > 1 && c.Understood == "" {
			c.Understood = clip(Line(a.Question), q.chat.Fits().Small)
		}
		k := q.k
		k.Question, k.Language, k.Suggestions = a.Question, a.Language, a.Suggestions
		for _, choice := range a.Choices {
			k.Choices = append(k.Choices, choice.Link)
		}
		if only(c.Buttons, "more") != nil {
			q.pages.keep(a.ID, a.Columns, a.Rows, a.Truncated)
		}
		list[i] = lastWord{c, k, a.ID, func() []File { return filesOf(a, partial) }}
	}
	return list
}

// last says the last word on a question and ends the event. The first reply
// stands where the question was worked on.
func (q *question) last(ctx context.Context, replies ...lastWord) error {
	var all []inbox.Shown
	for i, r := range replies {
		r.card.Carries = q.h.asks()
		if i > 0 {
			r.card.Carries, q.at = part(q.h.asks(), i+1), nil
			if s, err := q.Inbox.For(ctx, r.card.Carries); err == nil { // of the question before it was edited
				q.at = placeOf(s)
			}
		}
		if q.at == nil {
			var err error
			if q.at, err = q.posted(ctx, r.card.Carries); err != nil {
				return err
			}
		}
		shown, err := q.bring(ctx, r)
		switch {
		case nowhere(err):
			q.log().Error("an answer has no place left to go", "event", q.h.ID, "err", err)
			continue
		case err != nil:
			return err
		}
		all = append(all, shown)
	}
	if q.h.Kind == Amended {
		all = append(all, q.dropped(ctx, len(replies))...)
	}
	return q.finish(ctx, q.e.ID, all...)
}

// dropped takes back the answers to questions that an edited message no longer asks.
func (q *question) dropped(ctx context.Context, left int) (all []inbox.Shown) {
	w := words.In(q.k.Language)
	for n := max(left, 1) + 1; n <= maxParts; n++ {
		carries := part(q.h.asks(), n)
		s, err := q.Inbox.For(ctx, carries)
		at := placeOf(s)
		if err != nil || s.Answer == "" || at == nil {
			continue
		}
		place, err := q.deliver(ctx, q.chat, q.h.Place, at, Card{Carries: carries, Language: w.Language, Tone: Noting, Text: w.Chat.Dropped})
		if err != nil {
			q.log().Warn("taking an answer back", "event", carries, "err", err)
			continue
		}
		all = append(all, q.k.shown(place, "", carries, q.h.user()))
	}
	return all
}

// part is the id of the n-th of the questions that one message asks.
func part(id string, n int) string { return fmt.Sprintf("%s#%d", id, n) }

// placeOf is where a message stands; nil if nobody knows.
func placeOf(s inbox.Shown) *Place {
	k, err := remembered(s)
	if err != nil || k.Place.Message == "" {
		return nil
	}
	return &k.Place
}

// bring brings a reply before people's eyes.
func (q *question) bring(ctx context.Context, r lastWord) (inbox.Shown, error) {
	if q.at == nil {
		if err := q.Inbox.Note(ctx, q.e.ID, posting); !q.lets(err) {
			return inbox.Shown{}, err
		}
	}
	doubt := q.at == nil && (q.e.State == posting || q.e.Tries > 1)
	place, err := q.deliver(ctx, q.chat, q.h.Place, q.at, r.card)
	if err == nil && doubt && place.User == "" && place.Message != "" { // it may be one of before that the network gave
		place, err = q.deliver(ctx, q.chat, q.h.Place, &place, r.card)
	}
	if errors.Is(err, ErrBarred) { // it may listen there, and not speak
		place, err = q.deliver(ctx, q.chat, Place{Chat: q.h.Place.Chat, User: q.h.User}, nil, r.card)
	}
	if err != nil {
		return inbox.Shown{}, err
	}
	shown := r.kept.shown(place, r.answer, r.card.Carries, q.h.user())
	if r.files == nil {
		return shown, nil
	}
	if files := r.files(); len(files) > 0 {
		if err := q.Inbox.Show(ctx, shown); !q.lets(err) { // people vote and press while the file is on its way
			return shown, err
		}
		for _, f := range files {
			q.attach(ctx, q.chat, place, f, r.kept.Language)
		}
	}
	return shown, nil
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
		q := &question{Desk: d, chat: chat, e: e, h: h}
		if _, err := q.standing(ctx); err != nil {
			q.at = h.Shown
		}
		if _, err := d.deliver(ctx, chat, h.Place, q.at, c); err != nil {
			d.log().Error("saying that a question is given up", "event", e.ID, "err", err)
		}
	case Pressed, Filled:
		d.aside(ctx, chat, h, c)
	}
	return d.finish(ctx, e.ID)
}
