package slack

import "sync"

// votesMost is how many messages' reactions are remembered.
const votesMost = 2_000

// A ballot is one person's reaction.
type ballot struct{ user, vote string }

// votes are the reactions that stand, as far as the bot has heard: what differs
// after a cut was missed.
type votes struct {
	mu sync.Mutex
	on map[[2]string]map[ballot]bool // by channel and ts
	n  map[[2]string]int             // events that came of a message
}

// came counts an event as it comes in, and count is how many did.
func (v *votes) came(message [2]string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.n == nil || len(v.n) >= votesMost && v.n[message] == 0 {
		v.n = map[[2]string]int{}
	}
	v.n[message]++
}

func (v *votes) count(message [2]string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.n[message]
}

func (v *votes) note(message [2]string, b ballot, stands bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.on == nil || len(v.on) >= votesMost && v.on[message] == nil {
		v.on = map[[2]string]map[ballot]bool{}
	}
	if v.on[message] == nil {
		v.on[message] = map[ballot]bool{}
	}
	if stands {
		v.on[message][b] = true
	} else {
		delete(v.on[message], b)
	}
}

// missed compares what stands with what was heard.
func (v *votes) missed(message [2]string, now map[ballot]bool) (added, removed []ballot) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for b := range now {
		if !v.on[message][b] {
			added = append(added, b)
		}
	}
	for b := range v.on[message] {
		if !now[b] {
			removed = append(removed, b)
		}
	}
	return added, removed
}
