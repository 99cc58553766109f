package bot

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store/inbox"
)

// answer has a question answered, whatever breaks.
func (d *Desk) answer(ctx context.Context, h Heard, m Message, stages chan engine.Progress) (a engine.Answer) {
	defer func() {
		if r := recover(); r != nil {
			d.log().Error("answering", "event", h.ID, "panic", r, "stack", string(debug.Stack()))
			a = fault(m.Text, words.For(m.Text).Chat.GaveUp, "internal")
		}
	}()
	return d.Bot(h.Place).Answer(ctx, m, func(p engine.Progress) {
		select {
		case <-stages: // only the newest counts
		default:
		}
		select {
		case stages <- p:
		default:
		}
	})
}

// showWork says that a question is worked on, and keeps where that stands.
func (d *Desk) showWork(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, k kept, p engine.Progress) (*Place, error) {
	if err := d.Inbox.Note(ctx, e.ID, posting); err != nil {
		return at, err
	}
	place, err := d.deliver(ctx, chat, to, at, d.atWork(h.asks(), k, p))
	switch {
	case errors.Is(err, ErrCrowded), errors.Is(err, ErrGone), errors.Is(err, ErrBarred), errors.Is(err, ErrRejected), errors.Is(err, ErrExpired):
		return at, nil // the answer may get through
	case err != nil:
		return at, err
	}
	return &place, d.Inbox.Show(ctx, k.shown(place, "", h.asks(), h.user()))
}

// watch waits for an answer and meanwhile shows that it is worked on. It
// returns where that is shown, nil if it wasn't needed.
func (d *Desk) watch(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, k kept, answered <-chan engine.Answer, stages <-chan engine.Progress) (engine.Answer, *Place) {
	quiet := time.NewTimer(or(d.Quiet, DefaultQuiet))
	defer quiet.Stop()
	var drawnAt time.Time
	var stage engine.Progress
	drawn := 0
	redraw := time.NewTimer(time.Hour)
	defer redraw.Stop()
	for {
		select {
		case a := <-answered:
			return a, at
		case <-quiet.C:
			var err error
			if at, err = d.showWork(ctx, chat, e, h, to, at, k, stage); err != nil && ctx.Err() == nil {
				d.log().Warn("showing that a question is worked on", "event", h.ID, "err", err)
			}
			drawnAt = time.Now()
		case stage = <-stages:
			if at != nil && drawn < maxProgress {
				redraw.Reset(max(0, progressEvery-time.Since(drawnAt)))
			}
		case <-redraw.C:
			if drawn++; at == nil {
				continue
			}
			// Once, and not again where it fails: the answer matters more.
			if _, err := chat.Edit(ctx, *at, d.atWork(h.asks(), k, stage)); err != nil {
				drawn = maxProgress
			}
			drawnAt = time.Now()
		}
	}
}

// atWork is the card while a question is worked on.
func (d *Desk) atWork(carries string, k kept, p engine.Progress) Card {
	w := words.In(k.Language)
	text := w.Working
	switch p.Stage {
	case engine.Writing:
		text = w.Writing
	case engine.Reading:
		text = w.Reading
	case engine.Telling:
		text = fmt.Sprintf(w.Telling, p.Rows)
	}
	return Card{Carries: carries, Language: k.Language, Tone: AtWork, Text: text, Buttons: []Button{press(w.Chat.Stop, Bad, "stop", carries)}}
}

func (d *Desk) begin(id string, q *question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.working == nil {
		d.working = make(map[string]*question)
	}
	d.working[id] = q
}

func (d *Desk) end(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.working, id)
}

// halt stops work on a question; user "" may always.
func (d *Desk) halt(id string, why error) (asker string, found bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.working[id]
	if q == nil {
		return "", false
	}
	q.stop(why)
	return q.user, true
}
