package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Chat is a network on which people talk to the bot. What comes from it goes
// to [Desk.Hear]; a Chat itself only carries cards there and draws them. Its
// methods may be called from many goroutines.
//
// Their errors tell a [Desk] what to do by wrapping [Wait], ErrGone,
// ErrExpired, ErrRejected, ErrBarred, ErrBlind or ErrCrowded; any other is a fault of the
// moment, after which the same is tried again. Where a call may have had its
// effect although it failed, Find tells.
type Chat interface {
	// Name begins the names of its users and channels: "slack" in "slack:U1".
	Name() string

	// Fits is how much a card may hold.
	Fits() Fits

	// Post puts a card up as a new message and says where that is. The message
	// carries c.Carries in a way that people don't see and Find does. Where the
	// network knows of one that carries the same, Post may say where that is,
	// and leave it as it stands.
	Post(ctx context.Context, to Place, c Card) (Place, error)

	// Edit draws c in place of what the message at shows, all of it, and says
	// where that is: an answer to a press or a command has a name only then.
	Edit(ctx context.Context, at Place, c Card) (Place, error)

	// Attach puts a file up beside the message at.
	Attach(ctx context.Context, at Place, f File) error

	// Find looks near to for a message of the bot that carries an id. It fails
	// with ErrBlind where the network lets the bot post and not look.
	Find(ctx context.Context, to Place, carries string) (at Place, found bool, err error)

	// Member tells whether a user, by the network's own id, is in a group: a
	// Slack user group, or a role in the Discord guild where.Team.
	Member(ctx context.Context, where Place, user, group string) (bool, error)

	// Above returns what people said in the thread at above the message at,
	// oldest first, n messages at most and none of the bot's own. It fails with
	// ErrBlind where the bot may not look.
	Above(ctx context.Context, at Place, n int) ([]string, error)
}

// What keeps a card from being seen.
var (
	ErrGone     = errors.New("the message or the channel is gone")
	ErrExpired  = errors.New("the token is dead") // the same may be said without it
	ErrRejected = errors.New("the network refused what the card says")
	ErrBarred   = errors.New("the bot may not do that there")
	ErrBlind    = errors.New("the bot may not look there")
	ErrCrowded  = errors.New("the network has no room to show that the bot is at work") // the answer has
)

// A Wait is an error of a network that asks to be called again later.
type Wait struct{ For time.Duration }

func (w Wait) Error() string { return fmt.Sprintf("the network asks to wait %v", w.For) }

// A Place is where something is said, or to be said. Ids are the network's own.
type Place struct {
	Chat    string `json:"chat"`              // name of the network
	Team    string `json:"team,omitempty"`    // workspace or guild; "" in a direct conversation
	Channel string `json:"channel,omitempty"` //
	Thread  string `json:"thread,omitempty"`  // "" outside of threads
	Message string `json:"message,omitempty"` // the message itself, or the one to reply to
	User    string `json:"user,omitempty"`    // who alone sees it; "" for all who are there
	Token   string `json:"token,omitempty"`   // to answer with for a while: a secret
	Home    bool   `json:"home,omitempty"`    // the user's own page, Slack's Home tab
}

// Kind is what somebody did.
type Kind string

// Kinds of what is heard.
const (
	Asked     Kind = "asked"     // Text is the question
	Amended   Kind = "amended"   // a question's message was changed; Text is what it says now
	Withdrawn Kind = "withdrawn" // a question's message was deleted
	Reacted   Kind = "reacted"   // Text is up or down, Removed tells it was taken back; Place.Message is what was reacted to
	Pressed   Kind = "pressed"   // Button was pressed; Place.Message is what it stands under
	Filled    Kind = "filled"    // the form Button was sent, with Fields
	Visited   Kind = "visited"   // somebody opened their home page
)

// A Heard is one thing that one person did on a chat.
type Heard struct {
	ID           string            `json:"id"` // the same each time the network tells of it, and of nothing else: "slack:C1/169.1"
	Kind         Kind              `json:"kind"`
	Place        Place             `json:"place"`                  // where; of a question, its own message
	Conversation string            `json:"conversation,omitempty"` // who hear each other: "slack:C1/169.1" for a thread
	User         string            `json:"user"`                   // the network's own id
	Private      bool              `json:"private,omitempty"`      // others don't see it
	Closed       bool              `json:"closed,omitempty"`       // in a channel that not everybody of the team may read
	Text         string            `json:"text,omitempty"`
	Removed      bool              `json:"removed,omitempty"`
	Counted      bool              `json:"counted,omitempty"` // of Reacted: it was found, and not told of
	Button       string            `json:"button,omitempty"`
	Fields       map[string]string `json:"fields,omitempty"`
	Shown        *Place            `json:"shown,omitempty"`     // where the network shows already that the bot is at work: what is said goes there by Edit
	MidThread    bool              `json:"midthread,omitempty"` // the bot was called into a thread that it hasn't been in
	Language     string            `json:"language,omitempty"`  // of the person's client, "zh" or "en"; "" unknown
	At           time.Time         `json:"at"`
}

// Tone is what kind of thing a card says.
type Tone string

// Tones of a card.
const (
	Answering Tone = ""        // an answer
	AtWork    Tone = "working" // not yet one
	Declining Tone = "kind"    // a refusal, a question back, nothing to answer with
	Breaking  Tone = "broken"  // something broke
	Noting    Tone = "note"    // about the bot or its cases
)

// A Card is what the bot says on a chat, laid out but not drawn. Whatever it
// holds is text, not markup, and none of it is to be trusted: a Chat draws it so
// that it shows as it stands, calls nobody and leads nowhere. It holds no more
// than the Chat's Fits.
type Card struct {
	Carries    string   // id of what it replies to, for Find; "" if it needn't be found
	Language   string   // zh or en
	Tone       Tone     //
	Understood string   // above the text, in small print: how the question was understood
	Text       string   // lines
	Deed       string   // at the text's end, before By: "saved by"
	By         string   // whom the text's end names, by the network's own id
	Table      *Sheet   // nil for none
	Code       string   // a query; "" for none
	Small      []string // below, in small print
	Buttons    []Button // below all else
	Bare       bool     // drawn as text alone: the network refused all else
	Items      []Card   // of a list: each with a text, code, small print and buttons of its own
}

// Signing is what stands between the text and whom By names.
func (c Card) Signing() string {
	switch {
	case c.By == "":
		return ""
	case strings.HasSuffix(c.Deed, "："):
		return " · " + c.Deed
	}
	return strings.TrimRight(" · "+c.Deed, " ") + " "
}

// A Sheet is a table of texts.
type Sheet struct {
	Columns []string
	Rows    [][]string // each as long as Columns
	Numeric []bool     // by column: better aligned at its right
	Before  int        // rows of the whole that stand before these
}

// A Button is something to press. ID has at most 100 bytes.
type Button struct {
	ID    string
	Label string
	Look  Look
}

// Look is how a button looks.
type Look string

// Looks of a button.
const (
	Ordinary Look = ""
	Good     Look = "good"
	Bad      Look = "bad"
)

// A File is put up beside a card.
type File struct {
	Name string // "answer.csv"
	Type string // MIME
	Alt  string // what it shows, for people who can't see it
	Body []byte
}

// A Form is what a person fills in. ID has at most 100 bytes.
type Form struct {
	ID     string
	Title  string // 24 characters at most
	Send   string // on the button that sends it
	Cancel string
	Fields []Field
}

// A Field is one line of a form.
type Field struct {
	Name     string
	Label    string // 45 characters at most
	Value    string // filled in already
	Hint     string
	Options  []Option // to pick one of; nil for text
	Lines    bool     // several
	Optional bool
	Most     int // characters
}

// An Option is one to pick.
type Option struct{ Value, Label string }

// Fits is how much of something a network shows in one card, in characters
// unless a field says otherwise.
type Fits struct {
	Text    int
	Columns int // of a table
	Rows    int // of a table
	Cell    int
	Table   int // all cells and columns' names together
	Code    int
	Small   int // one line of small print
	Label   int // of a button
	Items   int // of a list
}
