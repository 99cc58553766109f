package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store/inbox"
)

// A question is one being worked on.
type question struct {
	user string
	stop context.CancelCauseFunc
}

// Why a question is no longer worked on.
var (
	errStopped   = errors.New("the asker stopped it")
	errWithdrawn = errors.New("the asker deleted it")
)

// asks is the id of the question that h asks or changes.
func (h Heard) asks() string {
	if h.Kind == Amended || h.Kind == Withdrawn {
		return h.Place.Chat + ":" + h.Place.Channel + "/" + h.Place.Message
	}
	return h.ID
}

// words are those of what h says, or where it says none, of its user's client.
func (h Heard) words() *words.Words {
	if strings.TrimSpace(h.Text) == "" {
		return words.In(h.Language)
	}
	return words.For(h.Text)
}

// question answers what h asks, or what m asks because h does.
func (d *Desk) question(ctx context.Context, chat Chat, e inbox.Event, h Heard, m Message) error {
	m.User, m.Private = h.user(), h.Private
	if m.Conversation == "" {
		m.Conversation = h.Conversation
	}
	k := kept{Asked: h.Place, Conversation: m.Conversation, Question: m.Text, Language: words.For(m.Text).Language, Private: h.Private, Chosen: m.Picked}
	if h.Kind == Amended {
		k.Amended = h.At
	}
	to := h.Place
	at, late, err := d.standing(ctx, chat, e, h)
	switch {
	case err != nil:
		return err
	case late: // what the question became since is answered
		return d.Inbox.Finish(ctx, e.ID)
	}
	if c, silent := d.turnedAway(ctx, chat, e, h, &m); silent && at == nil {
		return d.Inbox.Finish(ctx, e.ID)
	} else if c != nil {
		d.lately.again(h.Button)
		c.Carries = h.asks()
		return d.last(ctx, chat, e, h, to, at, *c, k, nil)
	}

	asked, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d.begin(h.asks(), &question{user: h.User, stop: stop})
	defer d.end(h.asks())
	if d.lately.known(withdrawnNow + h.asks()) { // between its being handed out and here
		return d.Inbox.Finish(ctx, e.ID)
	}
	if h.Place.Thread != "" {
		if root, err := d.Inbox.At(ctx, h.Place.Chat, h.Place.Channel, h.Place.Thread); err == nil {
			m.After = root.Answer
		}
	}
	if h.MidThread && m.After == "" {
		m.Above, err = chat.Above(ctx, h.Place, aboveMessages)
		if err != nil && !errors.Is(err, ErrBlind) {
			d.log().Warn("reading the thread above", "event", h.ID, "err", err)
		}
	}
	if e.State == posting { // it came as far before: the network is to be there before a model is asked again
		if at, err = d.showWork(ctx, chat, e, h, to, at, k, engine.Progress{}); err != nil {
			return err
		}
	}
	answered := make(chan engine.Answer, 1)
	stages := make(chan engine.Progress, 1)
	go func() { answered <- d.answer(asked, h, m, stages) }()
	a, at := d.watch(ctx, chat, e, h, to, at, k, answered, stages)
	switch cause := context.Cause(asked); {
	case errors.Is(cause, errWithdrawn) && at == nil:
		return d.Inbox.Finish(ctx, e.ID)
	case errors.Is(cause, errStopped), errors.Is(cause, errWithdrawn):
		return d.last(ctx, chat, e, h, to, at, Card{Carries: h.asks(), Language: k.Language, Tone: Declining, Text: words.In(k.Language).Stopped}, k, nil)
	case cause != nil: // the program ends
		d.ending(chat, at, Card{Carries: h.asks(), Language: k.Language, Tone: AtWork, Text: words.In(k.Language).Chat.Ending})
		return cause
	}
	d.spend(ctx, h, a)
	if list := parts(m.Text); list != nil && a.Route == engine.Unanswered {
		return d.inParts(asked, chat, e, h, to, at, k, m, list)
	}
	return d.last(ctx, chat, e, h, to, at, Card{}, k, &a)
}

// aboveMessages is how much of a thread is read when the bot is called into it.
const aboveMessages = 6

// posting is the state of an event from the moment on at which something may
// have been posted for it that isn't known of yet.
const posting = "posting"

// standing returns where the bot's reply to a question stands already; nil if
// nowhere. late is true if what it replies to there was said after h.
func (d *Desk) standing(ctx context.Context, chat Chat, e inbox.Event, h Heard) (at *Place, late bool, err error) {
	s, err := d.Inbox.For(ctx, h.asks())
	if err != nil && !errors.Is(err, inbox.ErrUnknown) {
		return nil, false, err
	}
	k, broken := remembered(s)
	if broken == nil {
		late = h.Kind == Asked && !k.Amended.IsZero() || h.Kind == Amended && k.Amended.After(h.At)
	}
	switch {
	case broken == nil && k.Place.Message != "":
		if h.Shown != nil {
			k.Place.Token, k.Place.User = h.Shown.Token, h.Shown.User
		}
		return &k.Place, late, nil
	case h.Shown != nil:
		return h.Shown, late, nil
	case e.State != posting:
		return nil, late, nil
	}
	place, found, err := chat.Find(ctx, h.Place, h.asks())
	switch {
	case errors.Is(err, ErrBlind), errors.Is(err, ErrGone), err == nil && !found:
		return nil, late, nil
	case err != nil:
		return nil, late, fmt.Errorf("looking for an earlier reply: %w: %w", errAway, err)
	}
	return &place, late, nil
}

// withdrawnNow begins what is remembered lately of questions that are gone.
const withdrawnNow = "withdrawn "

// withdrawn stops work on a question whose message is gone, and has it not
// taken up if it wasn't yet, or comes later than its end.
func (d *Desk) withdrawn(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	id := h.asks()
	if _, err := d.Inbox.Put(ctx, inbox.Event{ID: id, Queue: h.queue(), Body: string(Withdrawn)}); err != nil {
		return err
	}
	d.lately.first(withdrawnNow+id, e.ID)
	d.halt(id, errWithdrawn)
	if err := d.Inbox.Finish(ctx, id); err != nil {
		return err
	}
	return d.Inbox.Finish(ctx, e.ID)
}
