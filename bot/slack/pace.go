package slack

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/time/rate"

	"precedent/bot"
)

// What Slack takes, and a little less than it: one message a second in a
// channel with short bursts, and of edits, method tier 3, some 50 a minute in a
// workspace (docs.slack.dev/apis/web-api/rate-limits).
const (
	postsPerSecond = 1
	postsAtOnce    = 3
	editsPerMinute = 45
	looksPerMinute = 10 // of channels: tier 3 as well
	looksAtOnce    = 35
	pacedChannels  = 1000 // remembered
)

// pace keeps the bot below what Slack takes. The zero value is ready.
type pace struct {
	mu       sync.Mutex
	channels map[string]*rate.Limiter
	edits    *rate.Limiter
	looks    *rate.Limiter
}

// look takes what it costs to look a channel up; false where that can't be had.
func (p *pace) look() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.looks == nil {
		p.looks = rate.NewLimiter(rate.Limit(looksPerMinute)/60, looksAtOnce)
	}
	return p.looks.Allow()
}

// post waits until a channel takes a message.
func (p *pace) post(ctx context.Context, channel string) error {
	p.mu.Lock()
	if p.channels == nil || len(p.channels) >= pacedChannels {
		p.channels = make(map[string]*rate.Limiter) // at worst, Slack asks to wait
	}
	l := p.channels[channel]
	if l == nil {
		l = rate.NewLimiter(postsPerSecond, postsAtOnce)
		p.channels[channel] = l
	}
	p.mu.Unlock()
	if err := l.Wait(ctx); err != nil {
		return fmt.Errorf("waiting to post: %w", err)
	}
	return nil
}

// work takes what it costs to show that the bot is at work: the edit by which
// the answer takes its place. It fails with ErrCrowded where that can't be had,
// or where only answers should have it.
func (p *pace) work(again bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.edits == nil {
		p.edits = rate.NewLimiter(rate.Limit(editsPerMinute)/60, editsPerMinute)
	}
	if again && p.edits.Tokens() < editsPerMinute/2 || !p.edits.Allow() {
		return fmt.Errorf("showing work: %w", bot.ErrCrowded)
	}
	return nil
}
