package cases

import (
	"fmt"

	"precedent/store"
)

// Numbers of the rules by which members' votes move cases.
const (
	supportRatio = 3  // supporters there must be for each opponent
	opposedAt    = -2 // members' ups less downs that reject, quarantine or flag
)

// A Tally is how the votes on a case stand. Of each user the latest vote
// counts, over all answers that the case gave. A down for a wrong value or
// wording isn't held against the query: it is among Down and not among Opponents.
type Tally struct {
	Up, Down   int // users, curators among them
	Supporters int // members for it who never asked this question
	Net        int // members for it less members against its query
	Opponents  int // members against its query
}

// A verdict is what the members' votes on a case ask for.
type verdict struct {
	to   store.Status // "" to leave it
	flag string       // why curators should look, "" if they needn't
	why  string       // of the move
}

// decide says what the members' votes mean for a case as it is now.
func decide(r *row, t Tally, quorum int) verdict {
	opposed := t.Net <= opposedAt
	supported := t.Supporters >= max(quorum, 1) && t.Supporters >= supportRatio*t.Opponents
	support := fmt.Sprintf("%d for it besides who asked, %d against", t.Supporters, t.Opponents)
	opposition := fmt.Sprintf("members' votes are at %d", t.Net)

	switch r.Case.Status {
	case store.Candidate:
		switch {
		case opposed && quorum == 0:
			return verdict{flag: opposition + "; curators decide"}
		case opposed:
			return verdict{to: store.Rejected, why: opposition}
		case supported && quorum == 0:
			return verdict{flag: support + "; curators decide"}
		case supported && r.Private:
			return verdict{flag: support + "; it was asked in private, so a curator has to approve its text"}
		case supported && r.Held:
			return verdict{flag: support + "; its promotion was undone before, so a curator decides"}
		case supported:
			return verdict{to: store.Verified, why: support}
		}
	case store.Verified:
		switch {
		case opposed && r.Backing != ByMembers:
			return verdict{flag: opposition + "; only a curator may quarantine it"}
		case opposed && (quorum == 0 || r.Held):
			return verdict{flag: opposition + "; curators decide"}
		case opposed:
			return verdict{to: store.Quarantined, why: opposition}
		}
	case store.Rejected, store.Quarantined:
		if supported {
			return verdict{flag: support + "; only a curator may verify it"}
		}
	}
	return verdict{}
}

// curatorsMove says where a curator's vote moves a case, "" for nowhere.
func curatorsMove(r *row, b Ballot) store.Status {
	switch s := r.Case.Status; {
	case b.Value == Up && (s == store.Candidate || s == store.Quarantined || s == store.Rejected):
		return store.Verified
	case b.Value == Down && !b.againstQuery():
		return ""
	case b.Value == Down && (s == store.Candidate || r.Into != ""):
		return store.Rejected
	case b.Value == Down && s == store.Verified:
		return store.Quarantined
	}
	return ""
}
