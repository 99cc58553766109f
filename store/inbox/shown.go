package inbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A Shown is a message of the bot.
type Shown struct {
	Chat, Channel, Message string // where it is
	Answer                 string // the answer it shows; "" for none, or not yet
	Event                  string // what it replies to
	User                   string // who asked, for Forget
	Body                   string // whatever else is to be known of it
	At                     time.Time
}

// Show keeps that a message of the bot is there, or what it shows now.
func (b *Inbox) Show(ctx context.Context, s Shown) error {
	if err := b.show(ctx, b.db, s); err != nil {
		return fmt.Errorf("keeping where a message is: %w", err)
	}
	return nil
}

type execer interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}

func (b *Inbox) show(ctx context.Context, in execer, s Shown) error {
	_, err := in.ExecContext(ctx, `INSERT INTO shown (chat, channel, message, answer, event, user, body, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET answer = excluded.answer, event = excluded.event, user = excluded.user, body = excluded.body`,
		s.Chat, s.Channel, s.Message, s.Answer, s.Event, s.User, s.Body, b.now())
	return err
}

const shownColumns = "chat, channel, message, answer, event, user, body, at"

// At returns the bot's message there; its error wraps ErrUnknown if there is none.
func (b *Inbox) At(ctx context.Context, chat, channel, message string) (Shown, error) {
	return b.one(ctx, "chat = ? AND channel = ? AND message = ?", chat, channel, message)
}

// Of returns the newest message that shows an answer; its error wraps ErrUnknown if there is none.
func (b *Inbox) Of(ctx context.Context, answer string) (Shown, error) {
	return b.one(ctx, "answer = ? ORDER BY at DESC LIMIT 1", answer)
}

// For returns the newest message that replies to an event; its error wraps ErrUnknown if there is none.
func (b *Inbox) For(ctx context.Context, event string) (Shown, error) {
	return b.one(ctx, "event = ? ORDER BY at DESC LIMIT 1", event)
}

func (b *Inbox) one(ctx context.Context, where string, args ...any) (Shown, error) {
	s, err := scan(b.db.QueryRowContext(ctx, "SELECT "+shownColumns+" FROM shown WHERE "+where, args...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknown
	}
	if err != nil {
		return Shown{}, fmt.Errorf("looking up a message: %w", err)
	}
	return s, nil
}

// Recent returns the bot's latest messages on a chat that show an answer, newest first.
func (b *Inbox) Recent(ctx context.Context, chat string, n int) ([]Shown, error) {
	return b.list(ctx, "chat = ? AND answer <> '' ORDER BY at DESC LIMIT ?", chat, n)
}

// By returns the messages that answer a user's latest questions, newest first.
func (b *Inbox) By(ctx context.Context, user string, n int) ([]Shown, error) {
	return b.list(ctx, "user = ? AND answer <> '' ORDER BY at DESC LIMIT ?", user, n)
}

func (b *Inbox) list(ctx context.Context, where string, args ...any) ([]Shown, error) {
	rows, err := b.db.QueryContext(ctx, "SELECT "+shownColumns+" FROM shown WHERE "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("looking up messages: %w", err)
	}
	defer rows.Close()
	var out []Shown
	for rows.Next() {
		s, err := scan(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("looking up messages: %w", err)
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

func scan(row func(...any) error) (s Shown, err error) {
	var at int64
	err = row(&s.Chat, &s.Channel, &s.Message, &s.Answer, &s.Event, &s.User, &s.Body, &at)
	s.At = time.UnixMilli(at)
	return s, err
}

// Saw keeps the last message heard in a channel.
func (b *Inbox) Saw(ctx context.Context, chat, channel, message string) error {
	return b.exec(ctx, "keeping what was heard last", `INSERT INTO seen (chat, channel, message, at) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET message = excluded.message, at = excluded.at`, chat, channel, message, b.now())
}

// Seen returns the last message heard in each channel of a chat.
func (b *Inbox) Seen(ctx context.Context, chat string) (map[string]string, error) {
	rows, err := b.db.QueryContext(ctx, "SELECT channel, message FROM seen WHERE chat = ?", chat)
	if err != nil {
		return nil, fmt.Errorf("reading what was heard last: %w", err)
	}
	defer rows.Close()
	out := make(map[string]string)
	for rows.Next() {
		var channel, message string
		if err := rows.Scan(&channel, &message); err != nil {
			return nil, fmt.Errorf("reading what was heard last: %w", err)
		}
		out[channel] = message
	}
	return out, rows.Err()
}

// Vote keeps a user's latest vote on an answer.
func (b *Inbox) Vote(ctx context.Context, answer, user, value string) error {
	return b.exec(ctx, "keeping a vote", `INSERT INTO votes (answer, user, value, at) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET value = excluded.value, at = excluded.at`, answer, user, value, b.now())
}

// Voted is a user's latest vote on an answer; "" if there is none.
func (b *Inbox) Voted(ctx context.Context, answer, user string) (value string, err error) {
	err = b.db.QueryRowContext(ctx, "SELECT value FROM votes WHERE answer = ? AND user = ?", answer, user).Scan(&value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("looking up a vote: %w", err)
	}
	return value, nil
}

// dayForm is how a day stands in the file.
const dayForm = "2006-01-02"

// Spend adds to the tokens spent today by each of who. Days are those of UTC.
func (b *Inbox) Spend(ctx context.Context, tokens int, who ...string) error {
	day := time.UnixMilli(b.now()).UTC().Format(dayForm)
	for _, w := range who {
		if err := b.exec(ctx, "counting tokens", `INSERT INTO spent (day, who, tokens) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens`, day, w, tokens); err != nil {
			return err
		}
	}
	return nil
}

// Spent is how many tokens who has spent today.
func (b *Inbox) Spent(ctx context.Context, who string) (tokens int, err error) {
	err = b.db.QueryRowContext(ctx, "SELECT tokens FROM spent WHERE day = ? AND who = ?", time.UnixMilli(b.now()).UTC().Format(dayForm), who).Scan(&tokens)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("counting tokens: %w", err)
	}
	return tokens, nil
}

// Forget removes what a user did, and what was said to them, from the file.
// What isn't done yet goes as well.
func (b *Inbox) Forget(ctx context.Context, user string) (removed int64, err error) {
	for _, query := range []string{"DELETE FROM events WHERE user = ?", "DELETE FROM shown WHERE user = ?", "DELETE FROM votes WHERE user = ?", "DELETE FROM spent WHERE who = ?"} {
		done, err := b.db.ExecContext(ctx, query, user)
		if err != nil {
			return removed, fmt.Errorf("forgetting a user: %w", err)
		}
		n, err := done.RowsAffected()
		if err != nil {
			return removed, fmt.Errorf("forgetting a user: %w", err)
		}
		removed += n
	}
	_, err = b.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return removed, err
}

// Prune removes what was done, said or spent before a time.
func (b *Inbox) Prune(ctx context.Context, before time.Time) error {
	at := before.UnixMilli()
	for _, query := range []string{"DELETE FROM events WHERE done > 0 AND done < ?", "DELETE FROM shown WHERE at < ?", "DELETE FROM votes WHERE at < ?", "DELETE FROM seen WHERE at < ?"} {
		if err := b.exec(ctx, "removing what is old", query, at); err != nil {
			return err
		}
	}
	return b.exec(ctx, "removing what is old", "DELETE FROM spent WHERE day < ?", before.UTC().Format(dayForm))
}
