package discord

import (
	"context"
	"fmt"
	"net/url"
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

func (r reaction) key(way string) string { return r.Message + "/" + r.User + "/" + way }

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
		return
	}
	d.reacted.add(r.key(way))
}

func (d *Discord) hearReaction(ctx context.Context, r reaction, way, id string, at time.Time) error {
	c, err := d.roomIn(ctx, r.Guild, r.Channel)
	if err != nil {
		return err
	}
	return d.hear(ctx, bot.Heard{ID: id, Kind: bot.Reacted, Place: d.place(c, r.Message), Conversation: conversation(c, r.User),
		User: r.User, Private: r.Guild == "", Text: way, Removed: r.removed, At: at})
}

const (
	recentAnswers = 50  // whose reactions are read back
	mostReactors  = 100 // on each, of each kind of thumb: one page
)

// readReactions hears the thumbs on recent answers that the gateway didn't tell
// of. When they were given nobody knows: their time is the answer's own, so
// that whatever else a person did about it counts as later.
func (d *Discord) readReactions(ctx context.Context) error {
	if d.Recent == nil {
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
		var m message
		at := "/channels/" + here(p) + "/messages/" + p.Message
		if err := d.patiently(ctx, request{method: "GET", path: at, bucket: "message " + here(p)}, &m); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue // gone, or not to be seen
		}
		for _, r := range m.Reactions {
			way := thumb(r.Emoji)
			if way == "" {
				continue
			}
			var users []person
			if err := d.patiently(ctx, request{method: "GET", path: at + "/reactions/" + url.PathEscape(r.Emoji.Name) + fmt.Sprint("?limit=", mostReactors), bucket: "reactions " + here(p)}, &users); err != nil {
				continue
			}
			for _, u := range users {
				one := reaction{User: u.ID, Channel: here(p), Message: p.Message, Guild: p.Team}
				if u.Bot || d.reacted.has(one.key(way)) {
					continue
				}
				if err := d.hearReaction(ctx, one, way, name+":r/"+one.key(way), idTime(p.Message)); err != nil {
					return err
				}
				d.reacted.add(one.key(way))
			}
		}
	}
	return nil
}
