package discord

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"precedent/bot"
)

const (
	againEvery   = 30 * time.Second // channels that couldn't be read back
	guildsWithin = 5 * time.Second  // after which channels of no guild are taken for direct ones
	farthestBack = 24 * time.Hour   // older messages are answered no more
	mostPages    = 20               // of one channel, of 100 messages each
	mostDirect   = 200              // direct conversations that are read back, those that spoke last
)

// arrivals read back, for the time of one connection, what was missed before.
type arrivals struct {
	d      *Discord
	ctx    context.Context // the connection's
	guilds map[string]bool // that are yet to come
	once   sync.Once
	wg     sync.WaitGroup
}

// begin is called when the gateway has let the bot in, each time it does.
func (a *arrivals) begin(guilds []guild) {
	a.guilds = map[string]bool{}
	for _, g := range guilds {
		a.guilds[g.ID] = true
	}
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
	if delete(a.guilds, g.ID); len(a.guilds) == 0 {
		a.d.tide.rest(mostDirect)
		a.d.noteTide(a.ctx) // who dies before the next time would not know what it missed
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
			if errors.Is(err, bot.ErrUnkept) {
				continue
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
		case <-a.d.tide.wake.Rang():
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
	q.spare = true
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
