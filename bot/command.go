package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"precedent/engine"
	"precedent/store/cases"
)

// moreExamples is how many questions /examples lists.
const moreExamples = 12

// reasonsDown are the reasons of a vote against an answer, as the words number them.
var reasonsDown = []string{string(cases.WrongValue), string(cases.WrongQuery), string(cases.WrongWording), string(cases.Unanswerable)}

// command does what words that begin with a / ask for.
func (t *Terminal) command(ctx context.Context, words []string) error {
	switch words[0] {
	case "/quit", "/exit", "/q", "/bye":
		return errLeave
	case "/help", "/h", "/?":
		t.line(t.w.Commands)
	case "/new":
		t.Bot.Forget(t.conversation)
		t.fresh()
		t.line(t.w.Fresh)
	case "/examples":
		t.list()
	case "/schema":
		t.line(strings.TrimRight(t.Schema(), "\n"))
	case "/undo":
		t.vote(ctx, "none", "")
	case "/asis":
		if t.last != nil && t.last.ID != "" {
			t.cast(ctx, engine.Vote{Value: "up", AsIs: true})
			return nil
		}
		t.line(t.w.NothingToVote)
	case "/cypher", "/query", "/why", "/more", "/model", "/anyway":
		return t.about(ctx, words[0])
	default:
		t.line(yellow, fmt.Sprintf(t.w.Unknown, words[0]))
		t.line(t.w.Commands)
	}
	return nil
}

// about does what a command says with the last answer.
func (t *Terminal) about(ctx context.Context, command string) error {
	a := t.last
	switch {
	case a == nil:
		t.line(t.w.NoAnswerYet)
	case command == "/why":
		t.why(ctx, *a, t.Case)
	case command == "/model":
		return t.ask(ctx, Message{Text: or(a.Restated, a.Question), Model: true})
	case command == "/anyway" && !canAnyway(*a):
		t.line(t.w.NoAnyway)
	case command == "/anyway":
		return t.ask(ctx, Message{Text: a.Question, Anyway: true})
	case command == "/more":
		if !tabular(*a) || t.next >= len(a.Rows) {
			t.line(t.w.NoMore)
			return nil
		}
		t.next = t.rows(*a, t.next, t.w)
	case a.Query == "":
		t.line(t.w.NoQuery)
	default:
		t.query(*a)
	}
	return nil
}

// list offers questions that cases answer.
func (t *Terminal) list() {
	var found []string
	if t.Examples != nil {
		found = t.Examples(t.w.Language, moreExamples)
	}
	if len(found) == 0 {
		t.line(t.w.NoExamples)
		return
	}
	t.offer, t.reasons = found, false
	t.numbered(found)
}

// vote gives the last answer a vote of the person at the terminal.
func (t *Terminal) vote(ctx context.Context, value, reason string) {
	if t.last == nil || t.last.ID == "" {
		t.line(t.w.NothingToVote)
		return
	}
	t.cast(ctx, engine.Vote{Value: value, Reason: reason})
}

// cast votes on the last answer, as a curator.
func (t *Terminal) cast(ctx context.Context, ballot engine.Vote) {
	value, reason := ballot.Value, ballot.Reason
	ballot.Answer, ballot.User, ballot.Curator = t.last.ID, t.User, true
	v, err := t.Bot.Vote(ctx, ballot)
	if err != nil {
		t.Bot.log().ErrorContext(ctx, "voting", "ref", t.last.ID, "err", err)
		t.line(red, t.w.VoteFault(errors.Is(err, cases.ErrBusy), t.last.ID))
		return
	}
	t.voted(v, value, t.w)
	if v.Doubt != nil {
		t.line(faint, t.w.AsIs)
	}
	t.reasons = value == "down" && reason == ""
	if t.reasons {
		t.line(faint, t.w.WhyDown)
	}
	if value != "none" {
		t.line(faint, t.w.Undo)
	}
}

// ballot tells whether a line is a vote, and which: a thumb of any skin tone,
// or a sign, and perhaps a reason behind it.
func ballot(text string) (value, reason string, ok bool) {
	head, tail, _ := strings.Cut(text, " ")
	for i, r := range reasonsDown {
		if same(tail, r) || tail == fmt.Sprint(i+1) {
			reason = r
		}
	}
	if tail = strings.TrimSpace(tail); tail != "" && reason == "" {
		return "", "", false
	}
	switch strings.TrimRight(head, "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff\ufe0f") {
	case "+", "＋", "+1", "👍":
		return "up", "", tail == ""
	case "-", "－", "-1", "👎":
		return "down", reason, true
	}
	return "", "", false
}
