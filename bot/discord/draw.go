package discord

import (
	"strconv"
	"strings"

	"precedent/bot"
)

// Limits of a message, by "Create Message" and "Embed Limits"; lengths in code
// points.
const (
	mostContent     = 2000
	mostDescription = 4096
	mostEmbedded    = 6000 // in all embeds of a message
	mostEmbeds      = 10

	mostBelow = mostEmbedded - mostDescription // for the code and the small print
	mostAbove = 2600                           // for the text where a table or a list follows
)

// What a card may hold. It stays below Discord's limits by as much as escaping
// usually adds; where it adds more, up to twice, the end of what doesn't fit
// gives way to "…". A card has at most 25 buttons, those of its items included.
var fits = bot.Fits{Text: 1600, Columns: 10, Rows: 25, Cell: 200, Table: 2400, Code: 1400, Small: 240, Label: mostButtonLabel, Items: 4}

// Fits is what a card may hold on Discord.
func (d *Discord) Fits() bot.Fits { return fits }

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

func empty() payload {
	return payload{Embeds: []embed{}, Components: []object{}, Attachments: []attachment{}, Allowed: allowed{Parse: []string{}}}
}

var colors = map[bot.Tone]int{bot.Answering: 0x2F80ED, bot.AtWork: 0x8A94A6, bot.Declining: 0xE2A03F, bot.Breaking: 0xD64545, bot.Noting: 0x6C7A89}

// draw lays a card out. A small one is all content. A table, a list, or what is
// too long for content goes into embeds below it.
func draw(c bot.Card) payload {
	p := empty()
	rows, all := buttons(c)
	p.Components = rows
	if !all {
		c.Small = append(c.Small[:len(c.Small):len(c.Small)], "…")
	}
	saying, below := said("", c, mostDescription), under(c, mostBelow)
	short, lone := size(saying) <= mostContent, c.Table == nil && len(c.Items) == 0
	if whole := stack(saying, below); lone && size(whole) <= mostContent {
		p.Content, p.Flags = filled(whole), flagSuppressEmbeds
		return p
	}
	page := &page{left: mostEmbedded, color: colors[c.Tone]}
	switch {
	case short:
		p.Content = saying
	case lone:
		page.add(saying)
	default:
		page.add(said("", c, mostAbove))
	}
	switch n := len(c.Items); {
	case n > 0:
		if n > mostEmbeds-2 {
			n, below = mostEmbeds-2, stack(rest, below)
		}
		for _, item := range drawItems(c.Items[:n], page.left-size(below)) {
			page.add(item)
		}
		page.add(below)
	case c.Table != nil:
		table := drawTable(c.Table, min(mostDescription, page.left-size(below)))
		if one := stack(table, below); size(one) <= mostDescription {
			page.add(one)
		} else {
			page.add(table)
			page.add(below)
		}
	default:
		page.add(below)
	}
	p.Embeds = page.embeds
	if p.Content == "" && len(p.Embeds) == 0 {
		p.Content, p.Flags = filled(""), flagSuppressEmbeds
	}
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

// said is what a card says before its table, in n code points; before goes
// before the text.
func said(before string, c bot.Card, n int) string {
	understood, by := small(c.Understood, n/4), ""
	if isID(c.By) {
		by = escape(c.Signing()) + "<@" + c.By + ">"
	} else if c.By != "" {
		by = escape(c.Signing() + cut(line(c.By), 50))
	}
	text := fitting(c.Text, n-size(understood)-size(by)-size(before)-1, escape)
	return stack(understood, strings.Trim(before+text+by, " \n"))
}

// under is what a card says below its table, in n code points.
func under(c bot.Card, n int) string {
	const more = "-# " + rest
	foot := ""
	for _, s := range c.Small {
		next := stack(foot, small(s, n/4))
		if size(next) > n/2-size(more)-1 {
			foot = stack(foot, more)
			break
		}
		foot = next
	}
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

// drawItems draws a list in n code points in all. Where that is too little, the
// longest of its items give way.
func drawItems(items []bot.Card, n int) []string {
	drawn := make([]string, len(items))
	for most := mostDescription; ; most -= 1 + most/8 {
		total := 0
		for i, item := range items {
			if most == mostDescription || size(drawn[i]) > most {
				drawn[i] = drawItem(i, item, most)
			}
			total += size(drawn[i])
		}
		if total <= n || most < 100 {
			return drawn
		}
	}
}

// drawItem draws one of a list, with the number that its buttons have.
func drawItem(i int, c bot.Card, n int) string {
	below, table := under(c, n/2), ""
	if c.Table != nil {
		table = drawTable(c.Table, n/4)
	}
	return stack(said("**"+strconv.Itoa(i+1)+"** · ", c, n-size(below)-size(table)-2), table, below)
}
