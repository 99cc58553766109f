package model_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store/nettest"
)

var fine = modeltest.Text(`{"kind":"query","n":3}`)

func TestRetries(t *testing.T) {
	for _, test := range []struct {
		name    string
		replies []modeltest.Reply
		kind    error // nil for success
		says    string
		usage   model.Usage // calls and retries alone
	}{
		{"busy once", []modeltest.Reply{modeltest.Busy("0"), fine}, nil, "", model.Usage{Calls: 1, Retries: 1}},
		{"busy, soon again", []modeltest.Reply{modeltest.Busy("0.01"), fine}, nil, "", model.Usage{Calls: 1, Retries: 1}},
		{"fault once", []modeltest.Reply{modeltest.Status(500, ""), fine}, nil, "", model.Usage{Calls: 1, Retries: 1}},
		{"loading", []modeltest.Reply{modeltest.Status(503, "Loading model"), modeltest.Status(503, ""), fine}, nil, "", model.Usage{Calls: 1, Retries: 2}},
		{"connection closed", []modeltest.Reply{modeltest.Cut(), fine}, nil, "", model.Usage{Calls: 2, Retries: 1}},
		{"router's error", []modeltest.Reply{modeltest.Status(200, `{"error":{"message":"upstream","code":502}}`), fine}, nil, "", model.Usage{Calls: 2, Retries: 1}},
		{"busy for good", []modeltest.Reply{modeltest.Busy(""), modeltest.Busy(""), modeltest.Busy("")}, model.ErrUnavailable, "asking 3 times", model.Usage{Retries: 2}},
		{"asks for too long", []modeltest.Reply{modeltest.Busy("3600")}, model.ErrUnavailable, "wait 1h0m0s", model.Usage{}},
		{"over quota", []modeltest.Reply{modeltest.OverQuota()}, model.ErrUnavailable, "billing", model.Usage{}},
		{"unpaid", []modeltest.Reply{modeltest.Status(402, "Insufficient Balance")}, model.ErrUnavailable, "billing", model.Usage{}},
		{"bad request", []modeltest.Reply{modeltest.Status(400, `{"error":"context too long"}`)}, model.ErrRejected, "context too long", model.Usage{}},
		{"forbidden", []modeltest.Reply{modeltest.Status(403, `{"message":"not here"}`)}, model.ErrDenied, "check OPENAI_API_KEY", model.Usage{}},
		{"no such model", []modeltest.Reply{modeltest.Status(404, "404 page not found")}, model.ErrUnknownModel, `no model "stub"`, model.Usage{}},
		{"odd status", []modeltest.Reply{modeltest.Status(304, "")}, model.ErrNonsense, "304", model.Usage{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				s := modeltest.New(t, test.replies...)
				u, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{})
				if !errors.Is(err, test.kind) || err != nil && !strings.Contains(err.Error(), test.says) {
					t.Errorf("error %v, want %v with %q", err, test.kind, test.says)
				}
				if u.Calls != test.usage.Calls || u.Retries != test.usage.Retries {
					t.Errorf("usage %+v, want %+v", u, test.usage)
				}
				if s.Left() != 0 {
					t.Errorf("%d replies were not asked for", s.Left())
				}
			})
		})
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for name, header := range map[string][2]string{
		"seconds":      {"Retry-After", "0.06"},
		"milliseconds": {"Retry-After-Ms", "60"},
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				s := modeltest.New(t, modeltest.Status(429, "", header[0], header[1]), fine)
				u, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{})
				if err != nil || u.Took < 60*time.Millisecond {
					t.Errorf("took %v, %v", u.Took, err)
				}
			})
		})
	}
	for name, value := range map[string]string{
		"date":      time.Now().Add(time.Hour).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"),
		"overflow":  "1e300",
		"a century": "3155760000",
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				s := modeltest.New(t, modeltest.Busy(value))
				if _, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrUnavailable) {
					t.Errorf("error %v", err)
				}
			})
		})
	}
	for _, value := range []string{"-5", "NaN", "soon"} {
		s := modeltest.New(t, modeltest.Busy(value), fine)
		if _, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{}); err != nil {
			t.Errorf("Retry-After %s: %v", value, err)
		}
	}
}

// A wait that would outlast the question isn't begun.
func TestNoWaitBeyondDeadline(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.Busy("5"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		u, err := connect(t, impatient(s)).Reply(ctx, ask, &answer{})
		if !errors.Is(err, model.ErrUnavailable) || ctx.Err() != nil || u.Took > time.Second/2 {
			t.Errorf("took %v, %v", u.Took, err)
		}
	})
}

func TestHang(t *testing.T) {
	t.Run("ends at the attempt's timeout", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := modeltest.New(t, modeltest.Hang(), fine)
			c := impatient(s)
			c.Timeout = 50 * time.Millisecond
			u, err := connect(t, c).Reply(t.Context(), ask, &answer{})
			if err != nil || u.Calls != 2 || u.Retries != 1 {
				t.Errorf("usage %+v, %v", u, err)
			}
		})
	})
	t.Run("ends at the question's deadline", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := modeltest.New(t, modeltest.Hang())
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			u, err := connect(t, impatient(s)).Reply(ctx, ask, &answer{})
			if !errors.Is(err, model.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || u.Calls != 1 || u.Took > 2*time.Second {
				t.Errorf("usage %+v, %v", u, err)
			}
		})
	})
	t.Run("ends when the caller goes", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := modeltest.New(t, modeltest.Hang())
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			_, err := connect(t, impatient(s)).Reply(ctx, ask, &answer{})
			if !errors.Is(err, context.Canceled) || errors.Is(err, model.ErrUnavailable) {
				t.Errorf("error %v", err)
			}
		})
	})
	t.Run("no time at all", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 0)
			defer cancel()
			u, err := connect(t, impatient(modeltest.New(t))).Reply(ctx, ask, &answer{})
			if !errors.Is(err, model.ErrUnavailable) || u.Calls != 0 {
				t.Errorf("usage %+v, %v", u, err)
			}
		})
	})
	t.Run("slow body", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := modeltest.New(t, fine.After(20*time.Millisecond))
			if _, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{}); err != nil {
				t.Error(err)
			}
		})
	})
}

// closedURL is the URL of a port that nothing listens on.
func closedURL(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprintf("http://%s/v1", l.Addr())
}

func TestNobodyListens(t *testing.T) {
	m := connect(t, model.Config{BaseURL: closedURL(t), Name: "x", Wait: time.Millisecond})
	u, err := m.Reply(t.Context(), ask, &answer{})
	if !errors.Is(err, model.ErrUnavailable) || !strings.Contains(err.Error(), "check that it runs") {
		t.Errorf("error %v", err)
	}
	if u.Calls != 0 || u.Retries != 2 {
		t.Errorf("usage %+v", u)
	}
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		down := modeltest.Status(502, "")
		s := modeltest.New(t, down, down, down, down, down)
		c := impatient(s)
		c.BreakAfter, c.BreakFor = 5, 80*time.Millisecond
		m := connect(t, c)
		for range 2 { // 3 attempts, then 2 until it opens
			if _, err := m.Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrUnavailable) || !strings.Contains(err.Error(), "502") {
				t.Fatalf("error %v", err)
			}
		}
		u, err := m.Reply(t.Context(), ask, &answer{})
		if !errors.Is(err, model.ErrUnavailable) || !strings.Contains(err.Error(), "failed 5 times in a row") {
			t.Errorf("open: %v", err)
		}
		if s.Calls() != 5 || u.Calls != 0 || u.Retries != 0 {
			t.Errorf("open: %d requests, usage %+v", s.Calls(), u)
		}
		if _, err := m.Embed(t.Context(), "x"); err != nil {
			t.Errorf("embeddings share the breaker: %v", err)
		}
		time.Sleep(c.BreakFor + 10*time.Millisecond)
		s.Script(down)
		if _, err := m.Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrUnavailable) || s.Calls() != 6 {
			t.Errorf("half-open, still down: %v, %d requests", err, s.Calls())
		}
		time.Sleep(c.BreakFor + 10*time.Millisecond)
		s.Script(fine, fine)
		for range 2 {
			if _, err := m.Reply(t.Context(), ask, &answer{}); err != nil {
				t.Errorf("half-open, up again: %v", err)
			}
		}
	})
}

// What one prompt or the configuration is to blame for opens no breaker.
func TestBreakerStaysClosed(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t,
			modeltest.Status(400, ""), modeltest.Status(401, ""), modeltest.Status(404, ""),
			modeltest.Reply{Refusal: "no"}, modeltest.Reply{Text: "{", Finish: "length"}, modeltest.Hang(), fine)
		c := impatient(s)
		c.BreakAfter = 1
		m := connect(t, c)
		for range 5 {
			if _, err := m.Reply(t.Context(), ask, &answer{}); err == nil || errors.Is(err, model.ErrUnavailable) {
				t.Errorf("error %v", err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel)
		if _, err := m.Reply(ctx, ask, &answer{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if _, err := m.Reply(t.Context(), ask, &answer{}); err != nil {
			t.Error(err)
		}
	})
}

func TestNonsenseOpensBreaker(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.Garbage(), modeltest.Text("blah"))
		c := impatient(s)
		c.BreakAfter, c.BreakFor = 2, time.Minute
		m := connect(t, c)
		for range 2 {
			if _, err := m.Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrNonsense) {
				t.Errorf("error %v", err)
			}
		}
		if _, err := m.Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrUnavailable) || s.Calls() != 2 {
			t.Errorf("error %v", err)
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.Respond(t, func(prompt string) modeltest.Reply {
			if !strings.Contains(prompt, "JSON schema") {
				return modeltest.Unknown("response_format")
			}
			return fine
		})
		m := connect(t, impatient(s))
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				var got answer
				if _, err := m.Reply(t.Context(), ask, &got); err != nil || got.N != 3 {
					t.Errorf("got %+v, %v", got, err)
				}
				if _, err := m.Embed(t.Context(), "x"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func TestKeyIsNeverShown(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.Status(500, secret), modeltest.Status(400, "Bearer abc, sk-other-0123456789 and "+secret),
			modeltest.Text("my key is "+secret))
		c := impatient(s)
		c.Attempts = 1
		m := connect(t, c)
		var log strings.Builder
		fmt.Fprintf(&log, "%v %+v %#v %s %v %+v %#v", c, c, c, c, m, m, m)
		for range 3 {
			_, err := m.Reply(t.Context(), ask, &answer{})
			fmt.Fprintf(&log, "%v %+v %#v", err, err, err)
		}
		s.Key = "another"
		if _, err := m.Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrDenied) {
			t.Errorf("error %v", err)
		} else {
			log.WriteString(err.Error())
		}
		shown := log.String()
		for _, leak := range []string{secret, "very-secret", "sk-other", "abc"} {
			if strings.Contains(shown, leak) {
				t.Errorf("%q is shown in %s", leak, shown)
			}
		}
	})
}

// BenchmarkReply is a whole call, the test server's share included.
func BenchmarkReply(b *testing.B) {
	s := modeltest.Respond(b, func(string) modeltest.Reply { return fine })
	m, err := model.New(impatient(s))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Reply(b.Context(), ask, &answer{}); err != nil {
			b.Fatal(err)
		}
	}
}
