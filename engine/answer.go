package engine

import (
	"encoding/json"
	"time"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cases"
)

// A Question is what a person asked, in context.
type Question struct {
	Text         string
	User         string       // who asks, as "slack:U1"; "" is unknown
	Private      bool         // asked where others weren't
	Conversation string       // "" stands alone
	History      []Turn       // earlier turns of the conversation, oldest first; nil: what the journal has of Conversation
	Model        bool         // answer with the model even if a case covers the question
	NoModel      string       // why the model may not be asked; "": it may
	Anyway       bool         // ask even if a rule says that it isn't about the graph; never what is hostile, a change or hidden
	Choices      []store.Link // what the asker picked when asked "did you mean"
}

// A Turn is one earlier exchange of the same conversation.
type Turn struct {
	Question string         `json:"question"`
	Restated string         `json:"restated"`
	Query    string         `json:"query"`
	Params   map[string]any `json:"params"`
	Route    Route          `json:"route"`
	Links    []store.Link   `json:"links"`
	Columns  []string       `json:"columns"`
	Rows     [][]any        `json:"rows"`
	Text     string         `json:"text"`
}

// Route is how an answer was reached.
type Route string

// Routes of an answer.
const (
	ByCase     Route = "case"       // a verified case, no model
	Composed   Route = "composed"   // the query that the meaning of the words prints, no model
	ByModel    Route = "model"      // a query the model wrote
	Clarify    Route = "clarify"    // a question back; Choices holds what to pick from
	Refused    Route = "refused"    // Refusal says why
	Unanswered Route = "unanswered" // no case covers it and there is no model; Suggestions may
	Fault      Route = "fault"      // something broke; Error says what
)

// Answers reports whether the route ends in rows: with a query, whoever wrote it.
func (r Route) Answers() bool { return r == ByCase || r == Composed || r == ByModel }

// An Answer is what the bot says and why it believes it. Its JSON is a
// contract: see README.
type Answer struct {
	ID               string       `json:"id"`
	Question         string       `json:"question"`
	Restated         string       `json:"restated"` // as understood in its conversation; the question itself where it stands alone
	Language         string       `json:"language"` // zh or en
	Route            Route        `json:"route"`
	Meaning          *string      `json:"meaning"`    // key of what the words mean, of a composed answer
	Understood       *string      `json:"understood"` // the same in words
	Text             string       `json:"text"`
	Query            string       `json:"query"`
	Params           Params       `json:"params"`
	Columns          []string     `json:"columns"`
	Rows             Rows         `json:"rows"`
	Truncated        bool         `json:"truncated"`
	Links            []store.Link `json:"links"`
	Cases            []ShownCase  `json:"cases"` // that the answer rests on or that the model was shown
	Case             *string      `json:"case"`  // that answered
	Changes          []Change     `json:"changes"`
	Doubts           []string     `json:"doubts,omitempty"` // what of the question the query could not be matched with; Text has them too
	Repairs          int          `json:"repairs"`
	ModelCalls       int          `json:"model_calls"`
	EmbeddingCalls   int          `json:"embedding_calls"`
	PromptTokens     int          `json:"prompt_tokens"`
	CompletionTokens int          `json:"completion_tokens"`
	Timings          Timings      `json:"timings_ms"`
	Refusal          *Refusal     `json:"refusal"`
	Choices          []Choice     `json:"choices"`
	Suggestions      []string     `json:"suggestions"`
	Error            *Failure     `json:"error"`
	Reading          string       `json:"reading,omitempty"` // what was asked, under --verbose
	Unread           string       `json:"unread,omitempty"`  // why there is no frame, under --verbose
}

// Rows are the rows of an answer; their values encode as README says.
type Rows [][]any

// MarshalJSON implements json.Marshaler.
func (r Rows) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("[]"), nil
	}
	out := make([][]json.RawMessage, len(r))
	for i, row := range r {
		out[i] = make([]json.RawMessage, len(row))
		for j, v := range row {
			b, err := store.EncodeValue(v)
			if err != nil {
				return nil, err
			}
			out[i][j] = b
		}
	}
	return json.Marshal(out)
}

// Params are the parameters of an answer's query; floats keep a point.
type Params map[string]any

// MarshalJSON implements json.Marshaler.
func (p Params) MarshalJSON() ([]byte, error) {
	out := make(map[string]json.RawMessage, len(p))
	for name, v := range p {
		b, err := store.EncodeValue(v)
		if err != nil {
			return nil, err
		}
		out[name] = b
	}
	return json.Marshal(out)
}

// A ShownCase is a case beside an answer. Score is of its ranking, 1 for the
// case that answered.
type ShownCase struct {
	ID       string  `json:"id"`
	Question string  `json:"question"`
	Score    float64 `json:"score"`
}

// A Change is something that checking changed in a draft.
type Change struct {
	Kind   string `json:"kind"` // direction, value, name, limit
	Before string `json:"before"`
	After  string `json:"after"`
	Why    string `json:"why"`
}

// A Refusal says why a question is not answered and what to ask instead.
type Refusal struct {
	Kind   guardrails.Kind `json:"kind"`
	Advice string          `json:"advice"`
	Anyway bool            `json:"anyway,omitempty"` // Question.Anyway would ask it nevertheless
}

// A Choice is one of several things a question could mean.
type Choice struct {
	Label   string     `json:"label"` // to show
	Value   any        `json:"value"`
	Mention string     `json:"mention"`
	Link    store.Link `json:"-"`
}

// A Failure is what broke. Message is for people; the log line with Ref has the rest.
type Failure struct {
	Kind    string `json:"kind"` // graph, model, timeout, internal
	Message string `json:"message"`
	Ref     string `json:"ref"`
}

// Timings are milliseconds spent in each step. Model and Database are the
// shares of Total spent outside.
type Timings struct {
	Total    float64 `json:"total"`
	Link     float64 `json:"link"`
	Allow    float64 `json:"allow"`
	Restate  float64 `json:"restate"`
	Reuse    float64 `json:"reuse"`
	Recall   float64 `json:"recall"`
	Write    float64 `json:"write"`
	Check    float64 `json:"check"`
	Read     float64 `json:"read"`
	Doubt    float64 `json:"doubt"`
	Tell     float64 `json:"tell"`
	Model    float64 `json:"model"`
	Database float64 `json:"database"`
}

// since adds the milliseconds since start to step.
func since(step *float64, start time.Time) {
	*step += float64(time.Since(start)) / float64(time.Millisecond)
}

// A Stage is a step of Ask worth telling the asker about.
type Stage string

// Stages that take time.
const (
	Writing Stage = "writing"
	Reading Stage = "reading"
	Telling Stage = "telling"
)

// Progress is a snapshot of an answer in the making; each replaces the one before.
type Progress struct {
	Stage Stage
	Query string // once written
	Rows  int    // once read
}

// A Vote is a verdict of one user on one answer.
type Vote struct {
	Answer  string
	User    string
	Curator bool
	Value   string // up, down or none
	Reason  string // value, query, wording, unanswerable or ""
	Why     string // in the user's words
	AsIs    bool   // a curator's up: the case is kept though its words and its query don't prove each other

	Unproven bool // nobody vouches for the user's name: the vote is kept, and counts for nothing
}

// Voted is what a vote did.
type Voted struct {
	Answer  string       `json:"answer"`
	Case    *string      `json:"case"`
	Before  store.Status `json:"before"`
	After   store.Status `json:"after"`
	By      string       `json:"by"`
	Reason  string       `json:"reason"` // why it moved, or why it didn't
	Flagged bool         `json:"flagged,omitempty"`
	Change  int64        `json:"-"`               // for Library.Undo; 0 if nothing moved
	Doubt   *cases.Doubt `json:"doubt,omitempty"` // why a curator's up didn't promote, where voting with AsIs would
}
