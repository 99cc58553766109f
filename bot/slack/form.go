package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// Limits of modals (docs.slack.dev/reference/views), in characters.
const (
	titleMost  = 24
	optionMost = 75    // of an option's words
	inputMost  = 3_000 // of what is typed
	choiceMost = 100   // options of one input
)

// openWithin is how long Slack lets a trigger open a modal.
const openWithin = 3 * time.Second

// A purpose is what a form is of, kept in it while a person fills it in.
type purpose struct {
	Button       string    `json:"b"`
	Place        bot.Place `json:"p"` // without its token: it would stand in Slack's answers
	Conversation string    `json:"c,omitempty"`
	Private      bool      `json:"r,omitempty"`
}

// open shows a person the form that a press opens, if it opens one. A form that
// comes too late is no fault of anyone's: the person presses again.
func (s *Slack) open(ctx context.Context, w said) {
	if w.trigger == "" || w.Kind != bot.Pressed || s.Form == nil {
		return
	}
	f, ok := s.Form(ctx, w.Heard)
	if !ok {
		return
	}
	view, err := modal(f, w.Heard)
	if err == nil {
		_, err = s.client().OpenViewContext(ctx, w.trigger, view)
	}
	if err != nil {
		s.log().Warn("opening a form", "form", f.ID, "err", told(err))
	}
}

// modal is a form as a modal. Inputs are named by their fields.
func modal(f bot.Form, h bot.Heard) (slack.ModalViewRequest, error) {
	p := purpose{Button: h.Button, Place: h.Place, Conversation: h.Conversation, Private: h.Private}
	p.Place.Token = ""
	kept, err := json.Marshal(p)
	if err != nil {
		return slack.ModalViewRequest{}, fmt.Errorf("drawing a form: %w", err)
	}
	title := func(s string) *slack.TextBlockObject {
		if s = line(s); s == "" {
			return nil
		}
		return plain(cut(s, titleMost))
	}
	v := slack.ModalViewRequest{Type: slack.VTModal, Title: title(f.Title), Submit: title(f.Send), Close: title(f.Cancel),
		CallbackID: f.ID, PrivateMetadata: string(kept)}
	for _, field := range f.Fields {
		v.Blocks.BlockSet = append(v.Blocks.BlockSet, input(field))
	}
	return v, nil
}

func input(f bot.Field) *slack.InputBlock {
	var hint *slack.TextBlockObject
	if h := line(f.Hint); h != "" {
		hint = plain(h)
	}
	var e slack.BlockElement
	if f.Options != nil {
		pick := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, nil, f.Name)
		for _, o := range f.Options[:min(choiceMost, len(f.Options))] {
			option := slack.NewOptionBlockObject(o.Value, plain(cut(line(o.Label), optionMost)), nil)
			if pick.Options = append(pick.Options, option); o.Value == f.Value {
				pick.InitialOption = option
			}
		}
		e = pick
	} else {
		text := slack.NewPlainTextInputBlockElement(nil, f.Name)
		text.InitialValue, text.Multiline, text.MaxLength = clean(f.Value), f.Lines, inputMost
		if f.Most > 0 {
			text.MaxLength = min(f.Most, inputMost)
		}
		e = text
	}
	b := slack.NewInputBlock(f.Name, plain(line(f.Label)), hint, e)
	b.Optional = f.Optional
	return b
}
