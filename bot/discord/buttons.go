package discord

import (
	"slices"
	"strconv"

	"precedent/bot"
)

// Limits of buttons, by "Component Reference".
const (
	mostRows        = 5
	mostInRow       = 5
	mostButtonLabel = 80 // code points
)

var styles = map[bot.Look]int{bot.Ordinary: 2, bot.Good: 3, bot.Bad: 4}

// buttons are a card's and its items', in rows: each item's in rows of its own
// where there are enough. All is false where some found no place, which are
// those of the last items.
func buttons(c bot.Card) (rows []object, all bool) {
	used := map[string]bool{}
	own := inRows(drawButtons(c.Buttons, "", used))
	var loose []object
	var neat [][]object
	for i, item := range c.Items {
		bs := drawButtons(item.Buttons, strconv.Itoa(i+1)+" ", used)
		loose, neat = append(loose, bs...), append(neat, inRows(bs)...)
	}
	own = own[:min(len(own), mostRows)]
	left := mostRows - len(own)
	if len(neat) > left {
		neat = inRows(loose)
	}
	all = len(neat) <= left && len(c.Buttons) <= mostRows*mostInRow
	rows = []object{}
	for _, row := range slices.Concat(neat[:min(len(neat), left)], own) {
		rows = append(rows, object{"type": rowType, "components": row})
	}
	return rows, all
}

// drawButtons leaves out those whose id is used already: pressing them does the
// same, and Discord refuses the second.
func drawButtons(bs []bot.Button, number string, used map[string]bool) (out []object) {
	for _, b := range bs {
		if b.ID == "" || used[b.ID] {
			continue
		}
		used[b.ID] = true
		out = append(out, object{"type": buttonType, "custom_id": b.ID, "style": styles[b.Look], "label": cut(number+filled(line(b.Label)), mostButtonLabel)})
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
