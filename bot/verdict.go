package bot

import (
	"fmt"
	"strings"

	"precedent/bot/words"
	"precedent/store"
	"precedent/store/cases"
)

// verdictsOn are the buttons on which curators judge a case: those of where it
// can go from its state, which they name: pressed when it has another, they do nothing.
func verdictsOn(c store.Case, flagged, doubted bool, w *words.Words) (list []Button) {
	approve, reject := "", ""
	switch c.Status {
	case store.Candidate:
		approve, reject = w.Chat.Approve, w.Chat.Reject
	case store.Verified:
		if reject = w.Chat.TakeOut; flagged {
			approve = w.Chat.Keep
		}
	case store.Quarantined:
		approve, reject = w.Chat.Release, w.Chat.Retire
	case store.Rejected:
		approve = w.Chat.Approve
	default:
		return nil
	}
	if doubted {
		list, approve = append(list, asIs(c.ID, c.Status, w)), ""
	}
	if approve != "" {
		list = append(list, press(approve, Good, "approve", c.ID, string(c.Status), w.Language))
	}
	list = append(list, press(w.Chat.Edit, Ordinary, "edit", c.ID, w.Language))
	if reject != "" {
		list = append(list, press(reject, Bad, "reject", c.ID, string(c.Status), w.Language))
	}
	return list
}

// asIs is the button on which curators keep a case as it is.
func asIs(id string, status store.Status, w *words.Words) Button {
	return press(w.Chat.AsIs, Good, "asis", id, string(status), w.Language)
}

// doubtLines say both sides of a doubt.
func doubtLines(d cases.Doubt, w *words.Words) (lines []string) {
	side := func(form string, says []string) {
		if len(says) > 0 {
			lines = append(lines, Line(fmt.Sprintf(form, w.Because(strings.Join(says, "; ")))))
		}
	}
	if d.Why != "" {
		return []string{Line(w.Because(d.Why))}
	}
	lines = append(lines, Line(fmt.Sprintf(w.Chat.Doubted, d.Wording)))
	side(w.Chat.WordsSay, d.Words)
	side(w.Chat.QuerySays, d.Query)
	return lines
}

// doubtCard shows a curator both sides of a case that the checks refuse, and has them decide.
func doubtCard(c store.Case, d cases.Doubt, w *words.Words, fits Fits) Card {
	lines := append(doubtLines(d, w), w.Chat.AsIsMeans)
	return Card{Language: w.Language, Tone: Noting, Text: clip(strings.Join(lines, "\n"), fits.Text), Code: clip(Plain(c.Query), fits.Code),
		Buttons: []Button{asIs(c.ID, c.Status, w), press(w.Chat.Edit, Ordinary, "edit", c.ID, w.Language)}}
}

// against is where a curator's no takes a case from a state.
func against(s store.Status) store.Status {
	switch s {
	case store.Verified:
		return store.Quarantined
	case store.Quarantined:
		return store.Retired
	}
	return store.Rejected
}
