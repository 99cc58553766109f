package bot

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"precedent/store/cases"
	"precedent/store/inbox"
)

// ErrUnkept is what Hear and Saw fail with while the disk takes nothing. What was
// heard is remembered until it does, and whoever said it is told so; the network
// needn't send it again.
var ErrUnkept = errors.New("the disk takes nothing; it is remembered until it does")

// Bounds of what is remembered while the disk takes nothing.
const (
	unkeptMost = 1000             // things heard; more are left to the network, which sends again
	notedMost  = 10_000           // places of notes
	storeMost  = 15 * time.Second // between two tries to write
)

// An unkept is what was heard and couldn't be kept yet, in its order, and where
// that was told. The zero value is ready.
type unkept struct {
	flushing sync.Mutex // one at a time puts it on the disk

	mu    sync.Mutex
	list  []Heard
	told  map[string]bool  // by the event's id: somebody is at it, or was
	notes map[string]Place // by the question's id
}

func (u *unkept) empty() bool { u.mu.Lock(); defer u.mu.Unlock(); return len(u.list) == 0 }

// add remembers h; false where that is too much.
func (u *unkept) add(h Heard) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if slices.ContainsFunc(u.list, func(o Heard) bool { return o.ID == h.ID }) {
		return true
	}
	if len(u.list) >= unkeptMost {
		return false
	}
	u.list = append(u.list, h)
	return true
}

// all is what is remembered, oldest first.
func (u *unkept) all() []Heard { u.mu.Lock(); defer u.mu.Unlock(); return slices.Clone(u.list) }

func (u *unkept) drop(h Heard) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.list = slices.DeleteFunc(u.list, func(o Heard) bool { return o.ID == h.ID })
}

// first tells whether nobody was told of an event yet.
func (u *unkept) first(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.told == nil || len(u.told) >= notedMost {
		u.told = make(map[string]bool)
	}
	was := u.told[id]
	u.told[id] = true
	return !was
}

func (u *unkept) note(question string, at Place) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.notes == nil || len(u.notes) >= notedMost {
		u.notes = make(map[string]Place)
	}
	u.notes[question] = at
}

// take gives where a question's asker was told, once.
func (u *unkept) take(question string) *Place {
	u.mu.Lock()
	defer u.mu.Unlock()
	at, ok := u.notes[question]
	delete(u.notes, question)
	if !ok {
		return nil
	}
	return &at
}

// unwritable tells whether an error is of a file that can't be written.
func unwritable(err error) bool {
	return errors.Is(err, inbox.ErrFile) || errors.Is(err, cases.ErrFile)
}

// disk is the part that keeps what was heard.
func (d *Desk) disk() *Part {
	d.diskOnce.Do(func() {
		d.diskPart = or(d.Parts, &Parts{Log: d.log()}).Part("inbox")
	})
	return d.diskPart
}

// full says that the disk takes nothing, and has somebody look after it.
func (d *Desk) full(err error) {
	d.disk().Down(whyFull(err))
	d.wakeDisk.Ring()
}

// lets tells whether err is nothing to stop at: what is only noted for the case
// that the process dies may be missing while the disk takes nothing.
func (d *Desk) lets(err error) bool {
	if unwritable(err) {
		d.full(err)
		return true
	}
	return err == nil
}

// written writes, and again until the disk takes it or ctx ends.
func (d *Desk) written(ctx context.Context, write func() error) error {
	for wait := storePause; ; wait = min(2*wait, storeMost) {
		err := write()
		if !unwritable(err) {
			return err
		}
		d.full(err)
		if pause(ctx, wait) != nil {
			return err
		}
	}
}

// finish ends an event, whenever the disk takes that.
func (d *Desk) finish(ctx context.Context, id string, shown ...inbox.Shown) error {
	return d.written(ctx, func() error { return d.Inbox.Finish(ctx, id, shown...) })
}

// keepHeard puts h on the disk, after what waits for that.
func (d *Desk) keepHeard(ctx context.Context, h Heard) error {
	err := d.flush(ctx)
	if err == nil {
		err = d.put(ctx, h)
	}
	switch {
	case !unwritable(err):
		return err
	case !d.unkept.add(h):
		d.full(err)
		return err
	}
	d.full(err)
	return ErrUnkept
}

func (d *Desk) put(ctx context.Context, h Heard) error {
	body, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = d.Inbox.Put(ctx, inbox.Event{ID: h.ID, Queue: h.queue(), User: h.user(), Body: string(body)})
	return err
}

// flush puts on the disk what waits for that.
func (d *Desk) flush(ctx context.Context) error {
	if d.unkept.empty() {
		return nil
	}
	d.unkept.flushing.Lock()
	defer d.unkept.flushing.Unlock()
	for _, h := range d.unkept.all() {
		if err := d.put(ctx, h); err != nil {
			return err
		}
		d.unkept.drop(h)
		d.wake.Ring()
	}
	return nil
}

// mindDisk looks after what can't be kept: whoever said it is told, and it is put
// on the disk once that takes it.
func (d *Desk) mindDisk(ctx context.Context) {
	var telling sync.WaitGroup
	defer telling.Wait()
	for wait := storePause; ; {
		if d.disk().Works() && d.unkept.empty() {
			wait = storePause
			select {
			case <-d.wakeDisk.Rang():
			case <-ctx.Done():
				return
			}
		}
		for _, h := range d.waiting(ctx) {
			if d.unkept.first(h.ID) {
				telling.Go(func() { d.tellUnkept(ctx, h) })
			}
		}
		t := time.NewTimer(wait)
		select {
		case <-d.wakeDisk.Rang(): // somebody more to tell
		case <-t.C:
			wait = min(2*wait, storeMost)
		case <-ctx.Done():
			return
		}
		t.Stop()
		err := d.Inbox.Try(ctx)
		if err == nil {
			err = d.flush(ctx)
		}
		switch {
		case err == nil:
			d.disk().Up()
			d.wake.Ring()
		case unwritable(err):
			d.disk().Down(whyFull(err))
		case ctx.Err() == nil:
			d.log().Error("keeping what was heard", "err", err)
		}
	}
}

// whyFull is what is wrong with a file, and what to do about it.
func whyFull(err error) *Lasting {
	for in := errors.Unwrap(err); in != nil && unwritable(in); in = errors.Unwrap(in) {
		err = in // whatever was to be written
	}
	why, cure, _ := strings.Cut(err.Error(), "; ")
	return &Lasting{why, cure}
}

// waiting is what people wait for while the disk takes nothing: what isn't on it,
// and what can't be taken from it.
func (d *Desk) waiting(ctx context.Context) []Heard {
	list := d.unkept.all()
	events, err := d.Inbox.Waiting(ctx, unkeptMost)
	if err != nil {
		return list
	}
	for _, e := range events {
		var h Heard
		if json.Unmarshal([]byte(e.Body), &h) == nil && (h.Kind == Asked || h.Kind == Amended) && d.atWorkOn(h.asks()) == nil {
			list = append(list, h)
		}
	}
	return list
}

// tellUnkept tells whoever asked or pressed that nothing can come of it now.
func (d *Desk) tellUnkept(ctx context.Context, h Heard) {
	chat := d.chat(h.Place.Chat)
	if chat == nil {
		return
	}
	w := h.words()
	c := Card{Language: w.Language, Tone: Breaking, Text: w.Chat.Unkept}
	switch h.Kind {
	case Asked, Amended:
		c.Carries = h.asks() + "!"
		at := h.Shown
		if s, err := d.Inbox.For(ctx, h.asks()); at == nil && err == nil && h.Kind == Asked {
			at = placeOf(s)
		}
		place, err := d.deliver(ctx, chat, h.Place, at, c)
		if err != nil {
			d.log().Warn("saying that a question can't be kept", "event", h.ID, "err", err)
			return
		}
		if place.Message != "" && h.Shown == nil {
			d.unkept.note(h.asks(), place)
		}
	case Pressed, Filled:
		d.aside(ctx, chat, h, c)
	}
}
