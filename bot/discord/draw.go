package discord

import (
	"strconv"
	"strings"

	"precedent/bot"
)

// Limits of a message, by "Create Message", "Embed Limits" and "Component
// Reference"; lengths in code points.
const (
	mostContent     = 2000
	mostDescription = 4096
	mostEmbedded    = 6000 // in all embeds of a message
	mostEmbeds      = 10
	mostRows        = 5
	mostInRow       = 5
	mostButtonLabel = 80
	mostCustomID    = 100
)

// Fits is below Discord's limits by as much as escaping usually adds; where it
// adds more, up to twice, the end of what doesn't fit gives way to "…".
func (d *Discord) Fits() bot.Fits {
	return bot.Fits{Text: 1600, Columns: 10, Rows: 25, Cell: 120, Table: 2400, Code: 1400, Small: 240, Label: mostButtonLabel, Items: 4}
}

// A payload is a message as Discord takes it. All of it is always sent, so that
// an edit leaves nothing behind.
type payload struct {
	Content     string       `json:"content"`
	Embeds      []embed      `json:"embeds"`
	Components  []object     `json:"components"`
	Attachments []attachment `json:"attachments"`
	Allowed     allowed      `json:"allowed_mentions"`
	Flags       int          `json:"flags"`

	Nonce     string     `json:"nonce,omitempty"`
	OneNonce  bool       `json:"enforce_nonce,omitempty"`
	Reference *reference `json:"message_reference,omitempty"`
}

type embed struct {
	Description string `json:"description"`
	Color       int    `json:"color,omitempty"`
}

type attachment struct {
	ID          int    `json:"id"`
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// allowed mentions: none.
type allowed struct {
	Parse   []string `json:"parse"`
	Replied bool     `json:"replied_user"`
}

func quiet() allowed { return allowed{Parse: []string{}} }

var colors = map[bot.Tone]int{bot.Answering: 0x2F80ED, bot.AtWork: 0x8A94A6, bot.Declining: 0xE2A03F, bot.Breaking: 0xD64545, bot.Noting: 0x6C7A89}

// draw lays a card out: a small card is all content; a table, a list, or a text
// that is long goes into embeds below it.
func draw(c bot.Card) payload {
	p := payload{Embeds: []embed{}, Components: buttons(c), Attachments: []attachment{}, Allowed: quiet()}
	text, below := said(c, mostContent), under(c, mostContent)
	if whole := stack(text, below); c.Table == nil && len(c.Items) == 0 && size(said(c, mostDescription)) == size(text) && size(whole) <= mostContent {
		p.Content, p.Flags = filled(whole), flagSuppressEmbeds
		return p
	}
	page := &page{left: mostEmbedded, color: colors[c.Tone]}
	if whole := said(c, mostDescription); whole == text {
		p.Content = text
	} else {
		page.add(whole)
	}
	reserve := size(below)
	if c.Table != nil {
		page.add(drawTable(c.Table, min(mostDescription, page.left-reserve)))
	}
	if n := len(c.Items); n > 0 {
		n = min(n, mostEmbeds-len(page.embeds)-1)
		for i, item := range c.Items[:n] {
			page.add(drawItem(i, item, min(mostDescription, (page.left-reserve)/(n-i))))
		}
		if n < len(c.Items) {
			below = stack("…", below)
		}
	}
	if c.Table == nil && p.Content != "" && len(c.Items) == 0 || page.left < size(below) {
		below = under(c, page.left)
	}
	page.add(below)
	p.Embeds = page.embeds
	return p
}

// A page gathers embeds.
type page struct {
	embeds []embed
	left   int // code points
	color  int
}

func (p *page) add(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	p.left -= size(text)
	p.embeds = append(p.embeds, embed{text, p.color})
}

// stack puts parts under each other.
func stack(parts ...string) string {
	var out []string
	for _, part := range parts {
		if part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, "\n")
}

// said is what a card says before its table, in n code points.
func said(c bot.Card, n int) string {
	understood := small(c.Understood, n/4)
	by := ""
	if isID(c.By) {
		by = "<@" + c.By + ">"
	} else if c.By != "" {
		by = cut(escape(line(c.By)), 100)
	}
	text := fitting(c.Text, n-size(understood)-size(by)-2, escape)
	if by != "" {
		text = strings.TrimSpace(text + " " + by)
	}
	return stack(understood, text)
}

// under is what a card says below its table, in n code points.
func under(c bot.Card, n int) string {
	var lines []string
	for _, s := range c.Small {
		if drawn := small(s, n/4); drawn != "" && size(stack(lines...))+size(drawn) < n/2 {
			lines = append(lines, drawn)
		}
	}
	foot := stack(lines...)
	code := ""
	if strings.TrimSpace(c.Code) != "" {
		code = fitting(c.Code, n-size(foot)-1, func(s string) string { return fence(clean(s)) })
	}
	return stack(code, foot)
}

// small is a line in small print.
func small(text string, n int) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return fitting(text, n, func(s string) string { return "-# " + escape(line(s)) })
}

// drawItem draws one of a list, with the number that its buttons have.
func drawItem(i int, c bot.Card, n int) string {
	number := "**" + strconv.Itoa(i+1) + "** · "
	below := under(c, (n-size(number))/2)
	table := ""
	if c.Table != nil {
		table = drawTable(c.Table, (n-size(below))/2)
	}
	return stack(number+said(c, n-size(number)-size(below)-size(table)-2), table, below)
}

// drawTable draws a table in n code points, a line for each row: in a code
// block Chinese wouldn't align.
func drawTable(t *bot.Sheet, n int) string {
	var head []string
	for _, c := range t.Columns {
		head = append(head, filled(line(c)))
	}
	const more = "\n…"
	out := small(strings.Join(head, " · "), n/3)
	for i, row := range t.Rows {
		drawn := "\n" + strconv.Itoa(i+1) + ". " + drawRow(row)
		if size(out)+size(drawn)+len("\n…") > n {
			return out + more
		}
		out += drawn
	}
	return strings.TrimPrefix(out, "\n")
}

func drawRow(row []string) string {
	cells := make([]string, len(row))
	for i, cell := range row {
		cells[i] = strings.TrimSpace(escape(strings.TrimSpace(line(cell))))
		switch {
		case cells[i] == "":
			cells[i] = "–"
		case i == 0:
			cells[i] = "**" + cells[i] + "**"
		}
	}
	return strings.Join(cells, " · ")
}

// buttons are a card's and its items', in rows: one for each item where there
// are rows enough.
func buttons(c bot.Card) []object {
	var rows [][]object
	used := map[string]bool{}
	draw := func(bs []bot.Button, number string) (out []object) {
		for _, b := range bs {
			if b.ID == "" || used[b.ID] {
				continue
			}
			used[b.ID] = true
			style := map[bot.Look]int{bot.Good: 3, bot.Bad: 4}[b.Look]
			if style == 0 {
				style = 2
			}
			out = append(out, object{"type": buttonType, "custom_id": b.ID, "style": style, "label": cut(number+filled(line(b.Label)), mostButtonLabel)})
		}
		return out
	}
	var all []object
	for i, item := range c.Items {
		bs := draw(item.Buttons, strconv.Itoa(i+1)+" ")
		all = append(all, bs...)
		rows = append(rows, inRows(bs)...)
	}
	own := inRows(draw(c.Buttons, ""))
	if len(rows)+len(own) > mostRows { // no more a row for each
		rows = inRows(all)
	}
	rows = append(rows[:min(len(rows), max(mostRows-len(own), 0))], own...)
	out := []object{}
	for _, row := range rows[:min(len(rows), mostRows)] {
		out = append(out, object{"type": rowType, "components": row})
	}
	return out
}

func inRows(bs []object) (rows [][]object) {
	for len(bs) > 0 {
		n := min(len(bs), mostInRow)
		rows, bs = append(rows, bs[:n:n]), bs[n:]
	}
	return rows
}
