package bot

import (
	"encoding/json"
	"time"

	"precedent/store"
	"precedent/store/inbox"
)

// kept is what is remembered of a message of the bot.
type kept struct {
	Place        Place        `json:"place"`
	Asked        Place        `json:"asked"` // the question's own
	Conversation string       `json:"conversation,omitempty"`
	Question     string       `json:"question"`
	Language     string       `json:"language"`
	Amended      time.Time    `json:"amended,omitzero"` // when the question was changed to this; zero: it never was
	Private      bool         `json:"private,omitempty"`
	Closed       bool         `json:"closed,omitempty"`
	Chosen       []store.Link `json:"chosen,omitempty"`      // picked so far
	Choices      []store.Link `json:"choices,omitempty"`     // to pick from
	Suggestions  []string     `json:"suggestions,omitempty"` // likewise
}

// maxKept is how much of a question is remembered, in characters: more than an engine answers.
const maxKept = 2000

// remembered reads what Shown keeps.
func remembered(s inbox.Shown) (k kept, err error) {
	err = json.Unmarshal([]byte(s.Body), &k)
	return k, err
}

// shown is what the inbox keeps of a message at place.
func (k kept) shown(at Place, answer, event, user string) inbox.Shown {
	k.Place, k.Place.Token = at, ""
	k.Asked.Token = ""
	k.Question = clip(k.Question, maxKept)
	body, _ := json.Marshal(k) // of texts, numbers and times alone: it can't fail
	return inbox.Shown{Chat: at.Chat, Channel: at.Channel, Message: at.Message, Answer: answer, Event: event, User: user, Body: string(body)}
}
