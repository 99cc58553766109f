package discord

import (
	"fmt"

	"precedent/bot"
)

// Limits of a form, by "Modal" and "Text Input"; lengths in code points.
const (
	mostFields  = 5
	mostTitle   = 45
	mostLabel   = 45 // of a field
	mostHint    = 100
	mostInput   = 4000
	mostOptions = 25
	mostOption  = 100
)

// Types of components.
const (
	rowType    = 1
	buttonType = 2
	selectType = 3
	inputType  = 4
	labelType  = 18
)

type object = map[string]any

// drawForm draws f as Discord's modal. What names the buttons Discord decides.
// It fails on a form that has more fields or options than a modal may.
func drawForm(f bot.Form) (object, error) {
	if n := len(f.Fields); n == 0 || n > mostFields {
		return nil, fmt.Errorf("form %q has %d fields, and Discord's have from 1 to %d", f.ID, n, mostFields)
	}
	rows := []object{}
	for _, field := range f.Fields {
		inner := object{"type": inputType, "custom_id": field.Name, "style": 1, "required": !field.Optional}
		if field.Options != nil {
			if n := len(field.Options); n == 0 || n > mostOptions {
				return nil, fmt.Errorf("field %q of form %q has %d options, and Discord's have from 1 to %d", field.Name, f.ID, n, mostOptions)
			}
			inner = drawOptions(field)
		} else {
			if field.Lines {
				inner["style"] = 2
			}
			value := cut(clean(field.Value), mostInput)
			inner["max_length"] = min(max(field.Most, len([]rune(value)), 1), mostInput)
			if field.Most == 0 {
				inner["max_length"] = mostInput
			}
			if value != "" {
				inner["value"] = value
			}
			if field.Hint != "" {
				inner["placeholder"] = cut(line(field.Hint), mostHint)
			}
		}
		rows = append(rows, object{"type": labelType, "label": cut(filled(line(field.Label)), mostLabel), "component": inner})
	}
	return object{"custom_id": f.ID, "title": cut(filled(line(f.Title)), mostTitle), "components": rows}, nil
}

func drawOptions(field bot.Field) object {
	options := []object{}
	for _, o := range field.Options {
		one := object{"value": o.Value, "label": cut(filled(line(o.Label)), mostOption)}
		if o.Value == field.Value {
			one["default"] = true
		}
		options = append(options, one)
	}
	out := object{"type": selectType, "custom_id": field.Name, "options": options, "required": !field.Optional}
	if field.Optional {
		out["min_values"] = 0
	}
	if field.Hint != "" {
		out["placeholder"] = cut(line(field.Hint), mostHint)
	}
	return out
}
