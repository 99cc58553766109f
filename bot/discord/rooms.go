package discord

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"precedent/bot"
)

// rooms are the channels that Discord told of, and what it calls people's roles.
type rooms struct {
	mu       sync.Mutex
	me, app  string // ids of the bot and its application; "" before they are known
	channels map[string]channel
	roles    map[string]string // names
	mine     map[string]bool   // roles that stand for the bot
}

func newRooms() *rooms {
	return &rooms{channels: map[string]channel{}, roles: map[string]string{}, mine: map[string]bool{}}
}

func (r *rooms) add(guild string, cs ...channel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range cs {
		if c.Guild == "" {
			c.Guild = guild
		}
		r.channels[c.ID] = c
	}
}

func (r *rooms) remove(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.channels, id)
}

func (r *rooms) addRoles(all ...role) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range all {
		r.roles[one.ID] = one.Name
		if one.Tags != nil && one.Tags.Bot != "" && one.Tags.Bot == r.me {
			r.mine[one.ID] = true
		}
	}
}

// called tells whether one of the roles stands for the bot.
func (r *rooms) called(roles []string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(roles, func(id string) bool { return r.mine[id] })
}

func (r *rooms) known(id string) (channel, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, ok := r.channels[id]
	return c, ok
}

// room finds a channel, asking Discord where it never told of it.
func (d *Discord) room(ctx context.Context, id string) (channel, error) {
	if c, ok := d.rooms.known(id); ok {
		return c, nil
	}
	var c channel
	err := d.rest.do(ctx, request{method: "GET", path: "/channels/" + id, bucket: "channels/" + id}, &c)
	if err == nil {
		c.ID = id
		d.rooms.add("", c)
	}
	return c, err
}

// roomIn is room for a channel of which an event told, in guild or directly. One
// that Discord no longer shows is taken for a plain channel.
func (d *Discord) roomIn(ctx context.Context, guild, id string) (c channel, err error) {
	if guild == "" {
		return channel{ID: id, Type: 1}, nil
	}
	c, err = d.room(ctx, id)
	if errors.Is(err, bot.ErrGone) || errors.Is(err, bot.ErrBarred) {
		c, err = channel{ID: id}, nil
	}
	c.Guild = guild
	return c, err
}

// closed tells whether not everybody of the guild may see a channel, or that of a
// thread.
func (d *Discord) closed(c channel) bool {
	if c.closed() {
		return true
	}
	parent, ok := d.rooms.known(c.Parent)
	return ok && c.thread() && parent.closed()
}

// introduce asks Discord who the bot is.
func (d *Discord) introduce(ctx context.Context) error {
	var app struct {
		ID  string  `json:"id"`
		Bot *person `json:"bot"`
	}
	err := d.rest.do(ctx, request{method: "GET", path: "/applications/@me", bucket: "applications/@me"}, &app)
	if errors.Is(err, bot.ErrGone) {
		var me person // whose id most applications share
		err = d.rest.do(ctx, request{method: "GET", path: "/users/@me", bucket: "users/@me"}, &me)
		app.ID = me.ID
	}
	if err != nil {
		return err
	}
	user := app.ID
	if app.Bot != nil {
		user = app.Bot.ID
	}
	d.rooms.mu.Lock()
	defer d.rooms.mu.Unlock()
	d.rooms.me, d.rooms.app = cmp.Or(d.rooms.me, user), cmp.Or(d.rooms.app, app.ID)
	return nil
}

// know notes the ids of the bot and its application as the gateway tells them
// that let it in, as far as it does.
func (r *rooms) know(me, app string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.me, r.app = cmp.Or(me, r.me), cmp.Or(app, r.app)
}

// self gives the ids of the bot and its application.
func (d *Discord) self(ctx context.Context) (me, app string, err error) {
	d.start()
	for range 2 {
		d.rooms.mu.Lock()
		me, app = d.rooms.me, d.rooms.app
		d.rooms.mu.Unlock()
		if app != "" {
			return me, app, nil
		}
		if err := d.introduce(ctx); err != nil {
			return "", "", err
		}
	}
	return me, app, nil
}

// place is where in a channel.
func (d *Discord) place(c channel, message string) bot.Place {
	p := bot.Place{Chat: name, Team: c.Guild, Channel: c.ID, Message: message}
	if c.thread() {
		p.Channel, p.Thread = c.Parent, c.ID
	}
	return p
}

// messageID is a message's id among all that is heard.
func messageID(c channel, message string) string {
	if c.thread() {
		return name + ":" + c.Parent + "/" + message
	}
	return name + ":" + c.ID + "/" + message
}

// conversation is who hear each other.
func conversation(c channel, user string) string {
	if c.thread() || c.Guild == "" {
		return name + ":" + c.ID
	}
	return name + ":" + c.ID + "/" + user
}

var markup = regexp.MustCompile(`<(@[!&]?|#|a?:\w+:|/[^:<>]+:)(\d+)>( ?)`)

// readable turns Discord's markup for people, channels, roles, commands and
// emoji into their names, and leaves the bot's own out.
func (d *Discord) readable(m message) string {
	d.rooms.mu.Lock()
	defer d.rooms.mu.Unlock()
	text := markup.ReplaceAllStringFunc(m.Content, func(s string) string {
		parts := markup.FindStringSubmatch(s)
		kind, id, space := parts[1], parts[2], parts[3]
		switch {
		case kind[0] == '@' && (id == d.rooms.me || d.rooms.mine[id]):
			return ""
		case kind == "@&":
			return named("@", d.rooms.roles[id]) + space
		case kind[0] == '@':
			i := slices.IndexFunc(m.Mentions, func(p person) bool { return p.ID == id })
			if i < 0 {
				return named("@", "") + space
			}
			return "@" + m.Mentions[i].called() + space
		case kind == "#":
			return named("#", d.rooms.channels[id].Name) + space
		case kind[0] == '/':
			return strings.TrimSuffix(kind, ":") + space
		}
		return strings.TrimPrefix(kind, "a") + space // an emoji
	})
	return strings.TrimSpace(text)
}

func named(sign, name string) string {
	if name == "" {
		name = "?"
	}
	return sign + name
}

func (p person) called() string {
	switch {
	case p.Member != nil && p.Member.Nick != "":
		return p.Member.Nick
	case p.GlobalName != "":
		return p.GlobalName
	}
	return p.Username
}
