package discord

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// What Discord sends, as far as it is read here.

type person struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
	Bot        bool   `json:"bot"`
	Member     *struct {
		Nick string `json:"nick"`
	} `json:"member"` // of those mentioned
}

type message struct {
	ID         string          `json:"id"`
	Channel    string          `json:"channel_id"`
	Guild      string          `json:"guild_id"`
	Type       int             `json:"type"`
	Author     person          `json:"author"`
	Webhook    string          `json:"webhook_id"`
	Content    string          `json:"content"`
	Mentions   []person        `json:"mentions"`
	Flags      int             `json:"flags"`
	Edited     string          `json:"edited_timestamp"`
	Nonce      json.RawMessage `json:"nonce"`
	Reference  *reference      `json:"message_reference"`
	Referenced *message        `json:"referenced_message"`
	Answers    *struct {
		ID string `json:"id"` // of an interaction
	} `json:"interaction_metadata"`
	Roles []string `json:"mention_roles"`
	Files []struct {
		Name string `json:"filename"`
	} `json:"attachments"`
	Reactions []struct {
		Emoji emoji `json:"emoji"`
	} `json:"reactions"`
}

type emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type reference struct {
	Message string `json:"message_id"`
	Channel string `json:"channel_id,omitempty"`
	Must    *bool  `json:"fail_if_not_exists,omitempty"`
}

// Types and flags of messages.
const (
	plainMessage  = 0
	replyMessage  = 19
	threadStarter = 21

	flagSuppressEmbeds = 1 << 2
	flagEphemeral      = 1 << 6
	flagLoading        = 1 << 7
)

type channel struct {
	ID     string `json:"id"`
	Guild  string `json:"guild_id"`
	Type   int    `json:"type"`
	Name   string `json:"name"`
	Parent string `json:"parent_id"`
	Owner  string `json:"owner_id"` // of a thread
	Last   string `json:"last_message_id"`
	Barred []struct {
		ID   string `json:"id"`
		Deny string `json:"deny"` // bits of permissions, as a number
	} `json:"permission_overwrites"`
}

// viewing is the permission to see a channel (discord.com/developers/docs/topics/permissions).
const viewing = 1 << 10

// closed tells of a guild's channel whether not everybody there may see it. The
// role of everybody has the guild's own id.
func (c channel) closed() bool {
	for _, o := range c.Barred {
		if deny, err := strconv.ParseInt(o.Deny, 10, 64); err == nil && o.ID == c.Guild && deny&viewing != 0 {
			return true
		}
	}
	return c.Type == 12 // a private thread
}

func (c channel) thread() bool { return c.Type >= 10 && c.Type <= 12 }
func (c channel) direct() bool { return c.Type == 1 || c.Type == 3 }

type guild struct {
	ID       string    `json:"id"`
	Channels []channel `json:"channels"`
	Threads  []channel `json:"threads"`
	Roles    []role    `json:"roles"`
}

type role struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Tags *struct {
		Bot string `json:"bot_id"` // whose own role it is
	} `json:"tags"`
}

type interaction struct {
	ID          string   `json:"id"`
	Application string   `json:"application_id"`
	Type        int      `json:"type"`
	Token       string   `json:"token"`
	Guild       string   `json:"guild_id"`
	ChannelID   string   `json:"channel_id"`
	Channel     *channel `json:"channel"`
	Locale      string   `json:"locale"`
	Member      *struct {
		User  person   `json:"user"`
		Roles []string `json:"roles"`
	} `json:"member"`
	User    *person  `json:"user"`
	Message *message `json:"message"`
	Limit   int      `json:"attachment_size_limit"` // bytes
	Data    struct {
		Name     string `json:"name"`
		Target   string `json:"target_id"`
		CustomID string `json:"custom_id"`
		Options  []struct {
			Name    string `json:"name"`
			Value   any    `json:"value"`
			Focused bool   `json:"focused"`
		} `json:"options"`
		Components []filledIn `json:"components"`
	} `json:"data"`
}

// Types of interactions.
const (
	isCommand   = 2
	isComponent = 3
	isTyping    = 4
	isModal     = 5
)

func (i interaction) user() string {
	switch {
	case i.Member != nil:
		return i.Member.User.ID
	case i.User != nil:
		return i.User.ID
	}
	return ""
}

// calls tells whether it is a command by one of these names.
func (i interaction) calls(names ...string) bool {
	return i.Type == isCommand && slices.Contains(names, i.Data.Name)
}

// option is a command's text by that name, or the only one it has.
func (i interaction) option(name string) string {
	only := ""
	for _, o := range i.Data.Options {
		if s, ok := o.Value.(string); ok && (o.Name == name || len(i.Data.Options) == 1) {
			only = s
		}
	}
	return only
}

// filledIn is a component of a form that was sent.
type filledIn struct {
	CustomID   string     `json:"custom_id"`
	Value      string     `json:"value"`
	Values     []string   `json:"values"`
	Components []filledIn `json:"components"`
	Component  *filledIn  `json:"component"`
}

func (f filledIn) fields(into map[string]string) {
	switch {
	case f.CustomID == "":
	case len(f.Values) > 0:
		into[f.CustomID] = f.Values[0]
	default:
		into[f.CustomID] = f.Value
	}
	for _, c := range f.Components {
		c.fields(into)
	}
	if f.Component != nil {
		f.Component.fields(into)
	}
}

// Discord's ids begin with the milliseconds since 2015, by "Snowflakes".
const discordEpoch = 1420070400000

func idTime(id string) time.Time {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + discordEpoch)
}

// farthestTold is how far from now a time may be that is told of something new.
const farthestTold = 7 * 24 * time.Hour

// when is when something new was done: what its id says, or now where that
// can't be.
func when(id string) time.Time {
	now := time.Now()
	if t := idTime(id); t.Sub(now).Abs() < farthestTold {
		return t
	}
	return now
}

// after tells whether id a is younger than b; "" is older than all.
func after(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

func isID(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}

// eventID is an id for one event of one connection.
func eventID(session, sequence int64) string {
	return fmt.Sprintf("%s:e/%s/%d", name, strconv.FormatInt(session, 36), sequence)
}
