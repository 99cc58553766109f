// Package words holds the sentences that people read, each language in a file.
//
// Sentences have the verbs of package fmt; the fields say what fills them. A
// language is complete: a test holds every field of every language. What a
// question or a graph says is never among these.
package words

import (
	"fmt"
	"unicode"

	"precedent/store"
)

// Words are the sentences of one language.
type Words struct {
	Language string // zh or en

	// The first screen.
	Tagline  string
	Graph    string // name of the graph
	Model    string // name of the model
	NoModel  string
	Offer    string // before questions to pick by number
	HowTo    string
	Prompt   string
	Goodbye  string
	Again    string // how to leave, after Ctrl-C
	Stopped  string // a question was stopped
	Commands string // all of them, a line each

	// While working.
	Opening string
	Working string
	Writing string
	Reading string // rows so far unknown
	Telling string // number of rows

	// Around an answer.
	Understood   string // the question restated
	FromCase     string
	FromWords    string
	FromModel    string
	RepairedOnce string
	Repaired     string // times
	Rests        string // question of the case that answered
	Row          string // the one row shown, and of how many
	Rows         string // first and last row shown, and of how many
	More         string // how many come next
	MoreOne      string // one comes next
	AnswerID     string // id
	AskModel     string
	AskAnyway    string // under a refusal
	AsIs         string // under a vote that didn't promote, since words and query don't prove each other
	WithAnyway   string // under one that a command printed
	NoAnyway     string // the last answer was no such refusal

	// Instead of an answer.
	Busy string // the conversation's last question is still being answered

	// Votes.
	NothingToVote string
	ThankUp       string
	ThankDown     string
	TookBack      string
	Moved         string // by, status before, status after
	Flagged       string
	WhyDown       string // reasons by number
	Undo          string
	VoteReason    string // why it moved or stayed, as the library says
	VoteBusy      string
	VoteBroke     string // reference

	// Other commands.
	NoAnswerYet string
	NoQuery     string
	NoMore      string
	NoExamples  string
	Unknown     string // the command
	Fresh       string // a new conversation began

	// What /why says.
	Why WhyWords

	// On chat networks.
	Chat ChatWords

	Status map[string]string // names of the states of a case
}

// WhyWords are the lines of /why.
type WhyWords struct {
	Route    string // how it was reached
	Routes   map[string]string
	Case     string // id and question
	Verified string // by whom, on which day
	Shipped  string // it came with the program
	Note     string
	Shown    string // before cases the model saw
	Link     string // mention, label.property, value, how
	Change   string // before, after, why
	Repairs  string // number
	Calls    string // calls to the model, to embeddings
	Time     string // milliseconds in all, in the model, in the database
	Answer   string // id
	How      map[string]string
}

// In returns the words of a language; those of English for one without a file.
func In(language string) *Words {
	if language == "zh" {
		return &zh
	}
	return &en
}

// For returns the words of the language that text is written in: Chinese where
// it has a Chinese character.
func For(text string) *Words {
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			return &zh
		}
	}
	return &en
}

// Languages are those with words.
var Languages = []string{"en", "zh"}

// State names a state of a case.
func (w *Words) State(s store.Status) string {
	if name, ok := w.Status[string(s)]; ok {
		return name
	}
	return string(s)
}

// VoteFault says that a vote wasn't counted; the log has the rest under ref.
func (w *Words) VoteFault(busy bool, ref string) string {
	if busy {
		return w.VoteBusy
	}
	return fmt.Sprintf(w.VoteBroke, ref)
}

// ChatWords are what is said on chat networks alone.
type ChatWords struct {
	// On buttons.
	Right     string
	Wrong     string
	Stop      string
	Next      string // how many rows
	AskModel  string
	AskAnyway string // on a refusal
	How       string
	Undo      string
	Approve   string
	Reject    string
	Edit      string
	Release   string // a case out of use
	Keep      string // a flagged case, in use
	AsIs      string // a case whose words and query don't prove each other
	TakeOut   string // a case, of use
	Retire    string // a case out of use
	Later     string // the next case of the queue

	Ending    string // the program ends before the answer is there
	Unkept    string // the disk takes nothing: what was asked can't be kept
	GaveUp    string // an answer could not be brought about
	Choose    string // before choices
	Full      string // the table has more than is shown; the file has all
	FullRead  string // likewise, of the rows that were read: how many
	FileAlt   string // of a table as a file: rows, columns, question
	NoFile    string // the file could not be put up
	FileAside string // it stands where nobody else sees it
	TooOld    string // the answer is no longer known
	Dropped   string // a question is no longer part of its message
	NoCase    string // no case stands behind a message
	Barred    string // who may not ask
	Elsewhere string // the bot doesn't answer in this channel
	Slowly    string // seconds until questions are answered again, and the time of day
	Spent     string // tokens are spent; cases go on answering; the time of day

	// After votes.
	Saved        string // the case is verified
	SavedBy      string // who it was follows
	By           string // who did anything else follows
	Rejected     string
	Quarantined  string
	Moved        string // status after
	Undone       string // status after
	MovedSince   string // status now; a button was of another
	NotUndone    string // why
	NotPromoted  string // why
	CuratorsOnly string
	AskerOnly    string // who may stop work on a question
	TooLong      string // of a case: a form can't hold it

	// The form after a vote against.
	FormTitle  string
	FormReason string
	FormFix    string
	FormHint   string
	Send       string
	Cancel     string
	Reasons    map[string]string
	FormThanks string

	// The curators' queue.
	Queue      string // how many cases wait
	QueueEmpty string
	QueueItem  string // status, votes for and against
	Flag       string // why it was flagged
	FirstDraft string // the model's first, refused draft
	Refused    string // why that was refused
	Finds      string // rows that the query finds now, in short
	FindsNone  string
	Fails      string // why the query doesn't run
	AskedBy    string // how many people asked
	FromAside  string // from private conversations: approving shows its text to all
	EditTitle  string

	// Other names of values.
	Taught        string            // name, label.property, value
	TaughtBy      string            // how many people said so
	TaughtNotes   map[string]string // what a curator should mind
	TaughtThanks  string            // what was understood
	TaughtAlready string            // what the name means
	EditQuery     string
	EditWords     string
	EditWhy       string
	AsIsField     string // of a form: what to do where words and query don't prove each other
	AsIsOption    string // keep it
	Kept          string // the edit was kept
	NotKept       string // why

	// The home page.
	DriftedOut     string // how many cases
	DriftedStopped string // how many cases, of how many
	DriftedBack    string // how many cases, which
	Silent         string // how many cases

	// Of a case whose words and query don't prove each other.
	Doubted   string // the wording
	WordsSay  string // what they say, and the query doesn't
	QuerySays string // what it says, and the words don't
	AsIsMeans string // what keeping it as it is does
	KeptAsIs  string // it is marked so

	Home     string
	Examples string
	Mine     string
}
