package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// lookBack is how much older than the last message heard a thread's root may be
// for its new replies to be read back, besides those in which the bot answered.
const lookBack = 24 * time.Hour

// tries is how often each call for it is made.
const tries = 10

// keepUp reads back whenever there was a gap, until ctx ends.
func (s *Slack) keepUp(ctx context.Context) {
	for {
		select {
		case <-s.gaps.Rang():
			if s.catchUp(ctx); ctx.Err() != nil {
				return // the marks stay: what is left is read back after the next start
			}
			for channel, ts := range s.marks.release() {
				s.saw(ctx, channel, ts)
			}
		case <-ctx.Done():
			return
		}
	}
}

// gap says that something may have been missed up to now.
func (s *Slack) gap() {
	s.marks.hold()
	s.gaps.Ring()
}

// catchUp hears what was said and voted while no socket was open, where the bot
// may look. What was heard already, Hear knows by its id.
func (s *Slack) catchUp(ctx context.Context) {
	defer s.survive("reading back")
	if s.Seen == nil || s.Recent == nil || s.Missed == nil {
		return
	}
	me, err := s.identify(ctx)
	if err != nil {
		s.log().Warn("reading back", "err", told(err))
		return
	}
	seen, err := s.Seen(ctx, network)
	if err != nil {
		s.log().Warn("reading back", "err", err)
	}
	recent, err := s.Recent(ctx, network, recentMost)
	if err != nil {
		s.log().Warn("reading back", "err", err)
	}
	for channel, last := range seen {
		if !me.mayRead(channel) {
			continue
		}
		if err := s.readBack(ctx, me, channel, last, recent); err != nil && ctx.Err() == nil {
			s.log().Warn("reading back messages", "channel", channel, "err", blind(err))
		}
	}
	for _, p := range recent {
		if !me.may("reactions:read") || p.User != "" || p.Home || p.Message == "" {
			continue
		}
		if err := s.patiently(ctx)(func() error { return s.recount(ctx, me, p) }); err != nil && ctx.Err() == nil {
			s.log().Warn("reading back reactions", "channel", p.Channel, "err", blind(err))
		}
	}
}

// patiently calls again when Slack has had the time it asks for, and a few times
// after a fault.
func (s *Slack) patiently(ctx context.Context) caller {
	return func(call func() error) error {
		wait := waitFirst
		for n := 1; ; {
			err := call()
			if err == nil || ctx.Err() != nil {
				return err
			}
			limited, slow := errors.AsType[*slack.RateLimitedError](err)
			known := blind(err)
			switch {
			case slow:
				if !pause(ctx, limited.RetryAfter) {
					return err
				}
			case n == tries, errors.Is(known, bot.ErrBlind), errors.Is(known, bot.ErrGone), !pause(ctx, wait):
				return err
			default:
				wait = min(2*wait, waitMost)
				n++
			}
		}
	}
}

// replay has something heard that no delivery brings again, and returns when it
// is kept.
func (s *Slack) replay(ctx context.Context, w said) error {
	for wait := waitFirst; ; wait = min(2*wait, waitMost) {
		kept := make(chan error, 1)
		s.queue(job{w, time.Now(), func(err error) { kept <- err }})
		err := <-kept
		if err == nil || errors.Is(err, errClosed) || !pause(ctx, wait) {
			return err
		}
	}
}

// readBack hears what was said in a channel and its threads after the last message
// heard there, oldest first.
func (s *Slack) readBack(ctx context.Context, me self, channel, last string, recent []bot.Place) error {
	oldest := fmt.Sprintf("%d.000000", at(last).Add(-lookBack).Unix())
	var found []slack.Message
	roots := map[string]bool{}
	for m, err := range s.history(ctx, s.patiently(ctx), pagesMost, slack.GetConversationHistoryParameters{ChannelID: channel, Oldest: oldest}) {
		if err != nil {
			return err
		}
		if m.Timestamp > last {
			found = append(found, m)
		}
		if m.LatestReply > last {
			roots[m.Timestamp] = true
		}
	}
	for _, p := range recent {
		if p.Channel == channel && p.Thread != "" {
			roots[p.Thread] = true
		}
	}
	for root := range roots {
		for m, err := range s.replies(ctx, s.patiently(ctx), slack.GetConversationRepliesParameters{ChannelID: channel, Timestamp: root, Oldest: last}) {
			if err != nil {
				if errors.Is(told(err), bot.ErrGone) {
					break
				}
				return err
			}
			if m.Timestamp > last {
				found = append(found, m)
			}
		}
	}
	slices.SortFunc(found, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	for _, m := range found {
		w, ok := s.message(me, message{Subtype: m.SubType, Channel: channel, User: m.User, BotID: m.BotID, Text: m.Text,
			TS: m.Timestamp, Thread: m.ThreadTimestamp})
		if !ok {
			continue
		}
		if err := s.replay(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// recount hears the reactions on a message that were missed.
func (s *Slack) recount(ctx context.Context, me self, p bot.Place) error {
	began := time.Now()
	item, err := s.client().GetReactionsContext(ctx, slack.NewRefToMessage(p.Channel, p.Message), slack.GetReactionsParameters{Full: true})
	if errors.Is(told(err), bot.ErrGone) {
		return nil
	}
	if err != nil {
		return err
	}
	stood := map[string][]string{}
	for _, r := range item.Reactions {
		for _, user := range r.Users {
			if v := vote(r.Name); v != "" && user != me.user && !slices.Contains(stood[user], v) {
				stood[user] = append(stood[user], v)
			}
		}
	}
	where := me.place(p.Channel)
	where.Message = p.Message
	missed, err := s.Missed(ctx, where, stood, began.UTC())
	if err != nil {
		return err
	}
	for _, h := range missed {
		h.Private = direct(p.Channel)
		if err := s.replay(ctx, said{Heard: h}); err != nil {
			return err
		}
	}
	return nil
}
