package discord

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"precedent/bot"
)

const (
	noteEvery = 5 * time.Second // how far each channel was heard; what came since is read twice, and heard once
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
	wake  bot.Bell        // something is late
}

type mark struct {
	seen, live string // message ids
	behind     bool
}

func newTide() *tide {
	return &tide{marks: map[string]*mark{}, dirty: map[string]bool{}, late: map[string]bool{}}
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
	t.wake.Ring()
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
			if seenTo(err) != nil {
				d.log().Error("noting how far a channel was heard", "channel", channel, "error", err)
			}
			d.tide.mu.Lock()
			d.tide.dirty[channel] = true
			d.tide.mu.Unlock()
		}
	}
}
