package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
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
	Amended      time.Time    `json:"amended,omitzero"` // when the question was changed to this; zero: it never was
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
	body, _ := json.Marshal(k) // of texts, numbers and times alone: it can't fail
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
	if h.Kind == Amended {
		k.Amended = h.At
	}
	to := h.Place
	at, late, err := d.standing(ctx, chat, e, h)
	switch {
	case err != nil:
		return err
	case late: // what the question became since is answered
		return d.Inbox.Finish(ctx, e.ID)
	}
	if c, silent := d.turnedAway(ctx, chat, e, h, &m); silent && at == nil {
		return d.Inbox.Finish(ctx, e.ID)
	} else if c != nil {
		d.lately.again(h.Button)
		c.Carries = h.asks()
		return d.last(ctx, chat, e, h, to, at, *c, k, nil)
	}

	asked, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d.begin(h.asks(), &question{user: h.User, stop: stop})
	defer d.end(h.asks())
	if d.lately.known(withdrawnNow + h.asks()) { // between its being handed out and here
		return d.Inbox.Finish(ctx, e.ID)
	}
	if h.Place.Thread != "" {
		if root, err := d.Inbox.At(ctx, h.Place.Chat, h.Place.Channel, h.Place.Thread); err == nil {
			m.After = root.Answer
		}
	}
	if h.MidThread && m.After == "" {
		m.Above, err = chat.Above(ctx, h.Place, aboveMessages)
		if err != nil && !errors.Is(err, ErrBlind) {
			d.log().Warn("reading the thread above", "event", h.ID, "err", err)
		}
	}
	if e.State == posting { // it came as far before: the network is to be there before a model is asked again
		if at, err = d.showWork(ctx, chat, e, h, to, at, k, engine.Progress{}); err != nil {
			return err
		}
	}
	answered := make(chan engine.Answer, 1)
	stages := make(chan engine.Progress, 1)
	go func() { answered <- d.answer(asked, h, m, stages) }()
	a, at := d.watch(ctx, chat, e, h, to, at, k, answered, stages)
	switch cause := context.Cause(asked); {
	case errors.Is(cause, errWithdrawn) && at == nil:
		return d.Inbox.Finish(ctx, e.ID)
	case errors.Is(cause, errStopped), errors.Is(cause, errWithdrawn):
		return d.last(ctx, chat, e, h, to, at, Card{Carries: h.asks(), Language: k.Language, Tone: Declining, Text: words.In(k.Language).Stopped}, k, nil)
	case cause != nil: // the program ends
		d.ending(chat, at, Card{Carries: h.asks(), Language: k.Language, Tone: AtWork, Text: words.In(k.Language).Chat.Ending})
		return cause
	}
	d.spend(ctx, h, a)
	if list := parts(m.Text); list != nil && a.Route == engine.Unanswered {
		return d.inParts(asked, chat, e, h, to, at, k, m, list)
	}
	return d.last(ctx, chat, e, h, to, at, Card{}, k, &a)
}

// aboveMessages is how much of a thread is read when the bot is called into it.
const aboveMessages = 6

// posting is the state of an event from the moment on at which something may
// have been posted for it that isn't known of yet.
const posting = "posting"

// standing returns where the bot's reply to a question stands already; nil if
// nowhere. late is true if what it replies to there was said after h.
func (d *Desk) standing(ctx context.Context, chat Chat, e inbox.Event, h Heard) (at *Place, late bool, err error) {
	s, err := d.Inbox.For(ctx, h.asks())
	if err != nil && !errors.Is(err, inbox.ErrUnknown) {
		return nil, false, err
	}
	k, broken := remembered(s)
	if broken == nil {
		late = h.Kind == Asked && !k.Amended.IsZero() || h.Kind == Amended && k.Amended.After(h.At)
	}
	switch {
	case broken == nil && k.Place.Message != "":
		if h.Shown != nil {
			k.Place.Token, k.Place.User = h.Shown.Token, h.Shown.User
		}
		return &k.Place, late, nil
	case h.Shown != nil:
		return h.Shown, late, nil
	case e.State != posting:
		return nil, late, nil
	}
	place, found, err := chat.Find(ctx, h.Place, h.asks())
	switch {
	case errors.Is(err, ErrBlind), errors.Is(err, ErrGone), err == nil && !found:
		return nil, late, nil
	case err != nil:
		return nil, late, fmt.Errorf("looking for an earlier reply: %w: %w", errAway, err)
	}
	return &place, late, nil
}

// answer has a question answered, whatever breaks.
func (d *Desk) answer(ctx context.Context, h Heard, m Message, stages chan engine.Progress) (a engine.Answer) {
	defer func() {
		if r := recover(); r != nil {
			d.log().Error("answering", "event", h.ID, "panic", r, "stack", string(debug.Stack()))
			a = fault(m.Text, words.For(m.Text).Chat.GaveUp, "internal")
		}
	}()
	return d.Bot(h.Place).Answer(ctx, m, func(p engine.Progress) {
		select {
		case <-stages: // only the newest counts
		default:
		}
		select {
		case stages <- p:
		default:
		}
	})
}

// showWork says that a question is worked on, and keeps where that stands.
func (d *Desk) showWork(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, k kept, p engine.Progress) (*Place, error) {
	if err := d.Inbox.Note(ctx, e.ID, posting); err != nil {
		return at, err
	}
	place, err := d.deliver(ctx, chat, to, at, d.atWork(h.asks(), k, p))
	switch {
	case errors.Is(err, ErrCrowded), errors.Is(err, ErrGone), errors.Is(err, ErrBarred), errors.Is(err, ErrRejected), errors.Is(err, ErrExpired):
		return at, nil // the answer may get through
	case err != nil:
		return at, err
	}
	return &place, d.Inbox.Show(ctx, k.shown(place, "", h.asks(), h.user()))
}

// watch waits for an answer and meanwhile shows that it is worked on. It
// returns where that is shown, nil if it wasn't needed.
func (d *Desk) watch(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, k kept, answered <-chan engine.Answer, stages <-chan engine.Progress) (engine.Answer, *Place) {
	quiet := time.NewTimer(or(d.Quiet, DefaultQuiet))
	defer quiet.Stop()
	var drawnAt time.Time
	var stage engine.Progress
	drawn := 0
	redraw := time.NewTimer(time.Hour)
	defer redraw.Stop()
	for {
		select {
		case a := <-answered:
			return a, at
		case <-quiet.C:
			var err error
			if at, err = d.showWork(ctx, chat, e, h, to, at, k, stage); err != nil && ctx.Err() == nil {
				d.log().Warn("showing that a question is worked on", "event", h.ID, "err", err)
			}
			drawnAt = time.Now()
		case stage = <-stages:
			if at != nil && drawn < maxProgress {
				redraw.Reset(max(0, progressEvery-time.Since(drawnAt)))
			}
		case <-redraw.C:
			if drawn++; at == nil {
				continue
			}
			// Once, and not again where it fails: the answer matters more.
			if _, err := chat.Edit(ctx, *at, d.atWork(h.asks(), k, stage)); err != nil {
				drawn = maxProgress
			}
			drawnAt = time.Now()
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
	shown, err := d.bring(ctx, chat, e, h, to, at, c, k, a)
	switch {
	case nowhere(err):
		d.log().Error("an answer has no place left to go", "event", h.ID, "err", err)
		return d.Inbox.Finish(ctx, e.ID)
	case err != nil:
		return err
	}
	return d.Inbox.Finish(ctx, e.ID, shown)
}

// bring brings a card, or an answer where a isn't nil, before people's eyes. What
// it carries is the event, unless c says otherwise.
func (d *Desk) bring(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, c Card, k kept, a *engine.Answer) (inbox.Shown, error) {
	carries, understood, answer, files := or(c.Carries, h.asks()), c.Understood, "", []File(nil)
	if a != nil {
		c, files = lay(*a, 0, chat.Fits())
		c.Understood = or(c.Understood, understood)
		k.Language, answer = a.Language, a.ID
		k.Suggestions = a.Suggestions
		for _, choice := range a.Choices {
			k.Choices = append(k.Choices, choice.Link)
		}
		d.pages.keep(a.ID, a.Columns, a.Rows, a.Truncated)
	}
	c.Carries = carries
	if at == nil {
		if err := d.Inbox.Note(ctx, e.ID, posting); err != nil {
			return inbox.Shown{}, err
		}
	}
	place, err := d.deliver(ctx, chat, to, at, c)
	if errors.Is(err, ErrBarred) { // it may listen there, and not speak
		place, err = d.deliver(ctx, chat, Place{Chat: to.Chat, User: h.User}, nil, c)
	}
	if err != nil {
		return inbox.Shown{}, err
	}
	shown := k.shown(place, answer, carries, h.user())
	if len(files) > 0 {
		if err := d.Inbox.Show(ctx, shown); err != nil { // people vote and press while the file is on its way
			return shown, err
		}
		for _, f := range files {
			d.attach(ctx, chat, place, f, k.Language)
		}
	}
	return shown, nil
}

// nowhere tells whether an error of deliver says that a card can't be brought
// there, however often that is tried.
func nowhere(err error) bool {
	return errors.Is(err, ErrGone) || errors.Is(err, ErrBarred) || errors.Is(err, ErrRejected) || errors.Is(err, ErrExpired)
}

// attach puts a file up beside an answer, or says that it can't.
func (d *Desk) attach(ctx context.Context, chat Chat, at Place, f File, language string) {
	for tries := range deliverTries {
		err := chat.Attach(ctx, at, f)
		wait, asked := errors.AsType[Wait](err)
		switch {
		case err == nil:
			return
		case errors.Is(err, ErrBarred) && at.User != "": // others would see it there
			here := Place{Chat: at.Chat, User: at.User}
			if alone, err := d.deliver(ctx, chat, here, nil, Card{Language: language, Tone: Noting, Text: f.Alt}); err == nil {
				d.say(ctx, chat, at, Card{Language: language, Tone: Noting, Text: words.In(language).Chat.FileAside})
				at = alone
				continue
			}
			fallthrough
		case nowhere(err), asked && wait.For > longestWait, tries == deliverTries-1:
			d.log().Warn("attaching a file", "chat", chat.Name(), "err", err)
			d.say(ctx, chat, at, Card{Language: language, Tone: Noting, Text: words.In(language).Chat.NoFile})
			return
		case !asked:
			wait.For = or(d.Pause, DefaultPause) << tries
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
	w := h.words()
	c := Card{Carries: h.asks(), Language: w.Language, Tone: Breaking, Text: w.Chat.GaveUp}
	switch h.Kind {
	case Asked, Amended:
		at, _, err := d.standing(ctx, chat, e, h)
		if err != nil {
			at = h.Shown
		}
		if _, err := d.deliver(ctx, chat, h.Place, at, c); err != nil {
			d.log().Error("saying that a question is given up", "event", e.ID, "err", err)
		}
	case Pressed, Filled:
		d.aside(ctx, chat, h, c)
	}
	return d.Inbox.Finish(ctx, e.ID)
}

// withdrawnNow begins what is remembered lately of questions that are gone.
const withdrawnNow = "withdrawn "

// withdrawn stops work on a question whose message is gone, and has it not
// taken up if it wasn't yet, or comes later than its end.
func (d *Desk) withdrawn(ctx context.Context, chat Chat, e inbox.Event, h Heard) error {
	id := h.asks()
	if _, err := d.Inbox.Put(ctx, inbox.Event{ID: id, Queue: h.queue(), Body: string(Withdrawn)}); err != nil {
		return err
	}
	d.lately.first(withdrawnNow+id, e.ID)
	d.halt(id, errWithdrawn)
	if err := d.Inbox.Finish(ctx, id); err != nil {
		return err
	}
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
// silent is true where they know already, and nothing waits to be answered.
// Where only the model's share is used up, m goes on without it.
func (d *Desk) turnedAway(ctx context.Context, chat Chat, e inbox.Event, h Heard, m *Message) (c *Card, silent bool) {
	w := h.words()
	away := func(text string, known bool) (*Card, bool) {
		if known && h.Shown == nil && h.Place.Token == "" { // nothing waits for a word
			return nil, true
		}
		return &Card{Language: w.Language, Tone: Declining, Text: text}, false
	}
	channel := h.Place.Chat + ":" + h.Place.Channel
	r := d.Rules
	if r.Channels != nil && h.Place.Team != "" && !slices.Contains(r.Channels, channel) {
		return away(w.Chat.Elsewhere, !d.lately.first("elsewhere "+channel+" "+h.User, e.ID))
	}
	if r.People != nil && !d.among(ctx, chat, h, r.People) {
		return away(w.Chat.Barred, !d.lately.first("barred "+channel+" "+h.User, e.ID))
	}
	now := time.Now()
	if e.Tries < 2 && e.State == "" { // else it was let in before
		until, told := d.rates.admit(now, h.user(), []string{h.user(), channel, ""},
			[]int{or(r.PerUser, DefaultPerUser), or(r.PerChannel, DefaultPerChannel), or(r.PerMinute, DefaultPerMinute)})
		if !until.IsZero() {
			return away(fmt.Sprintf(w.Chat.Slowly, int(until.Sub(now).Seconds())+1, clock(until)), told)
		}
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
