package discord

import (
	"strconv"
	"strings"

	"precedent/bot"
)

// between stands between the cells of a row, none for an empty cell.
const (
	between = " · "
	none    = "–"
	rest    = "…"
)

// drawTable draws a table in n code points, a line for each row: in a code
// block Chinese wouldn't align. The rows that don't fit leave a "…".
func drawTable(t *bot.Sheet, n int) string {
	columns := t.Columns[:min(len(t.Columns), fits.Columns)]
	head := make([]string, 0, len(columns)+1)
	for _, c := range columns {
		head = append(head, filled(cut(line(c), fits.Cell)))
	}
	if len(columns) < len(t.Columns) {
		head = append(head, rest)
	}
	out := small(strings.Join(head, between), n/3)
	for i, row := range t.Rows {
		drawn := strconv.Itoa(t.Before+i+1) + ". " + drawRow(row)
		if size(out)+size(drawn)+len("\n\n…") > n {
			return stack(out, rest)
		}
		out = stack(out, drawn)
	}
	return out
}

func drawRow(row []string) string {
	var cells []string
	for i, cell := range row[:min(len(row), fits.Columns)] {
		drawn := escape(cut(strings.TrimSpace(line(cell)), fits.Cell))
		switch {
		case drawn == "":
			drawn = none
		case i == 0:
			drawn = "**" + drawn + "**"
		}
		cells = append(cells, drawn)
	}
	if len(cells) < len(row) {
		cells = append(cells, rest)
	}
	return strings.Join(cells, between)
}
