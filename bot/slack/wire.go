package slack

import (
	"encoding/json"
	"time"
)

// The parts of Slack's payloads that the bot reads. The library's own types
// refuse a whole event for one block that they don't know.

// kinds of payloads, as Socket Mode names them.
const (
	eventsAPI   = "events_api"
	commands    = "slash_commands"
	interactive = "interactive"
)

type envelope struct {
	ID      string          `json:"envelope_id"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

type outer struct {
	Type      string          `json:"type"` // event_callback, url_verification
	Challenge string          `json:"challenge"`
	Event     json.RawMessage `json:"event"`
}

type message struct {
	Type      string               `json:"type"`
	Subtype   string               `json:"subtype"`
	Channel   string               `json:"channel"`
	Kind      string               `json:"channel_type"` // im, mpim, channel or group; "" where a mention doesn't say
	User      string               `json:"user"`
	BotID     string               `json:"bot_id"`
	Text      string               `json:"text"`
	TS        string               `json:"ts"`
	Thread    string               `json:"thread_ts"`
	EventTS   string               `json:"event_ts"`
	Edited    *struct{ TS string } `json:"edited"`
	Message   *message             `json:"message"`
	Previous  *message             `json:"previous_message"`
	DeletedTS string               `json:"deleted_ts"`
}

func (m message) direct() bool { return direct(m.Channel) || m.Kind == "im" }

type reaction struct {
	Type     string `json:"type"`
	User     string `json:"user"`
	Reaction string `json:"reaction"`
	ItemUser string `json:"item_user"`
	Item     struct {
		Type    string `json:"type"`
		Channel string `json:"channel"`
		TS      string `json:"ts"`
	} `json:"item"`
	EventTS string `json:"event_ts"`
}

type visit struct {
	User    string `json:"user"`
	Tab     string `json:"tab"`
	EventTS string `json:"event_ts"`
}

type command struct {
	Text        string `json:"text"`
	Channel     string `json:"channel_id"`
	User        string `json:"user_id"`
	Trigger     string `json:"trigger_id"`
	ResponseURL string `json:"response_url"`
}

type interaction struct {
	Type        string `json:"type"`
	Trigger     string `json:"trigger_id"`
	ResponseURL string `json:"response_url"`
	Callback    string `json:"callback_id"`
	ActionTS    string `json:"action_ts"`
	User        struct {
		ID string `json:"id"`
	} `json:"user"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Container struct {
		Type      string `json:"type"`
		Message   string `json:"message_ts"`
		Channel   string `json:"channel_id"`
		Thread    string `json:"thread_ts"`
		Ephemeral bool   `json:"is_ephemeral"`
	} `json:"container"`
	Message struct {
		TS     string `json:"ts"`
		Thread string `json:"thread_ts"`
	} `json:"message"`
	Actions []struct {
		Type  string `json:"type"`
		ID    string `json:"action_id"`
		Value string `json:"value"`
		TS    string `json:"action_ts"`
	} `json:"actions"`
	View struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Hash     string `json:"hash"`
		Callback string `json:"callback_id"`
		Private  string `json:"private_metadata"`
		State    struct {
			Values map[string]map[string]filled `json:"values"`
		} `json:"state"`
	} `json:"view"`
}

// filled is what an input of a modal holds.
type filled struct {
	Value    string `json:"value"`
	Selected *struct {
		Value string `json:"value"`
	} `json:"selected_option"`
}

// at is when a ts was given: seconds with microseconds.
func at(ts string) time.Time {
	var s, us int64
	for i, n := 0, &s; i < len(ts); i++ {
		if ts[i] == '.' {
			n = &us
			continue
		}
		if ts[i] < '0' || ts[i] > '9' || *n > 1<<50 {
			return time.Time{}
		}
		*n = *n*10 + int64(ts[i]-'0')
	}
	if s == 0 {
		return time.Time{}
	}
	return time.Unix(s, us*1000).UTC()
}

// farthestTold is how far from now a time may be that is told of something new.
const farthestTold = 7 * 24 * time.Hour

// when is when something new was done: what its ts says, or now where that
// can't be.
func when(ts string) time.Time {
	now := time.Now().UTC()
	if t := at(ts); t.Sub(now).Abs() < farthestTold {
		return t
	}
	return now
}
