package store

import "time"

// A Case is a worked question: how people ask it, and the query that answers it.
type Case struct {
	ID         string     `json:"id"`
	Graph      string     `json:"graph"`
	Question   string     `json:"question"`           // the first wording, with its example values filled in
	Wordings   []string   `json:"wordings"`           // with {slot} where a value goes
	Query      string     `json:"query"`              // with $slot where a value goes
	Slots      []Slot     `json:"slots"`              // in order of first mention in Wordings[0]
	Note       string     `json:"note,omitempty"`     // why the query is written that way
	Status     Status     `json:"status"`             //
	Author     string     `json:"author,omitempty"`   //
	Source     string     `json:"source,omitempty"`   // shipped, hand, file, log, liked, repaired
	Schema     string     `json:"schema,omitempty"`   // Schema.Hash it was last checked against
	Created    time.Time  `json:"created"`            //
	VerifiedBy string     `json:"verified_by"`        // "" unless verified
	VerifiedAt *time.Time `json:"verified_at"`        // nil unless verified
	EmptyOK    bool       `json:"empty_ok,omitempty"` // no rows is a right answer for the example values
	AsIs       bool       `json:"as_is,omitempty"`    // a curator overruled what the words are read as: a wording that the query isn't proven by is asked with exactly its words
	Private    bool       `json:"private,omitempty"`  // asked in private only: its words are for curators before one approves them
	Votes      Votes      `json:"votes"`              // the latest of each user
	Uses       int64      `json:"uses"`               // answers it gave
}

// A Slot is a typed place in a case that a value fills.
//
// A slot of a value names Label and Property, and Type is "string". A number's
// Property is what its unit or comparator names, and Label is "" where it is
// not a property (a count, a limit). Type is one of string, integer, float,
// date, limit, count, decade, year, month. A decade fills two parameters, $name_from
// (inclusive) and $name_to (exclusive), with years; a year and a month (2026-09) fill
// them with days, as 2026-09-01, which the query turns into dates; a month fills
// $name_year and $name_month with its numbers, too.
type Slot struct {
	Name     string `json:"name" yaml:"name"`
	Label    string `json:"label,omitempty" yaml:"label,omitempty"`
	Property string `json:"property,omitempty" yaml:"property,omitempty"`
	Type     string `json:"type" yaml:"type"`
	Example  any    `json:"example" yaml:"example"`
}

// Votes counts users, not clicks.
type Votes struct {
	Up   int `json:"up"`
	Down int `json:"down"`
}

// Status is where a case stands in its life. See [Status.CanBecome].
type Status string

// The states of a case. Only verified cases answer questions or are shown to a model.
const (
	Candidate   Status = "candidate"
	Verified    Status = "verified"
	Quarantined Status = "quarantined"
	Rejected    Status = "rejected"
	Retired     Status = "retired"
)

// CanBecome reports whether a case may move from s to t: a candidate is
// verified or rejected; a verified case is quarantined or retired; a
// quarantined one is verified again or retired. Undoing a move is always possible.
func (s Status) CanBecome(t Status) bool {
	switch s {
	case Candidate:
		return t == Verified || t == Rejected
	case Verified:
		return t == Quarantined || t == Retired
	case Quarantined:
		return t == Verified || t == Retired
	case Rejected:
		return t == Verified // by a curator
	}
	return false
}

// A Link says that words of a question name a value of the graph.
type Link struct {
	Mention  string `json:"mention"`
	Label    string `json:"label"`
	Property string `json:"property"`
	Value    any    `json:"value"`
	How      How    `json:"how"`
}

// How a link was found.
type How string

// Ways of linking, surest first.
const (
	Exact     How = "exact"
	ByAlias   How = "alias"
	Folded    How = "folded"
	ByEdit    How = "edit"
	FullText  How = "fulltext"
	Embedding How = "embedding"
	ByModel   How = "model"
	ByUser    How = "user"
)
