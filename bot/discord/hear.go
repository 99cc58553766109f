package discord

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"precedent/bot"
)

const (
	hearTime   = 10 * time.Second // to keep one thing that was heard
	askingTime = 2 * time.Second  // to ask Discord something about it first
	atOnce     = 64               // interactions, which have three seconds each
)

// listen takes what one connection says, in order, until ctx ends; then what
// came before.
func (d *Discord) listen(ctx context.Context, events <-chan event) {
	arrivals := &arrivals{d: d, ctx: ctx}
	defer arrivals.end()
	beat := time.NewTicker(noteEvery)
	defer beat.Stop()
	for {
		select {
		case e := <-events:
			d.take(ctx, e, arrivals)
		case <-beat.C:
			d.noteTide(ctx)
		case <-ctx.Done():
			for len(events) > 0 {
				d.take(ctx, <-events, arrivals)
			}
			d.noteTide(ctx)
			return
		}
	}
}

// attend takes the interactions of one connection, many at once, until ctx
// ends; then those that came before.
func (d *Discord) attend(ctx context.Context, presses <-chan event) {
	var busy sync.WaitGroup
	defer busy.Wait()
	turns := make(chan struct{}, atOnce)
	take := func(e event) {
		i, ok := decoded[interaction](d, e)
		if !ok {
			return
		}
		turns <- struct{}{}
		busy.Go(func() {
			defer func() { <-turns }()
			ctx, done := context.WithDeadline(context.WithoutCancel(ctx), e.came.Add(acknowledgeWithin))
			defer done()
			d.interacted(ctx, i)
		})
	}
	for {
		select {
		case e := <-presses:
			take(e)
		case <-ctx.Done():
			for len(presses) > 0 {
				take(<-presses)
			}
			return
		}
	}
}

// take does what one event asks. What it hears is kept though ctx may end.
func (d *Discord) take(ctx context.Context, e event, a *arrivals) {
	ctx = context.WithoutCancel(ctx)
	switch e.kind {
	case "READY":
		if ready, ok := decoded[struct {
			Guilds []guild `json:"guilds"`
			User   person  `json:"user"`
			App    person  `json:"application"`
		}](d, e); ok {
			d.rooms.know(ready.User.ID, ready.App.ID) // who it is logged in as
			a.begin(ready.Guilds)
		}
	case "GUILD_CREATE":
		if g, ok := decoded[guild](d, e); ok {
			d.rooms.add(g.ID, g.Channels...)
			d.rooms.add(g.ID, g.Threads...)
			d.rooms.addRoles(g.Roles...)
			a.guild(g)
		}
	case "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE":
		if r, ok := decoded[struct{ Role role }](d, e); ok {
			d.rooms.addRoles(r.Role)
		}
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE":
		if c, ok := decoded[channel](d, e); ok {
			d.rooms.add("", c)
		}
	case "CHANNEL_DELETE", "THREAD_DELETE":
		if c, ok := decoded[channel](d, e); ok {
			d.rooms.remove(c.ID)
		}
	case "MESSAGE_CREATE":
		if m, ok := decoded[message](d, e); ok {
			err := d.said(ctx, m)
			if seenTo(err) != nil {
				d.log().Error("keeping a message", "message", m.ID, "error", err)
			}
			d.tide.came(m.Channel, m.ID, err == nil)
		}
	case "MESSAGE_UPDATE":
		if m, ok := decoded[message](d, e); ok {
			d.amended(ctx, m)
		}
	case "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		if gone, ok := decoded[struct {
			ID      string   `json:"id"`
			IDs     []string `json:"ids"`
			Channel string   `json:"channel_id"`
			Guild   string   `json:"guild_id"`
		}](d, e); ok {
			for _, id := range append(gone.IDs, gone.ID) {
				d.withdrawn(ctx, gone.Guild, gone.Channel, id)
			}
		}
	case "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE":
		if r, ok := decoded[reaction](d, e); ok {
			r.removed = e.kind == "MESSAGE_REACTION_REMOVE"
			d.reactedTo(ctx, r, e.id)
		}
	}
}

func decoded[T any](d *Discord, e event) (v T, ok bool) {
	if err := json.Unmarshal(e.body, &v); err != nil {
		d.log().Error("decoding an event of Discord's", "kind", e.kind, "error", err)
		return v, false
	}
	return v, true
}

// hear hands h over.
func (d *Discord) hear(ctx context.Context, h bot.Heard) error {
	ctx, done := context.WithTimeout(ctx, hearTime)
	defer done()
	return d.Hear(ctx, h)
}

// seenTo is err, unless that says that the desk sees to it itself.
func seenTo(err error) error {
	if errors.Is(err, bot.ErrUnkept) {
		return nil
	}
	return err
}

// said hears a message, if it is to the bot.
func (d *Discord) said(ctx context.Context, m message) error {
	me, _, err := d.self(ctx)
	if err != nil {
		return err
	}
	if m.Author.ID == me {
		d.been.add(m.Channel)
		return nil
	}
	c, mentioned, ok, err := d.toBot(ctx, m, me)
	if !ok {
		return err
	}
	h := bot.Heard{ID: messageID(c, m.ID), Kind: bot.Asked, Place: d.place(c, m.ID), Conversation: conversation(c, m.Author.ID),
		User: m.Author.ID, Private: c.Guild == "", Closed: d.closed(c), Text: d.readable(m), At: when(m.ID)}
	if c.thread() && mentioned && !d.been.has(c.ID) {
		h.MidThread = !d.spokeIn(ctx, c, me)
	}
	if err := d.hear(ctx, h); err != nil {
		return err
	}
	if c.thread() {
		d.been.add(c.ID)
	}
	return nil
}

// toBot tells whether a person says m to the bot, and where.
func (d *Discord) toBot(ctx context.Context, m message, me string) (c channel, mentioned, ok bool, err error) {
	if m.Author.ID == "" || m.Author.Bot || m.Webhook != "" || m.Type != plainMessage && m.Type != replyMessage {
		return c, false, false, nil
	}
	if m.Guild == "" {
		return channel{ID: m.Channel, Type: 1}, true, true, nil
	}
	mentioned = slices.ContainsFunc(m.Mentions, func(p person) bool { return p.ID == me }) || m.Mentions == nil && calls(m.Content, me) ||
		d.Content && d.rooms.called(m.Roles)
	if !mentioned && !d.Content {
		return c, false, false, nil
	}
	ctx, done := context.WithTimeout(ctx, askingTime)
	defer done()
	if c, err = d.roomIn(ctx, m.Guild, m.Channel); err != nil {
		return c, mentioned, false, err
	}
	return c, mentioned, mentioned || m.Referenced != nil && m.Referenced.Author.ID == me || d.ours(ctx, c, me), nil
}

// ours tells whether the bot began a thread, or somebody from its message.
func (d *Discord) ours(ctx context.Context, c channel, me string) bool {
	if !c.thread() {
		return false
	}
	if c.Owner == me || d.been.has("ours "+c.ID) {
		return true
	}
	if d.been.has("theirs " + c.ID) {
		return false
	}
	var from message // a thread has the id of the message that it is from
	err := d.rest.do(ctx, request{method: "GET", path: "/channels/" + c.Parent + "/messages/" + c.ID, bucket: "message " + c.Parent}, &from)
	switch {
	case err == nil && from.Author.ID == me:
		d.been.add("ours " + c.ID)
		return true
	case err == nil, answered(err, codeUnknownMessage):
		d.been.add("theirs " + c.ID)
	}
	return false
}

// calls tells whether a text calls somebody.
func calls(text, user string) bool {
	return strings.Contains(text, "<@"+user+">") || strings.Contains(text, "<@!"+user+">")
}

// spokeIn tells whether the bot said something in a thread before; true where
// it can't look.
func (d *Discord) spokeIn(ctx context.Context, c channel, me string) bool {
	ctx, done := context.WithTimeout(ctx, askingTime)
	defer done()
	said, err := d.messages(ctx, c.ID, "limit=100")
	if err != nil {
		return true
	}
	for _, m := range said {
		if m.Author.ID == me {
			return true
		}
	}
	return false
}

// amended hears that a message was changed, where its content can be seen.
func (d *Discord) amended(ctx context.Context, m message) {
	me, _, err := d.self(ctx)
	if err != nil || m.Edited == "" { // Discord's own changes: previews, threads
		return
	}
	c, _, ok, err := d.toBot(ctx, m, me)
	if err != nil {
		d.log().Error("finding where a message was changed", "message", m.ID, "error", err)
	}
	if !ok || strings.TrimSpace(m.Content) == "" {
		return
	}
	at, err := time.Parse(time.RFC3339, m.Edited)
	if err != nil {
		at = time.Now()
	}
	err = d.hear(ctx, bot.Heard{ID: messageID(c, m.ID) + "@" + m.Edited, Kind: bot.Amended, Place: d.place(c, m.ID),
		Conversation: conversation(c, m.Author.ID), User: m.Author.ID, Private: c.Guild == "", Closed: d.closed(c), Text: d.readable(m), At: at})
	if seenTo(err) != nil {
		d.log().Error("keeping a message's change", "message", m.ID, "error", err)
	}
}

// withdrawn hears that a message was deleted, anybody's: of which, Discord
// doesn't say.
func (d *Discord) withdrawn(ctx context.Context, guild, in, id string) {
	if id == "" {
		return
	}
	c, err := d.roomIn(ctx, guild, in)
	if err == nil {
		err = d.hear(ctx, bot.Heard{ID: messageID(c, id) + "@deleted", Kind: bot.Withdrawn, Place: d.place(c, id), Private: guild == "", At: time.Now()})
	}
	if seenTo(err) != nil {
		d.log().Error("keeping a message's end", "message", id, "error", err)
	}
}

// messages reads a channel, newest first.
func (d *Discord) messages(ctx context.Context, channel, query string) ([]message, error) {
	var out []message
	err := d.rest.do(ctx, request{method: "GET", path: "/channels/" + channel + "/messages?" + query, bucket: "messages " + channel}, &out)
	return out, err
}
