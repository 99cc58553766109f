package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/engine"
	"precedent/store/cases"
)

// site is an HTTP over echo, whose votes come back as sentences.
func site(token string) *bot.HTTP {
	return &bot.HTTP{Token: token, MaxBody: 1000, Bot: &bot.Bot{
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
		{"a question", "", "POST", "/v1/ask", "", `{"question":"who?"}`, 200, `"route":"model","text":"who?"`},
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

		{"a curator's vote", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up"}`, 200, `"by":"http","reason":"up  curator=true"`},
		{"a member's", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"down","user":"u","reason":"value"}`, 200, `"by":"u","reason":"down value curator=false"`},
		{"a curator's in a user's name", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up","user":"u","role":"curator"}`, 403, `token`},
		{"the same with the token", token, "POST", "/v1/vote", "Authorization: Bearer s3cret", `{"answer":"a","vote":"up","user":"u","role":"curator"}`, 200, `"by":"u","reason":"up  curator=true"`},
		{"a member without a name", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up","role":"member"}`, 400, `needs a user`},
		{"another role", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"up","role":"king"}`, 400, `curator or member`},
		{"another vote", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"maybe"}`, 400, `up, down or none`},
		{"another reason", "", "POST", "/v1/vote", "", `{"answer":"a","vote":"down","reason":"mood"}`, 400, `wording`},
		{"on nothing", "", "POST", "/v1/vote", "", `{"vote":"up"}`, 400, `missing`},
		{"on an unknown answer", "", "POST", "/v1/vote", "", `{"answer":"gone","vote":"up"}`, 404, `unknown_answer`},
		{"while busy", "", "POST", "/v1/vote", "", `{"answer":"busy","vote":"up"}`, 503, `again`},
		{"what broke stays inside", "", "POST", "/v1/vote", "", `{"answer":"broken","vote":"up"}`, 500, `the log says why under broken`},
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
	h := site("")
	asked, goOn := make(chan bool), make(chan bool)
	h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
		asked <- true
		<-goOn
		if ctx.Err() != nil {
			t.Error("the question was cut off")
		}
		return echo(ctx, q, nil)
	}
	l, err := h.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- h.Serve(ctx, l) }()
	answered := make(chan string, 1)
	go func() {
		req, _ := http.NewRequest("POST", "http://"+l.Addr().String()+"/v1/ask", strings.NewReader(`{"question":"x"}`))
		req.Header.Set("Content-Type", "application/json")
		_, body := send(t, req)
		answered <- body
	}()
	<-asked
	stop()
	select {
	case err := <-served:
		t.Fatalf("ended with a request at work: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(goOn)
	if err := <-served; err != nil {
		t.Error(err)
	}
	if body := <-answered; !strings.Contains(body, `"text":"x"`) {
		t.Errorf("got %s", body)
	}
}

// TestSeats checks that requests beyond AtOnce are turned away at once.
func TestSeats(t *testing.T) {
	h := site("")
	h.AtOnce = 1
	asked, goOn := make(chan bool), make(chan bool)
	h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
		asked <- true
		<-goOn
		return echo(ctx, q, nil)
	}
	srv := httptest.NewServer(h.Handler())
	defer srv.Close()
	post := func() int {
		req, _ := http.NewRequest("POST", srv.URL+"/v1/ask", strings.NewReader(`{"question":"x"}`))
		req.Header.Set("Content-Type", "application/json")
		status, _ := send(t, req)
		return status
	}
	first := make(chan int, 1)
	go func() { first <- post() }()
	<-asked
	if got := post(); got != http.StatusServiceUnavailable {
		t.Errorf("the second got %d", got)
	}
	close(goOn)
	if got := <-first; got != http.StatusOK {
		t.Errorf("the first got %d", got)
	}
}
