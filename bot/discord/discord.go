package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"precedent/bot"
)

// A Discord is the bot's presence on Discord. It is a [bot.Chat], whose methods
// work before, during and after Run. Its fields are not to change after first
// use. Hear must be set for Run; the other functions may be nil.
type Discord struct {
	Token   string // the bot's, without "Bot "
	APIURL  string // "https://discord.com/api/v10" if ""
	Content bool   // ask for the contents of all messages: follow-ups without mention, threads read, edits without mention
	Log     *slog.Logger
	Dial    func(ctx context.Context, network, address string) (net.Conn, error) // reaches Discord; nil: as the machine does

	// The methods of a [bot.Desk].
	Hear    func(ctx context.Context, h bot.Heard) error
	Form    func(ctx context.Context, h bot.Heard) (f bot.Form, ok bool)
	Suggest func(ctx context.Context, where bot.Place, typed, language string, n int) []string
	Seen    func(ctx context.Context, chat string) (map[string]string, error)
	Saw     func(ctx context.Context, chat, channel, message string) error
	Recent  func(ctx context.Context, chat string, n int) ([]bot.Place, error)
	Missed  func(ctx context.Context, under bot.Place, stood map[string][]string, at time.Time) ([]bot.Heard, error)

	OpenWithin time.Duration // a gateway that hasn't let the bot in by then is given up; 0 is 30 s
	MaxSilence time.Duration // one that acknowledges no heartbeat for so long is dead; 0 is 2 min
	Backoff    time.Duration // between two connections, doubled for each that doesn't last; 0 is 5 s: more often Discord lets nobody in

	once    sync.Once
	rest    *client
	acks    *acks
	rooms   *rooms
	tide    *tide
	members *members
	been    *lately // threads that the bot has been in
}

const (
	name = "discord"

	firstBackoff   = 5 * time.Second
	leastPause     = 20 * time.Millisecond
	longestBackoff = 5 * time.Minute // Discord lets a bot in 1,000 times a day
	registerFirst  = 3 * time.Second // that listening waits for the bot's commands
	goodConnection = time.Minute     // one that lived so long begins the backoff anew
	mostQuick      = 8               // shorter ones, one after the other, that do as well: Discord allows 1,000 logins a day
)

// discordgo's own words would show what people say, and on its highest level
// the token. Its logger is one for the whole program.
func init() { discordgo.Logger = func(int, int, string, ...any) {} }

func (d *Discord) start() {
	d.once.Do(func() {
		carrier := http.DefaultTransport.(*http.Transport).Clone()
		carrier.MaxIdleConnsPerHost = atOnce
		if d.Dial != nil {
			carrier.DialContext = d.Dial
		}
		d.rest = &client{token: d.Token, base: cmp.Or(d.APIURL, "https://discord.com/api/v10"),
			http: &http.Client{Timeout: requestTime, Transport: carrier}, rates: newRates()}
		d.acks, d.rooms, d.tide = newAcks(), newRooms(), newTide()
		d.members = &members{}
		d.been = newLately(10_000)
	})
}

func (d *Discord) reach(ctx context.Context, network, address string) (net.Conn, error) {
	if d.Dial != nil {
		return d.Dial(ctx, network, address)
	}
	return (&net.Dialer{Timeout: dialTime}).DialContext(ctx, network, address)
}

func (d *Discord) log() *slog.Logger { return cmp.Or(d.Log, slog.New(slog.DiscardHandler)) }

// Name is "discord".
func (d *Discord) Name() string { return name }

// Run registers the bot's commands, listens to Discord and connects again
// whenever it is cut off, until ctx ends; then it finishes what it was about to
// hand over, and returns nil. It fails where trying again is of no use: a wrong
// address or token, intents that the application may not have.
func (d *Discord) Run(ctx context.Context) error {
	d.start()
	if d.Hear == nil {
		return errors.New("discord: Hear is not set")
	}
	if err := d.rest.addressed(); err != nil {
		return err
	}
	if err := d.introduce(ctx); err != nil {
		if final, ok := errors.AsType[*refused](err); ok {
			return final
		}
		d.log().Warn("Discord doesn't say who the bot is; its gateway will", "why", err)
	}
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	registered := make(chan struct{})
	beside.Go(func() {
		defer close(registered)
		if err := d.until(ctx, func() error { return d.register(ctx) }); unlessOver(ctx, err) != nil {
			d.log().Error("registering the bot's commands", "error", err)
		}
	})
	defer func() { stop(); beside.Wait() }()
	select {
	case <-registered:
	case <-time.After(registerFirst): // it goes on; listening doesn't wait for it
	case <-ctx.Done():
	}
	wait, quick := cmp.Or(d.Backoff, firstBackoff), 0
	for {
		began := time.Now()
		ready, err := d.connection(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if final, ok := errors.AsType[*refused](err); ok {
			return final
		}
		lived := time.Since(began)
		switch {
		case lived > goodConnection:
			wait, quick = cmp.Or(d.Backoff, firstBackoff), 0
		case ready && quick < mostQuick:
			wait = cmp.Or(d.Backoff, firstBackoff)
			quick++
		}
		pause := max(wait-lived, leastPause) // what counts is the time between two logins
		d.log().Warn("Discord's gateway is gone, connecting again", "why", err, "in", pause)
		if !sleep(ctx, pause) {
			return nil
		}
		wait = min(2*wait, longestBackoff)
	}
}

// until tries f again while it fails for reasons of the moment.
func (d *Discord) until(ctx context.Context, f func() error) error {
	wait := cmp.Or(d.Backoff, firstBackoff)
	for {
		err := f()
		if err == nil || ctx.Err() != nil {
			return err
		}
		if final, ok := errors.AsType[*refused](err); ok {
			return final
		}
		pause := wait
		if asked, ok := errors.AsType[bot.Wait](err); ok {
			pause = asked.For
		} else {
			wait = min(2*wait, longestBackoff)
		}
		d.log().Warn("Discord doesn't answer, trying again", "why", err, "in", pause)
		if !sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// sleep is false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// refused is an error that doesn't pass by itself.
type refused struct{ advice string }

func (r *refused) Error() string { return r.advice }

var errToken = &refused{"Discord refuses the token: set DISCORD_TOKEN to the one on the application's page Bot (reset it there if it is lost)"}

// closed tells which ways of being hung up on last.
func closed(err error) error {
	code := 0
	if c, ok := errors.AsType[*websocket.CloseError](err); ok {
		code = c.Code
	}
	switch code {
	case 4004:
		return errToken
	case 4013, 4014:
		return &refused{fmt.Sprintf("Discord refuses the bot's intents (%d): switch on MESSAGE CONTENT INTENT on the application's page Bot, or let the bot do without", code)}
	case 4010, 4011:
		return &refused{fmt.Sprintf("Discord wants the bot in parts (%d): it is in more servers than one connection may serve", code)}
	case 4012:
		return &refused{"Discord no longer speaks this gateway's version (4012): a newer release of the bot is needed"}
	}
	return err
}
