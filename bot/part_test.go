package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"precedent/bot"
)

// TestKeep runs what ends in each of the ways that a part ends, and looks when it is
// run again.
func TestKeep(t *testing.T) {
	lasting := &bot.Lasting{Why: "the token is wrong", Cure: "set another"}
	for name, c := range map[string]struct {
		run         func(p *bot.Part, try int) error
		least, most time.Duration // of the tenth wait
		logs        int           // lines
		cures       int
	}{
		"an error":               {func(*bot.Part, int) error { return errors.New("away") }, 30 * time.Second, 30 * time.Second, 1, 0},
		"other errors each time": {func(_ *bot.Part, try int) error { return errors.New(strings.Repeat("away", try)) }, 30 * time.Second, 30 * time.Second, 1, 0},
		"a panic":                {func(*bot.Part, int) error { panic("odd") }, 30 * time.Second, 30 * time.Second, 1, 0},
		"what lasts":             {func(*bot.Part, int) error { return lasting }, 190 * time.Second, 5 * time.Minute, 1, 1},
		"what lasts, and an error in between": {func(_ *bot.Part, try int) error {
			if try%2 == 0 {
				return errors.New("away")
			}
			return lasting
		}, 30 * time.Second, 5 * time.Minute, 2, 1},
		"what is up at once and for a second": {func(p *bot.Part, try int) error { p.Up(); time.Sleep(time.Second); return errors.New("cut") }, time.Millisecond, 30 * time.Second, -1, 0},
		"what is up for long":                 {func(p *bot.Part, try int) error { p.Up(); time.Sleep(time.Hour); return errors.New("cut") }, time.Millisecond, time.Second, -1, 0},
		"a wait":                              {func(*bot.Part, int) error { return bot.Wait{For: 7 * time.Minute} }, 7 * time.Minute, 7 * time.Minute, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &said{}
				p := (&bot.Parts{Log: slog.New(slog.NewTextHandler(log, nil))}).Part("it")
				ctx, stop := context.WithCancel(t.Context())
				var ended time.Time
				tries := 0
				err := p.Keep(ctx, 500*time.Millisecond, 30*time.Second, func(context.Context) error {
					tries++
					if p.Works() {
						t.Error("it is up before it runs")
					}
					if waited := time.Since(ended); tries == 11 && (waited < c.least || waited > c.most) {
						t.Errorf("the tenth wait was %v", waited)
					}
					if tries == 20 {
						stop()
					}
					defer func() { ended = time.Now() }()
					return c.run(p, tries)
				})
				if err != nil && !strings.Contains(err.Error(), "panic") && tries != 20 {
					t.Errorf("after %d tries: %v", tries, err)
				}
				if n := log.times("level="); c.logs >= 0 && n != c.logs {
					t.Errorf("%d lines in the log", n)
				}
				if n := log.times("cure="); n != c.cures {
					t.Errorf("the cure is %d times in the log", n)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		p := new(bot.Parts).Part("it")
		final := errors.New("wrong address")
		if err := p.Keep(t.Context(), time.Second, time.Second, func(context.Context) error { return bot.Final(final) }); err != final {
			t.Errorf("a final error is %v", err)
		}
		if err := p.Keep(t.Context(), time.Second, time.Second, func(context.Context) error { return nil }); err != nil {
			t.Errorf("what is done is %v", err)
		}
	})
}

// TestReadyParts asks /readyz, from this machine and from others, while parts are down.
func TestReadyParts(t *testing.T) {
	parts := &bot.Parts{}
	slack, disk := parts.Part("Slack"), parts.Part("inbox")
	parts.Beside("old things").Down(errors.New("nobody's business"))
	ask := func(h *bot.HTTP, from, token string) (int, string, []bot.Finding) {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/readyz", nil)
		r.RemoteAddr = from
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		h.Handler().ServeHTTP(w, r)
		var ready struct {
			Status string
			Parts  []bot.Finding
		}
		if err := json.Unmarshal(w.Body.Bytes(), &ready); err != nil {
			t.Fatal(err)
		}
		return w.Code, ready.Status, ready.Parts
	}
	h := &bot.HTTP{Parts: parts}
	if code, _, list := ask(h, "127.0.0.1:1", ""); code != 503 || len(list) != 2 {
		t.Errorf("before anything is there: %d %+v", code, list)
	}
	slack.Up()
	disk.Up()
	if code, status, list := ask(h, "127.0.0.1:1", ""); code != 200 || status != "ready" || list[0].State != bot.Fine {
		t.Errorf("all there: %d %s %+v", code, status, list)
	}
	disk.Down(&bot.Lasting{Why: "full", Cure: "free some space"})
	for name, c := range map[string]struct {
		from, token, held string
		tells             bool
	}{
		"this machine":                   {"127.0.0.1:1", "", "", true},
		"another machine":                {"10.0.0.7:1", "", "", false},
		"another machine, a token":       {"10.0.0.7:1", "t", "t", true},
		"another machine, another token": {"10.0.0.7:1", "x", "t", false},
		"this machine, no token":         {"127.0.0.1:1", "", "t", false},
	} {
		code, _, list := ask(&bot.HTTP{Parts: parts, Token: c.held}, c.from, c.token)
		if code != 503 || len(list) != 2 || list[0].State != bot.Fine || list[1].State != bot.Wrong || list[1].Since.IsZero() || (list[1].Cure == "free some space") != c.tells {
			t.Errorf("%s: %d %+v", name, code, list)
		}
	}
	h.Ready = func(context.Context) error { return errors.New("no graph") }
	disk.Up()
	if code, status, _ := ask(h, "127.0.0.1:1", ""); code != 503 || status != "" {
		t.Errorf("without a graph: %d %s", code, status)
	}
}
