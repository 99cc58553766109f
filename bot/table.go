package bot

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// How tables fit a width.
const (
	PageRows   = 25 // rows shown at a time
	minColumn  = 6  // narrowest column; where columns would be narrower, rows become records
	cellLines  = 3  // most lines of one cell; what is left is cut with …
	frameWidth = 3  // of the lines and spaces beside each column
)

// Table returns rows as a table at most width columns of a terminal wide, each
// line ended. East Asian characters take two. Long cells are wrapped, then cut
// with …; where there are too many columns for width, each row stands alone
// with a line for each column. Widths under 20 count as 20.
func Table(columns []string, rows [][]any, width int) string {
	width = max(width, 20)
	grid := append([][]string{lines(columns)}, Cells(columns, rows)...)
	if len(columns) == 0 {
		return ""
	}
	room := width - 1 - frameWidth*len(columns)
	if room < minColumn*len(columns) {
		return records(grid, width)
	}
	widths := share(natural(grid), room)
	t := table.NewWriter()
	t.SetStyle(table.StyleRounded)
	t.Style().Format.Header = text.FormatDefault
	configs := make([]table.ColumnConfig, len(columns))
	for i := range columns {
		align := text.AlignLeft
		if numeric(rows, i) {
			align = text.AlignRight
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align}
	}
	t.SetColumnConfigs(configs)
	for i, line := range grid {
		out := make(table.Row, len(line))
		for j, cell := range line {
			out[j] = strings.Join(wrap(cell, widths[j], cellLines), "\n")
		}
		if i == 0 {
			t.AppendHeader(out)
		} else {
			t.AppendRow(out)
		}
	}
	return t.Render() + "\n"
}

// records shows each row alone.
func records(grid [][]string, width int) string {
	label := 0
	for _, name := range grid[0] {
		label = max(label, textWidth(name))
	}
	label = min(label, width/3)
	var b strings.Builder
	for i, row := range grid[1:] {
		if i > 0 {
			b.WriteString(strings.Repeat("─", width) + "\n")
		}
		for j, cell := range row {
			name := wrap(grid[0][j], label, 1)[0]
			indent := strings.Repeat(" ", label+2)
			for k, line := range wrap(cell, width-label-2, cellLines) {
				if k == 0 {
					b.WriteString(name + strings.Repeat(" ", label+2-textWidth(name)) + line + "\n")
				} else {
					b.WriteString(indent + line + "\n")
				}
			}
		}
	}
	return b.String()
}

func lines(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = Line(t)
	}
	return out
}

// natural returns the widest cell of each column.
func natural(grid [][]string) []int {
	widths := make([]int, len(grid[0]))
	for _, row := range grid {
		for i, cell := range row {
			widths[i] = max(widths[i], textWidth(cell), 1)
		}
	}
	return widths
}

// share narrows the widest columns until all fit into room together.
func share(widths []int, room int) []int {
	total := 0
	for _, w := range widths {
		total += w
	}
	for ; total > room; total-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
	return widths
}

// numeric tells whether a column holds numbers alone.
func numeric(rows [][]any, column int) bool {
	found := false
	for _, row := range rows {
		if column >= len(row) || row[column] == nil {
			continue
		}
		switch row[column].(type) {
		case int64, float64, int:
			found = true
		default:
			return false
		}
	}
	return found
}

// wrap breaks a line into at most most lines of width columns, between words
// where there are any; what is left over is cut with ….
func wrap(line string, width, most int) []string {
	var out []string
	for rest := line; ; {
		if textWidth(rest) <= width {
			return append(out, rest)
		}
		if len(out) == most-1 {
			return append(out, cut(rest, width))
		}
		head := fitting(rest, width)
		if i := strings.LastIndexByte(head, ' '); i > len(head)/3 && !strings.HasPrefix(rest[len(head):], " ") {
			head = head[:i]
		}
		out = append(out, strings.TrimRight(head, " "))
		rest = strings.TrimLeft(rest[len(head):], " ")
	}
}

// cut returns line cut to width columns, … included, if it is wider.
func cut(line string, width int) string {
	if textWidth(line) <= width {
		return line
	}
	return strings.TrimRight(fitting(line, max(1, width-textWidth("…"))), " ") + "…"
}

// fitting returns the longest beginning of line that is at most width columns
// wide, but at least one character.
func fitting(line string, width int) string {
	w := 0
	for i, r := range line {
		if w += text.RuneWidth(r); w > width && i > 0 {
			return line[:i]
		}
	}
	return line
}

func textWidth(line string) int { return text.StringWidthWithoutEscSequences(line) }
