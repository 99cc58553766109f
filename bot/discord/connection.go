package discord

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

const (
	dialTime  = 15 * time.Second
	closeTime = 200 * time.Millisecond // to say goodbye; discordgo then sleeps for a second
	backlog   = 256                    // events that wait; beyond, the socket does
)

// An event is what the gateway says, as it says it.
type event struct {
	kind string
	body []byte
	id   string // of this event alone
	came time.Time
}

// connection runs one session from Open to its end. It never lets discordgo
// reconnect: there v0.29.0 can deadlock with its lock held, and a stale
// heartbeat can close the new socket.
func (d *Discord) connection(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s, err := discordgo.New("Bot " + d.Token)
	if err != nil {
		return err
	}
	s.ShouldReconnectOnError = false // discordgo reads it unlocked: set before Open and never again
	s.StateEnabled = false
	s.SyncEvents = true // in order
	s.Identify.Intents = d.intents()
	s.Client = &http.Client{Timeout: requestTime, Transport: elsewhere{d.rest.base, d.rest.http.Transport}}
	down, ready := make(chan struct{}, 1), make(chan struct{}, 1)
	note := func(c chan struct{}) {
		select {
		case c <- struct{}{}:
		default:
		}
	}
	var socket atomic.Pointer[net.Conn] // to cut a session that can't be closed any more
	end := &ending{over: make(chan struct{})}
	defer func() { go end.session(s) }()
	s.Dialer = &websocket.Dialer{HandshakeTimeout: dialTime, Proxy: http.ProxyFromEnvironment, NetDialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := d.reach(ctx, network, addr)
		if err == nil {
			socket.Store(&c)
		}
		return watched{c, func() { note(down) }, end}, err
	}}
	cut := func() {
		if c := socket.Load(); c != nil {
			_ = (*c).Close()
		}
	}
	s.AddHandler(func(*discordgo.Session, *discordgo.Connect) { end.held.Store(true) }) // Open reads no more
	s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { note(down) })
	events, presses := make(chan event, backlog), make(chan event, backlog) // what must be answered at once waits for nothing else
	session := time.Now().UnixNano()
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type == "READY" {
			note(ready)
		}
		to := events
		if e.Type == "INTERACTION_CREATE" {
			to = presses
		}
		select {
		case to <- event{e.Type, e.RawData, eventID(session, e.Sequence), time.Now()}:
		case <-ctx.Done():
		}
	})
	var heard sync.WaitGroup
	heard.Go(func() { d.listen(ctx, events) })
	heard.Go(func() { d.attend(ctx, presses) })
	defer func() { stop(); heard.Wait() }()

	opened := make(chan error, 1)
	go func() { opened <- s.Open() }()
	patience := time.NewTimer(cmp.Or(d.OpenWithin, 30*time.Second))
	defer patience.Stop()
	for opened, ready := opened, ready; opened != nil || ready != nil; {
		select {
		case err := <-opened:
			if err != nil {
				cut()
				return closed(err)
			}
			opened = nil
		case <-ready: // after an invalid session it comes later than Open returns
			ready = nil
		case <-down:
			select {
			case err := <-opened: // Open knows why
				if err != nil {
					return closed(err)
				}
			case <-time.After(closeTime):
			}
			cut()
			return errors.New("disconnected before it was ready")
		case <-patience.C:
			cut()
			return errors.New("the gateway didn't let the bot in")
		case <-ctx.Done():
			cut()
			return ctx.Err()
		}
	}
	d.hears.Up()
	return d.watch(ctx, s, down, end, cut)
}

// watch waits for the end of a session that is open.
func (d *Discord) watch(ctx context.Context, s *discordgo.Session, down <-chan struct{}, end *ending, cut func()) error {
	silence := cmp.Or(d.MaxSilence, 2*time.Minute)
	tick := time.NewTicker(silence / 4)
	defer tick.Stop()
	looked := time.Now()
	for {
		select {
		case <-down:
			cut()
			return errors.New("disconnected")
		case <-ctx.Done():
			go end.session(s)
			time.Sleep(closeTime)
			cut()
			return ctx.Err()
		case <-tick.C:
			silent := time.Since(looked) > silence
			if s.TryRLock() { // RLock would hang with a session that is deadlocked
				looked = time.Now()
				silent = time.Since(s.LastHeartbeatAck) > silence
				s.RUnlock()
			}
			if silent {
				cut()
				return errors.New("no heartbeat was acknowledged")
			}
		}
	}
}

func (d *Discord) intents() discordgo.Intent {
	intents := discordgo.IntentGuilds | discordgo.IntentGuildMessages | discordgo.IntentGuildMessageReactions |
		discordgo.IntentDirectMessages | discordgo.IntentDirectMessageReactions
	if d.Content {
		intents |= discordgo.IntentMessageContent
	}
	return intents
}

// An ending is how a session of discordgo ends: by us alone. Whoever closes one
// says goodbye and sleeps for a second with its lock held, and whoever reads of
// the end meanwhile waits for that lock to close it once more.
type ending struct {
	held atomic.Bool // discordgo's reader is told of no end before ours is over
	said atomic.Bool // goodbye was: what answers it is held back too
	ends atomic.Bool // somebody is at it
	over chan struct{}
}

// How long and how often a session's lock is tried: one that is deadlocked is left.
const (
	lockTime = 5 * time.Second
	lockLook = 5 * time.Millisecond
)

// session closes s, unless that was begun already or s is deadlocked.
func (e *ending) session(s *discordgo.Session) {
	if e.ends.Swap(true) {
		return
	}
	defer close(e.over)
	for range lockTime / lockLook {
		time.Sleep(lockLook)
		if s.TryLock() {
			s.Unlock()
			_ = s.Close()
			return
		}
	}
}

// watched tells at once that a socket is gone; discordgo does a second later.
type watched struct {
	net.Conn
	gone func()
	end  *ending
}

func (w watched) Write(b []byte) (int, error) {
	if len(b) > 0 && b[0] == closeFrame {
		w.end.said.Store(true)
	}
	return w.Conn.Write(b)
}

// closeFrame is how a websocket's goodbye begins (RFC 6455, 5.2).
const closeFrame = 0x80 | websocket.CloseMessage

func (w watched) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if err != nil {
		w.gone()
	}
	if w.end.said.Load() || err != nil && w.end.held.Load() {
		<-w.end.over
	}
	return n, err
}
