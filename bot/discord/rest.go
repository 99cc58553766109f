package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"precedent/bot"
)

const (
	requestTime = 20 * time.Second
	maxAnswer   = 8 << 20 // bytes of one answer that are read
)

// A client makes requests. It never waits for a rate limit and never tries a
// second time: those who call do, who know what else waits for them.
type client struct {
	found       sync.Once // guards base
	token, base string
	http        *http.Client
	rates       *rates
	refused     func() // is called when Discord refuses the token
}

// addressed tells whether the base is one.
func (c *client) addressed() error {
	u, err := url.Parse(c.base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return &bot.Lasting{Why: fmt.Sprintf("DISCORD_API_URL is %q", c.base), Cure: "give an address such as https://discord.com/api/v10"}
	}
	return nil
}

// locate finds the API under a base without a path.
func (c *client) locate(ctx context.Context) {
	u, err := url.Parse(c.base)
	if err != nil || strings.Trim(u.Path, "/") != "" {
		return
	}
	for _, path := range []string{"/api/v10", "/api/v9", ""} {
		base := strings.TrimSuffix(c.base, "/") + path
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/gateway", nil)
		if err != nil {
			return
		}
		answer, err := c.http.Do(r)
		if err != nil {
			return
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNotFound {
			c.base = base
			return
		}
	}
}

// A request is one to Discord's API.
type request struct {
	method string
	path   string    // "/channels/1/messages?limit=5"
	bucket string    // whose requests share a rate; "" for those without
	open   bool      // the path's own token is the permission, and no global rate holds
	body   any       // JSON; nil for none
	file   *bot.File // goes along with the body
	spare  bool      // may be done without: it leaves the last of a rate to others
}

// do makes the request and decodes the answer into out, unless that is nil.
// Its errors are Discord's, wrapped as [bot.Chat] says, and hold no token.
func (c *client) do(ctx context.Context, q request, out any) error {
	c.found.Do(func() { c.locate(ctx) })
	kind, body, err := q.encoded()
	if err != nil {
		return fmt.Errorf("encoding what goes to Discord: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, q.method, strings.TrimSuffix(c.base, "/")+q.path, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address for Discord can't be built") // err would show the path, and tokens in it
	}
	r.Header.Set("User-Agent", "DiscordBot (https://github.com/bwmarrin/discordgo, precedent)")
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("Authorization", "Bot "+c.token)
	turn, err := c.rates.enter(ctx, q)
	if err != nil {
		return err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		turn.leave(nil, 0)
		if inner, ok := errors.AsType[*url.Error](err); ok { // whose text shows the address
			err = inner.Err
		}
		return fmt.Errorf("asking Discord: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if answer.StatusCode == http.StatusTooManyRequests {
		wait := retryAfter(answer.Header, text)
		turn.leave(answer.Header, wait)
		return bot.Wait{For: wait}
	}
	turn.leave(answer.Header, 0)
	switch {
	case answer.StatusCode >= 300:
		f := &refusal{Status: answer.StatusCode, open: q.open, looked: q.method == http.MethodGet}
		_ = json.Unmarshal(text, f)
		if errors.Is(f, errToken) {
			c.refused()
		}
		return f
	case err != nil:
		return fmt.Errorf("reading Discord's answer: %w", err)
	case out == nil || len(text) == 0:
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("decoding Discord's answer: %w", err)
	}
	return nil
}

// encoded gives the body and its type.
func (q request) encoded() (kind string, body []byte, err error) {
	if q.body != nil {
		if body, err = json.Marshal(q.body); err != nil {
			return "", nil, err
		}
		kind = "application/json"
	}
	if q.file == nil {
		return kind, body, nil
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part := func(disposition, kind string, body []byte) error {
		p, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {kind}})
		if err == nil {
			_, err = p.Write(body)
		}
		return err
	}
	err = errors.Join(part(`form-data; name="payload_json"`, "application/json", body),
		part(fmt.Sprintf(`form-data; name="files[0]"; filename=%q`, plainName(q.file.Name)), cmp.Or(q.file.Type, "application/octet-stream"), q.file.Body),
		w.Close())
	return w.FormDataContentType(), form.Bytes(), err
}

// plainName keeps of a file's name what a header can carry.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || strings.ContainsRune(`"\/`, r) {
			return '_'
		}
		return r
	}, name)
	return cmp.Or(name, "file")
}

func retryAfter(h http.Header, body []byte) time.Duration {
	var said struct {
		RetryAfter float64 `json:"retry_after"` // seconds
	}
	_ = json.Unmarshal(body, &said)
	if said.RetryAfter <= 0 {
		said.RetryAfter, _ = strconv.ParseFloat(h.Get("Retry-After"), 64)
	}
	if said.RetryAfter <= 0 {
		return 5 * time.Second
	}
	return time.Duration(said.RetryAfter * float64(time.Second))
}

// A refusal is how Discord says no.
type refusal struct {
	Status  int             `json:"-"`
	open    bool            // said of an interaction's own path
	looked  bool            // nothing was to be changed: what stands in the way may be a proxy's word
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Errors  json.RawMessage `json:"errors"`
}

// Codes, by "JSON Error Codes".
const (
	codeUnknownChannel     = 10003
	codeUnknownGuild       = 10004
	codeUnknownMember      = 10007
	codeUnknownMessage     = 10008
	codeUnknownUser        = 10013
	codeUnknownWebhook     = 10015
	codeUnknownInteraction = 10062
	codeAcknowledged       = 40060
	codeMissingAccess      = 50001
	codeCannotSend         = 50007
	codeMissingPermissions = 50013
	codeWebhookToken       = 50027
	codeArchived           = 50083
	codeNoMutual           = 50278
	codeNoHistory          = 160002
)

func (f *refusal) Error() string {
	text := fmt.Sprintf("Discord answers %d, code %d: %s", f.Status, f.Code, f.Message)
	if len(f.Errors) > 0 {
		text += " " + string(f.Errors[:min(len(f.Errors), 500)])
	}
	return text
}

func (f *refusal) Unwrap() error {
	switch f.Code {
	case codeUnknownInteraction, codeUnknownWebhook, codeWebhookToken:
		return bot.ErrExpired
	case codeUnknownMessage, codeUnknownChannel, codeUnknownGuild:
		return bot.ErrGone
	case codeArchived: // a new message opens the thread again, an edit doesn't
		return bot.ErrGone
	case codeMissingAccess, codeMissingPermissions, codeCannotSend, codeNoMutual:
		return bot.ErrBarred
	}
	switch {
	case f.open && f.Code == 0 && (f.Status == http.StatusUnauthorized || f.Status == http.StatusNotFound):
		return bot.ErrExpired
	case f.looked && f.Status == http.StatusNotFound:
		return bot.ErrGone
	case f.looked && f.Status == http.StatusForbidden:
		return bot.ErrBarred
	case f.Status == http.StatusUnauthorized:
		return errToken
	case f.Status == http.StatusBadRequest, f.Status == http.StatusRequestEntityTooLarge:
		return bot.ErrRejected
	}
	return nil
}

// answered tells whether err is Discord's with one of these codes.
func answered(err error, codes ...int) bool {
	f, ok := errors.AsType[*refusal](err)
	for _, code := range codes {
		if ok && f.Code == code {
			return true
		}
	}
	return false
}

// elsewhere sends what discordgo means for Discord's API to another base.
type elsewhere struct {
	base    string
	carrier http.RoundTripper
}

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := e.trip(r)
	if err == nil && answer.StatusCode == http.StatusNotFound && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/gateway") {
		answer.Body.Close() // where there is no address for all, there is the bot's own
		r = r.Clone(r.Context())
		r.URL.Path += "/bot"
		return e.trip(r)
	}
	return answer, err
}

func (e elsewhere) trip(r *http.Request) (*http.Response, error) {
	to, err := url.Parse(e.base)
	rest, ok := strings.CutPrefix(r.URL.Path, "/api/v")
	if err == nil && ok && r.URL.Host == "discord.com" {
		_, rest, _ = strings.Cut(rest, "/")
		r = r.Clone(r.Context())
		r.Host, r.URL.Scheme, r.URL.Host, r.URL.Path, r.URL.RawPath = "", to.Scheme, to.Host, strings.TrimSuffix(to.Path, "/")+"/"+rest, ""
	}
	return e.carrier.RoundTrip(r)
}
