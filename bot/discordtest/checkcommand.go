package discordtest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of application commands, by "Application Commands".
const (
	maxCommandName        = 32
	maxCommandDescription = 100
	maxCommandOptions     = 25
	maxChoices            = 25
	maxChoiceText         = 100
	maxCommandSize        = 8000 // names, descriptions and values of one command
	maxChatCommands       = 100
	maxMenuCommands       = 15 // of users, and of messages
	maxStringOption       = 6000

	chatCommand    = 1
	userCommand    = 2
	messageCommand = 3

	subOption     = 1
	groupOption   = 2
	stringOption  = 3
	integerOption = 4
	numberOption  = 10
)

var (
	commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)
	locales     = strings.Fields("id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko")
)

// checkCommands checks a bulk overwrite.
func checkCommands(f field) {
	seen := map[string]bool{}
	count := map[int]int{}
	for _, c := range f.list(maxChatCommands + 2*maxMenuCommands) {
		checkCommand(c)
		name, _ := c.get("name").v.(string)
		key := strconv.Itoa(commandType(c)) + name
		if seen[key] {
			c.fail("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		seen[key] = true
		count[commandType(c)]++
	}
	for kind, n := range count {
		if most := mostCommands(kind); n > most {
			f.fail("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", most)
		}
	}
}

func mostCommands(kind int) int {
	if kind == chatCommand {
		return maxChatCommands
	}
	return maxMenuCommands
}

func commandType(f field) int {
	if n, ok := number(f.get("type").v); ok && n != 0 {
		return int(n)
	}
	return chatCommand
}

func checkCommand(f field) {
	if !f.object() {
		return
	}
	kind := commandType(f)
	f.get("type").oneOf(chatCommand, userCommand, messageCommand, 4)
	named(f, kind == chatCommand)
	description, options := f.get("description"), f.get("options")
	switch {
	case kind == chatCommand:
		described(f)
	case !description.absent() && description.v != "":
		description.fail("APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_ALLOWED", "Context menu commands cannot have description")
	}
	list, _ := options.v.([]any)
	if kind != chatCommand && len(list) > 0 {
		options.fail("APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_NOT_ALLOWED", "Context menu commands cannot have options")
	}
	checkOptions(options, 0)
	if permissions := f.get("default_member_permissions"); !permissions.absent() {
		permissions.snowflake()
	}
	f.get("nsfw").boolean()
	for _, c := range f.get("contexts").list(3) {
		c.oneOf(0, 1, 2)
	}
	for _, t := range f.get("integration_types").list(2) {
		t.oneOf(0, 1)
	}
	if size(f) > maxCommandSize {
		f.fail("APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", maxCommandSize)
	}
}

// named checks a name and its translations. Names of slash commands and of
// options are in lower case and without spaces.
func named(f field, strict bool) {
	one := func(x field) {
		s := x.textBetween(1, maxCommandName)
		if strict && s != "" && (!commandName.MatchString(s) || s != strings.ToLower(s)) {
			x.fail("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
		}
	}
	if name := f.get("name"); name.required() {
		one(name)
	}
	translated(f.get("name_localizations"), one)
}

func described(f field) {
	one := func(x field) { x.textBetween(1, maxCommandDescription) }
	if description := f.get("description"); description.required() {
		one(description)
	}
	translated(f.get("description_localizations"), one)
}

func translated(f field, one func(field)) {
	if !f.object() {
		return
	}
	for locale := range f.v.(map[string]any) {
		at := f.get(locale)
		if !slices.Contains(locales, locale) {
			at.fail("ENUM_TYPE_COERCE", "Value %q is not a valid enum value.", locale)
			continue
		}
		one(at)
	}
}

func checkOptions(f field, depth int) {
	seen := map[string]bool{}
	optional := false
	for _, o := range f.list(maxCommandOptions) {
		if !o.object() {
			continue
		}
		if !o.get("type").required() {
			continue
		}
		kind := o.get("type").oneOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
		named(o, true)
		described(o)
		name, _ := o.get("name").v.(string)
		if seen[name] {
			o.get("name").fail("APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
		}
		seen[name] = true
		if kind == subOption || kind == groupOption {
			if depth > 1 || depth == 1 && kind == groupOption {
				o.get("type").fail("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command option types invalid at this level")
				continue
			}
			checkOptions(o.get("options"), depth+1)
			continue
		}
		required := o.get("required").boolean()
		if required && optional {
			o.fail("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		}
		optional = optional || !required
		checkOption(o, kind)
	}
}

func checkOption(o field, kind int) {
	choices, _ := o.get("choices").v.([]any)
	ask := o.get("autocomplete").boolean()
	selectable := kind == stringOption || kind == integerOption || kind == numberOption
	if ask && !selectable {
		o.get("autocomplete").fail("APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", "Autocomplete is only for string, integer and number options")
	}
	if len(choices) > 0 && (ask || !selectable) {
		o.get("choices").fail("APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "Choices cannot be set here")
	}
	checkChoices(o.get("choices"), kind)
	if kind == stringOption {
		least, most := o.get("min_length").integer(0, maxStringOption), o.get("max_length").integer(1, maxStringOption)
		if most != 0 && least > most {
			o.get("min_length").fail("APPLICATION_COMMAND_OPTIONS_MIN_LENGTH_INVALID", "min_length must be less than or equal to max_length")
		}
	}
}

// checkChoices checks those of an option and those of an autocompletion.
func checkChoices(f field, kind int) {
	for _, c := range f.list(maxChoices) {
		if !c.object() {
			continue
		}
		one := func(x field) { x.textBetween(1, maxChoiceText) }
		if name := c.get("name"); name.required() {
			one(name)
		}
		translated(c.get("name_localizations"), one)
		value := c.get("value")
		if !value.required() {
			continue
		}
		if _, text := value.v.(string); text && kind == stringOption {
			value.text(maxChoiceText)
		} else if _, ok := number(value.v); !ok || kind == stringOption && !text {
			value.fail("BASE_TYPE_CONVERT", "The value has the wrong type for the option")
		}
	}
}

// size counts a command's names, descriptions and values; of a text and its
// translations, the longest.
func size(f field) int {
	longest := func(key string) int {
		s, _ := f.get(key).v.(string)
		n := utf8.RuneCountInString(s)
		all, _ := f.get(key + "_localizations").v.(map[string]any)
		for _, v := range all {
			s, _ := v.(string)
			n = max(n, utf8.RuneCountInString(s))
		}
		return n
	}
	n := longest("name") + longest("description")
	if s, ok := f.get("value").v.(string); ok {
		n += utf8.RuneCountInString(s)
	}
	for _, key := range []string{"options", "choices"} {
		inner, _ := f.get(key).v.([]any)
		for _, v := range inner {
			n += size(field{v: v, bad: f.bad})
		}
	}
	return n
}
