package discord

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"precedent/bot"
	"precedent/bot/words"
)

const mostQuestion = 1000 // code points that /ask takes

// A command is one as Discord keeps it.
type command struct {
	Type          int               `json:"type"`
	Name          string            `json:"name"`
	Names         map[string]string `json:"name_localizations,omitempty"`
	Description   string            `json:"description"`
	Descriptions  map[string]string `json:"description_localizations,omitempty"`
	Contexts      []int             `json:"contexts"`
	Installations []int             `json:"integration_types"`
	Options       []option          `json:"options,omitempty"`
}

type option struct {
	Type         int               `json:"type"`
	Name         string            `json:"name"`
	Names        map[string]string `json:"name_localizations,omitempty"`
	Description  string            `json:"description"`
	Descriptions map[string]string `json:"description_localizations,omitempty"`
	Required     bool              `json:"required"`
	Autocomplete bool              `json:"autocomplete"`
	MaxLength    int               `json:"max_length"`
}

// commands are what the bot can be told to do, in guilds and directly.
func commands() []command {
	en, zh := known, words.ChineseCommands
	chinese := func(s string) map[string]string { return map[string]string{"zh-CN": s} }
	everywhere, installed := []int{0, 1}, []int{0}
	return []command{
		{Type: 1, Name: en.Ask, Names: chinese(zh.Ask), Description: en.AskDoes, Descriptions: chinese(zh.AskDoes), Contexts: everywhere, Installations: installed,
			Options: []option{{Type: 3, Name: en.Question, Names: chinese(zh.Question), Description: en.QuestionIs, Descriptions: chinese(zh.QuestionIs),
				Required: true, Autocomplete: true, MaxLength: mostQuestion}}},
		{Type: 1, Name: en.Cases, Names: chinese(zh.Cases), Description: en.CasesDoes, Descriptions: chinese(zh.CasesDoes), Contexts: everywhere, Installations: installed},
		{Type: 3, Name: en.Curate, Names: chinese(zh.Curate), Contexts: everywhere, Installations: installed},
	}
}

// register tells Discord of the commands, unless it knows them as they are.
func (d *Discord) register(ctx context.Context) error {
	_, app, err := d.self(ctx)
	if err != nil {
		return err
	}
	path := "/applications/" + app + "/commands"
	var old []command
	if err := d.rest.do(ctx, request{method: "GET", path: path + "?with_localizations=true", bucket: "commands"}, &old); err != nil && !errors.Is(err, bot.ErrGone) && !errors.Is(err, bot.ErrBarred) {
		return err
	}
	want := commands()
	if same(old, want) {
		return nil
	}
	err = d.rest.do(ctx, request{method: "PUT", path: path, bucket: "commands", body: want}, nil)
	if errors.Is(err, bot.ErrRejected) || errors.Is(err, bot.ErrBarred) || errors.Is(err, bot.ErrGone) { // mentions work without commands
		d.log().Error("registering the bot's commands", "error", err)
		return nil
	}
	return err
}

// same compares by type and name: Discord keeps an order of its own.
func same(old, want []command) bool {
	if len(old) != len(want) {
		return false
	}
	have := map[string]any{}
	plain := func(c command) (v any) {
		b, _ := json.Marshal(c)
		_ = json.Unmarshal(b, &v)
		return v
	}
	for _, c := range old {
		have[c.Name] = plain(c)
	}
	for _, c := range want {
		if !reflect.DeepEqual(have[c.Name], plain(c)) {
			return false
		}
	}
	return true
}
