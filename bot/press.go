package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/inbox"
)

// A pressing is a button with what it stands under.
type pressing struct {
	*Desk
	chat Chat
	e    inbox.Event
	h    Heard
	act  string
	args []string
	s    inbox.Shown // of the answer that the button names; zero if it names none
	k    kept
	w    *words.Words
}

// arg is an argument of the button; "" if it hasn't so many.
func (p *pressing) arg(i int) string {
	if i < len(p.args) {
		return p.args[i]
	}
	return ""
}

// back is where what only the person who pressed should see goes.
func (p *pressing) back() Place {
	at := p.h.Place
	at.User = p.h.User
	return at
}

// tell answers whoever pressed.
func (p *pressing) tell(ctx context.Context, text string) error {
	return p.show(ctx, Card{Language: p.w.Language, Tone: Noting, Text: text})
}

// show shows a card to whoever pressed: on their home page above the rest, or
// where the network waits for it.
func (p *pressing) show(ctx context.Context, c Card) error {
	if p.h.Place.Home {
		p.home(ctx, p.chat, p.h, c)
		return nil
	}
	_, err := p.deliver(ctx, p.chat, p.back(), p.h.Shown, c)
	if nowhere(err) {
		p.log().Warn("answering a press", "chat", p.chat.Name(), "err", err)
		return nil
	}
	return err
}

// aside tells a card to whoever did something.
func (d *Desk) aside(ctx context.Context, chat Chat, h Heard, c Card) {
	p := &pressing{Desk: d, chat: chat, h: h}
	if err := p.show(ctx, c); err != nil {
		d.log().Warn("answering a press", "chat", chat.Name(), "err", err)
	}
}

// open finds out what a button or form is about.
func (d *Desk) open(ctx context.Context, chat Chat, e inbox.Event, h Heard) (*pressing, error) {
	p := &pressing{Desk: d, chat: chat, e: e, h: h, w: words.In(h.Language)}
	act, rest, _ := strings.Cut(h.Button, "|")
	p.act, p.args = act, strings.Split(rest, "|")
	var err error
	switch act {
	case "up", "down", "more", "model", "anyway", "pick", "how":
		p.s, err = d.Inbox.Of(ctx, p.arg(0))
	case "case":
		p.s, err = d.Inbox.At(ctx, h.Place.Chat, h.Place.Channel, h.Place.Message)
	default:
		if last := p.arg(len(p.args) - 1); slices.Contains(words.Languages, last) {
			p.w = words.In(last)
			p.h.Language = last // of the page it stands on
		}
		return p, nil
	}
	if err == nil {
		p.k, err = remembered(p.s)
	}
	if err == nil && (act != "case" || h.Language == "") { // a case is looked at by one person, whatever language its answer has
		p.w = words.In(p.k.Language)
	}
	return p, err
}

// pressed does what a button says.
func (d *Desk) pressed(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	p, err := d.open(ctx, chat, e, h)
	switch {
	case errors.Is(err, inbox.ErrUnknown) && e.Tries < pressedTries: // it may be being posted right now
		return errLater
	case errors.Is(err, inbox.ErrUnknown):
		p.tell(ctx, p.w.Chat.TooOld)
		return d.finish(ctx, e.ID)
	case err != nil:
		return err
	case slices.Contains(answeredOnce, p.act) && !d.lately.first(h.Button, e.ID):
		return d.finish(ctx, e.ID)
	}
	switch p.act {
	case "up", "down":
		var done engine.Voted
		if done, err = d.vote(ctx, chat, h, p.k, engine.Vote{Answer: p.arg(0), User: h.user(), Value: p.act}); err == nil {
			err = p.thank(ctx, done)
		}
	case "stop":
		err = p.stop(ctx)
	case "more":
		err = p.more(ctx)
	case "model", "anyway", "pick":
		return p.again(ctx) // which ends the event itself
	case "how":
		err = p.how(ctx)
	case "undo":
		err = p.undo(ctx)
	case "queue", "case", "approve", "asis", "reject", "edit":
		err = p.curate(ctx)
	}
	if err != nil {
		return err
	}
	return d.finish(ctx, e.ID)
}

// answeredOnce are the buttons whose second press, by whomever, would bring what
// the first brings.
var answeredOnce = []string{"more", "model", "anyway", "pick"}

// stop stops work on a question: whoever asked may, and curators.
func (p *pressing) stop(ctx context.Context) error {
	q := p.atWorkOn(p.arg(0))
	switch {
	case q == nil: // it is answered by now
		return p.stale(ctx)
	case q.h.User == p.h.User || p.curates(ctx, p.chat, p.h):
		q.stop(errStopped)
	default:
		return p.tell(ctx, p.w.Chat.AskerOnly)
	}
	return nil
}

// stale takes away a sign of work that the bot doesn't know of: the network took it,
// and the word of that was lost.
func (p *pressing) stale(ctx context.Context) error {
	at := p.h.Place
	at.User, at.Token = "", ""
	if _, err := p.Inbox.At(ctx, at.Chat, at.Channel, at.Message); !errors.Is(err, inbox.ErrUnknown) || at.Message == "" {
		return err
	}
	_, err := p.deliver(ctx, p.chat, at, &at, Card{Language: p.w.Language, Tone: Declining, Text: p.w.Stopped})
	if nowhere(err) {
		return nil
	}
	return err
}

// more shows the next rows, to whom the first were shown.
func (p *pressing) more(ctx context.Context) error {
	from, err := strconv.Atoi(p.arg(1))
	if err != nil || from < 0 {
		return nil
	}
	a := engine.Answer{ID: p.arg(0), Language: p.k.Language, Route: engine.ByModel}
	if pg, ok := p.pages.of(a.ID); ok {
		a.Columns, a.Rows, a.Truncated = pg.columns, pg.rows, pg.truncated
	} else if a, ok = p.reread(ctx, a); !ok {
		return p.tell(ctx, p.w.Chat.TooOld)
	}
	if from >= len(a.Rows) {
		return p.tell(ctx, p.w.NoMore)
	}
	c, _ := lay(a, from, p.chat.Fits())
	c.Small = c.Small[:len(c.Small)-1] // without the badge: the first rows have it
	c.Buttons, c.Carries = only(c.Buttons, "more"), p.h.asks()
	q := question{Desk: p.Desk, chat: p.chat, e: p.e, h: p.h}
	q.h.Place = beside(p.k, p.h)
	if _, err := q.standing(ctx); err != nil {
		return err
	}
	if err := p.Inbox.Note(ctx, p.e.ID, posting); !p.lets(err) {
		return err
	}
	if _, err = p.deliver(ctx, p.chat, q.h.Place, q.at, c); nowhere(err) {
		return nil
	}
	return err
}

func only(list []Button, act string) (kept []Button) {
	for _, b := range list {
		if strings.HasPrefix(b.ID, act+"|") {
			kept = append(kept, b)
		}
	}
	return kept
}

// reread runs the query of an answer once more.
func (p *pressing) reread(ctx context.Context, a engine.Answer) (engine.Answer, bool) {
	eng := p.Bot(p.h.Place).Engine
	if eng == nil {
		return a, false
	}
	entry, err := eng.Library().Entry(ctx, a.ID)
	if err != nil || entry.Query == "" {
		return a, false
	}
	t, err := eng.RunCypher(ctx, store.Query{Text: entry.Query, Params: entry.Params})
	if err != nil {
		p.log().Warn("reading the rows of an answer again", "answer", a.ID, "err", err)
		return a, false
	}
	a.Columns, a.Rows, a.Truncated = t.Columns, t.Rows, t.Truncated
	p.pages.keep(a.ID, t.Columns, t.Rows, t.Truncated)
	return a, true
}

// again asks what the button offers: one of the choices, or the same of the model, or
// the same whatever a rule says.
func (p *pressing) again(ctx context.Context) error {
	m := Message{Text: p.k.Question, Conversation: p.k.Conversation, Picked: p.k.Chosen}
	switch p.act {
	case "model":
		m.Model = true
	case "anyway":
		m.Anyway = true
	default:
		i, err := strconv.Atoi(p.arg(1))
		switch {
		case err == nil && i >= 0 && i < len(p.k.Choices):
			m.Picked = append(m.Picked[:len(m.Picked):len(m.Picked)], p.k.Choices[i])
		case err == nil && len(p.k.Choices) == 0 && i >= 0 && i < len(p.k.Suggestions):
			m.Text, m.Picked = p.k.Suggestions[i], nil
		default:
			return p.finish(ctx, p.e.ID)
		}
	}
	h := p.h
	h.Kind, h.Text, h.Private, h.Closed, h.Shown, h.MidThread = Asked, m.Text, p.k.Private, p.k.Closed, nil, false
	h.Place = beside(p.k, p.h)
	return p.ask(ctx, p.chat, p.e, h, m)
}

// how shows what an answer rests on, to whoever asks.
func (p *pressing) how(ctx context.Context) error {
	eng := p.Bot(p.h.Place).Engine
	if eng == nil {
		return nil
	}
	entry, err := eng.Library().Entry(ctx, p.arg(0))
	if err != nil {
		return p.tell(ctx, p.w.Chat.TooOld)
	}
	c := because(entry, p.w, p.chat.Fits())
	if entry.CaseID != "" {
		if cs, err := eng.Library().Case(ctx, entry.CaseID); err == nil {
			c.Small = append(c.Small, clip(fmt.Sprintf(p.w.Why.Case, cs.ID, Line(cs.Question)), p.chat.Fits().Small))
			if by := verified(cs, p.w); by != "" {
				c.Small = append(c.Small, by)
			}
		}
	}
	return p.show(ctx, c)
}

// because lays out what the journal knows of an answer.
func because(e cases.Entry, w *words.Words, fits Fits) Card {
	lines := []string{fmt.Sprintf(w.Why.Route, strings.ReplaceAll(w.Why.Routes[e.Route], "%s", "—"))}
	for _, l := range e.Links {
		lines = append(lines, linked(l, w))
	}
	if e.Repairs > 0 {
		lines = append(lines, fmt.Sprintf(w.Why.Repairs, e.Repairs))
	}
	var code strings.Builder
	code.WriteString(e.Query)
	for _, name := range sortedKeys(e.Params) {
		code.WriteString("\n// $" + name + " = " + Line(literal(e.Params[name])))
	}
	return Card{Language: w.Language, Tone: Noting, Text: clip(strings.Join(lines, "\n"), fits.Text), Code: clip(Plain(code.String()), fits.Code),
		Small: []string{fmt.Sprintf(w.Why.Calls, e.ModelCalls, e.EmbeddingCalls) + " · " + fmt.Sprintf(w.Why.Time, e.Timings["total"], e.Timings["model"], e.Timings["database"])}}
}

// undo takes back a change of a case, which curators may. Others take back
// their vote, and with it what it alone did.
func (p *pressing) undo(ctx context.Context) error {
	eng := p.Bot(p.h.Place).Engine
	change, err := strconv.ParseInt(p.arg(0), 10, 64)
	if eng == nil || err != nil {
		return nil
	}
	if !p.curates(ctx, p.chat, p.h) {
		return p.tell(ctx, p.w.Chat.CuratorsOnly)
	}
	ch, err := eng.Library().Undo(ctx, change, p.h.user())
	switch {
	case errors.Is(err, cases.ErrBusy):
		return err
	case err != nil:
		return p.tell(ctx, fmt.Sprintf(p.w.Chat.NotUndone, Line(p.w.Because(err.Error()))))
	}
	card := Card{Language: p.w.Language, Tone: Noting, Text: fmt.Sprintf(p.w.Chat.Undone, p.w.State(ch.To)), Deed: p.w.Chat.By, By: p.h.User}
	if p.h.Private || p.h.Place.Home {
		return p.show(ctx, card)
	}
	p.say(ctx, p.chat, p.public(), card)
	return nil
}

// public is the conversation that the button stands in.
func (p *pressing) public() Place {
	at := p.h.Place
	at.User, at.Token, at.Message = "", "", ""
	return at
}
