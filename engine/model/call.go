package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sashabaranov/go-openai"
	"github.com/sony/gobreaker/v2"
)

// A line is one model at the endpoint with its breaker: replies and embeddings
// fail apart.
type line struct {
	name    string
	setting string // the variable that sets the name
	breaker *gobreaker.CircuitBreaker[struct{}]
}

func newLine(c Config, name, setting string) *line {
	return &line{name: name, setting: setting, breaker: gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Timeout:      c.BreakFor,
		ReadyToTrip:  func(n gobreaker.Counts) bool { return int(n.ConsecutiveFailures) >= c.BreakAfter },
		IsSuccessful: func(err error) bool { return !failsBreaker(err) },
		IsExcluded:   func(err error) bool { return errors.Is(err, errGone) },
	})}
}

var errGone = errors.New("the caller went away")

// call sends a request until it is answered, at most Attempts times. send does one
// attempt and reads its response; its own errors should be failures.
func (m *Model) call(ctx context.Context, l *line, zeroTemperature bool, u *Usage, send func(context.Context, *openai.Client) error) error {
	if l.name == "" {
		return &failure{kind: ErrUnknownModel, detail: "none is configured: set " + l.setting}
	}
	var last error
	tries := 0
	attempt := func() (struct{}, error) {
		_, err := l.breaker.Execute(func() (struct{}, error) {
			if ctx.Err() != nil {
				return struct{}{}, errGone
			}
			if tries++; tries > 1 {
				u.Retries++
			}
			return struct{}{}, m.attempt(ctx, l, zeroTemperature, u, send)
		})
		if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
			if last == nil {
				last = m.resting(l)
			}
			return struct{}{}, backoff.Permanent(last)
		}
		last = err
		return struct{}{}, m.schedule(err)
	}
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval, wait.Multiplier = min(m.c.Wait, m.c.MaxWait), m.c.MaxWait, 2
	left := time.Duration(0) // no limit
	if deadline, ok := ctx.Deadline(); ok {
		left = max(1, time.Until(deadline))
	}
	// The library returns the context's error, or ours wrapped; ours says more.
	_, _ = backoff.Retry(ctx, attempt,
		backoff.WithBackOff(wait),
		backoff.WithMaxTries(uint(m.c.Attempts)),
		backoff.WithMaxElapsedTime(left))
	switch {
	case last == nil:
		return nil
	case errors.Is(last, errGone) || errors.Is(ctx.Err(), context.Canceled):
		return m.gone(ctx)
	case tries > 1:
		return fmt.Errorf("asking %d times: %w", tries, last)
	}
	return last
}

// schedule tells the backoff library what may be asked again, and when.
func (m *Model) schedule(err error) error {
	if err == nil {
		return nil
	}
	f, ok := errors.AsType[*failure](err)
	switch {
	case !ok || !f.retry || f.after > m.c.MaxWait:
		return backoff.Permanent(err)
	case f.after > 0:
		return &backoff.RetryAfterError{Duration: f.after}
	}
	return err
}

// gone is the error when the caller's context ended: its own error when it was
// cancelled, an ErrUnavailable when there was no time left.
func (m *Model) gone(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("asking the model: %w", context.Canceled)
	}
	return &failure{kind: ErrUnavailable, detail: "no time was left to ask", cause: ctx.Err()}
}

// resting is the error while the breaker is open.
func (m *Model) resting(l *line) error {
	return &failure{kind: ErrUnavailable, detail: fmt.Sprintf(
		"%q at %s failed %d times in a row and is left alone; it is tried again within %v",
		l.name, m.c.BaseURL, m.c.BreakAfter, m.c.BreakFor)}
}

// attempt does one exchange and judges it.
func (m *Model) attempt(ctx context.Context, l *line, zeroTemperature bool, u *Usage, send func(context.Context, *openai.Client) error) error {
	within, cancel := context.WithTimeout(ctx, m.c.Timeout)
	defer cancel()
	x := &exchange{http: m.c.HTTP, limit: m.c.MaxBody, zeroTemperature: zeroTemperature}
	c := openai.DefaultConfig(m.c.Key)
	c.BaseURL, c.HTTPClient = m.c.BaseURL, x
	err := send(within, openai.NewClientWithConfig(c))

	slow := x.err != nil && within.Err() != nil
	if slow || x.status >= 200 && x.status < 300 {
		u.Calls++
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.Canceled):
		return errGone
	case !x.sent:
		return m.unsent(err)
	case slow:
		return m.slow(ctx, l)
	case errors.Is(x.err, errTooLong):
		return &failure{kind: ErrNonsense, detail: fmt.Sprintf(
			"%s sent more than %d bytes, which no reply needs: check OPENAI_BASE_URL", m.c.BaseURL, m.c.MaxBody)}
	case x.err != nil:
		return &failure{kind: ErrUnavailable, retry: true, detail: fmt.Sprintf(
			"%s can't be reached, or broke off: check that it runs and that OPENAI_BASE_URL is right: %s", m.c.BaseURL, m.excerpt(x.err.Error()))}
	case x.status < 200 || x.status >= 300:
		return m.byStatus(l, x)
	}
	if f, ok := errors.AsType[*failure](err); ok {
		if errors.Is(f, ErrEmpty) && complaint(x.body) != "" {
			return m.failureInSuccess(x)
		}
		return f
	}
	return &failure{kind: ErrNonsense, detail: fmt.Sprintf(
		"%s sent something else than the OpenAI protocol has: check OPENAI_BASE_URL, which usually ends in /v1: %s",
		m.c.BaseURL, m.excerpt(string(x.body)))}
}

// unsent is the error of a request that go-openai turned away itself.
func (m *Model) unsent(err error) error {
	f := &failure{kind: ErrRejected, detail: m.excerpt(err.Error())}
	if errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated) {
		f.body = "max_tokens"
	}
	return f
}

func (m *Model) slow(ctx context.Context, l *line) error {
	f := &failure{kind: ErrUnavailable, retry: true, cause: context.DeadlineExceeded}
	if ctx.Err() != nil {
		f.detail = fmt.Sprintf("%q at %s didn't answer before the question's deadline", l.name, m.c.BaseURL)
	} else {
		f.detail = fmt.Sprintf("%q at %s didn't answer within %v", l.name, m.c.BaseURL, m.c.Timeout)
	}
	return f
}

// failureInSuccess is the error of a response with status 200 that holds an error
// in place of choices, as some routers to other endpoints send it.
func (m *Model) failureInSuccess(x *exchange) error {
	return &failure{kind: ErrUnavailable, retry: true,
		detail: fmt.Sprintf("%s answered with an error: %s", m.c.BaseURL, m.excerpt(complaint(x.body)))}
}

// byStatus is the error of a response that isn't a success.
func (m *Model) byStatus(l *line, x *exchange) error {
	said := m.excerpt(complaint(x.body))
	if said == "" {
		said = "no reason given"
	}
	f := &failure{}
	switch status := x.status; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.kind = ErrDenied
		f.detail = fmt.Sprintf("%s answered %d: check OPENAI_API_KEY, and that it may use %q: %s", m.c.BaseURL, status, l.name, said)
	case status == http.StatusNotFound:
		f.kind = ErrUnknownModel
		f.detail = fmt.Sprintf("%s has no model %q, or isn't an OpenAI-compatible endpoint (404): check %s and OPENAI_BASE_URL: %s", m.c.BaseURL, l.name, l.setting, said)
	case status == http.StatusPaymentRequired || status == http.StatusTooManyRequests && overQuota(x.body):
		f.kind = ErrUnavailable
		f.detail = fmt.Sprintf("the account at %s is out of quota: check its plan and billing: %s", m.c.BaseURL, said)
	case status == http.StatusTooManyRequests:
		f.kind, f.retry, f.after = ErrUnavailable, true, x.retryAfter(time.Now())
		f.detail = fmt.Sprintf("%s limits how often it can be asked (429): ask less often, or raise the limit: %s", m.c.BaseURL, said)
		if f.after > 0 {
			f.detail += fmt.Sprintf(" (it asks to wait %v)", f.after)
		}
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusTooEarly:
		f.kind, f.retry, f.after = ErrUnavailable, true, x.retryAfter(time.Now())
		f.detail = fmt.Sprintf("%s answered %d: see its log or its status page: %s", m.c.BaseURL, status, said)
	case status >= 400:
		f.kind, f.body = ErrRejected, m.scrub(string(x.body))
		f.detail = fmt.Sprintf("%s answered %d: %s", m.c.BaseURL, status, said)
	default:
		f.kind = ErrNonsense
		f.detail = fmt.Sprintf("%s answered %d, which no OpenAI-compatible endpoint does: check OPENAI_BASE_URL", m.c.BaseURL, status)
	}
	return f
}
