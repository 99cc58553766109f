package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/engine/words"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/text"
)

// An asking is one question on its way to its answer.
type asking struct {
	*Engine
	*snapshot
	Answer
	q         Question
	w         *words.Words
	rd        reading.Reading // of the question as restated
	turns     []Turn
	recalled  []cases.Match
	drafts    []cases.Draft
	wrote     string          // by the model, of all drafts
	told      string          // to the model, of the schema and its words
	raised    map[string]bool // objections that went back
	standing  []objection     // that the last draft was run with
	open      bool            // it leans on what was said before, and nobody knows how
	shortened int             // values cut short by limits
	misread   bool            // the words of its case are read otherwise now than when that was verified
	outdated  bool            // the graph lacks what a query names that was right when it was written
	progress  func(Progress)
	instant   time.Time // what clocks show in all that is run for the answer
}

// Ask answers q, reporting progress along the way (nil reports to nobody). It
// always returns an answer: what went wrong is its route and says so.
//
// The steps are tried in order until one of them settles the question.
func (e *Engine) Ask(ctx context.Context, q Question, progress func(Progress)) (answer Answer) {
	ctx, cancel := context.WithTimeout(ctx, e.deadline)
	defer cancel()
	a, done := e.hear(q, progress)
	defer func() { answer = done(ctx) }()
	switch {
	case a.link(ctx): // and read what is asked
	case a.refuse(ctx): // what isn't a fair question of the graph
	case a.restate(): // a follow-up as a question that stands alone
	case a.reuse(ctx): // the one verified case that has this reading
	case a.compose(ctx): // the query that the question's one meaning prints
	case a.pick(): // ask which of several values is meant
	case a.recall(ctx): // similar cases; the end without a model
	case a.write(ctx): // draft, check, read, doubt; at most maxRepairs times over
	}
	a.tell(ctx)
	a.disclose()
	return
}

// hear starts a question; done journals its answer and returns it.
func (e *Engine) hear(q Question, progress func(Progress)) (a *asking, done func(context.Context) Answer) {
	start := time.Now()
	if progress == nil {
		progress = func(Progress) {}
	}
	a = &asking{Engine: e, snapshot: e.snapshot(), q: q, progress: progress, instant: e.now()}
	a.Answer = Answer{ID: rand.Text()[:12], Question: q.Text, Restated: q.Text, Language: reading.Language(q.Text),
		Params: map[string]any{}, Columns: []string{}, Links: []store.Link{}, Cases: []ShownCase{}, Changes: []Change{}, Choices: []Choice{}, Suggestions: []string{}}
	a.w = words.In(a.Language)
	return a, func(ctx context.Context) Answer {
		since(&a.Timings.Total, start)
		a.journal(context.WithoutCancel(ctx))
		return a.Answer
	}
}

// link finds the values that the question names and reads what it asks.
func (a *asking) link(ctx context.Context) (settled bool) {
	defer since(&a.Timings.Link, time.Now())
	if strings.ContainsRune(a.q.Text, 0) || len([]rune(a.q.Text)) > a.maxQuestion() {
		return false // refuse says so; nothing is read
	}
	if err := a.follow(ctx); err != nil {
		return a.fault("internal", err)
	}
	a.snapshot = a.Engine.snapshot() // with what was taught until now
	a.read(a.q.Text)
	if a.learns(ctx) {
		a.snapshot = a.Engine.snapshot()
		a.read(a.q.Text)
	}
	a.turns = a.q.History
	if a.turns == nil && a.q.Conversation != "" {
		a.turns = a.remembered(ctx)
	}
	if n := len(a.turns); n > 0 && !strings.ContainsFunc(a.q.Text, unicode.IsLetter) {
		a.speak(reading.Language(cmp.Or(a.turns[n-1].Restated, a.turns[n-1].Question)))
	}
	return false
}

func (a *asking) maxQuestion() int {
	if a.policy.MaxQuestion > 0 {
		return a.policy.MaxQuestion
	}
	return guardrails.DefaultMaxQuestion
}

// read reads text as the question, with what the asker picked.
func (a *asking) read(question string) {
	a.rd = a.reader.ReadWith(question, a.q.Choices)
	if a.rd.Frame != nil && strings.ContainsAny(strings.TrimRight(question, "?？ "), "?？") && a.asksSeveral(question) {
		a.rd.Frame, a.rd.Why = nil, "asks several questions"
	}
	a.speak(a.rd.Language)
	a.Links = linksOf(a.rd)
	if a.verbose {
		a.Reading, a.Unread = a.rd.Key(), a.rd.Why
	}
}

// asksSeveral reports whether more than one of a question's parts, each ended by a
// question mark, is a question by itself, and not just a name: read as one, their
// words would mix.
func (a *asking) asksSeveral(question string) bool {
	n := 0
	for part := range strings.FieldsFuncSeq(question, func(r rune) bool { return r == '?' || r == '？' }) {
		if rd := a.reader.Read(part); rd.Frame != nil && strings.ContainsFunc(without(part, rd, anyMention), unicode.IsLetter) {
			n++
		}
	}
	return n > 1
}

func anyMention(link.Mention) bool { return true }

// without is a question without the values that it names in mentions that are so.
func without(question string, rd reading.Reading, so func(link.Mention) bool) string {
	for _, m := range rd.Mentions {
		if so(m) {
			question = strings.ReplaceAll(question, m.Candidates[0].Mention, " ")
		}
	}
	return question
}

// speak has the question answered in a language.
func (a *asking) speak(language string) { a.Language, a.w = language, words.In(language) }

// linksOf lists the values that a question names: those of its slots, and for
// mentions without a slot the first candidate.
func linksOf(rd reading.Reading) []store.Link {
	links := []store.Link{}
	for _, m := range rd.Mentions {
		if m.Weak {
			continue
		}
		l := m.Candidates[0].Link
		for _, s := range rd.Slots {
			if s.Link != nil && s.Mention == l.Mention {
				l = *s.Link
			}
		}
		links = append(links, l)
	}
	return links
}

// covered reports whether a verified case answers a question with a reading; said is
// how it is asked, "" where that isn't known.
func (a *asking) covered(said string, rd reading.Reading) bool {
	_, n := a.covering(said, rd)
	return n == 1
}

// reuse answers from the verified case whose reading is the question's.
func (a *asking) reuse(ctx context.Context) (settled bool) {
	if a.q.Model {
		return false
	}
	start := time.Now()
	in, n := a.covering(a.Restated, a.rd)
	if n != 1 || in.own && len(a.q.Choices) > 0 { // what was picked decides, not the words

		since(&a.Timings.Reuse, start)
		return false
	}
	params, err := fillParams(in, a.rd.Slots)
	since(&a.Timings.Reuse, start)
	if err != nil {
		a.log.Error("filling a case", "case", in.c.ID, "err", err)
		return false
	}
	q := store.Query{Text: in.c.Query, Params: params}
	t, err := a.run(ctx, q)
	if isUnfit(err) {
		a.log.Error("a case can't be run", "case", in.c.ID, "err", err)
		return false
	}
	a.Query, a.Params = q.Text, q.Params
	if err != nil {
		return a.graphFault(err)
	}
	a.Route, a.Case, a.misread = ByCase, &in.c.ID, in.doubted && !in.c.AsIs
	a.Cases = []ShownCase{{in.c.ID, in.c.Question, 1}}
	if said := wordingIn(a.Language, *in.c, in.c.Slots); said != "" && reading.Language(in.c.Question) != a.Language {
		a.Cases[0].Question = said
	}
	a.show(t)
	return true
}

// isUnfit reports whether a query can't be run whatever the graph holds: the policy
// refuses it, or the graph doesn't understand it.
func isUnfit(err error) bool {
	_, refused := errors.AsType[errPolicy](err)
	return refused || !errors.Is(err, store.ErrTooLarge) && errors.Is(err, store.ErrQuery) || errors.Is(err, store.ErrUnsupported)
}

// run reads the graph; the time counts as the database's.
func (a *asking) run(ctx context.Context, q store.Query) (store.Table, error) {
	start := time.Now()
	defer since(&a.Timings.Read, start)
	defer since(&a.Timings.Database, start)
	a.progress(Progress{Stage: Reading, Query: q.Text})
	q.Now = a.instant
	t, err := a.gate.run(ctx, q, a.limits)
	if err == nil {
		err = a.stillThere(ctx, q, t)
	}
	if err != nil {
		return store.Table{}, err
	}
	a.unheardLiterals(q, t)
	return t, nil
}

// show puts the table into the answer.
func (a *asking) show(t store.Table) {
	a.Columns, a.Rows, a.Truncated = t.Columns, t.Rows, t.Truncated
	a.shortened = t.Shortened
}

// pick asks which value is meant where the question would be covered but for that.
func (a *asking) pick() (settled bool) {
	if a.rd.Frame != nil || a.open {
		return false
	}
	for i, m := range a.rd.Mentions {
		if m.Sure() && len(m.Candidates) == 1 {
			continue
		}
		if m.Either && a.HasModel() && a.q.NoModel == "" {
			a.askWhether(m)
			return true
		}
		if m.Weak && a.rd.Unread == nil && !strings.Contains(a.rd.Why, "may not be a name") {
			continue
		}
		if !a.pickable(i) {
			continue
		}
		for _, c := range m.Candidates {
			a.Choices = append(a.Choices, Choice{Label: fmt.Sprint(c.Value), Value: c.Value, Mention: c.Mention, Link: c.Link})
		}
		a.tellApart()
		a.Route = Clarify
		mention := m.Candidates[0].Mention
		if len(a.Choices) == 1 {
			a.Text = fmt.Sprintf(a.w.DidYouMean, a.Choices[0].Label)
		} else {
			var names []string
			for _, c := range a.Choices {
				names = append(names, c.Label)
			}
			a.Text = a.w.Join(fmt.Sprintf(a.w.WhichOne, mention), strings.Join(names, " / "))
		}
		return true
	}
	return false
}

// tellApart puts a word for its label before each choice that another reads like.
func (a *asking) tellApart() {
	said := make(map[string]int)
	for _, c := range a.Choices {
		said[c.Label]++
	}
	for i, c := range a.Choices {
		if said[c.Label] > 1 {
			a.Choices[i].Label = fmt.Sprintf(a.w.Label, a.labelWord(c.Link.Label), c.Label)
		}
	}
}

// labelWord is a word for a label in the answer's language.
func (a *asking) labelWord(label string) string {
	if words := a.reader.Glossary().Labels[label].One[a.Language]; len(words) > 0 {
		return words[0]
	}
	return reading.Spoken(label)
}

// askWhether asks whether words are a name or mean themselves.
func (a *asking) askWhether(m link.Mention) {
	said := m.Candidates[0].Mention
	for _, c := range m.Candidates {
		a.Choices = append(a.Choices, Choice{Label: fmt.Sprintf(a.w.Label, a.labelWord(c.Label), c.Value), Value: c.Value, Mention: said, Link: c.Link})
	}
	word := fmt.Sprintf(a.w.Itself, said)
	a.Choices = append(a.Choices, Choice{Label: word, Value: said, Mention: said, Link: store.Link{Mention: said, Value: said, How: store.ByUser}})
	names := make([]string, len(a.Choices))
	for i, c := range a.Choices {
		names[i] = c.Label
	}
	a.Route = Clarify
	a.Text = a.w.Join(fmt.Sprintf(a.w.WhichOne, said), strings.Join(names, " / "))
}

// pickable reports whether picking a value for mention i makes a question that
// is covered, or at least one with a frame.
func (a *asking) pickable(i int) bool {
	var picks []store.Link
	for j, m := range a.rd.Mentions {
		if j == i || !m.Sure() {
			picks = append(picks, m.Candidates[0].Link)
		}
	}
	return a.reader.ReadWith(a.Restated, picks).Frame != nil
}

// recall finds the cases nearest to the question. Without a model they are the
// best that can be offered.
func (a *asking) recall(ctx context.Context) (settled bool) {
	start := time.Now()
	found, err := a.library.Recall(context.WithValue(ctx, embedding{}, &a.Timings.Model), text.Fold(a.Restated), recalledCases)
	since(&a.Timings.Recall, start)
	if err != nil {
		a.log.Warn("recalling cases", "err", err)
	}
	for _, m := range found {
		c := a.verifiedCase(m.Case.ID)
		if c == nil {
			continue // hidden, or on its way out
		}
		m.Case = *c
		a.recalled = append(a.recalled, m)
		a.Cases = append(a.Cases, ShownCase{m.Case.ID, m.Case.Question, m.Score})
		if m.Model != cases.HashedModel {
			a.EmbeddingCalls = 1
		}
	}
	switch {
	case a.q.NoModel != "":
		a.unanswered(a.q.NoModel)
		return true
	case a.HasModel():
		return false
	case a.outdated:
		a.unanswered(a.w.Outdated)
		return true
	}
	a.unanswered(a.w.Unanswered)
	return true
}

// recalledCases is how many cases a model is shown.
const recalledCases = 8

// unanswered says why there is no answer and offers the nearest cases, filled
// with this question's links.
func (a *asking) unanswered(why string) {
	a.Route, a.Text = Unanswered, why
	for _, m := range a.recalled {
		if len(a.Suggestions) == 3 {
			break
		}
		if s := a.suggestion(m.Case); s != "" && !slices.Contains(a.Suggestions, s) {
			a.Suggestions = append(a.Suggestions, s)
		}
	}
	if len(a.Suggestions) > 0 {
		a.Text = a.w.Join(why, a.w.Nearest, strings.Join(a.Suggestions, " · "))
	}
}

// suggestion is a wording of c in the question's language, with the question's
// links in its slots where they fit and the case's examples elsewhere.
func (a *asking) suggestion(c store.Case) string {
	slots := slices.Clone(c.Slots)
	used := make(map[string]bool)
	for i := range slots {
		for _, l := range a.Links {
			if l.Label == slots[i].Label && l.Property == slots[i].Property && !used[l.Mention] {
				slots[i].Example = l.Value
				used[l.Mention] = true
				break
			}
		}
	}
	return wordingIn(a.Language, c, slots)
}

// wordingIn is a wording of c in a language, with the examples of slots in it; ""
// if there is none.
func wordingIn(language string, c store.Case, slots []store.Slot) string {
	for _, w := range c.Wordings {
		if reading.Language(w) == language {
			if s, err := reading.Fill(w, slots); err == nil {
				return s
			}
		}
	}
	return ""
}

// fault ends the question where something broke; the log has the details under
// the answer's id.
func (a *asking) fault(kind string, err error) bool {
	a.log.Error("asking", "ref", a.ID, "kind", kind, "err", err)
	a.Route = Fault
	text := fmt.Sprintf(a.w.Internal, a.ID)
	switch kind {
	case "graph":
		text = a.w.GraphDown
		if errors.Is(err, store.ErrDenied) || errors.Is(err, store.ErrMissing) {
			text = a.w.Denied
		}
	case "timeout":
		text = a.w.TooSlow
	case "model":
		text = a.w.ModelDown
	}
	a.Text = text
	a.Error = &Failure{Kind: kind, Message: text, Ref: a.ID}
	return true
}

// graphFault ends the question where the graph failed.
func (a *asking) graphFault(err error) bool {
	switch {
	case errors.Is(err, store.ErrTimeout) || errors.Is(err, store.ErrTooLarge) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return a.fault("timeout", err)
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrDenied), errors.Is(err, store.ErrMissing):
		return a.fault("graph", err)
	}
	return a.fault("internal", err)
}

// Examples are questions that verified cases answer, in language, at most n.
func (e *Engine) Examples(language string, n int) []string {
	var out []string
	reader := e.snapshot().reader
	for _, q := range reader.Glossary().Examples[language] {
		if len(out) >= n {
			return out
		}
		if _, covered := e.covering(q, reader.Read(q)); covered == 1 {
			out = append(out, q)
		}
	}
	cases, _ := e.verified()
	for _, c := range cases {
		if len(out) >= n {
			return out
		}
		if s := wordingIn(language, *c, c.Slots); s != "" {
			out = append(out, s)
		}
	}
	return append(out, e.composable(language, n-len(out))...)
}
