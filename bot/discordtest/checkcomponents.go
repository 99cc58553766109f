package discordtest

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Component types.
const (
	rowType         = 1
	buttonType      = 2
	selectType      = 3
	inputType       = 4
	userSelect      = 5
	roleSelect      = 6
	mentionSelect   = 7
	channelSelect   = 8
	sectionType     = 9
	textType        = 10
	thumbnailType   = 11
	galleryType     = 12
	fileType        = 13
	separatorType   = 14
	containerType   = 17
	labelType       = 18
	uploadType      = 19
	linkButton      = 5
	premiumButton   = 6
	maxRows         = 5
	maxRowButtons   = 5
	maxLayout       = 40   // components of one message with the new layout, nested ones too
	maxLayoutText   = 4000 // of all its text displays, code points
	maxCustomID     = 100
	maxLabel        = 80 // of a button
	maxLink         = 512
	maxOptions      = 25
	maxOptionText   = 100 // label, value or description of a select's option
	maxPlaceholder  = 150
	maxModalTitle   = 45
	maxModalRows    = 5
	maxInputLabel   = 45
	maxInputHint    = 100
	maxInput        = 4000
	maxLabelText    = 45
	maxLabelNote    = 100
	maxGallery      = 10
	maxSectionTexts = 3
)

// A layout walks the components of one message or modal.
type layout struct {
	customIDs map[string]bool
	count     int
	text      int
}

func checkComponents(f field, v2 bool) {
	l := layout{customIDs: map[string]bool{}}
	if !v2 {
		for _, row := range f.list(maxRows) {
			if row.kind(rowType) != 0 {
				l.row(row)
			}
		}
		return
	}
	for _, c := range f.list(maxLayout) {
		if kind := c.kind(rowType, sectionType, textType, galleryType, fileType, separatorType, containerType); kind == containerType {
			l.count++
			c.get("accent_color").integer(0, 0xFFFFFF)
			for _, inner := range c.get("components").listBetween(1, maxLayout) {
				l.block(inner, inner.kind(rowType, sectionType, textType, galleryType, fileType, separatorType))
			}
		} else {
			l.block(c, kind)
		}
	}
	if l.count > maxLayout {
		f.fail("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxLayout)
	}
	if l.text > maxLayoutText {
		f.fail("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The total size of displayable text exceeds %d.", maxLayoutText)
	}
}

func (l *layout) block(f field, kind int) {
	l.count++
	switch kind {
	case rowType:
		l.row(f)
	case textType:
		l.displayed(f)
	case sectionType:
		for _, text := range f.get("components").listBetween(1, maxSectionTexts) {
			if text.kind(textType) != 0 {
				l.count++
				l.displayed(text)
			}
		}
		if side := f.get("accessory"); side.required() {
			l.count++
			switch side.kind(buttonType, thumbnailType) {
			case buttonType:
				l.button(side)
			case thumbnailType:
				media(side.get("media"))
			}
		}
	case galleryType:
		for _, item := range f.get("items").listBetween(1, maxGallery) {
			if item.object() {
				media(item.get("media"))
			}
		}
	case fileType:
		if file := f.get("file"); file.required() {
			file.get("url").link("attachment")
		}
	case separatorType:
		f.get("spacing").oneOf(1, 2)
	}
}

func media(f field) {
	if f.required() && f.object() && f.get("url").required() {
		f.get("url").link("http", "https", "attachment")
	}
}

func (l *layout) displayed(f field) {
	if text := f.get("content"); text.required() {
		l.text += utf8.RuneCountInString(text.textBetween(1, maxLayoutText))
	}
}

func (l *layout) row(f field) {
	inner := f.get("components")
	if !inner.required() {
		return
	}
	children := inner.listBetween(1, maxRowButtons)
	for _, c := range children {
		l.count++
		switch kind := c.kind(buttonType, selectType, userSelect, roleSelect, mentionSelect, channelSelect); kind {
		case 0:
		case buttonType:
			l.button(c)
		default:
			l.choice(c, kind)
			if len(children) > 1 {
				c.fail("COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
			}
		}
	}
}

func (l *layout) customID(f field) {
	id := f.get("custom_id")
	if id.absent() || id.v == "" {
		id.fail("COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")
		return
	}
	s := id.textBetween(1, maxCustomID)
	if l.customIDs[s] {
		id.fail("COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
	l.customIDs[s] = true
}

func (l *layout) button(f field) {
	style := f.get("style")
	if !style.required() {
		return
	}
	label := f.get("label").text(maxLabel)
	emoji := f.get("emoji")
	if emoji.object() {
		checkEmoji(emoji)
	}
	f.get("disabled").boolean()
	kind := style.oneOf(1, 2, 3, 4, linkButton, premiumButton)
	if strings.TrimSpace(label) == "" && emoji.absent() && kind != premiumButton {
		f.fail("BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A label or an emoji is required")
	}
	switch kind {
	case linkButton:
		if link := f.get("url"); link.required() {
			link.text(maxLink)
			link.link("http", "https", "discord")
		}
		if id := f.get("custom_id"); !id.absent() && id.v != "" {
			f.fail("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
	case premiumButton:
		f.get("sku_id").required()
	default:
		l.customID(f)
		if link := f.get("url"); !link.absent() && link.v != "" {
			f.fail("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
	}
}

func checkEmoji(f field) {
	name, _ := f.get("name").v.(string)
	if id := f.get("id"); !id.absent() && id.v != "" {
		id.snowflake()
	} else if !isEmoji(name) {
		f.get("name").fail("COMPONENT_INVALID_EMOJI", "Invalid emoji")
	}
}

func (l *layout) choice(f field, kind int) {
	l.customID(f)
	f.get("placeholder").text(maxPlaceholder)
	least, most := f.get("min_values").integer(0, maxOptions), f.get("max_values").integer(1, maxOptions)
	if most != 0 && least > most {
		f.get("min_values").fail("SELECT_COMPONENT_MIN_VALUES_GREATER_THAN_MAX", "min_values must be less than or equal to max_values")
	}
	if kind != selectType {
		return
	}
	options := f.get("options")
	if !options.required() {
		return
	}
	var used []string
	for _, o := range options.listBetween(1, maxOptions) {
		if !o.object() {
			continue
		}
		if o.get("label").required() {
			o.get("label").textBetween(1, maxOptionText)
		}
		if value := o.get("value"); value.required() {
			s := value.textBetween(1, maxOptionText)
			if slices.Contains(used, s) {
				value.fail("SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
			}
			used = append(used, s)
		}
		o.get("description").text(maxOptionText)
		if emoji := o.get("emoji"); emoji.object() {
			checkEmoji(emoji)
		}
	}
	if most > len(used) && len(used) > 0 {
		f.get("max_values").fail("SELECT_COMPONENT_MAX_VALUES_TOO_LARGE", "max_values must be less than or equal to the number of options")
	}
}

// checkModal checks what a callback of type 9 carries.
func checkModal(f field) {
	l := layout{customIDs: map[string]bool{}}
	if id := f.get("custom_id"); id.required() {
		id.textBetween(1, maxCustomID)
	}
	if title := f.get("title"); title.required() {
		title.textBetween(1, maxModalTitle)
	}
	rows := f.get("components")
	if !rows.required() {
		return
	}
	for _, row := range rows.listBetween(1, maxModalRows) {
		switch row.kind(rowType, textType, labelType) {
		case rowType: // deprecated, and what discordgo v0.29.0 has
			for _, input := range row.get("components").listBetween(1, 1) {
				if input.kind(inputType) != 0 {
					if label := input.get("label"); label.required() {
						label.textBetween(1, maxInputLabel)
					}
					l.input(input)
				}
			}
		case textType:
			l.displayed(row)
		case labelType:
			if label := row.get("label"); label.required() {
				label.textBetween(1, maxLabelText)
			}
			row.get("description").text(maxLabelNote)
			inner := row.get("component")
			if !inner.required() {
				continue
			}
			switch kind := inner.kind(selectType, inputType, userSelect, roleSelect, mentionSelect, channelSelect, uploadType); kind {
			case 0:
			case inputType:
				l.input(inner)
			case uploadType:
				l.customID(inner)
			default:
				l.choice(inner, kind)
			}
		}
	}
}

func (l *layout) input(f field) {
	l.customID(f)
	if style := f.get("style"); style.required() {
		style.oneOf(1, 2)
	}
	least, most := f.get("min_length").integer(0, maxInput), f.get("max_length").integer(1, maxInput)
	if most != 0 && least > most {
		f.get("min_length").fail("TEXT_INPUT_MIN_LENGTH_GREATER_THAN_MAX", "min_length must be less than or equal to max_length")
	}
	f.get("value").text(maxInput)
	f.get("placeholder").text(maxInputHint)
	f.get("required").boolean()
}
