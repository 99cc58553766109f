package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// A cast is the last vote of a person on an answer.
type cast struct {
	Value string    `json:"value"` // up, down or none; "" if there was none yet
	How   Kind      `json:"how"`
	At    time.Time `json:"at"` // when it was cast, by the clock that times such things
}

// clocksApart is how much the clocks may differ that time two kinds of votes.
const clocksApart = time.Minute

// after tells whether b was cast after one that is heard only now: networks
// tell of things late and in any order.
func (b cast) after(now cast) bool {
	if (b.How == Reacted) == (now.How == Reacted) {
		return b.At.After(now.At)
	}
	return b.At.After(now.At.Add(clocksApart))
}

// cast returns the last vote of a user on an answer.
func (d *Desk) cast(ctx context.Context, answer, user string) (b cast, err error) {
	kept, err := d.Inbox.Voted(ctx, answer, user)
	if err != nil || kept == "" {
		return b, err
	}
	if err := json.Unmarshal([]byte(kept), &b); err != nil {
		return b, fmt.Errorf("reading a vote: %w", err)
	}
	return b, nil
}

func (d *Desk) keep(ctx context.Context, answer, user string, b cast) error {
	kept, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("keeping a vote: %w", err)
	}
	return d.Inbox.Vote(ctx, answer, user, string(kept))
}
