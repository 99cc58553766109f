package slack

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// marked is the event type of the metadata that says what a message replies to.
const marked = "precedent"

// Post puts a card up: on a person's home tab; to a response URL, or to one person
// alone in a channel, or in a direct conversation if no channel is given; or in the
// channel, in to.Thread if that isn't "". Where a message that carries the same is
// there already, it may say where that is, and leave it as it stands.
func (s *Slack) Post(ctx context.Context, to bot.Place, c bot.Card) (bot.Place, error) {
	blocks, text, err := draw(c, to.Home)
	if err != nil {
		return bot.Place{}, err
	}
	switch {
	case to.Home:
		return to, s.publish(ctx, to.User, blocks)
	case to.Token != "":
		to.Message = ""
		return to, s.respond(ctx, to, blocks, text, false)
	case to.User != "" && to.Channel == "":
		to.Channel, to.User = to.User, "" // Slack opens the direct conversation
	}
	if c.Tone == bot.AtWork {
		if err := s.pace.work(false); err != nil {
			return bot.Place{}, err
		}
	}
	if err := s.pace.post(ctx, to.Channel); err != nil {
		return bot.Place{}, err
	}
	if to.User != "" {
		ts, err := s.client().PostEphemeralContext(ctx, to.Channel, to.User, options(to, c, blocks, text)...)
		if to.Message = ts; err != nil {
			return bot.Place{}, fmt.Errorf("posting to one person: %w", s.speaking(err))
		}
		return to, nil
	}
	options := append(options(to, c, blocks, text), carrying(c)...)
	options = append(options, slack.MsgOptionDisableMarkdown())
	client := s.client()
	channel, ts, err := client.PostMessageContext(ctx, to.Channel, append(options, s.named(c)...)...)
	if no, ok := errors.AsType[slack.SlackErrorResponse](err); ok && (no.Err == "duplicate_message_not_found" || no.Err == "duplicate_channel_not_found") {
		channel, ts, err = client.PostMessageContext(ctx, to.Channel, options...) // that of the same id was deleted
	}
	if err != nil {
		return bot.Place{}, fmt.Errorf("posting: %w", s.speaking(err))
	}
	to.Channel, to.Message = channel, ts
	s.threads.add(to.Channel, to.Thread)
	return to, nil
}

// Edit draws a card in place of the one at. What one person alone sees can be
// edited only by the response URL of a press under it; elsewhere, so after a slash
// command (slackapi/bolt-js#2287), the card is put up anew, unless it only says
// that the bot is at work.
func (s *Slack) Edit(ctx context.Context, at bot.Place, c bot.Card) (bot.Place, error) {
	blocks, text, err := draw(c, at.Home)
	if err != nil {
		return bot.Place{}, err
	}
	switch {
	case at.Home:
		return at, s.publish(ctx, at.User, blocks)
	case at.User != "" && at.Token != "" && at.Message != "":
		return at, s.respond(ctx, at, blocks, text, true)
	case at.User != "" && c.Tone == bot.AtWork:
		return at, nil
	case at.User != "":
		return s.Post(ctx, at, c)
	}
	if c.Tone == bot.AtWork {
		if err := s.pace.work(true); err != nil {
			return bot.Place{}, err
		}
	}
	to := at
	to.Thread = "" // chat.update knows the thread
	o := append(options(to, c, blocks, text), carrying(c)...)
	if c.Bare {
		o = append(o, slack.MsgOptionBlocks()) // else the old ones stay
	}
	_, _, _, err = s.client().UpdateMessageContext(ctx, at.Channel, at.Message, o...)
	if err != nil {
		return bot.Place{}, fmt.Errorf("editing: %w", s.speaking(err))
	}
	return at, nil
}

// options are what a message says, and that nothing more is made of it: no links
// from words, no previews.
func options(to bot.Place, c bot.Card, blocks []slack.Block, text string) []slack.MsgOption {
	out := []slack.MsgOption{slack.MsgOptionText(text, false), slack.MsgOptionParse(false),
		slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl()}
	if !c.Bare {
		out = append(out, slack.MsgOptionBlocks(blocks...))
	}
	if to.Thread != "" {
		out = append(out, slack.MsgOptionTS(to.Thread))
	}
	return out
}

// carrying says what a message replies to, for Find alone.
func carrying(c bot.Card) []slack.MsgOption {
	if c.Carries == "" || c.Bare {
		return nil
	}
	return []slack.MsgOption{slack.MsgOptionMetadata(slack.SlackMetadata{EventType: marked, EventPayload: map[string]any{"carries": c.Carries}})}
}

// named gives a message an id of ours. Of a second one of the same id Slack makes no
// other message, and tells where the first is, as it stands. It says so by its errors
// only ("duplicate_message_not_found",
// docs.slack.dev/reference/methods/chat.postMessage): where it doesn't, Find helps.
func (s *Slack) named(c bot.Card) []slack.MsgOption {
	if c.Carries == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(c.Carries))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // RFC 9562, 5.8
	id := fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	return []slack.MsgOption{slack.UnsafeMsgOptionEndpoint(s.base+"chat.postMessage", func(v url.Values) { v.Set("client_msg_id", id) })}
}

func (s *Slack) publish(ctx context.Context, user string, blocks []slack.Block) error {
	_, err := s.client().PublishViewContext(ctx, slack.PublishViewContextRequest{UserID: user,
		View: slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: blocks}}})
	if err != nil {
		return fmt.Errorf("drawing a home tab: %w", s.speaking(err))
	}
	return nil
}
