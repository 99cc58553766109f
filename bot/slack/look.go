package slack

import (
	"context"
	"fmt"
	"iter"

	"github.com/slack-go/slack"

	"precedent/bot"
)

const (
	pageMost  = 200 // messages that one call asks for
	pagesMost = 25  // calls for one thread or channel
	findMost  = 3   // pages in which Find looks for a message outside of threads
)

// Find looks for a message of the bot that carries an id: in to.Thread, or among
// the latest of a direct conversation. It needs the history scope of the channel's
// kind. What one person alone sees can't be found.
func (s *Slack) Find(ctx context.Context, to bot.Place, carries string) (bot.Place, bool, error) {
	if to.User != "" || to.Home || to.Token != "" {
		return bot.Place{}, false, fmt.Errorf("%w: only one person sees it", bot.ErrBlind)
	}
	me, err := s.identify(ctx)
	if err != nil {
		return bot.Place{}, false, fmt.Errorf("looking for a message: %w", told(err))
	}
	if !me.mayRead(to.Channel) {
		return bot.Place{}, false, fmt.Errorf("looking for a message: %w: no history scope", bot.ErrBlind)
	}
	for m, err := range s.around(ctx, to) {
		if err != nil {
			return bot.Place{}, false, fmt.Errorf("looking for a message: %w", blind(err))
		}
		if m.User == me.user && m.Metadata.EventType == marked && m.Metadata.EventPayload["carries"] == carries {
			to.Message = m.Timestamp
			return to, true, nil
		}
	}
	return bot.Place{}, false, nil
}

// around are the messages of a place's thread, or the latest outside of threads.
func (s *Slack) around(ctx context.Context, p bot.Place) iter.Seq2[slack.Message, error] {
	if p.Thread == "" {
		return s.history(ctx, once, findMost, slack.GetConversationHistoryParameters{ChannelID: p.Channel, IncludeAllMetadata: true})
	}
	return s.replies(ctx, once, slack.GetConversationRepliesParameters{ChannelID: p.Channel, Timestamp: p.Thread, IncludeAllMetadata: true})
}

// Above returns what people said in at.Thread before at.Message, oldest first, the
// last n. It needs the history scope of the channel's kind.
func (s *Slack) Above(ctx context.Context, at bot.Place, n int) (texts []string, err error) {
	me, err := s.identify(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading a thread: %w", told(err))
	}
	if at.Thread == "" || n <= 0 {
		return nil, nil
	}
	for m, err := range s.replies(ctx, once, slack.GetConversationRepliesParameters{ChannelID: at.Channel, Timestamp: at.Thread, Latest: at.Message}) {
		if err != nil {
			return nil, fmt.Errorf("reading a thread: %w", blind(err))
		}
		if m.BotID != "" || m.User == me.user || m.User == "" || m.Timestamp == at.Message || m.SubType == "tombstone" {
			continue
		}
		if text := readable(m.Text, me.user); text != "" {
			texts = append(texts, text)
		}
		if len(texts) > n {
			texts = texts[1:]
		}
	}
	return texts, nil
}

// A caller makes a call of Slack's, once or until it works.
type caller func(call func() error) error

func once(call func() error) error { return call() }

// replies are a thread's messages, its root first and then oldest first.
func (s *Slack) replies(ctx context.Context, calling caller, p slack.GetConversationRepliesParameters) iter.Seq2[slack.Message, error] {
	p.Limit = pageMost
	return func(yield func(slack.Message, error) bool) {
		for range pagesMost {
			var list []slack.Message
			var next string
			err := calling(func() (err error) {
				list, _, next, err = s.client().GetConversationRepliesContext(ctx, &p)
				return err
			})
			if err != nil {
				yield(slack.Message{}, err)
				return
			}
			for _, m := range list {
				if !yield(m, nil) {
					return
				}
			}
			if p.Cursor = next; next == "" {
				return
			}
		}
	}
}

// history are a channel's messages outside of threads, newest first.
func (s *Slack) history(ctx context.Context, calling caller, pages int, p slack.GetConversationHistoryParameters) iter.Seq2[slack.Message, error] {
	p.Limit = pageMost
	return func(yield func(slack.Message, error) bool) {
		for range pages {
			var page *slack.GetConversationHistoryResponse
			err := calling(func() (err error) {
				page, err = s.client().GetConversationHistoryContext(ctx, &p)
				return err
			})
			if err != nil {
				yield(slack.Message{}, err)
				return
			}
			for _, m := range page.Messages {
				if !yield(m, nil) {
					return
				}
			}
			if p.Cursor = page.ResponseMetaData.NextCursor; p.Cursor == "" {
				return
			}
		}
	}
}
