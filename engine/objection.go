package engine

import (
	"fmt"
	"strings"

	"precedent/engine/words"
)

// An objection is something of a draft that may be wrong without being impossible:
// a number of the question that stands nowhere in the query, a sum over rows that a
// second pattern multiplies. It goes back to the model once. Where the next draft
// still has it, the model stands by it: the query runs, and the answer says what
// could not be matched. What can't be right (policy, unknown names, types that can't
// be compared) is no objection but a repair.
type objection struct {
	kind words.Doubt // names the sentence for people
	args []any       // of that sentence
	back string      // why, in words for the model; the same of the same thing in another draft
}

// standBy tells the model what to do about an objection that is none.
const standBy = "; if the query is right all the same, write it again"

// object sends the draft back for the objections that are raised for the first time,
// while there are repairs left. The others stand, and are told.
func (a *asking) object(found []objection) error {
	a.standing = nil
	var fresh []string
	for _, o := range found {
		if a.raised == nil {
			a.raised = make(map[string]bool)
		}
		if !a.raised[o.back] {
			fresh = append(fresh, o.back)
		}
		a.raised[o.back] = true
	}
	if len(fresh) > 0 && a.Repairs < maxRepairs {
		return repair(strings.Join(fresh, "; ") + standBy)
	}
	a.standing = found
	return nil
}

// disclose adds to the answer what its query could not be matched with.
func (a *asking) disclose() {
	if a.misread {
		a.Doubts = append(a.Doubts, a.w.Misread)
		a.Text = a.w.Join(a.Text, a.w.Misread)
	}
	if a.Route != ByModel {
		return
	}
	for _, o := range a.standing {
		if o.kind == words.Untold || len(a.Doubts) == maxDoubts {
			continue
		}
		said := fmt.Sprintf(a.w.Doubts[o.kind], o.args...)
		a.Doubts = append(a.Doubts, said)
		a.Text = a.w.Join(a.Text, said)
	}
}

// maxDoubts is how many doubts an answer tells.
const maxDoubts = 4
