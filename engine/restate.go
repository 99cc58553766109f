package engine

import (
	"strings"
	"time"
	"unicode"

	"precedent/engine/reading"
)

// restate makes a follow-up a question that stands alone, where that is
// certain: a pronoun that can only mean one thing said before, one value that
// fits exactly one slot of the previous question, a further condition, another
// kind of answer. What stays open is left to the writing call. It never settles
// a question; what was understood is in Restated.
func (a *asking) restate() (settled bool) {
	defer since(&a.Timings.Restate, time.Now())
	if len(a.turns) == 0 {
		return false
	}
	prev := a.turns[len(a.turns)-1]
	if prev.Restated == "" {
		prev.Restated = prev.Question
	}
	before := a.reader.Read(prev.Restated)
	part := a.q.Text
	language := a.spoken(prev)
	defer func() { a.speak(language) }()
	if said, ok := a.resolve(before, prev); ok {
		a.become(said)
		if !a.reader.Leans(said) || reading.Replaces(part) {
			return false
		}
		part = said // "and starring him?" is still a part
	}
	leans, value := a.reader.Leans(part), a.reader.IsValue(part)
	if !leans && !value && !a.isFollowUp() {
		return false
	}
	if said, ok := a.reader.Swap(part, before, prev.Restated); ok {
		a.become(said)
		return false
	}
	if rd, ok := a.reader.Extend(part, before); ok && a.covered("", rd) {
		a.extend(part, prev.Restated, before, rd)
		return false
	}
	if leans || a.rd.Marks.Opener && value {
		a.leaveOpen()
	}
	return false
}

// resolve puts in the place of the question's pronoun what it means. Where rows stay
// in, what only a row said is put there for a case alone, not for a model.
func (a *asking) resolve(before reading.Reading, prev Turn) (said string, ok bool) {
	said, ok = a.reader.Resolve(a.q.Text, a.rd, before, prev.Restated, single(prev))
	if !ok || a.rowsToModel || !a.HasModel() || !a.q.Model && a.covered(said, a.reader.Read(said)) {
		return said, ok
	}
	return a.reader.Resolve(a.q.Text, a.rd, before, prev.Restated, "")
}

// spoken is the language that a question is answered in: its own, or where it
// is nothing but values in Latin letters, that of the question before.
func (a *asking) spoken(prev Turn) string {
	if own := reading.Language(a.q.Text); own == "zh" || strings.ContainsFunc(without(a.q.Text, a.rd, anyMention), unicode.IsLetter) {
		return own
	}
	return reading.Language(prev.Restated)
}

// extend takes rd as the reading of the question: that of before with part laid
// over it.
func (a *asking) extend(part, previous string, before, rd reading.Reading) {
	a.rd = rd
	a.Restated = strings.TrimRight(previous, "?？。. ") + joiner(before.Language) + strings.TrimSpace(part)
	a.Links = append(linksOf(before), a.Links...)
	if a.verbose {
		a.Reading, a.Unread = rd.Key(), ""
	}
}

// leaveOpen keeps a part of a question from being answered as if it stood
// alone: "how many?" is not about everything there is.
func (a *asking) leaveOpen() {
	a.rd.Frame, a.rd.Literal, a.open = nil, "", true
	a.rd.Why = "leans on the previous question"
	if a.verbose {
		a.Reading, a.Unread = "", a.rd.Why
	}
}

func joiner(language string) string {
	if language == "zh" {
		return "，"
	}
	return ", "
}

// become takes said as the question.
func (a *asking) become(said string) {
	a.Restated = said
	a.read(said)
}

// isFollowUp reports whether the question leans on what was said before: it
// opens like one, or it has no frame that a case covers and is short.
func (a *asking) isFollowUp() bool {
	if a.rd.Marks.Opener {
		return true
	}
	return !(a.rd.Frame != nil && a.covered(a.Restated, a.rd)) && len([]rune(a.q.Text)) <= maxFragment
}

// maxFragment is the longest follow-up, in runes, that is taken for a part of a
// question without opening like one.
const maxFragment = 40

// single is the one value that the previous answer consisted of, or "".
func single(t Turn) string {
	if len(t.Rows) == 1 && len(t.Rows[0]) >= 1 {
		if s, ok := t.Rows[0][0].(string); ok {
			return s
		}
	}
	return ""
}
