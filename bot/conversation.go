package bot

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"precedent/engine"
	"precedent/store"
)

// Bounds of what is remembered of a conversation.
const (
	maxTurns    = 10 // exchanges
	maxTurnRows = 25 // rows of the answer of one
)

// A conversation is what was said in one place.
type conversation struct {
	key   string
	floor chan struct{} // holds one token while nobody is being answered

	// Guarded by whoever holds the floor.
	turns  []engine.Turn  // oldest first; nil until the first answer: the journal may have earlier ones
	last   *engine.Answer // nil unless it offers things to pick from
	chosen []store.Link   // picked so far for the question of last

	// Guarded by Bot.mu.
	present    int // messages being answered or waiting
	used       time.Time
	next, prev *conversation // in the ring of Bot.oldest
}

// picked returns the question that text means where the last answer offered
// choices or questions, and the links picked for it; else text itself.
func (c *conversation) picked(text string) (string, []store.Link) {
	if c.last == nil {
		return text, nil
	}
	if i := pick(text, len(c.last.Choices), func(i int) string { return c.last.Choices[i].Label }); i >= 0 {
		return c.last.Question, append(slices.Clone(c.chosen), c.last.Choices[i].Link)
	}
	if len(c.last.Choices) > 0 {
		return text, nil
	}
	if i := pick(text, len(c.last.Suggestions), func(i int) string { return c.last.Suggestions[i] }); i >= 0 {
		return c.last.Suggestions[i], nil
	}
	return text, nil
}

// pick returns which of n things text names, by number from 1 or by its label;
// -1 if none.
func pick(text string, n int, label func(int) string) int {
	if i, err := strconv.Atoi(digits(text)); err == nil && i >= 1 && i <= n {
		return i - 1
	}
	for i := range n {
		if same(text, label(i)) {
			return i
		}
	}
	return -1
}

// digits returns text without what people put around a number they pick, and
// with full-width digits as plain ones.
func digits(text string) string {
	text = strings.Trim(text, " \t.。、)）(（#")
	return strings.Map(func(r rune) rune {
		if r >= '０' && r <= '９' {
			return r - '０' + '0'
		}
		return r
	}, text)
}

// heard remembers an answer.
func (c *conversation) heard(a engine.Answer, chosen []store.Link) {
	c.last, c.chosen = nil, nil
	if len(a.Choices) > 0 || len(a.Suggestions) > 0 {
		c.last, c.chosen = &a, chosen
	}
	if a.Route == engine.Fault {
		return
	}
	rows := a.Rows[:min(len(a.Rows), maxTurnRows)]
	c.turns = append(c.turns, engine.Turn{
		Question: a.Question, Restated: a.Restated, Query: a.Query, Params: a.Params, Route: a.Route,
		Links: a.Links, Columns: a.Columns, Rows: slices.Clone(rows), Text: a.Text,
	})
	c.turns = slices.Clone(c.turns[max(0, len(c.turns)-maxTurns):])
}

// join returns the conversation and keeps it from being forgotten until leave.
func (b *Bot) join(key string) *conversation {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	c := b.talks[key]
	if c != nil && c.present == 0 && now.Sub(c.used) >= or(b.Age, DefaultAge) {
		b.drop(c)
		c = nil
	}
	if c == nil {
		c = &conversation{key: key, floor: make(chan struct{}, 1)}
		c.floor <- struct{}{}
		if b.talks == nil {
			b.talks = make(map[string]*conversation)
		}
		b.talks[key] = c
	} else {
		b.unlink(c)
	}
	b.link(c)
	c.present++
	c.used = now
	return c
}

// leave lets the conversation be forgotten, and forgets what is too old or too much.
func (b *Bot) leave(c *conversation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.present--
	now := time.Now()
	c.used = now
	most, age := or(b.Conversations, DefaultConversations), or(b.Age, DefaultAge)
	for at, n := b.oldest, len(b.talks); n > 0; n-- {
		next := at.next
		if len(b.talks) <= most && now.Sub(at.used) < age {
			return
		}
		if at.present == 0 {
			b.drop(at)
		}
		at = next
	}
}

func (b *Bot) drop(c *conversation) {
	b.unlink(c)
	delete(b.talks, c.key)
}

// link puts c at the end of the ring.
func (b *Bot) link(c *conversation) {
	if b.oldest == nil {
		c.next, c.prev = c, c
		b.oldest = c
		return
	}
	c.next, c.prev = b.oldest, b.oldest.prev
	c.prev.next, c.next.prev = c, c
}

func (b *Bot) unlink(c *conversation) {
	if c.next == c {
		b.oldest = nil
		return
	}
	c.prev.next, c.next.prev = c.next, c.prev
	if b.oldest == c {
		b.oldest = c.next
	}
}
