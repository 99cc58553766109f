package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"precedent/bot/words"
	"precedent/engine"
)

// Rules say who may ask where, and how much. The zero Rules let everybody ask
// everywhere, on chats within the default rates.
type Rules struct {
	Channels []string // slack:C1, discord:2, http: where the bot answers; nil: wherever it is. Direct conversations aren't channels
	People   []string // slack:U1, slack-group:S1, discord-role:3, http:ann, http:team-*: whom it answers; nil: everybody

	// Questions a minute, of one user, in one channel and in all; below 0 is
	// without bound, and so is 0 over HTTP, where programs ask.
	PerUser, PerChannel, PerMinute int

	// Tokens of the model a day (UTC), of one user, in one channel and in all; 0
	// is without bound. Where they are spent, cases go on answering.
	UserTokens, ChannelTokens, Tokens int
}

// CountTokens tells whether the rules bound the tokens of the model.
func (r Rules) CountTokens() bool { return r.UserTokens > 0 || r.ChannelTokens > 0 || r.Tokens > 0 }

// Rates of Rules whose fields are zero, on chats.
const (
	DefaultPerUser    = 20
	DefaultPerChannel = 60
	DefaultPerMinute  = 1200

	rateSpan = time.Minute

	mostRated = 10_000 // whose questions are counted apart; more people over HTTP are counted together
)

// othersRated is who they are.
const othersRated = httpSpace + "*"

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
		if len(r.asked) >= mostRated && r.asked[key] == nil && strings.HasPrefix(key, httpSpace) {
			keys[i] = othersRated
		}
	}
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

// HTTPChannel is how rules name all that comes over HTTP: one channel, since
// whoever asks there says himself where.
const HTTPChannel = "http"

// An asker is somebody who asks somewhere, as rules name both.
type asker struct {
	user    string // slack:U1, http:ann
	channel string // slack:C1, http
	direct  bool   // that is a direct conversation
	again   bool   // let in before: this counts no second time
	unrated bool   // rates hold only where the rules give them
	among   func(list []string) bool
}

// An entry is whether somebody may ask.
type entry struct {
	shut  shut      // why not; open: they may
	until time.Time // of slowly: when they may
	told  bool      // of slowly: they know
	spent string    // why no model may be asked; "": one may
}

// shut is why somebody may not ask.
type shut int

const (
	open shut = iota
	elsewhere
	barred
	slowly
)

// admits tells whether a may ask now, and counts that they do.
func (d *Desk) admits(ctx context.Context, w *words.Words, a asker) entry {
	r := d.Rules
	if r.Channels != nil && !a.direct && !slices.Contains(r.Channels, a.channel) {
		return entry{shut: elsewhere}
	}
	if r.People != nil && !a.among(r.People) {
		return entry{shut: barred}
	}
	now := time.Now()
	if !a.again {
		most := []int{or(r.PerUser, DefaultPerUser), or(r.PerChannel, DefaultPerChannel), or(r.PerMinute, DefaultPerMinute)}
		if a.unrated {
			most = []int{or(r.PerUser, -1), or(r.PerChannel, -1), or(r.PerMinute, -1)}
		}
		if until, told := d.rates.admit(now, a.user, []string{a.user, a.channel, ""}, most); !until.IsZero() {
			return entry{shut: slowly, until: until, told: told}
		}
	}
	return entry{spent: d.spent(ctx, w, a, now)}
}

// spent says why no model may be asked for a; "" where one may.
func (d *Desk) spent(ctx context.Context, w *words.Words, a asker, now time.Time) string {
	for who, most := range map[string]int{a.user: d.Rules.UserTokens, a.channel: d.Rules.ChannelTokens, "": d.Rules.Tokens} {
		if most <= 0 {
			continue
		}
		if spent, err := d.Inbox.Spent(ctx, who); err != nil {
			d.log().Warn("counting tokens", "err", err)
		} else if spent >= most {
			return fmt.Sprintf(w.Chat.Spent, clock(now.UTC().Truncate(24*time.Hour).Add(24*time.Hour)))
		}
	}
	return ""
}

// waitFor says that somebody asked too much.
func waitFor(w *words.Words, until time.Time) string {
	return fmt.Sprintf(w.Chat.Slowly, int(time.Until(until).Seconds())+1, clock(until))
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
	a := asker{user: h.user(), channel: h.channel(), direct: h.Place.Team == "", again: q.e.Tries > 1 || q.e.State != "",
		among: func(list []string) bool { return q.among(ctx, q.chat, h, list) }}
	switch e := q.admits(ctx, w, a); e.shut {
	case elsewhere:
		return away(w.Chat.Elsewhere, !q.lately.first("elsewhere "+a.channel+" "+h.User, q.e.ID))
	case barred:
		return away(w.Chat.Barred, !q.lately.first("barred "+a.channel+" "+h.User, q.e.ID))
	case slowly:
		return away(waitFor(w, e.until), e.told)
	default:
		m.Spent = e.spent
	}
	return nil, false
}

// channel is where it happened, as rules name channels.
func (h Heard) channel() string { return h.Place.Chat + ":" + h.Place.Channel }

// clock is a time of day as people of all places read it.
func clock(t time.Time) string {
	if t.Second() == 0 {
		return t.UTC().Format("15:04 UTC")
	}
	return t.UTC().Format("15:04:05 UTC")
}

// spend counts what an answer to user in channel cost.
func (d *Desk) spend(ctx context.Context, a engine.Answer, user, channel string) {
	if tokens := a.PromptTokens + a.CompletionTokens; tokens > 0 && d.Inbox != nil {
		if err := d.Inbox.Spend(ctx, tokens, user, channel, ""); !d.lets(err) {
			d.log().Error("counting tokens", "err", err)
		}
	}
}
