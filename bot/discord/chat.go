package discord

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"precedent/bot"
)

var _ bot.Chat = (*Discord)(nil)

// here is the channel of a place, which a thread is.
func here(p bot.Place) string { return cmp.Or(p.Thread, p.Channel) }

// nonce is what a message carries of an id: 24 characters. Discord makes no
// second message of the same nonce for some minutes.
func nonce(carries string) string {
	sum := sha256.Sum256([]byte(carries))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// webhook is the path of an interaction's messages.
func (d *Discord) webhook(ctx context.Context, token string) (path string, limit int, err error) {
	_, app, err := d.self(ctx)
	if err != nil {
		return "", 0, err
	}
	limit, err = d.acks.await(ctx, token)
	return "/webhooks/" + cmp.Or(d.acks.app(token), app) + "/" + token, limit, err
}

// Post puts a card up: with to.Token as a further answer to that interaction,
// which to.User alone sees if set; else in the channel, in reply to to.Message
// if set. What to.User alone is to see and has no token goes into the direct
// conversation with them.
func (d *Discord) Post(ctx context.Context, to bot.Place, c bot.Card) (bot.Place, error) {
	d.start()
	p := draw(c)
	if c.Carries != "" {
		p.Nonce, p.OneNonce = nonce(c.Carries), true
	}
	at, err := d.put(ctx, to, p, nil, c.Tone == bot.AtWork)
	return at, crowded(c, err)
}

// crowded makes of a wait, for what only shows that the bot is at work, ErrCrowded.
func crowded(c bot.Card, err error) error {
	if _, ok := errors.AsType[bot.Wait](err); ok && c.Tone == bot.AtWork {
		return fmt.Errorf("showing that the bot is at work: %w", bot.ErrCrowded)
	}
	return err
}

func (d *Discord) put(ctx context.Context, to bot.Place, p payload, f *bot.File, spare bool) (bot.Place, error) {
	var m message
	at := bot.Place{Chat: name, Team: to.Team, Channel: to.Channel, Thread: to.Thread}
	if to.Token != "" {
		path, limit, err := d.webhook(ctx, to.Token)
		if err != nil {
			return bot.Place{}, err
		}
		if err := sizeOf(f, limit); err != nil {
			return bot.Place{}, err
		}
		p.Nonce, p.OneNonce = "", false
		if to.User != "" {
			p.Flags |= flagEphemeral
		}
		err = d.rest.do(ctx, request{method: "POST", path: path + "?wait=true", bucket: path, open: true, body: p, file: f, spare: spare}, &m)
		at.Message, at.User, at.Token = m.ID, to.User, to.Token
		return at, err
	}
	if err := sizeOf(f, 0); err != nil {
		return bot.Place{}, err
	}
	if to.User != "" && (to.Team != "" || here(to) == "") {
		direct, err := d.direct(ctx, to.User)
		if err != nil {
			return bot.Place{}, err
		}
		at, to = bot.Place{Chat: name, Channel: direct}, bot.Place{Channel: direct}
	}
	if isID(to.Message) {
		p.Reference = &reference{Message: to.Message, Must: new(bool)}
	}
	q := request{method: "POST", path: "/channels/" + here(at) + "/messages", bucket: "messages " + here(at), body: p, file: f, spare: spare}
	err := d.rest.do(ctx, q, &m)
	if answered(err, codeNoHistory) { // it may speak there, and not reply
		p.Reference = nil
		q.body = p
		err = d.rest.do(ctx, q, &m)
	}
	at.Message = m.ID
	return at, err
}

func (d *Discord) direct(ctx context.Context, user string) (channel string, err error) {
	var c struct{ ID string }
	err = d.rest.do(ctx, request{method: "POST", path: "/users/@me/channels", bucket: "users/@me/channels", body: object{"recipient_id": user}}, &c)
	return c.ID, err
}

// Edit draws c over what stands there. With at.Token it is the interaction's
// right to do so; once that is dead, the bot's own where the message isn't for
// one person.
func (d *Discord) Edit(ctx context.Context, at bot.Place, c bot.Card) (bot.Place, error) {
	d.start()
	at, err := d.edit(ctx, at, draw(c), c.Tone == bot.AtWork)
	return at, crowded(c, err)
}

func (d *Discord) edit(ctx context.Context, at bot.Place, p payload, spare bool) (bot.Place, error) {
	if at.Token == "" {
		return at, d.editAsBot(ctx, at, p, spare)
	}
	path, _, err := d.webhook(ctx, at.Token)
	if err != nil {
		return bot.Place{}, err
	}
	message := cmp.Or(at.Message, original)
	if d.acks.original(at.Token, message) {
		message = original
	}
	path += "/messages/" + message
	var m struct{ ID string }
	err = d.rest.do(ctx, request{method: "PATCH", path: path, bucket: path, open: true, body: p, spare: spare}, &m)
	if err == nil && message == original {
		d.acks.answered(at.Token, m.ID)
	}
	if errors.Is(err, bot.ErrExpired) && isID(at.Message) && d.editAsBot(ctx, at, p, spare) == nil {
		return at, nil
	}
	at.Message = cmp.Or(m.ID, at.Message)
	return at, err
}

func (d *Discord) editAsBot(ctx context.Context, at bot.Place, p payload, spare bool) error {
	return d.rest.do(ctx, request{method: "PATCH", path: "/channels/" + here(at) + "/messages/" + at.Message, bucket: "edits " + here(at), body: p, spare: spare}, nil)
}

const (
	mostUpload = 10 << 20 // bytes, where an interaction doesn't say otherwise
	mostAlt    = 1024     // code points
)

// sizeOf is ErrRejected for a file that is larger than the limit.
func sizeOf(f *bot.File, limit int) error {
	if limit = cmp.Or(limit, mostUpload); f != nil && len(f.Body) > limit {
		return fmt.Errorf("a file of %d bytes is more than Discord takes here, %d: %w", len(f.Body), limit, bot.ErrRejected)
	}
	return nil
}

// Attach puts a file up as a message of its own, in reply to the message at. A
// file that is larger than Discord takes there is ErrRejected. Tried again after a
// call that failed without saying whether it did its work, it puts up no second where
// the bot may read the channel.
func (d *Discord) Attach(ctx context.Context, at bot.Place, f bot.File) error {
	d.start()
	p := empty()
	p.Attachments = []attachment{{Name: plainName(f.Name), Description: cut(clean(f.Alt), mostAlt)}}
	key := nonce(at.Message + "/" + f.Name + "/" + string(f.Body))
	switch {
	case at.Token == "" && isID(at.Message):
		p.Nonce, p.OneNonce = key, true
	case at.Token != "" && d.been.has("attached "+key) && d.attached(ctx, at, p.Attachments[0].Name):
		return nil
	}
	_, err := d.put(ctx, at, p, &f, false)
	if at.Token != "" && err != nil {
		d.been.add("attached " + key) // perhaps
	}
	return err
}

// attached tells whether a file of the bot's is seen behind the message at, of which
// the network didn't say whether it took it.
func (d *Discord) attached(ctx context.Context, at bot.Place, file string) bool {
	me, _, err := d.self(ctx)
	if err != nil || !isID(at.Message) {
		return false
	}
	page, err := d.messages(ctx, here(at), "limit=100&after="+at.Message)
	return err == nil && slices.ContainsFunc(page, func(m message) bool {
		return m.Author.ID == me && m.Answers != nil && len(m.Files) == 1 && m.Files[0].Name == file
	})
}

const findPages = 3 // of 100 messages each

// Find looks behind the message to.Message for what carries an id: by nonce, as
// the answer to the interaction of that id, or else as a reply to the message.
// Of an interaction's first answer ("@original") it gives what that is, once it
// says something; further ones it can't find: ErrBlind.
func (d *Discord) Find(ctx context.Context, to bot.Place, carries string) (at bot.Place, found bool, err error) {
	me, _, err := d.self(ctx)
	if err != nil {
		return bot.Place{}, false, err
	}
	at = bot.Place{Chat: name, Team: to.Team, Channel: to.Channel, Thread: to.Thread, User: to.User, Token: to.Token}
	if to.Token != "" && to.Message != original {
		return bot.Place{}, false, bot.ErrBlind
	}
	if to.Token != "" {
		var m message
		path, _, err := d.webhook(ctx, to.Token)
		if err != nil {
			return bot.Place{}, false, err
		}
		err = d.rest.do(ctx, request{method: "GET", path: path + "/messages/" + original, bucket: path, open: true}, &m)
		if answered(err, codeUnknownMessage) {
			return bot.Place{}, false, nil
		}
		at.Message = m.ID
		return at, err == nil && m.Flags&flagLoading == 0, err
	}
	query := "limit=100"
	if n, err := strconv.ParseUint(to.Message, 10, 64); err == nil {
		query = fmt.Sprintf("limit=100&after=%d", n-1) // the message itself shows that the bot may look
	}
	quoted, _ := json.Marshal(nonce(carries))
	reply, first := "", !strings.Contains(carries, "#") // a further answer is none that merely replies
	for n := range findPages {
		page, err := d.messages(ctx, here(to), query)
		switch {
		case errors.Is(err, bot.ErrBarred), err == nil && n == 0 && len(page) == 0 && to.Team != "":
			return bot.Place{}, false, bot.ErrBlind
		case err != nil:
			return bot.Place{}, false, err
		}
		for _, m := range slices.Backward(page) {
			switch {
			case m.Author.ID != me:
			case string(m.Nonce) == string(quoted), m.Answers != nil && name+":i/"+m.Answers.ID == carries && m.Flags&flagLoading == 0:
				at.Message = m.ID
				return at, true, nil
			case reply == "" && first && len(m.Nonce) == 0 && m.Reference != nil && isID(to.Message) && m.Reference.Message == to.Message:
				reply = m.ID
			}
		}
		if len(page) < 100 || !isID(to.Message) {
			break
		}
		query = "limit=100&after=" + page[0].ID
	}
	at.Message = reply
	return at, reply != "", nil
}

// Above reads the thread above a message. Without Content Discord shows nothing
// there: ErrBlind.
func (d *Discord) Above(ctx context.Context, at bot.Place, n int) ([]string, error) {
	me, _, err := d.self(ctx)
	if err != nil {
		return nil, err
	}
	if !d.Content {
		return nil, bot.ErrBlind
	}
	if at.Thread == "" || n <= 0 {
		return nil, nil
	}
	query := "limit=100"
	if isID(at.Message) {
		query += "&before=" + at.Message
	}
	said, err := d.messages(ctx, at.Thread, query)
	if errors.Is(err, bot.ErrBarred) {
		return nil, bot.ErrBlind
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range said {
		if m.Type == threadStarter && m.Referenced != nil {
			m = *m.Referenced
		}
		if text := d.readable(m); text != "" && m.Author.ID != me && !m.Author.Bot && m.Webhook == "" && len(out) < n {
			out = append(out, strings.TrimSpace(text))
		}
	}
	slices.Reverse(out)
	return out, nil
}
