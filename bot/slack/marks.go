package slack

import (
	"context"
	"errors"
	"sync"

	"precedent/bot"
)

// marks are how far the bot has heard each channel. While it reads back, they are
// held: a later message is no sign that the earlier ones were heard.
type marks struct {
	mu   sync.Mutex
	last map[string]string // by channel: a message's ts
	held map[string]string // what last becomes; nil while not held
}

// pass reports whether a message is later than all before in its channel, and is
// then the last.
func (m *marks) pass(channel, ts string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.last = map[string]string{}
	}
	if m.held != nil {
		m.held[channel] = max(m.held[channel], ts)
		return false
	}
	if ts <= m.last[channel] {
		return false
	}
	m.last[channel] = ts
	return true
}

func (m *marks) hold() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held == nil {
		m.held = map[string]string{}
	}
}

// release returns what came to pass in the meantime.
func (m *marks) release() (held map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held, m.held = m.held, nil
	return held
}

// saw notes the last message that Hear has kept, for reading back what comes after.
func (s *Slack) saw(ctx context.Context, channel, ts string) {
	if s.Saw == nil || !s.marks.pass(channel, ts) {
		return
	}
	if err := s.Saw(ctx, network, channel, ts); err != nil && !errors.Is(err, bot.ErrUnkept) {
		s.log().Warn("noting the last message", "channel", channel, "err", err)
	}
}
