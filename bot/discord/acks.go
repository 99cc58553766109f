package discord

import (
	"context"
	"errors"
	"sync"
	"time"

	"precedent/bot"
)

const (
	acknowledgeWithin = 2800 * time.Millisecond // Discord takes three seconds
	tokenLife         = 15 * time.Minute
	retryCallback     = 150 * time.Millisecond
)

// acks know which interactions were acknowledged: Discord takes no message on
// one before that, and tells of some interactions twice.
type acks struct {
	mu    sync.Mutex
	all   map[string]*ack // by token
	queue []*ack          // oldest first
}

type ack struct {
	token string
	at    time.Time
	limit int           // bytes of a file
	app   string        // whose interaction it is
	first string        // the message that it was answered with, once known
	done  chan struct{} // closed when it was acknowledged, or given up
}

func newAcks() *acks { return &acks{all: map[string]*ack{}} }

// begin is nil for one that is known already.
func (a *acks) begin(token, app string, limit int) *ack {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	for len(a.queue) > 0 && now.Sub(a.queue[0].at) > tokenLife {
		if a.all[a.queue[0].token] == a.queue[0] {
			delete(a.all, a.queue[0].token)
		}
		a.queue = a.queue[1:]
	}
	if a.all[token] != nil {
		return nil
	}
	one := &ack{token: token, app: app, at: now, limit: limit, done: make(chan struct{})}
	a.all[token] = one
	a.queue = append(a.queue, one)
	return one
}

// end lets the messages go that wait. One that failed may be told of again.
func (a *acks) end(one *ack, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !ok {
		delete(a.all, one.token)
	}
	close(one.done)
}

// app is the application that an interaction is of, "" if it isn't known.
func (a *acks) app(token string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if one := a.all[token]; one != nil {
		return one.app
	}
	return ""
}

// original tells whether a message is the one that an interaction was answered with.
func (a *acks) original(token, message string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	one := a.all[token]
	return one != nil && one.first != "" && one.first == message
}

// answered notes the message that an interaction was answered with.
func (a *acks) answered(token, message string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if one := a.all[token]; one != nil {
		one.first = message
	}
}

// await waits until an interaction was acknowledged, and gives its limit for
// files; 0 if it isn't known.
func (a *acks) await(ctx context.Context, token string) (limit int, err error) {
	a.mu.Lock()
	one := a.all[token]
	a.mu.Unlock()
	if one == nil {
		return 0, nil
	}
	select {
	case <-one.done:
		return one.limit, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// A callback is the one answer that an interaction gets at once.
type callback struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
}

// Types of callbacks.
const (
	deferMessage = 5
	deferUpdate  = 6
	giveChoices  = 8
	openForm     = 9
)

type flagged struct {
	Flags int `json:"flags"`
}

// acknowledge sends a callback, again if need be, until ctx ends.
func (d *Discord) acknowledge(ctx context.Context, i interaction, c callback) error {
	for {
		err := d.rest.do(ctx, request{method: "POST", path: "/interactions/" + i.ID + "/" + i.Token + "/callback", open: true, body: c}, nil)
		wait := retryCallback
		if asked, ok := errors.AsType[bot.Wait](err); ok {
			wait = asked.For
		} else if f, ok := errors.AsType[*refusal](err); ok && f.Status < 500 {
			if f.Code == codeAcknowledged { // an earlier try arrived
				return nil
			}
			return err
		}
		if err == nil || !sleep(ctx, wait) {
			return err
		}
	}
}
