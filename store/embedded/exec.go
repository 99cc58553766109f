package embedded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"precedent/store"
)

// A row holds the values of the variables of one scope, by slot.
type row = []any

// An exec is one run of a statement.
type exec struct {
	g        *Graph
	ctx      context.Context
	deadline time.Time
	params   map[string]any
	steps    int
	held     int // values held by sorting, grouping and DISTINCT
	temp     int // values held by lists of the row at hand
	most     int // of held and temp together
}

// stepsPerCheck is how many steps pass between two looks at the clock.
const stepsPerCheck = 1024

// tick counts a step; it returns an error when time is up.
func (x *exec) tick() error {
	x.steps++
	if x.steps%stepsPerCheck != 0 {
		return nil
	}
	return x.late()
}

func (x *exec) late() error {
	if err := x.ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", store.ErrTimeout, err)
	}
	if time.Now().After(x.deadline) {
		return fmt.Errorf("%w: it ran into its time limit; ask for less or for a more selective start", store.ErrTimeout)
	}
	return nil
}

// hold counts values that the query keeps until it has read all its rows.
func (x *exec) hold(n int) error {
	x.held += n
	return x.fits()
}

// make counts values of a list or text that an expression builds.
func (x *exec) make(n int) error {
	x.temp += n
	return x.fits()
}

func (x *exec) fits() error {
	if x.held+x.temp > x.most {
		return queryError("the query holds more than %d values at once in sorting, grouping or lists: filter earlier or add a LIMIT", x.most)
	}
	return nil
}

// weight is how many values v counts for in [Graph.Held].
func weight(v any) int {
	const bytesPerValue = 16
	switch v := v.(type) {
	case string:
		return 1 + len(v)/bytesPerValue
	case []any:
		n := 1
		for _, item := range v {
			n += weight(item)
		}
		return n
	case map[string]any:
		n := 1
		for _, item := range v {
			n += 1 + weight(item)
		}
		return n
	case *path:
		return 1 + len(v.nodes) + len(v.rels)
	}
	return 1
}

// errEnough ends the reading of rows when nobody wants more.
var errEnough = errors.New("enough rows")

func queryError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", store.ErrQuery, fmt.Sprintf(format, args...))
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w by the embedded graph: %s", store.ErrUnsupported, fmt.Sprintf(format, args...))
}

func mismatch(want string, got any) error {
	return queryError("Type mismatch: expected %s but was %s", want, typeName(got))
}
