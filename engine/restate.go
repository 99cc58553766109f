package engine

// restate makes a follow-up a question that stands alone.
func (a *asking) restate() (settled bool) { return false }

func (a *asking) isFollowUp() bool { return false }
