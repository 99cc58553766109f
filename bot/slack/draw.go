package slack

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// Limits of Slack's blocks, in characters where they count text
// (docs.slack.dev/reference/block-kit).
const (
	plainMost  = 3_000 // of a text object
	labelMost  = 75    // of a button
	rowMost    = 25    // elements of one actions block
	smallMost  = 10    // elements of one context block
	weightMost = 13_000
	blockCost  = 125 // that each block weighs besides its text
)

// A drawing is a card as Slack's blocks.
type drawing struct {
	blocks []slack.Block
	home   bool            // on a home tab, where no table may stand
	ids    map[string]bool // action ids given so far: each may be there once
}

// draw is a card as blocks, and as the text for where they don't show. Nothing of
// the card stands where Slack reads markup.
func draw(c bot.Card, home bool) (blocks []slack.Block, text string, err error) {
	d := drawing{home: home, ids: map[string]bool{}}
	d.top(c)
	d.items(c.Items, weightMost-weigh(c))
	d.buttons(c.Buttons)
	if len(d.blocks) == 0 {
		return nil, "", fmt.Errorf("%w: the card is empty", bot.ErrRejected)
	}
	return d.blocks, alternative(c), nil
}

// alternative is what a notification reads.
func alternative(c bot.Card) string {
	parts := []string{c.Text}
	if strings.TrimSpace(c.Text) == "" {
		parts = append(parts, c.Understood, c.Code, strings.Join(c.Small, "\n"))
	}
	for _, item := range c.Items {
		parts = append(parts, item.Text)
	}
	for _, p := range parts {
		if strings.TrimSpace(clean(p)) != "" {
			return fallback(strings.TrimSpace(p))
		}
	}
	return "…"
}

// top draws all of a card but its items and buttons.
func (d *drawing) top(c bot.Card) {
	d.small(c.Understood)
	d.text(c)
	d.table(c.Table)
	d.code(c.Code)
	d.small(c.Small...)
}

func (d *drawing) add(b slack.Block) { d.blocks = append(d.blocks, b) }

func plain(text string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, text, false, false)
}

func rich(text string) *slack.RichTextSectionTextElement {
	return slack.NewRichTextSectionTextElement(text, nil)
}

// text draws lines, and whom their end names.
func (d *drawing) text(c bot.Card) {
	text := strings.Trim(clean(c.Text), "\n") + clean(c.Signing())
	var parts []slack.RichTextSectionElement
	if strings.TrimSpace(text) != "" {
		parts = append(parts, rich(text))
	}
	if c.By != "" {
		parts = append(parts, slack.NewRichTextSectionUserElement(c.By, nil))
	}
	if parts != nil {
		d.add(slack.NewRichTextBlock("", slack.NewRichTextSection(parts...)))
	}
}

func (d *drawing) code(code string) {
	code = strings.Trim(clean(code), "\n")
	if strings.TrimSpace(code) == "" {
		return
	}
	d.add(slack.NewRichTextBlock("", &slack.RichTextPreformatted{Type: slack.RTEPreformatted,
		Elements: []slack.RichTextSectionElement{rich(code)}}))
}

// small draws lines in small print, each of its own: elements side by side would
// run into one another.
func (d *drawing) small(lines ...string) {
	var texts []string
	for _, l := range lines {
		if l = line(l); l == "" {
			continue
		}
		last := len(texts) - 1
		if last >= 0 && utf8.RuneCountInString(texts[last])+1+utf8.RuneCountInString(l) <= plainMost {
			texts[last] += "\n" + l
			continue
		}
		texts = append(texts, cut(l, plainMost))
	}
	for len(texts) > 0 {
		n := min(smallMost, len(texts))
		var elements []slack.MixedElement
		for _, t := range texts[:n] {
			elements = append(elements, plain(t))
		}
		d.add(slack.NewContextBlock("", elements...))
		texts = texts[n:]
	}
}

// buttons draws rows of buttons. What a press brings back is a button's value; its
// action id is the same where that is unique in the message.
func (d *drawing) buttons(list []bot.Button) {
	var row []slack.BlockElement
	for _, b := range list {
		label := line(b.Label)
		if label == "" || b.ID == "" {
			continue
		}
		id := b.ID
		for n := 2; d.ids[id]; n++ {
			id = fmt.Sprintf("%s#%d", b.ID, n)
		}
		d.ids[id] = true
		e := slack.NewButtonBlockElement(id, b.ID, plain(cut(label, labelMost)))
		switch b.Look {
		case bot.Good:
			e.Style = slack.StylePrimary
		case bot.Bad:
			e.Style = slack.StyleDanger
		}
		if row = append(row, e); len(row) == rowMost {
			d.add(slack.NewActionBlock("", row...))
			row = nil
		}
	}
	if row != nil {
		d.add(slack.NewActionBlock("", row...))
	}
}

// items draws a list. Where all of its texts and codes are more than a message
// holds, the long ones are cut, each to the same length.
func (d *drawing) items(list []bot.Card, room int) {
	most := plainMost
	if !d.home {
		for most > 40 && heaviness(list, most) > room {
			most = most * 4 / 5
		}
	}
	for i, item := range list {
		if i > 0 || len(d.blocks) > 0 {
			d.add(slack.NewDividerBlock())
		}
		item.Text, item.Code = cut(item.Text, most), cut(item.Code, most)
		d.top(item)
		d.buttons(item.Buttons)
	}
}

// heaviness is what a list weighs whose texts are cut.
func heaviness(list []bot.Card, most int) (n int) {
	for _, item := range list {
		item.Text, item.Code = cut(item.Text, most), cut(item.Code, most)
		n += blockCost + weigh(item)
	}
	return n
}

// weigh is at most what a card weighs without its items.
func weigh(c bot.Card) int {
	n := 0
	count := func(s string) {
		if s != "" {
			n += utf8.RuneCountInString(s)
		}
	}
	for _, s := range []string{c.Understood, c.Text, c.Code} {
		if s != "" {
			n += blockCost + utf8.RuneCountInString(s)
		}
	}
	if len(c.Small) > 0 {
		n += blockCost + len(c.Small)
	}
	for _, s := range c.Small {
		count(s)
	}
	if len(c.Buttons) > 0 {
		n += blockCost * (1 + len(c.Buttons)/rowMost)
	}
	for _, b := range c.Buttons {
		count(b.Label)
	}
	if c.Table != nil {
		n += blockCost
		for _, name := range c.Table.Columns {
			n += max(1, utf8.RuneCountInString(name))
		}
		for _, row := range c.Table.Rows {
			for _, cell := range row {
				n += max(1, utf8.RuneCountInString(cell))
			}
		}
	}
	return n
}
