package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"
)

const (
	waitFirst  = 500 * time.Millisecond // before connecting again
	waitMost   = 30 * time.Second
	ackWithin  = 3 * time.Second
	dialWithin = 45 * time.Second // as the library's own
	ackQueue   = 256              // acknowledgements that wait to be written
)

// Run listens until ctx ends, and then returns nil. With an AppToken it listens
// over Socket Mode and connects again for ever, whatever breaks; without one it
// lets Handler listen. It returns an error at the start only: where Slack refuses
// a token, the error says which and why.
func (s *Slack) Run(ctx context.Context) error {
	if s.AppToken == "" && s.SigningSecret == "" {
		return errors.New("slack needs an app token (SLACK_APP_TOKEN, xapp-…) for Socket Mode, or a signing secret (SLACK_SIGNING_SECRET) for HTTP events")
	}
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
	s.lanes, s.gaps = lanes, make(chan struct{}, 1)
	s.mu.Unlock()
	var keeping sync.WaitGroup
	keeping.Go(func() { s.keepUp(ctx) })
	if s.AppToken != "" {
		s.listen(ctx)
	} else {
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
	for _, check := range []struct {
		name string
		ask  func() error
	}{
		{"the bot token (SLACK_BOT_TOKEN, xoxb-…)", func() error {
			if s.BotToken == "" {
				return slack.SlackErrorResponse{Err: "not_authed"}
			}
			_, err := s.identify(ctx)
			return err
		}},
		{"the app token (SLACK_APP_TOKEN, xapp-…, scope connections:write)", func() error {
			if s.AppToken == "" {
				return nil
			}
			_, _, err := s.client().StartSocketModeContext(ctx)
			return err
		}},
	} {
		for wait := waitFirst; ; wait = min(2*wait, waitMost) {
			err := check.ask()
			if err == nil {
				break
			}
			if ended(ctx, err) {
				return nil
			}
			if wrongToken(err) {
				return fmt.Errorf("slack refuses %s: %w", check.name, told(err))
			}
			if limited, ok := errors.AsType[*slack.RateLimitedError](err); ok {
				wait = max(wait, limited.RetryAfter)
			}
			s.log().Warn("reaching slack", "err", told(err), "again", wait)
			if !pause(ctx, wait) {
				return nil
			}
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

// listen keeps a socket open until ctx ends. The library connects again by itself,
// but gives up at some errors and waits for minutes after others.
func (s *Slack) listen(ctx context.Context) {
	for wait := waitFirst; ; wait = min(2*wait, waitMost) {
		began := time.Now()
		err := s.socket(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > waitMost {
			wait = waitFirst
		}
		s.log().Warn("the socket ended", "err", told(err), "again", wait)
		if !pause(ctx, wait) {
			return
		}
	}
}

// socket runs one of the library's clients until it gives up.
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
	return err
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
	switch e.Type {
	case socketmode.EventTypeConnected:
		s.log().Info("connected to slack")
		s.gap()
	case socketmode.EventTypeConnectionError:
		if failed, ok := e.Data.(*slack.ConnectionErrorEvent); ok {
			s.log().Warn("connecting to slack", "err", told(failed.ErrorObj), "again", failed.Backoff)
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
