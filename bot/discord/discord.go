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
	Token   string     // the bot's, without "Bot "
	APIURL  string     // "https://discord.com/api/v10" if ""
	Content bool       // ask for the contents of all messages: follow-ups without mention, threads read, edits without mention
	Parts   *bot.Parts // tells how it is: "Discord" hears, "Discord answers" speaks; nil: only the log does
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

	hears, speaks *bot.Part
	commands      *bot.Part // their being registered: for the log alone
	muted         bot.Bell  // Discord refused the token
}

const (
	name = "discord"

	firstBackoff   = 5 * time.Second
	longestBackoff = 5 * time.Minute // Discord lets a bot in 1,000 times a day
	registerFirst  = 3 * time.Second // that listening waits for the bot's commands
	mendMost       = time.Minute     // between two looks whether Discord takes the token again
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
		shown := cmp.Or(d.Parts, &bot.Parts{Log: d.log()})
		d.hears, d.speaks, d.commands = shown.Part("Discord"), shown.Part("Discord answers"), shown.Beside("Discord commands")
		d.rest = &client{refused: d.refusedToken, token: d.Token, base: cmp.Or(d.APIURL, "https://discord.com/api/v10"),
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
// hand over, and returns nil. It fails at the start only, where trying again is of no
// use: a wrong address or, with a [bot.Lasting], a wrong token or intents that the
// application may not have; it may then be run again.
func (d *Discord) Run(ctx context.Context) error {
	d.start()
	if d.Hear == nil {
		return errors.New("discord: Hear is not set")
	}
	if err := d.rest.addressed(); err != nil {
		return err
	}
	if err := d.introduce(ctx); err != nil {
		if l, lasts := errors.AsType[*bot.Lasting](err); lasts {
			return l
		}
		d.log().Warn("Discord doesn't say who the bot is; its gateway will", "why", err)
	}
	d.speaks.Up()
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	registered := make(chan struct{})
	beside.Go(func() {
		defer close(registered)
		_ = d.commands.Keep(ctx, cmp.Or(d.Backoff, firstBackoff), longestBackoff, d.register)
	})
	beside.Go(func() { d.mend(ctx) })
	defer func() { stop(); beside.Wait() }()
	select {
	case <-registered:
	case <-time.After(registerFirst): // it goes on; listening doesn't wait for it
	case <-ctx.Done():
	}
	err := d.hears.Keep(ctx, cmp.Or(d.Backoff, firstBackoff), longestBackoff, func(ctx context.Context) error {
		err := d.connection(ctx)
		if _, lasts := errors.AsType[*bot.Lasting](err); lasts {
			if !d.hears.Worked() {
				return bot.Final(err)
			}
			return err
		}
		return fmt.Errorf("the gateway is gone: %w", err)
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// mend asks Discord, whenever it refused the token, until it takes it again.
func (d *Discord) mend(ctx context.Context) {
	for {
		select {
		case <-d.muted.Rang():
		case <-ctx.Done():
			return
		}
		if _ = d.speaks.Keep(ctx, cmp.Or(d.Backoff, firstBackoff), mendMost, d.introduce); ctx.Err() == nil {
			d.speaks.Up()
		}
	}
}

// refusedToken is called where a request is refused for its token.
func (d *Discord) refusedToken() {
	d.speaks.Down(errToken)
	d.muted.Ring()
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

var errToken = &bot.Lasting{Why: "Discord refuses the token", Cure: "set DISCORD_TOKEN to the one on the application's page Bot (reset it there if it is lost)"}

// closed tells which ways of being hung up on last.
func closed(err error) error {
	if r, ok := errors.AsType[*discordgo.RESTError](err); ok && r.Response != nil && r.Response.StatusCode == http.StatusUnauthorized {
		return errToken
	}
	code := 0
	if c, ok := errors.AsType[*websocket.CloseError](err); ok {
		code = c.Code
	}
	switch code {
	case 4004:
		return errToken
	case 4013, 4014:
		return &bot.Lasting{Why: fmt.Sprintf("Discord refuses the bot's intents (%d)", code),
			Cure: "switch on MESSAGE CONTENT INTENT on the application's page Bot, or let the bot do without (--discord-content)"}
	case 4010, 4011:
		return &bot.Lasting{Why: fmt.Sprintf("Discord wants the bot in parts (%d)", code), Cure: "it is in more servers than one connection may serve: take it out of some"}
	case 4012:
		return &bot.Lasting{Why: "Discord no longer speaks this gateway's version (4012)", Cure: "a newer release of the bot is needed"}
	}
	return err
}
