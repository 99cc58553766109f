package bot

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/guardrails"
)

// answer has a question answered, whatever breaks, and counts what it cost.
func (d *Desk) answer(ctx context.Context, h Heard, m Message, stages chan engine.Progress) (a engine.Answer) {
	defer func() {
		if r := recover(); r != nil {
			d.log().Error("answering", "event", h.ID, "panic", r, "stack", string(debug.Stack()))
			a = fault(m.Text, words.For(m.Text).Chat.GaveUp, "internal")
		}
	}()
	a = d.Bot(h.Place).Answer(ctx, m, func(p engine.Progress) {
		select {
		case <-stages: // only the newest counts
		default:
		}
		select {
		case stages <- p:
		default:
		}
	})
	d.spend(context.WithoutCancel(ctx), a, h.user(), h.channel())
	return a
}

// answers answers a message: whole, or where it asks several questions that no
// case answers together, each of them.
func (d *Desk) answers(ctx context.Context, h Heard, m Message, stages chan engine.Progress) []engine.Answer {
	list, sure := parts(m.Text)
	whole := m
	whole.Trial = sure // the model would answer one of them
	a := d.answer(ctx, h, whole, stages)
	if list == nil || a.Route != engine.Unanswered && (a.Refusal == nil || a.Refusal.Kind != guardrails.OffTopic) {
		return []engine.Answer{a}
	}
	var each []engine.Answer
	found := false
	for _, m.Text = range list {
		one := d.answer(ctx, h, m, stages)
		each, found = append(each, one), found || one.Route != engine.Unanswered && one.Route != engine.Refused
		if ctx.Err() != nil {
			break
		}
	}
	if !found && (m.Spent != "" || a.Route == engine.Refused) {
		return []engine.Answer{a} // it says once why
	}
	return each
}

// showWork says that a question is worked on, however often it has to try, and
// keeps where that stands.
func (q *question) showWork(ctx context.Context) error {
	if err := q.Inbox.Note(ctx, q.e.ID, posting); !q.lets(err) {
		return err
	}
	place, err := q.deliver(ctx, q.chat, q.h.Place, q.at, q.atWork(engine.Progress{}))
	switch {
	case errors.Is(err, ErrCrowded), nowhere(err):
		return nil // the answer may get through
	case err != nil:
		return err
	}
	return q.standsAt(ctx, place)
}

// hint is showWork tried once, for the answer soon needs the place.
func (q *question) hint(ctx context.Context, p engine.Progress) error {
	if err := q.Inbox.Note(ctx, q.e.ID, posting); !q.lets(err) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	var place Place
	var err error
	if q.at != nil {
		place, err = q.chat.Edit(ctx, *q.at, q.atWork(p))
	} else {
		place, err = q.chat.Post(ctx, q.h.Place, q.atWork(p))
	}
	_, wait := errors.AsType[Wait](err)
	switch {
	case wait, errors.Is(err, ErrCrowded), nowhere(err):
		return nil // the answer may get through
	case err != nil:
		q.e.State = posting // it may be there all the same
		return err
	}
	return q.standsAt(ctx, place)
}

// hintTime is how long the answer waits for the network to show that it is on
// its way.
const hintTime = 3 * time.Second

func (q *question) standsAt(ctx context.Context, place Place) error {
	q.at = &place
	if err := q.Inbox.Show(ctx, q.k.shown(place, "", q.h.asks(), q.h.user())); !q.lets(err) {
		return err
	}
	return nil
}

// watch waits for the answers and meanwhile shows that they are worked on.
func (q *question) watch(ctx context.Context, answered <-chan []engine.Answer, stages <-chan engine.Progress) []engine.Answer {
	quiet := time.NewTimer(or(q.Quiet, DefaultQuiet))
	defer quiet.Stop()
	drawnAt := time.Now() // as if: what is quick needs no hint
	var stage engine.Progress
	drawn := 0
	redraw := time.NewTimer(time.Hour)
	defer redraw.Stop()
	for {
		select {
		case list := <-answered:
			return list
		case <-quiet.C:
			if err := q.hint(ctx, stage); err != nil && ctx.Err() == nil && !lasts(err) {
				q.log().Warn("showing that a question is worked on", "event", q.h.ID, "err", err)
			}
			drawnAt = time.Now()
		case stage = <-stages:
			if q.at != nil && drawn < maxProgress {
				redraw.Reset(max(0, progressEvery-time.Since(drawnAt)))
			}
		case <-redraw.C:
			if drawn++; q.at == nil {
				continue
			}
			// Once, and not again where it fails: the answer matters more.
			if _, err := q.chat.Edit(ctx, *q.at, q.atWork(stage)); err != nil {
				drawn = maxProgress
			}
			drawnAt = time.Now()
		}
	}
}

// atWork is the card while a question is worked on.
func (q *question) atWork(p engine.Progress) Card {
	w := words.In(q.k.Language)
	text := w.Working
	switch p.Stage {
	case engine.Writing:
		text = w.Writing
	case engine.Reading:
		text = w.Reading
	case engine.Telling:
		text = fmt.Sprintf(w.Telling, p.Rows)
	}
	return Card{Carries: q.h.asks(), Language: w.Language, Tone: AtWork, Text: text, Buttons: []Button{press(w.Chat.Stop, Bad, "stop", q.h.asks())}}
}

func (d *Desk) begin(q *question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.working == nil {
		d.working = make(map[string]*question)
	}
	d.working[q.h.asks()] = q
}

func (d *Desk) end(q *question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.working, q.h.asks())
}

// atWorkOn returns the question by its id while it is being answered, else nil.
func (d *Desk) atWorkOn(id string) *question {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.working[id]
}
