package guardrails

import (
	"strings"
	"time"

	"precedent/store/text"
)

// A Calendar is a day, or a month, that a text names with its year.
type Calendar struct {
	Year, Month int
	Day         int // 0 for a month
	Tokens      int // that it takes
}

// CalendarAt reads the day or month that begins at token i: 1 January 2025, 2026年9月,
// 2026-11-05, 2026-11. One without a year is none, as it depends on the day of the question.
func CalendarAt(ts []text.Token, i int) (c Calendar, ok bool) {
	if t, err := time.Parse("2006-01", written(ts, i, 3)); err == nil {
		return Calendar{t.Year(), int(t.Month()), 0, 3}, true
	}
	n, ok := calendarAt(ts, i)
	if !ok || n.date.year == 0 || n.date.month < 1 || n.date.month > 12 {
		return c, false
	}
	return Calendar{n.date.year, n.date.month, n.date.day, n.last + 1 - i}, true
}

// written are n tokens from i on as they stand, "" where something stands between them
// or goes on behind them.
func written(ts []text.Token, i, n int) string {
	if i+n > len(ts) || i+n < len(ts) && ts[i+n].Text == "-" && ts[i+n].Start == ts[i+n-1].End {
		return ""
	}
	var b strings.Builder
	for j := i; j < i+n; j++ {
		if j > i && ts[j].Start != ts[j-1].End {
			return ""
		}
		b.WriteString(ts[j].Text)
	}
	return b.String()
}
