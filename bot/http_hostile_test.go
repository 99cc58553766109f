package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"precedent/bot"
	"precedent/engine"
)

// post sends a body to h as a program on this machine does, with the token if
// the server has one.
func post(t *testing.T, h http.Handler, token, path, body string) (status int, reply string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "http://localhost"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:5000"
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Errorf("not JSON: %s", text)
	}
	return w.Code, string(text)
}

// quoted is a string as JSON.
func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// TestNames gives names in many spellings: who they are is in a space of its own.
func TestNames(t *testing.T) {
	const refused = ""
	for _, test := range []struct {
		given, want string
	}{
		{"sock1", "http:sock1"},
		{"sock1 ", "http:sock1"},
		{" \t\n sock1\r\n", "http:sock1"},
		{"SOCK1", "http:sock1"},
		{"SoCk1", "http:sock1"},
		{"ｓｏｃｋ１", "http:sock1"},
		{"ＳＯＣＫ１", "http:sock1"},
		{"sock¹", "http:sock1"},
		{"ⓢⓞⓒⓚ①", "http:sock1"},
		{"𝐬𝐨𝐜𝐤𝟏", "http:sock1"},
		{"ſock1", "http:sock1"},      // a long s
		{"soc\u212a1", "http:sock1"}, // the sign for kelvin
		{"sock1\u200b", "http:sock1"},
		{"\u200bso\u200bck1", "http:sock1"},
		{"so\u200cck1", "http:sock1"},
		{"so\u200dck1", "http:sock1"},
		{"\ufeffsock1", "http:sock1"},
		{"so\u00adck1", "http:sock1"},
		{"so\u2060ck1", "http:sock1"},
		{"so\u034fck1", "http:sock1"},
		{"sock1\ufe0f", "http:sock1"},
		{"sock1\U000e0100", "http:sock1"},
		{"so\u180eck1", "http:sock1"},
		{"sock1\u3164", "http:sock1"},
		{"so\u115fck1", "http:sock1"},
		{"sock1\uffa0", "http:sock1"},
		{"\u202esock1", "http:sock1"},
		{"\u2066sock1\u2069", "http:sock1"},
		{"\U000e0073sock1", "http:sock1"},
		{"sock1\u00a0", "http:sock1"},
		{"\u3000sock1", "http:sock1"},
		{"sock1\u2800", "http:sock1"},
		{"sock1\u2028", "http:sock1"},
		{"sock1\u0085", "http:sock1"},

		// Whatever is given, it is nobody's on a network.
		{"slack:U1", "http:slack:u1"},
		{"SLACK:U1", "http:slack:u1"},
		{"sl\u200back:U1", "http:slack:u1"},
		{"ｓｌａｃｋ：U1", "http:slack:u1"},
		{"slack-group:S1", "http:slack-group:s1"},
		{"discord:2", "http:discord:2"},
		{"discord-role:3", "http:discord-role:3"},
		{"terminal:ada", "http:terminal:ada"},
		{"members", "http:members"},
		{"forgotten", "http:forgotten"},
		{"http", "http:http"},
		{"http:x", "http:http:x"},
		{"HTTP:http:x", "http:http:http:x"},
		{":", "http::"},
		{"*", "http:*"},
		{"slack%3AU1", "http:slack%3au1"},
		{"sock%31", "http:sock%31"},
		{`sock\u0031`, `http:sock\u0031`},

		// People's names.
		{"Ann", "http:ann"},
		{"Ann  Lee", "http:ann lee"},
		{"Ann\u00a0Lee", "http:ann lee"},
		{"ann@example.com", "http:ann@example.com"},
		{"李小龙", "http:李小龙"},
		{"José", "http:josé"},
		{"Jose\u0301", "http:josé"},
		{"STRASSE", "http:strasse"},
		{"Straße", "http:strasse"},
		{"ﬁona", "http:fiona"},
		{"नमिता", "http:नमिता"},
		{"Ἀθηνᾶ", "http:ἀθηνᾶ"},
		{"ὈΔΥΣΣΕΎΣ", "http:ὀδυσσεύσ"},
		{"ὀδυσσεύς", "http:ὀδυσσεύσ"},
		{"👩\u200d🚀", "http:👩🚀"},
		{"ᎪᎩᎾ", "http:ꭺꭹꮎ"},
		{"ꭺꭹꮎ", "http:ꭺꭹꮎ"},
		{strings.Repeat("x", 200), "http:" + strings.Repeat("x", 200)},

		{" ", refused},
		{"\u200b", refused},
		{"\ufeff\u00ad \u3164", refused},
		{"\u2800", refused},
		{"sock1\x00", refused},
		{"\x00", refused},
		{"so\nck1", refused},
		{"so\tck1", refused},
		{"so\u0085ck1", refused},
		{"so\u2028ck1", refused},
		{"\x1b[31msock1", refused},
		{"sock1\x7f", refused},
		{"sock1\ufffd", refused},
		{"sock1\ue000", refused},
		{"sock1\U0010ffff", refused},
		{"\u0301sock1", refused},
		{"\u200b\u0338sock1", refused},
		{strings.Repeat("x", 201), refused},
		{strings.Repeat("x", 10_000), refused},
		{strings.Repeat("\u200b", 10_000), refused},
		{strings.Repeat("\ufdfa", 60), refused}, // each is 18 letters
	} {
		open := site("")
		open.MaxBody = 0
		h := open.Handler()
		status, body := post(t, h, "", "/v1/vote", `{"answer":"a","vote":"up","user":`+quoted(test.given)+`}`)
		var done engine.Voted
		if err := json.Unmarshal([]byte(body), &done); err != nil {
			t.Errorf("%q: %v", test.given, err)
		}
		switch {
		case test.want == refused && (status != http.StatusBadRequest || !strings.Contains(body, `\"user\" can't be used: `)):
			t.Errorf("%.50q: got %d %s, want a refusal that says why", test.given, status, body)
		case test.want != refused && (status != http.StatusOK || done.By != test.want):
			t.Errorf("%.50q: got %d %s, want %q", test.given, status, body, test.want)
		}
		if status, _ := post(t, h, "", "/v1/ask", `{"question":"x","user":`+quoted(test.given)+`}`); (status == http.StatusOK) != (test.want != refused) {
			t.Errorf("%.50q may ask: %d, unlike vote", test.given, status)
		}
	}
}

// TestAsker sees that who asks is named as who votes.
func TestAsker(t *testing.T) {
	for given, want := range map[string]string{"": "", "SOCK1\u200b": "http:sock1", "slack:U1": "http:slack:u1", "李小龙": "http:李小龙", "HTTP:http:x": "http:http:http:x"} {
		h := site("")
		got := "nobody asked"
		h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
			got = q.User
			return echo(ctx, q, nil)
		}
		post(t, h.Handler(), "", "/v1/ask", `{"question":"x","user":`+quoted(given)+`}`)
		if got != want {
			t.Errorf("%q asks as %q, want %q", given, got, want)
		}
	}
}

// TestCases gives every letter in all its cases: they are one name.
func TestCases(t *testing.T) {
	pairs := 0
	for c := rune(0); c <= unicode.MaxRune; c++ {
		other := unicode.SimpleFold(c)
		if other == c {
			continue
		}
		a, err := bot.HTTPUser("x" + string(c))
		b, errOther := bot.HTTPUser("x" + string(other))
		if a != b || err != nil || errOther != nil {
			t.Errorf("%U is %q, %v; %U is %q, %v", c, a, err, other, b, errOther)
		}
		pairs++
	}
	if pairs < 2000 {
		t.Errorf("%d letters have cases", pairs)
	}
}

// FuzzNames: what a name becomes stays so, is bounded, and is in its space.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"sock1", "ＳＯＣＫ１", "Straße", "ﬁ\u0345", "\u1e9e", "a\u0301\u0323", "ᾳ\u0301", "\u0130", "K\u200d\u212a", "ﷺ", "\U000e0001x", "ǅ", "ŉ", "ΐ", "\u0390", "\u13ac\uab7c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, given string) {
		user, err := bot.HTTPUser(given)
		if err != nil {
			return
		}
		name, ok := strings.CutPrefix(user, "http:")
		if !ok || name == "" || len(name) > 200 || strings.ContainsAny(name, "\n\x00") || strings.TrimSpace(name) != name {
			t.Fatalf("%q became %q", given, user)
		}
		if again, err := bot.HTTPUser(name); err != nil || again != user {
			t.Fatalf("%q became %q, and that %q, %v", given, user, again, err)
		}
		if loud, err := bot.HTTPUser(strings.ToUpper(" " + given + "\u200b")); err == nil && loud != user && strings.ToLower(strings.ToUpper(given)) == given {
			t.Fatalf("%q is %q, and in capitals %q", given, user, loud)
		}
	})
}

// TestBodies sends bodies that aren't what they say, or are made to be read in
// two ways. Nobody curates by any of them, and none is taken.
func TestBodies(t *testing.T) {
	for _, test := range []struct {
		name, path, body string
		status           int
	}{
		{"curator in capitals", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"CURATOR"}`, 400},
		{"curator with a space", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"curator "}`, 400},
		{"curator in full width", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"ｃｕｒａｔｏｒ"}`, 400},
		{"curator with a zero-width space", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"curator\u200b"}`, 400},
		{"curator with NUL", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"curator\u0000"}`, 400},
		{"curator in escapes", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"\u0063urator"}`, 403},
		{"role as an array", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":["curator"]}`, 400},
		{"role as an object", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":{"curator":true}}`, 400},
		{"role as true", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":true}`, 400},
		{"role in capitals", "/v1/vote", `{"answer":"a","vote":"up","user":"u","ROLE":"curator"}`, 400},
		{"role twice", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"member","role":"curator"}`, 400},
		{"role twice, once in capitals", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"member","Role":"curator"}`, 400},
		{"role twice, once in escapes", "/v1/vote", `{"answer":"a","vote":"up","user":"u","role":"member","rol\u0065":"curator"}`, 400},
		{"user with a long s", "/v1/vote", `{"answer":"a","vote":"up","uſer":"u"}`, 400},
		{"user twice", "/v1/vote", `{"answer":"a","vote":"up","user":"u","user":"v"}`, 400},
		{"no user", "/v1/vote", `{"answer":"a","vote":"up"}`, 403},
		{"an empty user", "/v1/vote", `{"answer":"a","vote":"up","user":""}`, 403},
		{"null for a user", "/v1/vote", `{"answer":"a","vote":"up","user":null}`, 403},
		{"a user that isn't seen", "/v1/vote", `{"answer":"a","vote":"up","user":"\u200b"}`, 400},
		{"a user that isn't seen, a curator", "/v1/vote", `{"answer":"a","vote":"up","user":"\u200b","role":"curator"}`, 400},
		{"a user that is half a pair", "/v1/vote", `{"answer":"a","vote":"up","user":"\ud800"}`, 400},
		{"a number for a user", "/v1/vote", `{"answer":"a","vote":"up","user":7}`, 400},
		{"unknown key", "/v1/vote", `{"answer":"a","vote":"up","user":"u","curator":true}`, 400},
		{"question twice", "/v1/ask", `{"question":"x","question":"y"}`, 400},
		{"question in capitals", "/v1/ask", `{"Question":"x"}`, 400},
		{"two documents", "/v1/ask", `{"question":"x"} {"question":"y"}`, 400},
		{"two documents on lines", "/v1/ask", "{\"question\":\"x\"}\n{\"question\":\"y\"}\n", 400},
		{"something behind", "/v1/ask", `{"question":"x"}x`, 400},
		{"a bracket behind", "/v1/ask", `{"question":"x"}]`, 400},
		{"an array around", "/v1/ask", `[{"question":"x"}]`, 400},
		{"a text", "/v1/ask", `"x"`, 400},
		{"null", "/v1/ask", `null`, 400},
		{"nothing", "/v1/ask", ``, 400},
		{"a byte order mark", "/v1/ask", "\ufeff" + `{"question":"x"}`, 400},
		{"a comment", "/v1/ask", `{"question":"x" /* y */}`, 400},
		{"not closed", "/v1/ask", `{"question":"x"`, 400},
		{"a comma too many", "/v1/ask", `{"question":"x",}`, 400},
		{"a raw line end", "/v1/ask", "{\"question\":\"x\ny\"}", 400},
		{"deep", "/v1/ask", strings.Repeat("[", 60_000), 400},
		{"deep in a field", "/v1/ask", `{"question":` + strings.Repeat("[", 60_000), 400},
		{"deep objects", "/v1/ask", strings.Repeat(`{"question":`, 5000), 400},
		{"deep and closed", "/v1/ask", `{"question":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, 400},
		{"deep in an unknown field", "/v1/ask", `{"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `,"question":"x"}`, 400},
		{"many keys", "/v1/ask", `{` + strings.Repeat(`"x":1,`, 9000) + `"question":"x"}`, 400},
		{"a huge number", "/v1/ask", `{"question":` + strings.Repeat("9", 50_000) + `}`, 400},
		{"too large", "/v1/ask", `{"question":"` + strings.Repeat("x", 65_536) + `"}`, 413},
		{"spaces without end", "/v1/ask", strings.Repeat(" ", 70_000) + `{"question":"x"}`, 413},

		{"honest, with spaces around", "/v1/ask", " \r\n\t{ \"question\" : \"x\" } \n", 200},
		{"honest, null where nothing is meant", "/v1/ask", `{"question":"x","user":null,"conversation":null}`, 200},
		{"honest, in escapes", "/v1/ask", `{"question":"\u8c01\ud83d\ude80"}`, 200},
		{"honest, long", "/v1/ask", `{"question":"` + strings.Repeat("x", 60_000) + `"}`, 200},
		{"honest, all of a vote", "/v1/vote", `{"answer":"a","vote":"down","user":"u","role":"member","reason":"query","why":"counts series"}`, 200},
		{"honest, in another order", "/v1/vote", `{"user":"u","vote":"up","answer":"a"}`, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := site("")
			h.MaxBody = 0
			vote := h.Bot.Vote
			h.Bot.Vote = func(ctx context.Context, v engine.Vote) (engine.Voted, error) {
				if v.Curator {
					t.Errorf("somebody curates without a token")
				}
				return vote(ctx, v)
			}
			start := time.Now()
			status, body := post(t, h.Handler(), "", test.path, test.body)
			if status != test.status {
				t.Errorf("got %d %.200s, want %d", status, body, test.status)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("that took %v", took)
			}
		})
	}
}

// TestFraming sends bodies whose length isn't what it is said to be. What comes
// behind is no request of somebody else.
func TestFraming(t *testing.T) {
	ask := `{"question":"x"}`
	for _, test := range []struct {
		name, raw string
		statuses  string // of what comes back, until the server hangs up
	}{
		{"shorter than it is", posting("/v1/ask", "Content-Length: 10") + ask, "400 400"},
		{"longer than it is, then gone", posting("/v1/ask", "Content-Length: 900") + ask, "400"},
		{"two lengths", posting("/v1/ask", "Content-Length: 16", "Content-Length: 5") + ask, "400"},
		{"a negative length", posting("/v1/ask", "Content-Length: -1") + ask, "400"},
		{"a length and chunks", posting("/v1/ask", "Content-Length: 5", "Transfer-Encoding: chunked") + "10\r\n" + ask + "\r\n0\r\n\r\n", "200"},
		{"a length beyond numbers", posting("/v1/ask", "Content-Length: 99999999999999999999") + ask, "400"},
		{"a length beyond all bounds", posting("/v1/ask", "Content-Length: 9000000000000000000") + strings.Repeat(" ", 2000), "413"},
		{"chunks beyond all bounds", posting("/v1/ask", "Transfer-Encoding: chunked") + strings.Repeat("100\r\n"+strings.Repeat(" ", 256)+"\r\n", 10), "413"},
		{"a chunk of no number", posting("/v1/ask", "Transfer-Encoding: chunked") + "zz\r\n" + ask, "400"},
		{"another encoding", posting("/v1/ask", "Transfer-Encoding: gzip") + ask, "501"},
		{"chunks, honest", posting("/v1/ask", "Transfer-Encoding: chunked") + "8\r\n{\"questi\r\n8\r\non\":\"x\"}\r\n0\r\n\r\n", "200"},
		{"two requests at once, honest", asking("x") + asking("y"), "200 200"},
		{"told to go on, honest", posting("/v1/ask", "Content-Length: 16", "Expect: 100-continue") + ask, "100 200"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				addr, _ := served(t, site(secret))
				w := dial(t, addr)
				w.say(test.raw)
				w.CloseWrite()
				var got []string
				for {
					status, _ := w.hear()
					if status == 0 {
						break
					}
					got = append(got, fmt.Sprint(status))
				}
				if s := strings.Join(got, " "); s != test.statuses {
					t.Errorf("got %s, want %s", s, test.statuses)
				}
			})
		})
	}
}

// TestLateBody tells whoever is too slow why they get nothing.
func TestLateBody(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		addr, _ := served(t, site(secret))
		w := dial(t, addr)
		w.say(posting("/v1/ask", "Content-Length: 900") + `{"quest`)
		start := time.Now()
		if status, body := w.hear(); status != http.StatusRequestTimeout || !strings.Contains(body, "15s") {
			t.Errorf("got %d %s", status, body)
		}
		if took := time.Since(start); took > 16*time.Second {
			t.Errorf("it took %v to say so", took)
		}
	})
}

// TestSeatAfterPanic gives back the seat of what breaks.
func TestSeatAfterPanic(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := site(secret)
		h.AtOnce = 1
		var once sync.Once
		h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
			once.Do(func() { panic("broken") })
			return echo(ctx, q, nil)
		}
		addr, _ := served(t, h)
		w := dial(t, addr)
		w.say(asking("x"))
		w.hear()
		w = dial(t, addr)
		w.say(asking("x"))
		if status, _ := w.hear(); status != http.StatusOK {
			t.Errorf("after a panic the next got %d", status)
		}
	})
}
