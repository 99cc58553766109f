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

// A question is one that was asked on a chat and is to be answered there.
type question struct {
	*Desk
	chat Chat
	e    inbox.Event
	h    Heard
	k    kept                    // what is remembered of the reply
	at   *Place                  // where the reply stands already; nil: nowhere
	stop context.CancelCauseFunc // ends the work
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

// ask answers what h asks, or what m asks because h does.
func (d *Desk) ask(ctx context.Context, chat Chat, e inbox.Event, h Heard, m Message) error {
	m.User, m.Private, m.Conversation = h.user(), h.Private || h.Closed, or(m.Conversation, h.Conversation)
	q := &question{Desk: d, chat: chat, e: e, h: h, k: kept{Asked: h.Place, Conversation: m.Conversation, Question: m.Text,
		Language: words.For(m.Text).Language, Private: h.Private, Closed: h.Closed, Chosen: m.Picked}}
	if h.Kind == Amended {
		q.k.Amended = h.At
	}
	switch late, err := q.standing(ctx); {
	case err != nil:
		return err
	case late: // what the question became since is answered
		return d.finish(ctx, e.ID)
	}
	if c, silent := q.turnedAway(ctx, &m); silent {
		return d.finish(ctx, e.ID)
	} else if c != nil {
		d.lately.again(h.Button)
		return q.last(ctx, lastWord{card: *c, kept: q.k})
	}

	asked, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	q.stop = stop
	d.begin(q)
	defer d.end(q)
	stopped := lastWord{card: Card{Language: q.k.Language, Tone: Declining, Text: words.In(q.k.Language).Stopped}, kept: q.k}
	if d.lately.known(withdrawnNow + h.asks()) { // between its being handed out and here
		return q.gone(ctx, stopped)
	}
	q.lookAbove(ctx, &m)
	if e.State == posting { // it came as far before: the network is to be there before a model is asked again
		if err := q.showWork(ctx); err != nil {
			return err
		}
	}
	answered := make(chan []engine.Answer, 1)
	stages := make(chan engine.Progress, 1)
	go func() { answered <- d.answers(asked, h, m, stages) }()
	answers := q.watch(ctx, answered, stages)
	w := words.In(q.k.Language)
	switch cause := context.Cause(asked); {
	case errors.Is(cause, errWithdrawn):
		return q.gone(ctx, stopped)
	case errors.Is(cause, errStopped):
		return q.last(ctx, stopped)
	case cause != nil: // the program ends
		d.ending(chat, q.at, Card{Carries: h.asks(), Language: w.Language, Tone: AtWork, Text: w.Chat.Ending})
		return cause
	}
	return q.last(ctx, q.replies(answers)...)
}

// gone ends a question whose message was deleted: nothing is said where nothing
// stands.
func (q *question) gone(ctx context.Context, says lastWord) error {
	if q.at == nil {
		var err error
		if q.at, err = q.posted(ctx, q.h.asks()); err != nil {
			return err
		}
	}
	if q.at == nil {
		return q.finish(ctx, q.e.ID)
	}
	return q.last(ctx, says)
}

// lookAbove finds what a question in a thread goes on from.
func (q *question) lookAbove(ctx context.Context, m *Message) {
	p := q.h.Place
	if p.Thread != "" {
		if root, err := q.Inbox.At(ctx, p.Chat, p.Channel, p.Thread); err == nil {
			m.After = root.Answer
		}
	}
	if !q.h.MidThread || m.After != "" {
		return
	}
	above, err := q.chat.Above(ctx, p, aboveMessages)
	if err != nil && !errors.Is(err, ErrBlind) {
		q.log().Warn("reading the thread above", "event", q.h.ID, "err", err)
	}
	m.Above = above
}

// aboveMessages is how much of a thread is read when the bot is called into it.
const aboveMessages = 6

// posting is the state of an event from the moment on at which something may
// have been posted for it that isn't known of yet.
const posting = "posting"

// standing finds where the reply to a question stands already. late is true if
// what it replies to there was said after this.
func (q *question) standing(ctx context.Context) (late bool, err error) {
	s, err := q.Inbox.For(ctx, q.h.asks())
	if err != nil && !errors.Is(err, inbox.ErrUnknown) {
		return false, err
	}
	k, broken := remembered(s)
	if broken == nil {
		late = q.h.Kind == Asked && !k.Amended.IsZero() || q.h.Kind == Amended && k.Amended.After(q.h.At)
	}
	switch {
	case broken == nil && k.Place.Message != "":
		if q.h.Shown != nil {
			k.Place.Token, k.Place.User = q.h.Shown.Token, q.h.Shown.User
		}
		q.at = &k.Place
	case q.h.Shown != nil:
		q.at = q.h.Shown
	default:
		if at := q.unkept.take(q.h.asks()); at != nil { // a note that it can't be kept, which it is by now
			return late, q.standsAt(ctx, *at)
		}
		q.at, err = q.posted(ctx, q.h.asks())
		return late, err
	}
	return late, nil
}

// posted looks for what an earlier try at the event may have posted; nil for
// nothing. Where the disk took nothing, no more than that there was one is known.
func (q *question) posted(ctx context.Context, carries string) (*Place, error) {
	if q.e.State != posting && q.e.Tries < 2 {
		return nil, nil
	}
	at, found, err := q.chat.Find(ctx, q.h.Place, carries)
	switch {
	case errors.Is(err, ErrBlind), errors.Is(err, ErrGone), err == nil && !found:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for an earlier reply: %w: %w", errAway, err)
	}
	return &at, nil
}

// withdrawnNow begins what is remembered lately of questions that are gone.
const withdrawnNow = "withdrawn "

// withdrawn stops work on a question whose message is gone, and has it not
// taken up if it wasn't yet, or comes later than its end.
func (d *Desk) withdrawn(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	id := h.asks()
	d.lately.first(withdrawnNow+id, e.ID)
	if _, err := d.Inbox.Put(ctx, inbox.Event{ID: id, Queue: h.queue(), Body: string(Withdrawn)}); err != nil {
		return err
	}
	if q := d.atWorkOn(id); q != nil {
		q.stop(errWithdrawn)
	} else if s, err := d.Inbox.For(ctx, id); err == nil && s.Answer == "" && placeOf(s) != nil { // put off, with a word that it is worked on
		k, _ := remembered(s)
		w := words.In(k.Language)
		if _, err := d.deliver(ctx, chat, h.Place, placeOf(s), Card{Carries: id, Language: w.Language, Tone: Declining, Text: w.Stopped}); err != nil && !nowhere(err) {
			return err
		}
	}
	if err := d.finish(ctx, id); err != nil {
		return err
	}
	return d.finish(ctx, e.ID)
}
