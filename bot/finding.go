package bot

import "time"

// A Finding is what a look at one part of the bot found, for its operator.
type Finding struct {
	Part  string    `json:"part"` // what was looked at: graph, Slack scopes
	State State     `json:"state"`
	What  string    `json:"what"`           // what was found; holds no secret
	Cure  string    `json:"cure"`           // what to do about it; "" for nothing
	Since time.Time `json:"since,omitzero"` // when it became so, of a program at work; zero: nobody knows
}

// State is how a part is.
type State string

// States of a part. Only what is Wrong keeps the bot from answering.
const (
	Fine     State = "ok"
	Doubtful State = "warning"
	Wrong    State = "wrong"
	Absent   State = "not set up"
)
