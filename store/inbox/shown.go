package inbox

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"precedent/store/sqlite"
)

// A Shown is a message of the bot.
type Shown struct {
	Chat, Channel string // where it is
	Message       string // its id there; "" where the network tells none: then there is one of an event in a channel
	Answer        string // the answer it shows; "" for none, or not yet
	Event         string // what it replies to
	User          string // who asked, for Forget
	Body          string // whatever else is to be known of it
	At            time.Time
}

// Show keeps that a message of the bot is there, or what it shows now.
func (b *Inbox) Show(ctx context.Context, s Shown) error {
	return b.together(ctx, "keeping where a message is", func(tx *sql.Tx) error { return b.show(ctx, tx, s) })
}

func (b *Inbox) show(ctx context.Context, in *sql.Tx, s Shown) error {
	lone := ""
	if s.Message == "" {
		lone = s.Event
	}
	_, err := in.ExecContext(ctx, `INSERT INTO shown (chat, channel, message, lone, answer, event, user, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET answer = excluded.answer, event = excluded.event, user = excluded.user, body = excluded.body`,
		s.Chat, s.Channel, s.Message, lone, s.Answer, s.Event, s.User, s.Body, b.now())
	return err
}

const (
	shownColumns = "chat, channel, message, answer, event, user, body, at"
	newestFirst  = " ORDER BY at DESC, message DESC, lone DESC LIMIT "
)

// At returns the bot's message there; its error wraps ErrUnknown if there is none.
func (b *Inbox) At(ctx context.Context, chat, channel, message string) (Shown, error) {
	return b.one(ctx, "chat = ? AND channel = ? AND message = ? AND message <> ''", chat, channel, message)
}

// Of returns the newest message that shows an answer; its error wraps ErrUnknown if there is none.
func (b *Inbox) Of(ctx context.Context, answer string) (Shown, error) {
	return b.one(ctx, "answer = ? AND answer <> ''"+newestFirst+"1", answer)
}

// For returns the newest message that replies to an event; its error wraps ErrUnknown if there is none.
func (b *Inbox) For(ctx context.Context, event string) (Shown, error) {
	return b.one(ctx, "event = ?"+newestFirst+"1", event)
}

func (b *Inbox) one(ctx context.Context, where string, args ...any) (Shown, error) {
	s, err := scan(b.readers.QueryRowContext(ctx, "SELECT "+shownColumns+" FROM shown WHERE "+where, args...).Scan)
	if isNone(err) {
		err = ErrUnknown
	}
	return s, b.fault("looking up a message", err)
}

// Recent returns the bot's latest messages on a chat that show an answer and
// have an id, newest first, n at most.
func (b *Inbox) Recent(ctx context.Context, chat string, n int) ([]Shown, error) {
	return b.list(ctx, "chat = ? AND answer <> '' AND message <> ''"+newestFirst+"?", chat, max(n, 0))
}

// By returns the messages that answer a user's latest questions, newest first, n at most.
func (b *Inbox) By(ctx context.Context, user string, n int) ([]Shown, error) {
	return b.list(ctx, "user = ? AND answer <> ''"+newestFirst+"?", user, max(n, 0))
}

func (b *Inbox) list(ctx context.Context, where string, args ...any) ([]Shown, error) {
	out, err := sqlite.All(ctx, b.readers, scan, "SELECT "+shownColumns+" FROM shown WHERE "+where, args...)
	return out, b.fault("looking up messages", err)
}

func scan(row func(...any) error) (s Shown, err error) {
	var at int64
	if err := row(&s.Chat, &s.Channel, &s.Message, &s.Answer, &s.Event, &s.User, &s.Body, &at); err != nil {
		return Shown{}, err
	}
	s.At = time.UnixMilli(at)
	return s, nil
}

// Saw keeps the last message heard in a channel.
func (b *Inbox) Saw(ctx context.Context, chat, channel, message string) error {
	return b.exec(ctx, "keeping what was heard last", `INSERT INTO seen (chat, channel, message, at) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET message = excluded.message, at = excluded.at`, chat, channel, message, b.now())
}

// Seen returns the last message heard in each channel of a chat.
func (b *Inbox) Seen(ctx context.Context, chat string) (map[string]string, error) {
	return b.pairs(ctx, "reading what was heard last", "SELECT channel, message FROM seen WHERE chat = ?", chat)
}

// pairs are the two columns of what a query gives, the second by the first.
func (b *Inbox) pairs(ctx context.Context, doing, query string, args ...any) (map[string]string, error) {
	out := make(map[string]string)
	err := sqlite.Each(ctx, b.readers, func(scan func(...any) error) error {
		var name, value string
		err := scan(&name, &value)
		out[name] = value
		return err
	}, query, args...)
	return out, b.fault(doing, err)
}

// Vote keeps a user's latest vote on an answer.
func (b *Inbox) Vote(ctx context.Context, answer, user, value string) error {
	return b.exec(ctx, "keeping a vote", `INSERT INTO votes (answer, user, value, at) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET value = excluded.value, at = excluded.at`, answer, user, value, b.now())
}

// Voted is a user's latest vote on an answer; "" if there is none.
func (b *Inbox) Voted(ctx context.Context, answer, user string) (value string, err error) {
	err = b.readers.QueryRowContext(ctx, "SELECT value FROM votes WHERE answer = ? AND user = ?", answer, user).Scan(&value)
	if isNone(err) {
		err = nil
	}
	return value, b.fault("looking up a vote", err)
}

// Votes are the latest votes on an answer, by user; that of user "" says that
// somebody's was forgotten.
func (b *Inbox) Votes(ctx context.Context, answer string) (map[string]string, error) {
	return b.pairs(ctx, "looking up the votes on an answer", "SELECT user, value FROM votes WHERE answer = ?", answer)
}

// today is the day as it stands in the file.
func (b *Inbox) today() string { return day(time.UnixMilli(b.now())) }

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Spend adds to the tokens spent today by each of who, all or none of them.
// Days are those of UTC.
func (b *Inbox) Spend(ctx context.Context, tokens int, who ...string) error {
	const doing = "counting tokens"
	if tokens < 0 {
		return fmt.Errorf("%s: %d were spent; that can't be", doing, tokens)
	}
	today := b.today()
	return b.together(ctx, doing, func(tx *sql.Tx) error {
		for _, w := range who {
			if _, err := tx.ExecContext(ctx, `INSERT INTO spent (day, who, tokens) VALUES (?, ?, ?)
				ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens`, today, w, tokens); err != nil {
				return err
			}
		}
		return nil
	})
}

// Spent is how many tokens who has spent today.
func (b *Inbox) Spent(ctx context.Context, who string) (tokens int, err error) {
	err = b.readers.QueryRowContext(ctx, "SELECT tokens FROM spent WHERE day = ? AND who = ?", b.today(), who).Scan(&tokens)
	if isNone(err) {
		err = nil
	}
	return tokens, b.fault("counting tokens", err)
}
