package bot

import (
	"precedent/bot/words"
	"precedent/store"
)

// verdictsOn are the buttons on which curators judge a case: those of where it
// can go from its state, which they name: pressed when it has another, they do nothing.
func verdictsOn(c store.Case, flagged bool, w *words.Words) (list []Button) {
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
	if approve != "" {
		list = append(list, press(approve, Good, "approve", c.ID, string(c.Status), w.Language))
	}
	list = append(list, press(w.Chat.Edit, Ordinary, "edit", c.ID, w.Language))
	if reject != "" {
		list = append(list, press(reject, Bad, "reject", c.ID, string(c.Status), w.Language))
	}
	return list
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
