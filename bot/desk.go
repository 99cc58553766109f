package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"precedent/store/inbox"
)

// Bounds of a Desk whose fields are zero, and those that are fixed.
const (
	DefaultSeats = 64                     // events worked on at a time
	DefaultQuiet = 400 * time.Millisecond // before it is shown that a question is worked on
	DefaultGrace = 6 * time.Second        // for what is at work when the program ends: containers are killed after 10
	DefaultPause = time.Second            // after the first fault, before the same is tried again; doubled each time

	progressEvery = 3 * time.Second  // at most, a placeholder is drawn anew
	maxProgress   = 4                // and so many times in all
	maxTries      = 30               // times an event is taken up before it is given up,
	leastTried    = 10 * time.Minute // and not sooner: a program that is killed over and over is not the event's fault
	maxHold       = time.Minute      // between two of them
	longestAway   = 24 * time.Hour   // a network may be out of reach before that counts as tries
	storePause    = time.Second      // after the inbox failed
)

// A Desk is where all that people do on chats comes in and is answered: votes
// and buttons as well as questions. Its fields are not changed once it is in use.
type Desk struct {
	Inbox    *inbox.Inbox // nil: there are no Chats, and Rules count no tokens
	Chats    []Chat
	Bot      func(Place) *Bot // who answers there
	Curators []string         // slack:U1, slack-group:S1, discord:2, discord-role:3
	Rules    Rules
	Log      *slog.Logger // nil discards
	Parts    *Parts       // told how the "inbox" is; nil: only the log is

	AtOnce int
	Quiet  time.Duration
	Grace  time.Duration
	Pause  time.Duration

	mu      sync.Mutex
	began   time.Time            // its Run
	busy    map[string]struct{}  // queues
	working map[string]*question // by the event that asked
	rates   rates
	pages   pages  // rows of late answers
	lately  lately // what is done or said once
	alerts  alerts
	wake    Bell // there is something to take up

	unkept   unkept
	diskOnce sync.Once
	diskPart *Part
	wakeDisk Bell // somebody is to be told that the disk takes nothing
}

// Hear keeps what a person did and has it answered. Once it returns without an
// error, that outlives the death of the process: the network may be told that it
// arrived. What was heard before, by its ID, is heard no second time. While the disk
// takes nothing, it fails with ErrUnkept.
func (d *Desk) Hear(ctx context.Context, h Heard) error {
	if h.At.IsZero() {
		h.At = time.Now()
	}
	if h.Kind == Withdrawn { // a question that is heard after its end, or just before it, is not to be faster
		d.lately.first(withdrawnNow+h.asks(), h.ID)
	}
	if err := d.keepHeard(ctx, h); err != nil {
		return fmt.Errorf("hearing %s: %w", h.ID, err)
	}
	d.wake.Ring()
	return nil
}

// user is who did it, as cases and the journal name people.
func (h Heard) user() string { return h.Place.Chat + ":" + h.User }

// queue is what h waits in: the questions of a conversation wait for each
// other, and so do one person's votes on one message. A question's end waits
// for nothing: it is to stop the work.
func (h Heard) queue() string {
	switch h.Kind {
	case Asked, Amended:
		if h.Conversation != "" {
			return "ask " + h.Conversation
		}
	case Reacted:
		return strings.Join([]string{"vote", h.Place.Chat, h.Place.Channel, h.Place.Message, h.User}, " ")
	}
	return "do " + h.ID
}

// Run answers what is heard, beginning with what an earlier run left, until ctx
// is done. Then it takes up nothing more, and waits d.Grace for what it is at; whatever is
// not done by then is told so and stays in the inbox.
func (d *Desk) Run(ctx context.Context) error {
	work, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	var at sync.WaitGroup
	d.disk().Up() // it was written to when it was opened
	d.began = time.Now()
	at.Go(func() { d.mindDisk(ctx) })
	seats := make(chan struct{}, or(d.AtOnce, DefaultSeats))
	for ctx.Err() == nil {
		asked := d.Inbox.Clock()
		events, err := d.Inbox.Next(ctx, d.queues(), cap(seats)-len(seats))
		if err != nil && ctx.Err() == nil {
			if !unwritable(err) {
				d.log().Error("reading the inbox", "err", err)
			} else {
				d.full(err)
			}
			pause(ctx, storePause)
			continue
		}
		for _, e := range events {
			d.occupy(e.Queue)
			seats <- struct{}{}
			at.Go(func() {
				defer func() { <-seats; d.free(e.Queue) }()
				d.take(work, e)
			})
		}
		d.await(ctx, asked)
	}
	done := make(chan struct{})
	go func() { at.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-time.After(or(d.Grace, DefaultGrace)):
	}
	cut(errEnding)
	select {
	case <-done:
		return nil
	case <-time.After(storePause * 5):
		return errors.New("ending the chats: something is still at work; it is taken up at the next start")
	}
}

// errEnding is why work is cut off when the program ends.
var errEnding = errors.New("the program ends")

// await waits until there may be something to do that there was not when the
// inbox was asked.
func (d *Desk) await(ctx context.Context, asked time.Time) {
	wait := time.Hour
	if at, err := d.Inbox.NextAt(ctx, asked); err == nil && !at.IsZero() {
		wait = max(at.Sub(d.Inbox.Clock()), time.Millisecond)
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-d.wake.Rang():
	case <-t.C:
	case <-ctx.Done():
	}
}

func (d *Desk) queues() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]string, 0, len(d.busy))
	for q := range d.busy {
		out = append(out, q)
	}
	return out
}

func (d *Desk) occupy(queue string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy == nil {
		d.busy = make(map[string]struct{})
	}
	d.busy[queue] = struct{}{}
}

func (d *Desk) free(queue string) {
	d.mu.Lock()
	delete(d.busy, queue)
	d.mu.Unlock()
	d.wake.Ring()
}

// Why something is to be taken up again after a while that nobody failed at.
var (
	errLater = errors.New("not yet")
	errAway  = errors.New("the network is out of reach")
)

// take does what an event asks for, and ends it or puts it off.
func (d *Desk) take(ctx context.Context, e inbox.Event) {
	var h Heard
	err := json.Unmarshal([]byte(e.Body), &h)
	chat := d.chat(h.Place.Chat)
	switch {
	case err != nil || chat == nil:
		d.log().Error("an event can't be taken up; it is dropped", "event", e.ID, "chat", h.Place.Chat, "err", err)
		err = d.finish(ctx, e.ID)
	case e.Tries > maxTries && h.Kind != Reacted && time.Since(e.At) > leastTried, e.Tries > workingTries:
		d.log().Error("an event was taken up too often; it is given up", "event", e.ID, "tries", e.Tries-1)
		err = d.giveUp(ctx, chat, e, h)
	default:
		err = d.do(ctx, chat, e, h)
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	pause, age := or(d.Pause, DefaultPause), time.Since(e.At)
	age = min(age, time.Since(d.began)) // whatever the clock says, nobody has tried for longer
	hold, put := min(pause<<min(e.Tries, 6), maxHold), d.Inbox.Later
	switch wait, asked := errors.AsType[Wait](err); {
	case asked:
		hold, put = max(wait.For, pause), d.Inbox.Wait
	case errors.Is(err, errLater):
		hold = pause
	case unwritable(err):
		put = d.Inbox.Wait
	case errors.Is(err, errAway) && age < longestAway:
		hold, put = min(max(age/2, pause), maxHold), d.Inbox.Wait
	}
	if !lasts(err) && !errors.Is(err, errLater) && !unwritable(err) { // of which the log has the cure
		d.log().Warn("an event is put off", "event", e.ID, "tries", e.Tries, "wait", hold, "err", err)
	}
	if err := d.written(ctx, func() error { return put(ctx, e.ID, hold) }); err != nil {
		d.log().Error("putting an event off", "event", e.ID, "err", err)
	}
}

// do does what an event asks for. Its error leaves the event to be taken up again.
func (d *Desk) do(ctx context.Context, chat Chat, e inbox.Event, h Heard) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Broken(r)
		}
	}()
	switch h.Kind {
	case Asked, Amended:
		return d.ask(ctx, chat, e, h, Message{Text: h.Text})
	case Withdrawn:
		return d.withdrawn(ctx, chat, e, h)
	case Reacted:
		return d.reacted(ctx, chat, e, h)
	case Pressed:
		return d.pressed(ctx, chat, e, h)
	case Filled:
		return d.filled(ctx, chat, e, h)
	case Visited:
		return d.visited(ctx, chat, e, h)
	}
	return d.finish(ctx, e.ID)
}

func (d *Desk) chat(name string) Chat {
	if i := slices.IndexFunc(d.Chats, func(c Chat) bool { return c.Name() == name }); i >= 0 {
		return d.Chats[i]
	}
	return nil
}

// curates tells whether a person may approve and reject cases.
func (d *Desk) curates(ctx context.Context, chat Chat, h Heard) bool {
	return d.among(ctx, chat, h, d.Curators)
}

// among tells whether a person is named in a list, or in one of its groups.
func (d *Desk) among(ctx context.Context, chat Chat, h Heard, list []string) bool {
	if slices.Contains(list, h.user()) {
		return true
	}
	for _, name := range list {
		kind, id, _ := strings.Cut(name, ":")
		if of, _, group := strings.Cut(kind, "-"); !group || of != chat.Name() {
			continue
		}
		in, err := chat.Member(ctx, h.Place, h.User, id)
		if err != nil {
			d.log().Warn("asking who is in a group", "group", name, "err", err)
		}
		if in {
			return true
		}
	}
	return false
}

func (d *Desk) log() *slog.Logger {
	if d.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return d.Log
}

// pause waits, unless ctx is done first.
func pause(ctx context.Context, wait time.Duration) error {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Seen returns the last message that was heard in each channel of a network, by
// the network's own ids; a Chat reads on from there after it was cut off.
func (d *Desk) Seen(ctx context.Context, chat string) (map[string]string, error) {
	return d.Inbox.Seen(ctx, chat)
}

// Saw notes the last message that was heard in a channel; with ErrUnkept it fails
// while something that was heard isn't kept.
func (d *Desk) Saw(ctx context.Context, chat, channel, message string) error {
	if !d.unkept.empty() {
		return ErrUnkept
	}
	err := d.Inbox.Saw(ctx, chat, channel, message)
	if unwritable(err) {
		d.full(err)
		return ErrUnkept
	}
	return err
}

// Recent returns where the bot's latest answers on a network stand, newest
// first, n at most: where reactions may have been missed.
func (d *Desk) Recent(ctx context.Context, chat string, n int) ([]Place, error) {
	shown, err := d.Inbox.Recent(ctx, chat, n)
	places := make([]Place, len(shown))
	for i, s := range shown {
		places[i] = Place{Chat: s.Chat, Channel: s.Channel, Message: s.Message}
		if k, err := remembered(s); err == nil {
			places[i].Team, places[i].Thread, places[i].User = k.Place.Team, k.Place.Thread, k.Place.User
		}
	}
	return places, err
}
