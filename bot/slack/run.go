package slack

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"precedent/bot"
)

const (
	waitFirst  = 500 * time.Millisecond // before connecting again
	waitMost   = 30 * time.Second       // unless somebody has to put something right
	ackWithin  = 3 * time.Second
	dialWithin = 45 * time.Second // as the library's own
	ackQueue   = 256              // acknowledgements that wait to be written
)

// Run listens until ctx ends, and then returns nil. With an AppToken it listens
// over Socket Mode and connects again for ever, whatever breaks; without one it
// lets Handler listen. It returns an error at the start only: where Slack refuses
// a token, a [bot.Lasting] that says which and why; it may then be run again.
func (s *Slack) Run(ctx context.Context) error {
	if s.AppToken == "" && s.SigningSecret == "" {
		return errors.New("slack needs an app token (SLACK_APP_TOKEN, xapp-…) for Socket Mode, or a signing secret (SLACK_SIGNING_SECRET) for HTTP events")
	}
	hears, _ := s.state()
	if err := s.checkTokens(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	var work sync.WaitGroup
	lanes := make([]chan job, laneCount)
	for i := range lanes {
		lanes[i] = make(chan job, laneLength)
		work.Go(func() { s.drive(ctx, lanes[i]) })
	}
	s.recall(ctx)
	s.mu.Lock()
	s.lanes, s.gaps, s.muted = lanes, new(bot.Bell), new(bot.Bell)
	s.mu.Unlock()
	s.speak()
	var keeping sync.WaitGroup
	keeping.Go(func() { s.keepUp(ctx) })
	keeping.Go(func() { s.mend(ctx) })
	if s.AppToken != "" {
		_ = hears.Keep(ctx, waitFirst, waitMost, s.socket) // it ends only with ctx
	} else {
		hears.Up()
		s.gap()
		<-ctx.Done()
	}
	keeping.Wait()
	s.mu.Lock()
	s.lanes = nil
	s.mu.Unlock()
	for _, lane := range lanes {
		close(lane)
	}
	work.Wait()
	s.opening.Wait()
	return nil
}

// checkTokens returns once Slack has taken both tokens, or with an error if it
// refuses one. While Slack can't be asked it asks again.
func (s *Slack) checkTokens(ctx context.Context) error {
	hears, _ := s.state()
	for _, check := range []struct {
		of  credential
		ask func(context.Context) error
	}{
		{botToken, func(ctx context.Context) error {
			if s.BotToken == "" {
				return slack.SlackErrorResponse{Err: "not_authed"}
			}
			_, err := s.whoami(ctx)
			return err
		}},
		{appToken, func(ctx context.Context) error {
			if s.AppToken == "" {
				return nil
			}
			_, _, err := s.client().StartSocketModeContext(ctx)
			return err
		}},
	} {
		err := hears.Keep(ctx, waitFirst, waitMost, func(ctx context.Context) error {
			err := check.ask(ctx)
			if wrongToken(err) {
				return bot.Final(s.lasting(check.of, err))
			}
			return told(err)
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pause waits, and reports whether ctx still lives.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// socket runs one of the library's clients until it gives up: it connects again by
// itself, but gives up at some errors and waits for minutes after others.
func (s *Slack) socket(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var o []socketmode.Option
	if s.Ping > 0 {
		o = append(o, socketmode.OptionPingInterval(s.Ping))
	}
	dialer := &websocket.Dialer{HandshakeTimeout: dialWithin, Proxy: http.ProxyFromEnvironment, NetDialContext: s.Dial}
	sock := socketmode.New(s.client(), append(o, socketmode.OptionLog(silent{}), socketmode.OptionDialer(dialer))...)
	acks := make(chan string, ackQueue)
	var work sync.WaitGroup
	work.Go(func() { s.acknowledge(ctx, sock, acks) })
	work.Go(func() {
		for { // always drained: a full channel would stop the library's pings
			select {
			case e := <-sock.Events:
				s.event(e, acks, stop)
			case <-ctx.Done():
				return
			}
		}
	})
	err := sock.RunContext(ctx)
	stop()
	work.Wait()
	return s.unsocketed(err)
}

// acknowledge writes acknowledgements as they come. The library's own queue blocks
// for ever once the socket is gone, if it is let.
func (s *Slack) acknowledge(ctx context.Context, sock *socketmode.Client, acks <-chan string) {
	for {
		select {
		case id := <-acks:
			within, cancel := context.WithTimeout(ctx, ackWithin)
			if err := sock.AckCtx(within, id, nil); err != nil && ctx.Err() == nil {
				s.log().Warn("acknowledging", "err", err)
			}
			cancel()
		case <-ctx.Done():
			return
		}
	}
}

func (s *Slack) event(e socketmode.Event, acks chan<- string, stop func()) {
	defer s.survive("taking what came over the socket")
	hears, _ := s.state()
	switch e.Type {
	case socketmode.EventTypeConnected:
		s.log().Info("connected to slack")
		hears.Up()
		s.gap()
	case socketmode.EventTypeConnectionError:
		if failed, ok := e.Data.(*slack.ConnectionErrorEvent); ok {
			hears.Down(s.unsocketed(failed.ErrorObj))
			if _, asked := errors.AsType[*slack.RateLimitedError](failed.ErrorObj); !asked && failed.Backoff > waitMost {
				stop()
			}
		}
	case socketmode.EventTypeErrorBadMessage: // what the library can't read may still be a question
		if bad, ok := e.Data.(*socketmode.ErrorBadMessage); ok {
			var env envelope
			if json.Unmarshal(bad.Message, &env) == nil {
				s.delivery(env, acks)
			}
		}
	case socketmode.EventTypeEventsAPI, socketmode.EventTypeSlashCommand, socketmode.EventTypeInteractive:
		if e.Request != nil {
			s.delivery(envelope{e.Request.EnvelopeID, e.Request.Type, e.Request.Payload}, acks)
		}
	}
}

// delivery takes an envelope, and has it acknowledged when it is kept.
func (s *Slack) delivery(env envelope, acks chan<- string) {
	if env.ID == "" {
		return
	}
	came := time.Now()
	s.take(env.Type, env.Payload, func(err error) {
		if err != nil || time.Since(came) > ackWithin { // Slack sends again, or has already
			return
		}
		select {
		case acks <- env.ID:
		default:
		}
	})
}
