package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"precedent/store/inbox"
)

// A cast is the last vote of a person on an answer.
type cast struct {
	Value  string    `json:"value"`            // up, down or none; "" if there was none yet
	How    Kind      `json:"how"`              // Reacted, Pressed, Filled or counted
	At     time.Time `json:"at"`               // when it was cast, by the clock that times such things
	Stands []string  `json:"stands,omitempty"` // the person's thumbs under the answer, as far as they were heard of
	Heard  time.Time `json:"heard,omitzero"`   // when the last of them was given or taken back, by our clock
}

// counted is how a vote was cast that was found among the reactions of a message:
// our clock times it, and the network's those of which it tells.
const counted Kind = "counted"

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

// hearing is b, once a reaction was heard.
func (b cast) hearing(h Heard) cast {
	b.Stands = slices.DeleteFunc(slices.Clone(b.Stands), func(thumb string) bool { return thumb == h.Text })
	if !h.Removed {
		b.Stands = append(b.Stands, h.Text)
	}
	b.Heard = time.Now()
	return b
}

func castOf(kept string) (b cast, err error) {
	if kept == "" {
		return b, nil
	}
	if err := json.Unmarshal([]byte(kept), &b); err != nil {
		return b, fmt.Errorf("reading a vote: %w", err)
	}
	return b, nil
}

// cast returns the last vote of a user on an answer.
func (d *Desk) cast(ctx context.Context, answer, user string) (b cast, err error) {
	kept, err := d.Inbox.Voted(ctx, answer, user)
	if err != nil {
		return b, err
	}
	return castOf(kept)
}

func (d *Desk) keep(ctx context.Context, answer, user string, b cast) error {
	kept, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("keeping a vote: %w", err)
	}
	return d.Inbox.Vote(ctx, answer, user, string(kept))
}

// Missed compares the thumbs that stood under a message at a time, by person, with
// those that were heard of, and returns what was given and taken back unheard. It
// is to be heard like any other reaction; when it happened nobody knows, so that
// it counts as of that time.
func (d *Desk) Missed(ctx context.Context, under Place, stood map[string][]string, at time.Time) ([]Heard, error) {
	s, err := d.Inbox.At(ctx, under.Chat, under.Channel, under.Message)
	switch {
	case errors.Is(err, inbox.ErrUnknown), err == nil && s.Answer == "":
		return nil, nil
	case err != nil:
		return nil, err
	}
	kept, err := d.Inbox.Votes(ctx, s.Answer)
	if err != nil {
		return nil, err
	}
	before := make(map[string]cast)
	for user, text := range kept {
		name, ours := strings.CutPrefix(user, under.Chat+":")
		if !ours {
			continue
		}
		if before[name], err = castOf(text); err != nil {
			return nil, err
		}
		if _, ok := stood[name]; !ok {
			stood[name] = nil
		}
	}
	var missed []Heard
	_, forgotten := kept[""]
	for _, user := range slices.Sorted(maps.Keys(stood)) {
		was, known := before[user]
		if was.Heard.After(at) || forgotten && !known { // whose votes were forgotten isn't known, and they count on
			continue
		}
		hear := func(thumb string, removed bool) {
			missed = append(missed, Heard{ID: fmt.Sprintf("%s:r/%s/%s/%s/%s/%v/%d", under.Chat, under.Channel, under.Message, user, thumb, removed, at.UnixNano()),
				Kind: Reacted, Place: under, User: user, Text: thumb, Removed: removed, Counted: true, At: at})
		}
		for _, thumb := range was.Stands {
			if !slices.Contains(stood[user], thumb) {
				hear(thumb, true)
			}
		}
		for _, thumb := range stood[user] {
			if !slices.Contains(was.Stands, thumb) {
				hear(thumb, false)
			}
		}
	}
	return missed, nil
}
