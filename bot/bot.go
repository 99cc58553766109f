package bot

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/guardrails"
	"precedent/store"
)

// Limits of a Bot whose fields are zero.
const (
	DefaultPatience      = 60 * time.Second
	DefaultConversations = 1000
	DefaultAge           = 24 * time.Hour
)

// A Bot answers the people who talk to it. It is safe for concurrent use; its
// fields are not changed once it is in use.
type Bot struct {
	Ask  func(context.Context, engine.Question, func(engine.Progress)) engine.Answer
	Vote func(context.Context, engine.Vote) (engine.Voted, error)
	Log  *slog.Logger // nil discards

	Engine *engine.Engine // for curators, and for rows beyond the first; nil: neither

	Patience      time.Duration // most time for a question, the wait for the one before it included
	Conversations int           // most conversations remembered; the one longest silent is forgotten first
	Age           time.Duration // how long a silent conversation is remembered

	mu     sync.Mutex
	talks  map[string]*conversation
	oldest *conversation // of a ring, in order of last use; nil when there are none
}

// A Message is something a person said to the bot.
type Message struct {
	Conversation string // where it was said: "slack:C1/169.1"; "" stands alone and is not remembered
	User         string // who said it: "slack:U1"; "" is unknown
	Private      bool   // said where others weren't
	Model        bool   // answer with the model even if a case covers the question
	Anyway       bool   // answer even if a rule says that it isn't about the graph
	Text         string
	Picked       []store.Link // what was picked for the question, where Text is the whole of it
	After        string       // id of the answer under which a conversation that is new to the bot was begun; "" for none
	Above        []string     // what others said before, in a conversation that is new to the bot; oldest first
	Spent        string       // why the model may not be asked; "": it may
	Trial        bool         // where only a model could answer it, it is as if it hadn't been said
}

// Answer answers m. Where the answer before in the conversation offered things
// to pick from, a number or the words of one of them picks it. A message waits
// for the one before it in its conversation; one that waits or works longer
// than b.Patience is answered with a fault of kind timeout.
func (b *Bot) Answer(ctx context.Context, m Message, progress func(engine.Progress)) engine.Answer {
	ctx, cancel := context.WithTimeout(ctx, or(b.Patience, DefaultPatience))
	defer cancel()
	q := engine.Question{Text: m.Text, User: m.User, Private: m.Private, Conversation: m.Conversation, Model: m.Model, Anyway: m.Anyway, NoModel: m.Spent}
	if m.Trial {
		q.NoModel = or(m.Spent, words.For(m.Text).NoModel)
	}
	if m.Conversation == "" {
		return b.Ask(ctx, q, progress)
	}
	talk := b.join(m.Conversation)
	defer b.leave(talk)
	select {
	case <-talk.floor:
	case <-ctx.Done():
		return late(m.Text)
	}
	defer func() { talk.floor <- struct{}{} }()

	if q.Choices = m.Picked; q.Choices == nil {
		q.Text, q.Choices = talk.picked(m.Text)
	}
	q.History = talk.turns
	if q.History == nil && (m.After != "" || m.Above != nil) && !b.journaled(ctx, m.Conversation) {
		q.History = b.earlier(ctx, m.After)
		for _, said := range m.Above {
			q.History = append(q.History, engine.Turn{Question: said, Restated: said})
		}
	}
	a := b.Ask(ctx, q, progress)
	if !m.Trial || a.Route != engine.Unanswered {
		talk.heard(a, q.Choices)
	}
	return a
}

// earlier is an answer as a turn of the conversation that goes on from it.
func (b *Bot) earlier(ctx context.Context, answer string) []engine.Turn {
	if b.Engine == nil || answer == "" {
		return nil
	}
	e, err := b.Engine.Library().Entry(ctx, answer)
	if err != nil {
		b.log().Warn("reading the answer that a conversation goes on from", "answer", answer, "err", err)
		return nil
	}
	return []engine.Turn{engine.TurnOf(e)}
}

// journaled tells whether the journal has something of a conversation.
func (b *Bot) journaled(ctx context.Context, conversation string) bool {
	if b.Engine == nil {
		return false
	}
	earlier, err := b.Engine.Library().Conversation(ctx, conversation, 1)
	if err != nil {
		b.log().Warn("reading the conversation", "err", err)
	}
	return len(earlier) > 0
}

// Forget ends a conversation: the next message in it begins it anew.
func (b *Bot) Forget(conversation string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if talk := b.talks[conversation]; talk != nil && talk.present == 0 {
		b.drop(talk)
	}
}

// late is the answer to a message that waited for the one before it until its
// time was up.
func late(text string) engine.Answer { return fault(text, words.For(text).Busy, "timeout") }

// fault is the answer to text where something of a kind broke, and says so.
func fault(text, says, kind string) engine.Answer {
	a := unworked(text, says, engine.Fault)
	a.Error = &engine.Failure{Kind: kind, Message: says}
	return a
}

// refused is the answer to text where it may not be asked.
func refused(text, says string, kind guardrails.Kind) engine.Answer {
	a := unworked(text, says, engine.Refused)
	a.Refusal = &engine.Refusal{Kind: kind, Advice: says}
	return a
}

// unworked is an answer to text that no engine gave.
func unworked(text, says string, by engine.Route) engine.Answer {
	return engine.Answer{
		Question: text, Restated: text, Language: words.For(text).Language, Route: by, Text: says,
		Params: map[string]any{}, Columns: []string{}, Rows: engine.Rows{}, Links: []store.Link{},
		Cases: []engine.ShownCase{}, Changes: []engine.Change{}, Choices: []engine.Choice{}, Suggestions: []string{},
	}
}

func (b *Bot) log() *slog.Logger {
	if b.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return b.Log
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// same tells whether two texts are the same to a person who typed one of them.
func same(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
