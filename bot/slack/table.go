package slack

import (
	"strings"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// blank is what an empty cell holds: Slack refuses one without text.
const blank = "\u00A0"

// table draws a table as Slack's own, its first row the columns' names. A home tab
// takes none: there each row is a line.
func (d *drawing) table(t *bot.Sheet) {
	if t == nil || len(t.Columns) == 0 {
		return
	}
	if d.home {
		var lines []string
		for _, row := range append([][]string{t.Columns}, t.Rows...) {
			var cells []string
			for _, cell := range row {
				cells = append(cells, line(cell))
			}
			lines = append(lines, strings.Join(cells, " · "))
		}
		d.code(strings.Join(lines, "\n"))
		return
	}
	block := slack.NewTableBlock("").AddRow(cells(t.Columns, len(t.Columns))...)
	for _, row := range t.Rows {
		block.AddRow(cells(row, len(t.Columns))...)
	}
	for i := range t.Columns {
		set := slack.ColumnSetting{Align: slack.ColumnAlignmentLeft, IsWrapped: true}
		if i < len(t.Numeric) && t.Numeric[i] {
			set.Align = slack.ColumnAlignmentRight
		}
		block.ColumnSettings = append(block.ColumnSettings, set)
	}
	d.add(block)
}

// cells are n cells: as many as there are columns, whatever the row has.
func cells(row []string, n int) (out []slack.TableCell) {
	for i := range n {
		text := ""
		if i < len(row) {
			text = strings.TrimSpace(clean(row[i]))
		}
		if text == "" {
			text = blank
		}
		out = append(out, slack.NewTableRawTextCell(text))
	}
	return out
}
