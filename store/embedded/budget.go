package embedded

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"precedent/store"
)

// A budget is what one run may still take: time, the bytes of what it holds at
// the moment, and the patience of who asked. Whatever walks, builds or keeps
// values charges it, before it does; where something is used up, the charge
// panics with a halt, and [Graph.Run] returns its error.
type budget struct {
	ctx      context.Context // nil for work that nothing bounds
	deadline time.Time
	steps    int // until the next look at ctx and the clock
	held     int // bytes kept by sorting, grouping and DISTINCT until they have read all rows
	temp     int // bytes made for the row at hand
	granted  int // bytes that held and temp may reach before more is asked for
	most     int // bytes that they may ever reach
}

// A halt ends a run from wherever it is.
type halt struct{ err error }

const (
	stepsPerLook = 1024 // at a microsecond each, looks are a millisecond apart
	bytesPerStep = 128  // of text or lists that are read, compared or copied
)

// unbounded is for work on the graph itself.
func unbounded() *exec { return &exec{budget: budget{granted: math.MaxInt, most: math.MaxInt}} }

// tick charges a step.
func (b *budget) tick() {
	if b.steps--; b.steps < 0 {
		b.look()
	}
}

// work charges reading or copying so many bytes.
func (b *budget) work(bytes int) {
	if b.steps -= bytes / bytesPerStep; b.steps < 0 {
		b.look()
	}
}

// look halts where the run was cancelled or its time is up.
func (b *budget) look() {
	b.steps = stepsPerLook
	if b.ctx == nil {
		return
	}
	if err := b.ctx.Err(); err != nil {
		panic(&halt{fmt.Errorf("%w: %w", store.ErrTimeout, err)})
	}
	if time.Now().After(b.deadline) {
		panic(&halt{fmt.Errorf("%w: it ran into its time limit; ask for less or for a more selective start", store.ErrTimeout)})
	}
}

// hold charges bytes that are kept until an operator has read all its rows; it
// takes them back from held itself.
func (b *budget) hold(bytes int) {
	b.held += bytes
	b.fit(bytes)
}

// make charges bytes of a list, map or text that an expression builds. They are
// given back with the row, or by settle.
func (b *budget) make(bytes int) {
	b.temp += bytes
	b.fit(bytes)
}

func (b *budget) fit(bytes int) {
	b.work(bytes)
	if b.held+b.temp > b.granted {
		b.ask()
	}
}

// ask takes more from what all runs share.
func (b *budget) ask() {
	if b.held+b.temp > b.most {
		b.tooLarge()
	}
	more := b.held + b.temp - b.granted + grantBytes
	if !everyRun.take(more) {
		panic(&halt{fmt.Errorf("%w: other queries hold the memory that it needs; ask again in a moment", store.ErrTimeout)})
	}
	b.granted += more
}

func (b *budget) tooLarge() {
	panic(&halt{fmt.Errorf("%w: it needs more than %d MiB of memory for sorting, grouping, lists or texts: filter earlier, collect less or add a LIMIT",
		store.ErrTooLarge, b.most>>20)})
}

// end gives back what the run took from what all share.
func (b *budget) end() {
	if taken := b.granted - grantBytes; taken > 0 {
		everyRun.give(taken)
	}
}

// grantBytes is what every run has for itself, so that small ones wait for
// nobody, and how much is taken at once of what all share.
const grantBytes = 1 << 20

// shared is the memory that all runs of the process have beyond what each has
// for itself.
type shared struct {
	mu   sync.Mutex
	left int
	set  bool
}

var everyRun shared

const (
	leastShared   = 128 << 20 // so that one run can always take [store.Limits.Memory]
	defaultShared = 256 << 20 // where the process has no limit
)

// take tells whether bytes were left. They are half of the memory limit of the
// process, see package runtime/debug.
func (s *shared) take(bytes int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.set {
		s.set, s.left = true, defaultShared
		if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
			s.left = max(leastShared, int(limit/2))
		}
	}
	if bytes > s.left {
		return false
	}
	s.left -= bytes
	return true
}

func (s *shared) give(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left += bytes
}
