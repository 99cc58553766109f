package embedded

import (
	"errors"
	"fmt"
	"time"

	"precedent/store"
)

// A row holds the values of the variables of one scope, by slot.
type row = []any

// An exec is one run of a statement.
type exec struct {
	budget
	g        *Graph
	now      time.Time // what all clocks of the run show
	params   map[string]any
	patterns map[string]*pattern // regular expressions that rows made, by their text
	reach    reach               // of the last search for the shortest
}

// errEnough ends the reading of rows when nobody wants more.
var errEnough = errors.New("enough rows")

// maxMessage is how many bytes of an error are told: a query can put any text of
// the graph into one.
const maxMessage = 1000

func queryError(format string, args ...any) error {
	s := fmt.Sprintf(format, args...)
	if len(s) > maxMessage {
		s = cutBytes(s, maxMessage) + "…"
	}
	return fmt.Errorf("%w: %s", store.ErrQuery, s)
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w by the embedded graph: %s", store.ErrUnsupported, fmt.Sprintf(format, args...))
}

func mismatch(want string, got any) error {
	return queryError("Type mismatch: expected %s but was %s", want, typeName(got))
}
