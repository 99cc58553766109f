package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store"
)

// A Terminal is a chat with one person in a terminal or through pipes. Its
// fields are set before [Terminal.Run]. Whoever sits there is a curator.
type Terminal struct {
	Bot      *Bot
	Graph    string                                            // its name
	Model    string                                            // its name; "" if there is none
	Examples func(language string, n int) []string             // questions that cases answer
	Schema   func() string                                     // for /schema
	Case     func(context.Context, string) (store.Case, error) // for /why
	Notes    []string                                          // said on the first screen, such as what leaves the house
	User     string                                            // who votes: "terminal:ada"
	Language string                                            // of what is said before the first question: zh or en

	Lines      Lines
	Out        io.Writer
	Live       bool // Out is a terminal that moves its cursor: working shows a spinner
	Print      Print
	Interrupts <-chan os.Signal // Ctrl-C while working stops the question, anything else ends the chat; nil: nothing does

	screen
	w            *words.Words
	conversation string
	last         *engine.Answer // nil until there is one
	next         int            // the first row of last that wasn't shown
	offer        []string       // questions to pick by number; nil where the last answer's own count
	reasons      bool           // 1–4 say why the last answer was voted down
	leaving      bool           // Ctrl-C was pressed at the prompt
}

// errLeave ends the chat.
var errLeave = errors.New("leaving")

// Run talks until the input ends, the person leaves, or ctx is done. Its error
// is that of reading the input.
func (t *Terminal) Run(ctx context.Context) error {
	t.screen = screen{t.Out, t.Print.Color, t.Print.Width}
	t.w = words.In(t.Language)
	t.fresh()
	t.welcome()
	typed := make(chan typedLine, 1) // one may still be typed when nobody reads any more
	ask := make(chan string)
	defer close(ask)
	go func() {
		for prompt := range ask {
			text, err := t.Lines.Read(prompt)
			typed <- typedLine{text, err}
		}
	}()
	for {
		select {
		case ask <- t.w.Prompt:
		case <-ctx.Done():
			return nil
		}
		var line typedLine
		select {
		case line = <-typed:
		case <-t.Interrupts:
			line.err = io.EOF // no line editor is there to take it: leave
		case <-ctx.Done():
			return nil
		}
		switch err := t.hear(ctx, line); {
		case errors.Is(err, errLeave):
			t.line(faint, t.w.Goodbye)
			return nil
		case err != nil:
			return fmt.Errorf("reading what was typed: %w", err)
		}
	}
}

type typedLine struct {
	text string
	err  error
}

// hear does what a line asks for.
func (t *Terminal) hear(ctx context.Context, line typedLine) error {
	text := strings.TrimSpace(line.text)
	switch {
	case errors.Is(line.err, errInterrupted) && t.leaving, errors.Is(line.err, io.EOF):
		return errLeave
	case errors.Is(line.err, errInterrupted):
		t.leaving = true
		t.line(faint, t.w.Again)
		return nil
	case line.err != nil:
		return line.err
	}
	t.leaving = false
	if text == "" {
		return nil
	}
	if value, reason, ok := ballot(text); ok {
		t.vote(ctx, value, reason)
		return nil
	}
	if strings.HasPrefix(text, "/") && !strings.ContainsRune(text[1:], '/') {
		return t.command(ctx, strings.Fields(text))
	}
	if t.reasons {
		t.reasons = false
		if i := pick(text, len(reasonsDown), func(i int) string { return reasonsDown[i] }); i >= 0 {
			t.vote(ctx, "down", reasonsDown[i])
			return nil
		}
	}
	if i := pick(text, len(t.offer), func(i int) string { return t.offer[i] }); i >= 0 {
		text = t.offer[i]
		t.line(faint, t.w.Prompt, normal, Line(text))
	}
	return t.ask(ctx, Message{Text: text})
}

// ask answers m, which says what is asked and how; Ctrl-C stops it.
func (t *Terminal) ask(ctx context.Context, m Message) error {
	m.Conversation, m.User = t.conversation, t.User
	asked, cancel := context.WithCancel(ctx)
	defer cancel()
	answered := make(chan engine.Answer, 1)
	w := words.For(m.Text)
	spin := Spin(t.Out, t.Live, w, w.Working)
	if !t.Live {
		spin.Stop()
		spin = nil
	}
	progress := func(p engine.Progress) {
		if spin != nil {
			spin.Progress(p)
		}
	}
	go func() {
		answered <- t.Bot.Answer(asked, m, progress)
	}()
	stopped := false
	for {
		select {
		case a := <-answered:
			if spin != nil {
				spin.Stop()
			}
			if stopped || ctx.Err() != nil {
				t.line(faint, w.Stopped)
				return nil
			}
			t.show(a)
			return nil
		case sig := <-t.Interrupts:
			if stopped || sig != os.Interrupt { // twice, or told to end: don't wait for it
				return errLeave
			}
			stopped = true
			cancel()
		}
	}
}

// show writes an answer and remembers it for the commands.
func (t *Terminal) show(a engine.Answer) {
	t.last, t.reasons = &a, false
	if len(offered(a)) > 0 { // its own numbers count now
		t.offer = nil
	}
	t.next = 0
	if tabular(a) {
		t.next = min(PageRows, len(a.Rows))
	}
	t.w = words.In(a.Language)
	t.Print.Answer(t.Out, a)
	if canAnyway(a) {
		t.line(faint, t.w.AskAnyway)
	}
}

// welcome is the first screen: what this is, and three questions to begin with.
func (t *Terminal) welcome() {
	first, second := words.In("en"), words.In("zh")
	if t.Language == "zh" {
		first, second = second, first
	}
	t.line(bold, first.Tagline)
	t.line(faint, second.Tagline)
	t.line()
	t.line(fmt.Sprintf(first.Graph, Line(t.Graph)))
	if t.Model == "" {
		t.line(first.NoModel)
	} else {
		t.line(fmt.Sprintf(first.Model, Line(t.Model)))
	}
	for _, note := range t.Notes {
		t.line(yellow, Line(note))
	}
	t.line()
	if t.offer = t.examples(first.Language, second.Language); len(t.offer) > 0 {
		t.line(first.Offer)
		t.numbered(t.offer)
		t.line()
	}
	t.line(faint, first.HowTo)
	t.line(faint, second.HowTo)
}

// examples are three questions in both languages, two in the first.
func (t *Terminal) examples(first, second string) []string {
	if t.Examples == nil {
		return nil
	}
	a, b := t.Examples(first, 3), t.Examples(second, 1)
	return append(a[:min(len(a), 3-len(b))], b...)
}

func (t *Terminal) numbered(list []string) {
	for i, text := range list {
		t.line(cyan, fmt.Sprintf("%3d  ", i+1), normal, Line(text))
	}
}

// fresh begins a new conversation.
func (t *Terminal) fresh() {
	t.conversation = "terminal:" + rand.Text()
	t.last, t.offer, t.reasons, t.next = nil, nil, false, 0
}
