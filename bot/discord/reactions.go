package discord

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"precedent/bot"
)

type reaction struct {
	User    string `json:"user_id"`
	Channel string `json:"channel_id"`
	Message string `json:"message_id"`
	Guild   string `json:"guild_id"`
	Author  string `json:"message_author_id"` // "" when it is taken back
	Emoji   emoji  `json:"emoji"`
	Member  *struct {
		User  person   `json:"user"`
		Roles []string `json:"roles"`
	} `json:"member"`
	removed bool
}

// Directions of a thumb, as [bot.Reacted] has them.
const (
	up   = "up"
	down = "down"
)

// thumb reads an emoji; skin tones are runes behind it.
func thumb(e emoji) string {
	if e.ID != "" {
		return ""
	}
	switch strings.TrimRight(e.Name, "🏻🏼🏽🏾🏿\ufe0f") {
	case "👍":
		return up
	case "👎":
		return down
	}
	return ""
}

// reactedTo hears a thumb on a message of the bot; of one taken back Discord
// doesn't tell whose message it was on.
func (d *Discord) reactedTo(ctx context.Context, r reaction, id string) {
	me, _, err := d.self(ctx)
	way := thumb(r.Emoji)
	if err != nil || way == "" || r.User == me || r.Member != nil && r.Member.User.Bot || r.Author != "" && r.Author != me {
		return
	}
	if r.Member != nil && r.Member.Roles != nil {
		d.members.told(r.Guild, r.User, r.Member.Roles)
	}
	if err := d.hearReaction(ctx, r, way, id, time.Now()); err != nil {
		d.log().Error("keeping a reaction", "message", r.Message, "error", err)
	}
}

func (d *Discord) hearReaction(ctx context.Context, r reaction, way, id string, at time.Time) error {
	c, err := d.roomIn(ctx, r.Guild, r.Channel)
	if err != nil {
		return err
	}
	return seenTo(d.hear(ctx, bot.Heard{ID: id, Kind: bot.Reacted, Place: d.place(c, r.Message), Conversation: conversation(c, r.User),
		User: r.User, Private: r.Guild == "", Text: way, Removed: r.removed, At: at}))
}

const (
	recentAnswers = 50   // whose reactions are read back
	pageReactors  = 100  // that one request tells of
	mostReactors  = 1000 // on one answer, of one kind of thumb
)

// readReactions hears the thumbs on recent answers that were given and taken back
// while no gateway told of it.
func (d *Discord) readReactions(ctx context.Context) error {
	if d.Recent == nil || d.Missed == nil {
		return nil
	}
	places, err := d.Recent(ctx, name, recentAnswers)
	if err != nil {
		return err
	}
	for _, p := range places {
		if !isID(p.Message) || p.User != "" {
			continue
		}
		began := time.Now()
		stood, err := d.thumbsUnder(ctx, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			d.log().Debug("reading the reactions on an answer", "message", p.Message, "error", err)
			continue // gone, or not to be seen
		}
		missed, err := d.Missed(ctx, p, stood, began)
		if err != nil {
			return err
		}
		for _, h := range missed {
			r := reaction{User: h.User, Channel: here(p), Message: p.Message, Guild: p.Team, removed: h.Removed}
			if err := d.hearReaction(ctx, r, h.Text, h.ID, h.At); err != nil {
				return err
			}
		}
	}
	return nil
}

// thumbsUnder are the thumbs under a message, by person.
func (d *Discord) thumbsUnder(ctx context.Context, p bot.Place) (map[string][]string, error) {
	var m message
	at := "/channels/" + here(p) + "/messages/" + p.Message
	if err := d.patiently(ctx, request{method: "GET", path: at, bucket: "message " + here(p)}, &m); err != nil {
		return nil, err
	}
	stood := map[string][]string{}
	for _, r := range m.Reactions {
		way := thumb(r.Emoji)
		if way == "" {
			continue
		}
		for last, n := "", 0; n < mostReactors; n += pageReactors {
			var users []person
			path := at + "/reactions/" + url.PathEscape(r.Emoji.Name) + fmt.Sprintf("?limit=%d", pageReactors)
			if last != "" {
				path += "&after=" + last
			}
			if err := d.patiently(ctx, request{method: "GET", path: path, bucket: "reactions " + here(p)}, &users); err != nil {
				return nil, err
			}
			for _, u := range users {
				if last = u.ID; !u.Bot && !slices.Contains(stood[u.ID], way) {
					stood[u.ID] = append(stood[u.ID], way)
				}
			}
			if len(users) < pageReactors {
				break
			}
			if n+pageReactors >= mostReactors {
				return nil, fmt.Errorf("more than %d people reacted", mostReactors)
			}
		}
	}
	return stood, nil
}
