package discord

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"precedent/bot"
)

const (
	noteEvery    = 5 * time.Second  // how far each channel was heard; what came since is read twice, and heard once
	againEvery   = 30 * time.Second // channels that couldn't be read back
	guildsWithin = 5 * time.Second  // after which channels of no guild are taken for direct ones
	farthestBack = 24 * time.Hour   // older messages are answered no more
	mostPages    = 20               // of one channel, of 100 messages each
	mostDirect   = 200              // direct conversations that are read back, those that spoke last
)

// A tide is how far each channel was heard. A channel that may have said
// something while nobody listened is behind until it was read back: what it
// says meanwhile is heard, and doesn't count as the last thing heard.
type tide struct {
	mu    sync.Mutex
	marks map[string]*mark
	away  string          // the last message heard anywhere before this connection; "" in the bot's first life
	dirty map[string]bool // marks to be noted by Saw
	late  map[string]bool // channels to be read back
	wake  chan struct{}   // something is late
}

type mark struct {
	seen, live string // message ids
	behind     bool
}

func newTide() *tide {
	return &tide{marks: map[string]*mark{}, dirty: map[string]bool{}, late: map[string]bool{}, wake: make(chan struct{}, 1)}
}

// begin puts all channels behind.
func (t *tide) begin(seen map[string]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for channel, id := range seen {
		if t.marks[channel] == nil {
			t.marks[channel] = &mark{seen: id}
		}
	}
	for _, m := range t.marks {
		m.behind = true
		t.away = younger(t.away, m.seen)
	}
}

// came notes a message; heard is false if it couldn't be kept, and must be read
// again.
func (t *tide) came(channel, id string, heard bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.marks[channel]
	if m == nil {
		m = &mark{}
		if n, err := strconv.ParseUint(id, 10, 64); err == nil && !heard {
			m.seen = strconv.FormatUint(n-1, 10)
		}
		t.marks[channel] = m
	}
	if !heard {
		m.behind = true
		t.delay(channel)
	}
	if m.behind {
		m.live = younger(m.live, id)
		return
	}
	m.seen, t.dirty[channel] = younger(m.seen, id), true
}

// delay marks a channel as to be read back; t.mu is held.
func (t *tide) delay(channel string) {
	t.late[channel] = true
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// meet compares a channel's last message with the last one heard.
func (t *tide) meet(channel, last string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.marks[channel]
	if m == nil { // never heard: all of it that is new since the bot was here, if it ever was
		m = &mark{seen: cmp.Or(t.away, younger(last, channel))}
		t.marks[channel], t.dirty[channel] = m, true
	}
	switch {
	case after(last, m.seen):
		m.behind = true
		t.delay(channel)
	case !t.late[channel]:
		m.behind = false
	}
}

// rest delays the channels that no guild told of, n at most.
func (t *tide) rest(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var behind []string
	for channel, m := range t.marks {
		if m.behind && !t.late[channel] {
			behind = append(behind, channel)
		}
	}
	slices.SortFunc(behind, func(a, b string) int {
		if after(t.marks[a].seen, t.marks[b].seen) {
			return -1
		}
		return 1
	})
	for i, channel := range behind {
		if i < n {
			t.delay(channel)
		} else {
			t.marks[channel].behind = false
		}
	}
}

// caught ends a channel's being behind; upto was read last.
func (t *tide) caught(channel, upto string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.marks[channel]
	m.seen, m.live, m.behind = younger(m.seen, younger(upto, m.live)), "", false
	t.dirty[channel] = true
	delete(t.late, channel)
}

// behindNow lists the channels to read back, and from where.
func (t *tide) behindNow() map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string]string{}
	for channel := range t.late {
		out[channel] = t.marks[channel].seen
	}
	return out
}

func younger(a, b string) string {
	if after(b, a) {
		return b
	}
	return a
}

// noteTide tells Saw how far channels were heard.
func (d *Discord) noteTide(ctx context.Context) {
	if d.Saw == nil {
		return
	}
	d.tide.mu.Lock()
	dirty := map[string]string{}
	for channel := range d.tide.dirty {
		dirty[channel] = d.tide.marks[channel].seen
	}
	clear(d.tide.dirty)
	d.tide.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	for channel, id := range dirty {
		if err := d.Saw(ctx, name, channel, id); err != nil {
			d.log().Error("noting how far a channel was heard", "channel", channel, "error", err)
			d.tide.mu.Lock()
			d.tide.dirty[channel] = true
			d.tide.mu.Unlock()
		}
	}
}

// arrivals read back, for the time of one connection, what was missed before.
type arrivals struct {
	d      *Discord
	ctx    context.Context
	ready  time.Time
	guilds chan struct{} // closed when the bot is let in
	once   sync.Once
	wg     sync.WaitGroup
}

// begin is called when the gateway has let the bot in, each time it does.
func (a *arrivals) begin() {
	var seen map[string]string
	if a.d.Seen != nil {
		var err error
		if seen, err = a.d.Seen(a.ctx, name); err != nil {
			a.d.log().Error("finding how far channels were heard", "error", err)
		}
	}
	a.d.tide.begin(seen)
	a.wg.Go(func() {
		if !sleep(a.ctx, guildsWithin) {
			return
		}
		a.d.tide.rest(mostDirect)
	})
	a.wg.Go(func() {
		if err := a.d.readReactions(a.ctx); err != nil && a.ctx.Err() == nil {
			a.d.log().Error("reading reactions back", "error", err)
		}
	})
	a.once.Do(func() { a.wg.Go(a.readBack) })
}

// guild is called for each guild that the bot is in.
func (a *arrivals) guild(g guild) {
	for _, c := range append(slices.Clone(g.Channels), g.Threads...) {
		if spoken(c.Type) {
			a.d.tide.meet(c.ID, c.Last)
		}
	}
}

// spoken tells of a channel's type whether messages stand in it.
func spoken(kind int) bool {
	switch kind {
	case 0, 2, 5, 10, 11, 12, 13:
		return true
	}
	return false
}

func (a *arrivals) end() { a.wg.Wait() }

func (a *arrivals) readBack() {
	again := time.NewTicker(againEvery)
	defer again.Stop()
	for {
		for channel, from := range a.d.tide.behindNow() {
			upto, err := a.d.readOn(a.ctx, channel, from)
			if a.ctx.Err() != nil {
				return
			}
			if err != nil && !errors.Is(err, bot.ErrGone) && !errors.Is(err, bot.ErrBarred) {
				a.d.log().Warn("reading a channel back", "channel", channel, "error", err)
				continue
			}
			a.d.tide.caught(channel, upto)
		}
		select {
		case <-a.ctx.Done():
			return
		case <-a.d.tide.wake:
		case <-again.C:
		}
	}
}

// readOn hears what a channel said after the message from, and tells which
// message was the last.
func (d *Discord) readOn(ctx context.Context, channel, from string) (upto string, err error) {
	if oldest := idAt(time.Now().Add(-farthestBack)); after(oldest, from) {
		from = oldest
	}
	c, err := d.room(ctx, channel)
	if err != nil {
		return from, err
	}
	if c.Guild == "" && !c.direct() {
		return from, nil
	}
	for range mostPages {
		var page []message
		q := request{method: "GET", path: "/channels/" + channel + "/messages?limit=100&after=" + from, bucket: "messages " + channel}
		if err := d.patiently(ctx, q, &page); err != nil {
			return from, err
		}
		slices.SortFunc(page, func(a, b message) int {
			if after(a.ID, b.ID) {
				return 1
			}
			return -1
		})
		for _, m := range page {
			m.Channel, m.Guild = channel, c.Guild
			if err := d.said(ctx, m); err != nil {
				return from, err
			}
			from = m.ID
		}
		if len(page) < 100 {
			return from, nil
		}
	}
	d.log().Warn("a channel said more than is read back", "channel", channel, "pages", mostPages)
	return from, nil
}

func idAt(t time.Time) string {
	return strconv.FormatInt((t.UnixMilli()-discordEpoch)<<22, 10)
}

// patiently makes a request that nobody waits for.
func (d *Discord) patiently(ctx context.Context, q request, out any) error {
	for try := 1; ; try++ {
		err := d.rest.do(ctx, q, out)
		wait := time.Duration(try) * time.Second
		if asked, ok := errors.AsType[bot.Wait](err); ok {
			wait = asked.For
		} else if _, ok := errors.AsType[*refusal](err); err == nil || ok || try == 3 {
			return err
		}
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
	}
}
