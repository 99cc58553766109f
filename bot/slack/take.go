package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"time"

	"precedent/bot"
)

const (
	laneCount  = 8                       // deliveries heard at once
	laneLength = 128                     // deliveries that wait in one lane
	hearWithin = 2500 * time.Millisecond // Slack takes an answer within three seconds
)

var (
	errBusy   = errors.New("too much comes in at once")
	errClosed = errors.New("the bot isn't running")
)

// A job is one delivery on its way to Hear. All of a conversation go down the same
// lane, so that they are heard in their order.
type job struct {
	said
	came time.Time
	done func(error) // told once, when it is kept or couldn't be
}

var seed = maphash.MakeSeed()

// take turns a delivery into what was heard and queues it. It never waits. done is
// told nil once that is kept, or if there is nothing to keep; any error means that
// Slack should send again.
func (s *Slack) take(kind string, payload []byte, done func(error)) {
	s.mu.Lock()
	me, runs := s.me, s.lanes != nil
	s.mu.Unlock()
	if !runs {
		done(errClosed)
		return
	}
	w, ok := s.read(me, kind, payload)
	if !ok {
		done(nil)
		return
	}
	s.queue(job{w, time.Now(), done})
}

func (s *Slack) queue(j job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lanes == nil {
		j.done(errClosed)
		return
	}
	lane := s.lanes[maphash.String(seed, cmp.Or(j.Conversation, j.Place.Channel+j.Place.Message, j.User))%uint64(len(s.lanes))]
	select {
	case lane <- j:
	default:
		s.log().Warn("leaving a delivery for later", "id", j.ID, "err", errBusy)
		j.done(errBusy)
	}
}

// read is what a delivery says to the bot; ok is false for nothing.
func (s *Slack) read(me self, kind string, payload []byte) (w said, ok bool) {
	var err error
	switch kind {
	case eventsAPI:
		var o outer
		if err = json.Unmarshal(payload, &o); err == nil {
			w, ok = s.heard(me, o.Event)
		}
	case commands:
		var c command
		if err = json.Unmarshal(payload, &c); err == nil {
			w, ok = s.asked(me, c)
		}
	case interactive:
		var in interaction
		if err = json.Unmarshal(payload, &in); err == nil {
			w, ok = s.interacted(me, in)
		}
	}
	if err != nil {
		s.log().Warn("reading a delivery", "kind", kind, "bytes", len(payload), "err", err)
	}
	return w, ok
}

// drive hears what comes down a lane until it is closed. What has come in is heard
// even when ctx has ended: it is then kept, whether Slack learns of that or not.
func (s *Slack) drive(ctx context.Context, lane <-chan job) {
	for j := range lane {
		s.hear(context.WithoutCancel(ctx), j)
	}
}

// hear hands over what came, and tells whether that is seen to.
func (s *Slack) hear(ctx context.Context, j job) {
	within, cancel := context.WithDeadline(ctx, time.Now().Add(hearWithin))
	defer cancel()
	kept, err := s.keep(within, &j.said)
	j.done(err)
	if !kept {
		return
	}
	if j.Kind == bot.Asked && j.Place.Message != "" {
		s.saw(within, j.Place.Channel, j.Place.Message)
	}
	if j.trigger != "" && j.Kind == bot.Pressed {
		s.opening.Go(func() {
			within, cancel := context.WithDeadline(ctx, j.came.Add(openWithin))
			defer cancel()
			s.open(within, j.said)
		})
	}
}

// keep has what was said kept; where it can't be, and who said it was told so, it
// is seen to all the same.
func (s *Slack) keep(ctx context.Context, w *said) (kept bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = bot.Broken(r)
			s.log().Error("hearing", "id", w.ID, "err", err)
		}
	}()
	if !s.introduce(ctx, w) {
		return false, nil
	}
	err = s.Hear(ctx, w.Heard)
	switch {
	case errors.Is(err, bot.ErrUnkept):
		return false, nil
	case err != nil:
		s.log().Error("keeping what was heard", "id", w.ID, "err", err)
	}
	return err == nil, err
}
