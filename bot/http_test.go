package bot_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"precedent/bot"
	"precedent/engine"
	"precedent/store/cases"
	"precedent/store/nettest"
)

// site is an HTTP over echo, whose votes come back as sentences.
func site(token string) *bot.HTTP {
	return &bot.HTTP{Token: token, Trust: []string{"http:u"}, MaxBody: 1000, Bot: &bot.Bot{
		Ask: echo,
		Vote: func(_ context.Context, v engine.Vote) (engine.Voted, error) {
			switch v.Answer {
			case "gone":
				return engine.Voted{}, fmt.Errorf("voting: %w", cases.ErrUnknownAnswer)
			case "busy":
				return engine.Voted{}, cases.ErrBusy
			case "broken":
				return engine.Voted{}, errors.New("disk on fire")
			}
			return engine.Voted{Answer: v.Answer, By: v.User, Reason: fmt.Sprintf("%s %s curator=%v", v.Value, v.Reason, v.Curator)}, nil
		},
	}}
}

func TestHTTP(t *testing.T) {
	const json, token = "application/json", "s3cret"
	tests := []struct {
		name    string
		token   string // of the server
		method  string
		path    string
		header  string // "Name: value", separated by |
		body    string
		status  int
		contain string
	}{
		{"a question", "", "POST", "/v1/ask", "", `{"question":"who?"}`, 200, `"route":"model","meaning":null,"understood":null,"text":"who?"`},
		{"with everything", "", "POST", "/v1/ask", "", `{"question":"who?","conversation":"c","user":"u"}`, 200, `"question":"who?"`},
		{"an empty question is the engine's to refuse", "", "POST", "/v1/ask", "", `{"question":""}`, 200, `"question":""`},
		{"no question", "", "POST", "/v1/ask", "", `{}`, 400, `"question\" is missing`},
		{"a field it doesn't know", "", "POST", "/v1/ask", "", `{"question":"x","usr":"u"}`, 400, `unknown field`},
		{"the wrong type", "", "POST", "/v1/ask", "", `{"question":7}`, 400, `question`},
		{"not JSON", "", "POST", "/v1/ask", "", `question=x`, 400, `"kind":"usage"`},
		{"two objects", "", "POST", "/v1/ask", "", `{"question":"x"}{}`, 400, `more after the object`},
		{"too large", "", "POST", "/v1/ask", "", `{"question":"` + strings.Repeat("x", 1000) + `"}`, 413, `1000 bytes`},
		{"a long conversation name", "", "POST", "/v1/ask", "", `{"question":"x","conversation":"` + strings.Repeat("x", 201) + `"}`, 400, `200 bytes`},
		{"another content type", "", "POST", "/v1/ask", "Content-Type: text/plain", `{"question":"x"}`, 415, `application/json`},
		{"GET", "", "GET", "/v1/ask", "", "", 405, `takes POST`},
		{"another path", "", "GET", "/v2/ask", "", "", 404, `/v1/ask`},
		{"healthz", "", "GET", "/healthz", "", "", 200, `ok`},
		{"readyz", "", "GET", "/readyz", "", "", 200, `ready`},
		{"POST to healthz", "", "POST", "/healthz", "", "{}", 405, `takes GET`},
		{"metrics", "", "GET", "/metrics", "", "", 200, `precedent_answers_total{route="case"} 0`},

		{"without the token", token, "POST", "/v1/ask", "", `{"question":"x"}`, 401, `Bearer`},
		{"with another", token, "POST", "/v1/ask", "Authorization: Bearer s3cre", `{"question":"x"}`, 401, `denied`},
		{"with another scheme", token, "POST", "/v1/ask", "Authorization: Basic s3cret", `{"question":"x"}`, 401, `denied`},
		{"with the token", token, "POST", "/v1/ask", "Authorization: bearer s3cret", `{"question":"x"}`, 200, `"text":"x"`},
		{"metrics need it too", token, "GET", "/metrics", "", "", 401, `denied`},
		{"health doesn't", token, "GET", "/healthz", "", "", 200, `ok`},
		{"a name led here", "", "POST", "/v1/ask", "Host: evil.example", `{"question":"x"}`, 403, `localhost`},
		{"through a proxy", "", "POST", "/v1/ask", "X-Forwarded-For: 1.2.3.4", `{"question":"x"}`, 403, `proxy`},

		{"a curator's vote", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up"}`, 403, `PRECEDENT_HTTP_TOKEN`},
		{"the same with the token", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"a","vote":"up"}`, 200, `"by":"http","reason":"up  curator=true"`},
		{"a curator's who says so", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up","role":"curator"}`, 403, `PRECEDENT_HTTP_TOKEN`},
		{"a member's", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"a","vote":"down","user":"u","reason":"value"}`, 200, `"by":"http:u","reason":"down value curator=false"`},
		{"one's whom nobody vouches for", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"a","vote":"down","user":"v","reason":"value"}`, 200, `"by":"http:v","reason":"kept, and counts for nothing: nobody vouches for http:v;`},
		{"one's without a token", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"down","user":"u","reason":"value"}`, 200, `"by":"http:u","reason":"kept, and counts for nothing: without PRECEDENT_HTTP_TOKEN`},
		{"a curator's in a user's name", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up","user":"u","role":"curator"}`, 403, `token`},
		{"the same with the token", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"a","vote":"up","user":"u","role":"curator"}`, 200, `"by":"http:u","reason":"up  curator=true"`},
		{"a member without a name", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up","role":"member"}`, 400, `needs a user`},
		{"another role", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up","role":"king"}`, 400, `curator or member`},
		{"another vote", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"maybe"}`, 400, `up, down or none`},
		{"another reason", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"down","reason":"mood"}`, 400, `wording`},
		{"on nothing", "", "POST", "/v1/vote", "", `{"vote":"up"}`, 400, `missing`},
		{"on an unknown answer", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"gone","vote":"up"}`, 404, `unknown_answer`},
		{"while busy", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"busy","vote":"up"}`, 503, `again`},
		{"what broke stays inside", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"broken","vote":"up"}`, 500, `the log says why under broken`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			srv := httptest.NewServer(site(test.token).Handler())
			defer srv.Close()
			req, err := http.NewRequestWithContext(t.Context(), test.method, srv.URL+test.path, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", json)
			for h := range strings.SplitSeq(test.header, "|") {
				if name, value, ok := strings.Cut(h, ": "); ok {
					if req.Header.Set(name, value); name == "Host" {
						req.Host = value
					}
				}
			}
			status, body := send(t, req)
			if status != test.status || !strings.Contains(body, test.contain) {
				t.Errorf("got %d %s\nwant %d with %s", status, body, test.status, test.contain)
			}
			if strings.Contains(body, "on fire") {
				t.Errorf("the error got out: %s", body)
			}
		})
	}
}

func send(t *testing.T, req *http.Request) (int, string) {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if kind := res.Header.Get("Content-Type"); kind == "application/json" && !json.Valid(body) {
		t.Errorf("not JSON: %s", body)
	}
	return res.StatusCode, string(body)
}

// TestListen checks who may be served.
func TestListen(t *testing.T) {
	for _, test := range []struct {
		addr, token string
		want        string // of the error; "" for none
	}{
		{"127.0.0.1:0", "", ""},
		{"localhost:0", "", ""},
		{"[::1]:0", "", "maybe"},
		{":0", "", "PRECEDENT_HTTP_TOKEN"},
		{"0.0.0.0:0", "", "PRECEDENT_HTTP_TOKEN"},
		{"0.0.0.0:0", "s3cret", ""},
		{"nowhere", "", "no address"},
		{"127.0.0.1:http!", "", "no address"},
	} {
		l, err := site(test.token).Listen(t.Context(), test.addr)
		if l != nil {
			l.Close()
		}
		if test.want != "maybe" && (test.want == "") != (err == nil) || err != nil && test.want != "maybe" && !strings.Contains(err.Error(), test.want) {
			t.Errorf("listening on %q with token %q: %v, want %q", test.addr, test.token, err, test.want)
		}
	}
}

// TestShutdown checks that a request at work is finished when the server ends.
func TestShutdown(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := site(secret)
		h.Bot.Ask = unhurried(time.Second, func(ctx context.Context) {
			if ctx.Err() != nil {
				t.Error("the question was cut off")
			}
		})
		addr, stop := served(t, h)
		c := dial(t, addr)
		c.say(asking("x"))
		synctest.Wait() // it is asked
		start := time.Now()
		if err := stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took < time.Second {
			t.Errorf("ended %v after it was told to, with a request at work", took)
		}
		if status, body := c.hear(); status != http.StatusOK || !strings.Contains(body, `"text":"x"`) {
			t.Errorf("got %d %s", status, body)
		}
	})
}

// TestSeats checks that requests beyond AtOnce are turned away at once, and take
// the seats that others leave.
func TestSeats(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := site(secret)
		h.AtOnce = 1
		h.Bot.Ask = unhurried(time.Minute-time.Second, nil)
		addr, _ := served(t, h)
		first, second := dial(t, addr), dial(t, addr)
		first.say(asking("x"))
		synctest.Wait()
		second.say(asking("y"))
		start := time.Now()
		if status, _ := second.hear(); status != http.StatusServiceUnavailable || time.Since(start) > 0 {
			t.Errorf("the second got %d after %v", status, time.Since(start))
		}
		if status, _ := first.hear(); status != http.StatusOK {
			t.Errorf("the first got %d", status)
		}
		second.say(asking("y"))
		if status, _ := second.hear(); status != http.StatusOK {
			t.Errorf("once there was a seat, the second got %d", status)
		}
	})
}

// secret is the token of what is served in a bubble, where nothing is on loopback.
const secret = "s3cret"

// unhurried is an echo that takes its time, and then has look see its context.
func unhurried(wait time.Duration, look func(context.Context)) func(context.Context, engine.Question, func(engine.Progress)) engine.Answer {
	return func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return engine.Answer{Route: engine.Fault, Text: "cut off"}
		}
		if look != nil {
			look(ctx)
		}
		return echo(ctx, q, nil)
	}
}

// served serves h on the network of t's bubble until stop, or the end of t.
func served(t *testing.T, h *bot.HTTP) (addr string, stop func() error) {
	t.Helper()
	l := nettest.Unstarted(t, nil).Listener
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- h.Serve(ctx, l) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { stop() })
	return l.Addr().String(), stop
}

// A wire is a connection whose every byte a test decides on.
type wire struct {
	net.Conn
	t   *testing.T
	buf *bufio.Reader
}

func dial(t *testing.T, addr string) *wire {
	t.Helper()
	c, err := nettest.Dial(t)(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &wire{c, t, bufio.NewReader(c)}
}

// say sends what it can; the server may have hung up.
func (w *wire) say(text string) bool {
	_, err := io.WriteString(w, text)
	return err == nil
}

// CloseWrite says that nothing more comes.
func (w *wire) CloseWrite() { w.Conn.(interface{ CloseWrite() error }).CloseWrite() }

// hear reads one response; status is 0 where the server hangs up instead.
func (w *wire) hear() (status int, body string) {
	w.t.Helper()
	res, err := http.ReadResponse(w.buf, nil)
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, ""
	}
	return res.StatusCode, string(text)
}

// posting is the head of a POST with the token; more are further lines of it.
func posting(path string, more ...string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: precedent\r\nAuthorization: Bearer " + secret +
		"\r\nContent-Type: application/json\r\n" + strings.Join(append(more, "", ""), "\r\n")
}

// sending is a whole POST with the token.
func sending(path, body string) string {
	return posting(path, fmt.Sprintf("Content-Length: %d", len(body))) + body
}

func asking(question string) string {
	return sending("/v1/ask", fmt.Sprintf(`{"question":%q}`, question))
}
