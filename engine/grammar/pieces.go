package grammar

import (
	"fmt"
	"strings"

	"precedent/engine/meaning"
)

// What a piece of a question can stand for, beside *meaning.Set and *meaning.Meaning.
type (
	// many are things told one by one: A, B and C.
	many struct {
		sets []*meaning.Set
		or   bool
	}
	// verb is a relationship type between two labels, as a verb: from does it to to.
	// Turned, the relationship leads from what it is done to: CARRIED_BY as carry.
	verb struct {
		rel, from, to string
		turned        bool
	}
	// property is one of a label.
	property struct{ label, name, typ string }
	// grade orders the things of a label by a property: longer, longest; down is shorter.
	grade struct {
		property
		down bool
	}
	// unit is a word behind a number that names a property.
	unit struct {
		property
		factor float64
	}
	// event is a property that says when something happened, and the one that has its
	// year apart, and where it happened, if there are such.
	event struct{ day, year, place property }
	// props are properties told one by one.
	props []property
	// number is as written, scales applied.
	number struct {
		value float64
		whole bool
	}
	// period is a stretch of days, or whole years.
	period struct {
		from, next string // as ISO 8601 writes days
		year       int64  // its first year and the one behind its last, 0 where it isn't of whole years
		nextYear   int64
	}
	// cond holds of things of a label.
	cond struct {
		owner string
		c     meaning.Condition
	}
)

// An open condition or measure takes its shape from the label that it is said of.
type (
	// near is being joined to others by the one relationship that there is.
	near struct {
		many
		how  meaning.Quantifier
		n    meaning.Bound
		prep string
	}
	// dated is having happened in, before or after a period.
	dated struct {
		op   string
		when period
	}
	// counted is how many of a set something is joined to.
	counted struct{ set *meaning.Set }
	// value is Fn of a property of what something is joined to, or of itself.
	valued struct {
		fn meaning.Fn
		property
		set *meaning.Set // nil: of itself
	}
	// done is how many of a set something does a verb to, or is done a verb by.
	done struct {
		verb
		back bool
		set  *meaning.Set
	}
	// both hold, either holds, or one doesn't.
	joint struct {
		parts []any
		how   string // and, or, not
	}
)

// keyOf is the print of a piece: pieces of equal keys are the same.
func keyOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case *meaning.Set:
		return v.Exact()
	case *meaning.Meaning:
		return v.Exact()
	case many:
		var b strings.Builder
		for _, s := range v.sets {
			b.WriteString(s.Exact())
		}
		return fmt.Sprintf("%s%t", b.String(), v.or)
	case cond:
		return v.owner + " " + meaning.ExactCondition(v.c)
	case near:
		return fmt.Sprintf("near %s %s %s %s", keyOf(v.many), v.how, v.n.Exact(), v.prep)
	case counted:
		return "counted " + v.set.Exact()
	case done:
		return fmt.Sprintf("done %v %t %s", v.verb, v.back, v.set.Exact())
	case valued:
		s := ""
		if v.set != nil {
			s = v.set.Exact()
		}
		return fmt.Sprintf("valued %s %v %s", v.fn, v.property, s)
	case joint:
		s := v.how
		for _, p := range v.parts {
			s += " [" + keyOf(p) + "]"
		}
		return s
	}
	return fmt.Sprintf("%T%v", v, v)
}
