package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/inbox"
)

// Bounds of what is shown at once.
const (
	homeItems = 8
	homeMine  = 5
	shownRows = 3               // that a waiting case finds
	tryTime   = 2 * time.Second // to run the query of a case
	formMost  = 3000            // characters of a field
)

// waiting is what curators should look at: flagged cases, then candidates with
// the most votes, names that people taught, and cases out of use.
func waiting(ctx context.Context, eng *engine.Engine) (list []pending, err error) {
	seen := make(map[string]bool)
	add := func(f cases.Filter) error {
		found, err := eng.Library().List(ctx, f)
		slices.SortStableFunc(found, func(a, b store.Case) int { return b.Votes.Up - a.Votes.Up })
		for _, c := range found {
			if !seen[c.ID] && eng.Shows(c) {
				list = append(list, pending{c: &c})
			}
			seen[c.ID] = true
		}
		return err
	}
	if err := add(cases.Filter{Flagged: true}); err != nil {
		return nil, err
	}
	if err := add(cases.Filter{Status: store.Candidate}); err != nil {
		return nil, err
	}
	taught, err := eng.Taught(ctx, store.Candidate)
	if err != nil {
		return nil, err
	}
	for _, t := range taught {
		list = append(list, pending{t: &t})
	}
	return list, add(cases.Filter{Status: store.Quarantined})
}

// item lays out a case for a curator.
func item(ctx context.Context, eng *engine.Engine, c store.Case, w *words.Words, fits Fits) Card {
	card := Card{Language: w.Language, Tone: Noting, Text: clip(Line(c.Question), fits.Text), Code: clip(Plain(c.Query), fits.Code)}
	small := func(format string, args ...any) {
		card.Small = append(card.Small, clip(Line(fmt.Sprintf(format, args...)), fits.Small))
	}
	small(w.Chat.QueueItem, w.State(c.Status), c.Votes.Up, c.Votes.Down)
	flagged := false
	if s, err := eng.Library().Standing(ctx, c.ID); err == nil {
		if flagged = s.Flag != ""; flagged {
			small(w.Chat.Flag, w.Because(s.Flag))
		}
		if len(s.Askers) > 0 {
			small(w.Chat.AskedBy, len(s.Askers))
		}
		if s.Private {
			small("%s", w.Chat.FromAside)
		}
		if s.Why != "" && c.Status != store.Candidate {
			small(w.VoteReason, w.Because(s.Why))
		}
	}
	within, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	t, err := eng.Try(within, c)
	switch {
	case err != nil:
		small(w.Chat.Fails, err.Error())
	case len(t.Rows) == 0:
		small("%s", w.Chat.FindsNone)
	default:
		var rows []string
		for _, cells := range Cells(t.Columns, t.Rows[:min(len(t.Rows), shownRows)]) {
			rows = append(rows, strings.Join(cells, " · "))
		}
		small(w.Chat.Finds, len(t.Rows), strings.Join(rows, " / "))
	}
	if entries, err := eng.Library().VotedOn(ctx, c.ID, 1); err == nil && len(entries) > 0 {
		for _, draft := range entries[0].Drafts {
			if draft.Refused != "" {
				small("%s %s", w.Chat.FirstDraft, draft.Query)
				small(w.Chat.Refused, draft.Refused)
				break
			}
		}
	}
	d, doubted := eng.Doubt(c.ID)
	if doubted {
		for _, line := range doubtLines(d, w) {
			small("%s", line)
		}
	}
	if c.AsIs {
		small("%s", w.Chat.KeptAsIs)
	}
	card.Buttons = verdictsOn(c, flagged, doubted, w)
	return card
}

// curate does what a curator's button says.
func (p *pressing) curate(ctx context.Context) error {
	eng := p.Bot(p.h.Place).Engine
	if eng == nil {
		return nil
	}
	if !p.curates(ctx, p.chat, p.h) {
		return p.tell(ctx, p.w.Chat.CuratorsOnly)
	}
	switch p.act {
	case "queue":
		return p.queue(ctx, eng)
	case "case":
		return p.shownCase(ctx, eng)
	case "edit": // the form opens by itself, where there is one
		if _, ok := p.Form(ctx, p.h); !ok {
			return p.tell(ctx, p.w.Chat.TooLong)
		}
		return nil
	}
	if strings.HasPrefix(p.arg(0), cases.TaughtPrefix) {
		return p.decide(ctx, eng)
	}
	c, err := eng.Library().Case(ctx, p.arg(0))
	if err != nil {
		return p.tell(ctx, fmt.Sprintf(p.w.Chat.NotKept, Line(p.w.Because(err.Error()))))
	}
	if len(p.args) > 2 && p.arg(1) != string(c.Status) {
		return p.tell(ctx, fmt.Sprintf(p.w.Chat.MovedSince, p.w.State(c.Status)))
	}
	to := store.Verified
	if p.act == "reject" {
		to = against(c.Status)
	}
	ch, err := eng.Library().Move(ctx, p.arg(0), to, cases.Change{By: p.h.user(), Why: "curated", AsIs: p.act == "asis"})
	d, doubted := errors.AsType[cases.Doubt](err)
	switch {
	case errors.Is(err, cases.ErrBusy):
		return err
	case doubted:
		return p.show(ctx, doubtCard(c, d, p.w, p.chat.Fits()))
	case err != nil:
		return p.tell(ctx, fmt.Sprintf(p.w.Chat.NotKept, Line(p.w.Because(err.Error()))))
	}
	card := Card{Language: p.w.Language, Tone: Noting, Deed: p.w.Chat.By, By: p.h.User, Text: fmt.Sprintf(p.w.Chat.Moved, p.w.State(ch.To))}
	if p.act == "asis" {
		card.Text += "\n" + p.w.Chat.KeptAsIs
	}
	if ch.From != ch.To || p.act == "asis" {
		card.Buttons = []Button{press(p.w.Chat.Undo, Ordinary, "undo", strconv.FormatInt(ch.ID, 10), ch.Case, p.w.Language)}
	}
	if c, err := eng.Library().Case(ctx, ch.Case); err == nil {
		card.Text = clip(Line(c.Question), p.chat.Fits().Small) + "\n" + card.Text
	}
	return p.show(ctx, card)
}

// queue shows one waiting case, and how many there are.
func (p *pressing) queue(ctx context.Context, eng *engine.Engine) error {
	list, err := waiting(ctx, eng)
	if err != nil {
		return err
	}
	at, _ := strconv.Atoi(p.arg(0))
	card := Card{Language: p.w.Language, Tone: Noting, Text: p.w.Chat.QueueEmpty}
	if len(list) > 0 {
		at = min(max(at, 0), len(list)-1)
		card = list[at].card(ctx, eng, p.w, p.chat.Fits())
		card.Small = append([]string{fmt.Sprintf(p.w.Chat.Queue, len(list))}, card.Small...)
		if at+1 < len(list) {
			card.Buttons = append(card.Buttons, press(p.w.Chat.Later, Ordinary, "queue", strconv.Itoa(at+1), p.w.Language))
		}
	}
	return p.show(ctx, card)
}

// shownCase shows the case that a message's answer rests on.
func (p *pressing) shownCase(ctx context.Context, eng *engine.Engine) error {
	entry, err := eng.Library().Entry(ctx, p.s.Answer)
	switch {
	case err != nil:
		return p.tell(ctx, p.w.Chat.TooOld)
	case entry.CaseID == "":
		return p.tell(ctx, p.w.Chat.NoCase)
	}
	c, err := eng.Library().Case(ctx, entry.CaseID)
	if err != nil {
		return p.tell(ctx, p.w.Chat.TooOld)
	}
	return p.show(ctx, item(ctx, eng, c, p.w, p.chat.Fits()))
}

// How often and after what pause a form looks for the answer that it is about.
const (
	formLooks = 5
	formPause = 100 * time.Millisecond
)

// Form returns the form that a button opens, filled in for the person who
// pressed it; ok is false for a button that opens none. It answers
// within a second: networks give a person's press three seconds to open one. The
// press is to be heard as well, and first.
func (d *Desk) Form(ctx context.Context, h Heard) (f Form, ok bool) {
	chat := d.chat(h.Place.Chat)
	if chat == nil || !strings.HasPrefix(h.Button, "down|") && !strings.HasPrefix(h.Button, "edit|") {
		return Form{}, false
	}
	p, err := d.open(ctx, chat, inbox.Event{}, h)
	for range formLooks {
		if !errors.Is(err, inbox.ErrUnknown) || pause(ctx, formPause) != nil {
			break
		}
		p, err = d.open(ctx, chat, inbox.Event{}, h) // it may be being posted right now
	}
	if err != nil {
		return Form{}, false
	}
	w := p.w.Chat
	f = Form{ID: h.Button, Title: w.FormTitle, Send: w.Send, Cancel: w.Cancel}
	if p.act == "down" {
		var options []Option
		for _, r := range reasonsDown {
			options = append(options, Option{r, w.Reasons[r]})
		}
		f.Fields = []Field{{Name: "reason", Label: w.FormReason, Options: options},
			{Name: "why", Label: w.FormFix, Hint: w.FormHint, Lines: true, Optional: true, Most: maxWhy / 4}}
		return f, true
	}
	eng := d.Bot(h.Place).Engine
	if eng == nil || !d.curates(ctx, chat, h) {
		return Form{}, false
	}
	c, err := eng.Library().Case(ctx, p.arg(0))
	if err != nil {
		return Form{}, false
	}
	f.Title = w.EditTitle
	f.Fields = []Field{
		{Name: "query", Label: w.EditQuery, Value: c.Query, Lines: true, Most: formMost},
		{Name: "wordings", Label: w.EditWords, Value: strings.Join(c.Wordings, "\n"), Lines: true, Most: formMost},
		{Name: "as_is", Label: w.AsIsField, Value: map[bool]string{true: "yes"}[c.AsIs], Options: []Option{{"yes", w.AsIsOption}}, Optional: true},
		{Name: "why", Label: w.EditWhy, Optional: true, Most: maxWhy / 4}}
	for _, field := range f.Fields { // what doesn't fit must not be cut: it would be sent back so
		if len([]rune(field.Value)) > formMost {
			return Form{}, false
		}
	}
	return f, true
}

// filled takes a form.
func (d *Desk) filled(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	p, err := d.open(ctx, chat, e, h)
	switch {
	case errors.Is(err, inbox.ErrUnknown):
		p.tell(ctx, p.w.Chat.TooOld)
	case err != nil:
		return err
	case p.act == "down":
		v := engine.Vote{Answer: p.arg(0), User: h.user(), Value: "down", Reason: h.Fields["reason"], Why: clip(h.Fields["why"], maxWhy/4)}
		if _, err := d.vote(ctx, chat, h, p.k, v); err != nil {
			return err
		}
		told, err := p.teach(ctx, v.Why)
		if err != nil {
			return err
		}
		p.tell(ctx, told)
	case p.act == "edit":
		if err := p.edit(ctx); err != nil {
			return err
		}
	}
	return d.finish(ctx, e.ID)
}

// edit changes a case as a curator's form says.
func (p *pressing) edit(ctx context.Context) error {
	eng := p.Bot(p.h.Place).Engine
	if eng == nil {
		return nil
	}
	if !p.curates(ctx, p.chat, p.h) {
		return p.tell(ctx, p.w.Chat.CuratorsOnly)
	}
	c, err := eng.Library().Case(ctx, p.arg(0))
	if err != nil {
		return p.tell(ctx, fmt.Sprintf(p.w.Chat.NotKept, Line(p.w.Because(err.Error()))))
	}
	c.Query, c.Wordings = strings.TrimSpace(p.h.Fields["query"]), nil
	for line := range strings.Lines(p.h.Fields["wordings"]) {
		if line = strings.TrimSpace(line); line != "" {
			c.Wordings = append(c.Wordings, line)
		}
	}
	c.AsIs = p.h.Fields["as_is"] != ""
	c, err = eng.Edit(ctx, c, p.h.user(), or(p.h.Fields["why"], "edited"))
	switch {
	case errors.Is(err, cases.ErrBusy):
		return err
	case err != nil:
		return p.tell(ctx, fmt.Sprintf(p.w.Chat.NotKept, Line(p.w.Because(err.Error()))))
	}
	card := item(ctx, eng, c, p.w, p.chat.Fits())
	card.Small = append([]string{p.w.Chat.Kept}, card.Small...)
	return p.show(ctx, card)
}

// visited draws a person's home page.
func (d *Desk) visited(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	d.home(ctx, chat, h)
	return d.finish(ctx, e.ID)
}

// home draws what just happened, what the bot can do, what the person asked, and
// for a curator what waits.
func (d *Desk) home(ctx context.Context, chat Chat, h Heard, news ...Card) {
	eng := d.Bot(h.Place).Engine
	if eng == nil {
		return
	}
	w, fits := words.In(h.Language), chat.Fits()
	to := h.Place
	to.Home, to.User, to.Message, to.Token = true, h.User, "", ""
	page := Card{Language: w.Language, Tone: Noting, Text: w.Chat.Home, Items: news}
	var examples strings.Builder
	examples.WriteString(w.Chat.Examples)
	for _, q := range append(eng.Examples(w.Language, 3), eng.Examples(other(w.Language), 2)...) {
		examples.WriteString("\n• " + Line(q))
	}
	page.Items = append(page.Items, Card{Language: w.Language, Text: clip(examples.String(), fits.Text)})
	if mine, err := d.Inbox.By(ctx, h.user(), homeMine); err == nil && len(mine) > 0 {
		var text strings.Builder
		text.WriteString(w.Chat.Mine)
		for _, s := range mine {
			if k, err := remembered(s); err == nil {
				text.WriteString("\n• " + Line(k.Question))
			}
		}
		page.Items = append(page.Items, Card{Language: w.Language, Text: clip(text.String(), fits.Text)})
	}
	if d.curates(ctx, chat, h) {
		list, err := waiting(ctx, eng)
		if err != nil {
			d.log().Warn("listing what waits for a curator", "err", err)
		}
		head := w.Chat.QueueEmpty
		if len(list) > 0 {
			head = fmt.Sprintf(w.Chat.Queue, len(list))
		}
		page.Items = append(page.Items, Card{Language: w.Language, Text: head})
		for _, c := range list[:min(len(list), homeItems, max(0, fits.Items-len(page.Items)))] {
			page.Items = append(page.Items, c.card(ctx, eng, w, fits))
		}
	}
	d.say(ctx, chat, to, page)
}

func other(language string) string {
	if language == "zh" {
		return "en"
	}
	return "zh"
}

// Suggest returns at most n questions that verified, public cases answer and
// that typed begins or is part of, best first.
func (d *Desk) Suggest(ctx context.Context, where Place, typed, language string, n int) []string {
	eng := d.Bot(where).Engine
	if eng == nil {
		return nil
	}
	if strings.TrimSpace(typed) == "" {
		return eng.Examples(or(language, "en"), n)
	}
	return eng.Complete(ctx, typed, n)
}
