package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store"
	"precedent/store/inbox"
)

// A question is one being worked on.
type question struct {
	user string
	stop context.CancelCauseFunc
}

// Why a question is no longer worked on.
var (
	errStopped   = errors.New("the asker stopped it")
	errWithdrawn = errors.New("the asker deleted it")
)

// kept is what is remembered of a message of the bot.
type kept struct {
	Place        Place        `json:"place"`
	Asked        Place        `json:"asked"` // the question's own
	Conversation string       `json:"conversation,omitempty"`
	Question     string       `json:"question"`
	Language     string       `json:"language"`
	Private      bool         `json:"private,omitempty"`
	Chosen       []store.Link `json:"chosen,omitempty"`      // picked so far
	Choices      []store.Link `json:"choices,omitempty"`     // to pick from
	Suggestions  []string     `json:"suggestions,omitempty"` // likewise
}

// remembered reads what Shown keeps.
func remembered(s inbox.Shown) (k kept, err error) {
	err = json.Unmarshal([]byte(s.Body), &k)
	return k, err
}

// shown is what the inbox keeps of a message at place.
func (k kept) shown(at Place, answer, event, user string) inbox.Shown {
	k.Place, k.Place.Token = at, ""
	k.Asked.Token = ""
	body, _ := json.Marshal(k) // of texts and numbers alone: it can't fail
	if at.Message == "" {      // the network doesn't say; it is found by its answer alone
		at.Message = "=" + event
	}
	return inbox.Shown{Chat: at.Chat, Channel: at.Channel, Message: at.Message, Answer: answer, Event: event, User: user, Body: string(body)}
}

// asks is the id of the question that h asks or changes.
func (h Heard) asks() string {
	if h.Kind == Amended || h.Kind == Withdrawn {
		return h.Place.Chat + ":" + h.Place.Channel + "/" + h.Place.Message
	}
	return h.ID
}

// words are those of what h says, or where it says none, of its user's client.
func (h Heard) words() *words.Words {
	if strings.TrimSpace(h.Text) == "" {
		return words.In(h.Language)
	}
	return words.For(h.Text)
}

// question answers what h asks, or what m asks because h does.
func (d *Desk) question(ctx context.Context, chat Chat, e inbox.Event, h Heard, m Message) error {
	m.User, m.Private = h.user(), h.Private
	if m.Conversation == "" {
		m.Conversation = h.Conversation
	}
	k := kept{Asked: h.Place, Conversation: m.Conversation, Question: m.Text, Language: words.For(m.Text).Language, Private: h.Private, Chosen: m.Picked}
	to := h.Place
	at, err := d.standing(ctx, chat, e, h)
	if err != nil {
		return err
	}
	if c, silent := d.turnedAway(ctx, chat, h, &m); silent {
		return d.Inbox.Finish(ctx, e.ID)
	} else if c != nil {
		c.Carries = h.asks()
		return d.last(ctx, chat, e, h, to, at, *c, k, nil)
	}

	asked, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d.begin(h.asks(), &question{user: h.User, stop: stop})
	defer d.end(h.asks())
	if h.MidThread && m.Above == nil {
		m.Above, err = chat.Above(ctx, h.Place, aboveMessages)
		if err != nil && !errors.Is(err, ErrBlind) {
			d.log().Warn("reading the thread above", "event", h.ID, "err", err)
		}
	}
	answered := make(chan engine.Answer, 1)
	stages := make(chan engine.Progress, 1)
	go func() {
		answered <- d.Bot(h.Place).Answer(asked, m, func(p engine.Progress) {
			select {
			case <-stages: // only the newest counts
			default:
			}
			stages <- p
		})
	}()
	a, at, err := d.watch(asked, chat, e, h, to, at, k, answered, stages)
	switch cause := context.Cause(asked); {
	case err != nil:
		return err
	case errors.Is(cause, errStopped):
		return d.last(ctx, chat, e, h, to, at, Card{Carries: h.asks(), Language: k.Language, Tone: Declining, Text: words.In(k.Language).Stopped}, k, nil)
	case errors.Is(cause, errWithdrawn):
		return d.Inbox.Finish(ctx, e.ID)
	case cause != nil: // the program ends
		d.ending(chat, at, Card{Carries: h.asks(), Language: k.Language, Tone: AtWork, Text: words.In(k.Language).Chat.Ending})
		return cause
	}
	d.spend(ctx, h, a)
	return d.last(ctx, chat, e, h, to, at, Card{}, k, &a)
}

// aboveMessages is how much of a thread is read when the bot is called into it.
const aboveMessages = 6

// posting is the state of an event from the moment on at which something may
// have been posted for it that isn't known of yet.
const posting = "posting"

// standing returns where the bot's reply to a question stands already; nil if nowhere.
func (d *Desk) standing(ctx context.Context, chat Chat, e inbox.Event, h Heard) (*Place, error) {
	if h.Kind != Amended && h.Shown != nil {
		return h.Shown, nil
	}
	if s, err := d.Inbox.For(ctx, h.asks()); err == nil {
		if k, err := remembered(s); err == nil {
			return &k.Place, nil
		}
	} else if !errors.Is(err, inbox.ErrUnknown) {
		return nil, err
	}
	if e.Tries < 2 || e.State != posting {
		return nil, nil
	}
	place, found, err := chat.Find(ctx, h.Place, h.asks())
	switch {
	case errors.Is(err, ErrBlind), errors.Is(err, ErrGone), err == nil && !found:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for an earlier reply: %w", err)
	}
	return &place, nil
}

// watch waits for an answer and meanwhile shows that it is worked on. It
// returns where that is shown, nil if it wasn't needed.
func (d *Desk) watch(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, k kept, answered <-chan engine.Answer, stages <-chan engine.Progress) (engine.Answer, *Place, error) {
	quiet := time.NewTimer(or(d.Quiet, DefaultQuiet))
	defer quiet.Stop()
	if at != nil && h.Shown == nil {
		quiet.Reset(0)
	}
	var late time.Time
	var stage engine.Progress
	drawn := 0
	redraw := time.NewTimer(time.Hour)
	defer redraw.Stop()
	for {
		select {
		case a := <-answered:
			return a, at, nil
		case <-quiet.C:
			if err := d.Inbox.Note(ctx, e.ID, posting); err != nil {
				return engine.Answer{}, at, err
			}
			place, err := d.deliver(ctx, chat, to, at, d.atWork(h.asks(), k, stage))
			if err != nil {
				if ctx.Err() != nil { // stopped, or the program ends
					return <-answered, at, nil
				}
				if errors.Is(err, ErrGone) || errors.Is(err, ErrBarred) {
					return engine.Answer{}, at, err
				}
				if !errors.Is(err, ErrCrowded) {
					d.log().Warn("showing that a question is worked on", "event", h.ID, "err", err)
				}
				continue // the answer may get through
			}
			at, late = &place, time.Now()
			if err := d.Inbox.Show(ctx, k.shown(place, "", h.asks(), h.user())); err != nil {
				return engine.Answer{}, at, err
			}
		case stage = <-stages:
			if at != nil && drawn < maxProgress {
				redraw.Reset(max(0, progressEvery-time.Since(late)))
			}
		case <-redraw.C:
			if drawn++; at == nil {
				continue
			}
			// Once, and not again where it fails: the answer matters more.
			if _, err := chat.Edit(ctx, *at, d.atWork(h.asks(), k, stage)); err != nil {
				drawn = maxProgress
			}
			late = time.Now()
		}
	}
}

// atWork is the card while a question is worked on.
func (d *Desk) atWork(carries string, k kept, p engine.Progress) Card {
	w := words.In(k.Language)
	text := w.Working
	switch p.Stage {
	case engine.Writing:
		text = w.Writing
	case engine.Reading:
		text = w.Reading
	case engine.Telling:
		text = fmt.Sprintf(w.Telling, p.Rows)
	}
	return Card{Carries: carries, Language: k.Language, Tone: AtWork, Text: text, Buttons: []Button{press(w.Chat.Stop, Bad, "stop", carries)}}
}

// last says the last word on a question, an answer or c, and ends the event.
func (d *Desk) last(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, c Card, k kept, a *engine.Answer) error {
	answer, file := "", (*File)(nil)
	if a != nil {
		c, file = lay(*a, 0, chat.Fits())
		c.Carries, k.Language, answer = h.asks(), a.Language, a.ID
		k.Suggestions = a.Suggestions
		for _, choice := range a.Choices {
			k.Choices = append(k.Choices, choice.Link)
		}
		d.pages.keep(a.ID, a.Columns, a.Rows, a.Truncated)
	}
	if at == nil {
		if err := d.Inbox.Note(ctx, e.ID, posting); err != nil {
			return err
		}
	}
	place, err := d.deliver(ctx, chat, to, at, c)
	switch {
	case errors.Is(err, ErrGone), errors.Is(err, ErrBarred), errors.Is(err, ErrRejected), errors.Is(err, ErrExpired):
		d.log().Error("an answer has no place left to go", "event", h.ID, "err", err)
		return d.Inbox.Finish(ctx, e.ID)
	case err != nil:
		return err
	}
	if file != nil {
		d.attach(ctx, chat, place, *file, k.Language)
	}
	return d.Inbox.Finish(ctx, e.ID, k.shown(place, answer, h.asks(), h.user()))
}

// attach puts a file up beside an answer, or says that it can't.
func (d *Desk) attach(ctx context.Context, chat Chat, at Place, f File, language string) {
	for tries := range deliverTries {
		err := chat.Attach(ctx, at, f)
		wait, asked := errors.AsType[Wait](err)
		switch {
		case err == nil:
			return
		case errors.Is(err, ErrBarred), errors.Is(err, ErrRejected), errors.Is(err, ErrExpired), errors.Is(err, ErrGone), asked && wait.For > longestWait, tries == deliverTries-1:
			d.log().Warn("attaching a file", "chat", chat.Name(), "err", err)
			d.say(ctx, chat, at, Card{Language: language, Tone: Noting, Text: words.In(language).Chat.NoFile})
			return
		case !asked:
			wait.For = deliverPause << tries
		}
		if pause(ctx, wait.For) != nil {
			return
		}
	}
}

// say posts a note; if that fails, the log has it.
func (d *Desk) say(ctx context.Context, chat Chat, to Place, c Card) {
	if _, err := d.deliver(ctx, chat, to, nil, c); err != nil {
		d.log().Warn("saying something", "chat", chat.Name(), "err", err)
	}
}

// ending tells, where something is shown already, that it isn't forgotten.
func (d *Desk) ending(chat Chat, at *Place, c Card) {
	if at == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), endingTime)
	defer cancel()
	if _, err := chat.Edit(ctx, *at, c); err != nil {
		d.log().Warn("saying that the program ends", "chat", chat.Name(), "err", err)
	}
}

// endingTime is how long it may take to say that the program ends.
const endingTime = 3 * time.Second

// giveUp ends an event that was taken up too often.
func (d *Desk) giveUp(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	if h.Kind == Asked || h.Kind == Amended {
		e.Tries = maxTries
		at, err := d.standing(ctx, chat, e, h)
		if err != nil {
			at = h.Shown
		}
		w := h.words()
		if _, err := d.deliver(ctx, chat, h.Place, at, Card{Carries: h.asks(), Language: w.Language, Tone: Breaking, Text: w.Chat.GaveUp}); err != nil {
			d.log().Error("saying that a question is given up", "event", e.ID, "err", err)
		}
	}
	return d.Inbox.Finish(ctx, e.ID)
}

// withdrawn stops work on a question whose message is gone.
func (d *Desk) withdrawn(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	d.halt(h.asks(), errWithdrawn)
	return d.Inbox.Finish(ctx, e.ID)
}

func (d *Desk) begin(id string, q *question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.working == nil {
		d.working = make(map[string]*question)
	}
	d.working[id] = q
}

func (d *Desk) end(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.working, id)
}

// halt stops work on a question; user "" may always.
func (d *Desk) halt(id string, why error) (asker string, found bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.working[id]
	if q == nil {
		return "", false
	}
	q.stop(why)
	return q.user, true
}

// turnedAway returns what to say to somebody who may not ask here and now;
// silent is true where they know already. Where only the model's share is used
// up, m goes on without it.
func (d *Desk) turnedAway(ctx context.Context, chat Chat, h Heard, m *Message) (c *Card, silent bool) {
	w := h.words()
	away := func(text string) (*Card, bool) {
		return &Card{Language: w.Language, Tone: Declining, Text: text}, false
	}
	channel := h.Place.Chat + ":" + h.Place.Channel
	r := d.Rules
	if r.Channels != nil && h.Place.Team != "" && !slices.Contains(r.Channels, channel) {
		return away(w.Chat.Elsewhere)
	}
	if r.People != nil && !d.among(ctx, chat, h, r.People) {
		return away(w.Chat.Barred)
	}
	now := time.Now()
	until, told := d.rates.admit(now, h.user(), []string{h.user(), channel, ""},
		[]int{or(r.PerUser, DefaultPerUser), or(r.PerChannel, DefaultPerChannel), or(r.PerMinute, DefaultPerMinute)})
	switch {
	case told:
		return nil, true
	case !until.IsZero():
		return away(fmt.Sprintf(w.Chat.Slowly, int(until.Sub(now).Seconds())+1, clock(until)))
	}
	for who, most := range map[string]int{h.user(): r.UserTokens, channel: r.ChannelTokens, "": r.Tokens} {
		if most <= 0 {
			continue
		}
		if spent, err := d.Inbox.Spent(ctx, who); err != nil {
			d.log().Warn("counting tokens", "err", err)
		} else if spent >= most {
			m.Spent = fmt.Sprintf(w.Chat.Spent, clock(now.UTC().Truncate(24*time.Hour).Add(24*time.Hour)))
		}
	}
	return nil, false
}

// clock is a time of day as people of all places read it.
func clock(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// spend counts what an answer cost.
func (d *Desk) spend(ctx context.Context, h Heard, a engine.Answer) {
	if tokens := a.PromptTokens + a.CompletionTokens; tokens > 0 {
		if err := d.Inbox.Spend(ctx, tokens, h.user(), h.Place.Chat+":"+h.Place.Channel, ""); err != nil {
			d.log().Error("counting tokens", "err", err)
		}
	}
}
