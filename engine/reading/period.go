package reading

import (
	"fmt"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/text"
)

// periodAt reads the day or month at the start of ts as a slot of type date or month,
// its value as ISO 8601 writes it; tokens is 0 where there is none.
func periodAt(ts []text.Token) (s Slot, tokens int) {
	c, ok := guardrails.CalendarAt(ts, 0)
	if !ok {
		return s, 0
	}
	s = Slot{Type: "month", Value: fmt.Sprintf("%04d-%02d", c.Year, c.Month), Start: ts[0].Start, End: ts[c.Tokens-1].End}
	if c.Day > 0 {
		if _, ok := store.CalendarDate(int64(c.Year), c.Month, c.Day); !ok {
			return s, 0
		}
		s.Type, s.Value = "date", fmt.Sprintf("%s-%02d", s.Value, c.Day)
	}
	return s, c.Tokens
}
