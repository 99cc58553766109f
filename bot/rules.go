package bot

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"precedent/engine"
)

// Rules say who may ask where, and how much. The zero Rules let everybody ask
// everywhere, within the default rates.
type Rules struct {
	Channels []string // slack:C1, discord:2: where the bot answers; nil: wherever it is. Direct conversations aren't channels
	People   []string // slack:U1, slack-group:S1, discord-role:3: whom it answers; nil: everybody

	// Questions a minute, of one user, in one channel and in all; below 0 is
	// without bound.
	PerUser, PerChannel, PerMinute int

	// Tokens of the model a day (UTC), of one user, in one channel and in all; 0
	// is without bound. Where they are spent, cases go on answering.
	UserTokens, ChannelTokens, Tokens int
}

// Rates of Rules whose fields are zero.
const (
	DefaultPerUser    = 20
	DefaultPerChannel = 60
	DefaultPerMinute  = 1200

	rateSpan = time.Minute
)

// rates count the questions of the last minute. The zero value is ready.
type rates struct {
	mu    sync.Mutex
	asked map[string][]time.Time // oldest first
	told  map[string]time.Time   // until when a user was told to wait
	swept time.Time
}

// admit counts a question asked now by each of keys, unless one of them has as
// many as it may; then it says until when. It is told to a user once: told is
// true where they know already.
func (r *rates) admit(now time.Time, user string, keys []string, most []int) (until time.Time, told bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	for i, key := range keys {
		list := r.asked[key]
		list = list[firstAfter(list, now.Add(-rateSpan)):]
		if most[i] >= 0 && len(list) >= most[i] {
			if most[i] == 0 {
				until = now.Add(rateSpan)
			} else {
				until = list[len(list)-most[i]].Add(rateSpan)
			}
			told = now.Before(r.told[user])
			if !told {
				r.told[user] = until
			}
			return until, told
		}
	}
	for i, key := range keys {
		if most[i] < 0 {
			continue
		}
		list := r.asked[key]
		r.asked[key] = append(slices.Clone(list[firstAfter(list, now.Add(-rateSpan)):]), now)
	}
	return time.Time{}, false
}

// sweep drops what the last minute doesn't hold, once a minute.
func (r *rates) sweep(now time.Time) {
	if r.asked == nil {
		r.asked, r.told = make(map[string][]time.Time), make(map[string]time.Time)
	}
	if now.Sub(r.swept) < rateSpan {
		return
	}
	r.swept = now
	for key, list := range r.asked {
		if len(list) == 0 || now.Sub(list[len(list)-1]) >= rateSpan {
			delete(r.asked, key)
		}
	}
	for user, until := range r.told {
		if now.After(until) {
			delete(r.told, user)
		}
	}
}

func firstAfter(list []time.Time, at time.Time) int {
	i, _ := slices.BinarySearchFunc(list, at, func(t, at time.Time) int {
		if t.After(at) {
			return 1
		}
		return -1
	})
	return i
}

// turnedAway returns what to say to somebody who may not ask here and now;
// silent is true where they know already, and nothing waits to be answered.
// Where only the model's share is used up, m goes on without it.
func (q *question) turnedAway(ctx context.Context, m *Message) (c *Card, silent bool) {
	h := q.h
	w := h.words()
	away := func(text string, known bool) (*Card, bool) {
		if known && q.at == nil && h.Place.Token == "" { // nothing waits for a word
			return nil, true
		}
		return &Card{Language: w.Language, Tone: Declining, Text: text}, false
	}
	channel := h.Place.Chat + ":" + h.Place.Channel
	r := q.Rules
	if r.Channels != nil && h.Place.Team != "" && !slices.Contains(r.Channels, channel) {
		return away(w.Chat.Elsewhere, !q.lately.first("elsewhere "+channel+" "+h.User, q.e.ID))
	}
	if r.People != nil && !q.among(ctx, q.chat, h, r.People) {
		return away(w.Chat.Barred, !q.lately.first("barred "+channel+" "+h.User, q.e.ID))
	}
	now := time.Now()
	if q.e.Tries < 2 && q.e.State == "" { // else it was let in before
		until, told := q.rates.admit(now, h.user(), []string{h.user(), channel, ""},
			[]int{or(r.PerUser, DefaultPerUser), or(r.PerChannel, DefaultPerChannel), or(r.PerMinute, DefaultPerMinute)})
		if !until.IsZero() {
			return away(fmt.Sprintf(w.Chat.Slowly, int(until.Sub(now).Seconds())+1, clock(until)), told)
		}
	}
	for who, most := range map[string]int{h.user(): r.UserTokens, channel: r.ChannelTokens, "": r.Tokens} {
		if most <= 0 {
			continue
		}
		if spent, err := q.Inbox.Spent(ctx, who); err != nil {
			q.log().Warn("counting tokens", "err", err)
		} else if spent >= most {
			m.Spent = fmt.Sprintf(w.Chat.Spent, clock(now.UTC().Truncate(24*time.Hour).Add(24*time.Hour)))
		}
	}
	return nil, false
}

// clock is a time of day as people of all places read it.
func clock(t time.Time) string {
	if t.Second() == 0 {
		return t.UTC().Format("15:04 UTC")
	}
	return t.UTC().Format("15:04:05 UTC")
}

// spend counts what an answer cost.
func (d *Desk) spend(ctx context.Context, h Heard, a engine.Answer) {
	if tokens := a.PromptTokens + a.CompletionTokens; tokens > 0 {
		if err := d.Inbox.Spend(ctx, tokens, h.user(), h.Place.Chat+":"+h.Place.Channel, ""); err != nil {
			d.log().Error("counting tokens", "err", err)
		}
	}
}
