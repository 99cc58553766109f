package check

import (
	"slices"

	"precedent/store/cypher"
)

// An entity is a node or a relationship that a query speaks of, under one
// variable or none. What holds of it only in some inner place (an optional
// match, a subquery) is held by a narrower entity, whose wider one it is.
type entity struct {
	rel    bool
	wider  *entity
	facts  []cypher.LabelExpr // it satisfies all of them; types, of a relationship
	groups []set              // the facts as sets; see [graph.groups]
	within set                // labels left by its relationships, or nil for any
}

func (e *entity) narrower() *entity { return &entity{rel: e.rel, wider: e} }

// A binding is what is known of a variable or of the value of an expression.
// A nil binding is a value of which nothing is known.
type binding struct {
	entity *entity             // of a node or relationship
	items  *binding            // of a list: what each item is
	isList bool                // a list, of whatever
	fields map[string]*binding // of a map
	origin *origin             // of the value of a property
	number bool                // a number that was computed
	made   string              // the function that it went through since, in lower case, or ""
}

// An origin is a property of an entity.
type origin struct {
	entity *entity
	key    string
}

// A frame holds the variables of one scope.
type frame struct {
	parent *frame
	inner  bool // facts found here say nothing of the entities of parent
	names  []string
	values []*binding
}

func (f *frame) set(name string, b *binding) {
	if i := slices.Index(f.names, name); i >= 0 {
		f.values[i] = b
		return
	}
	f.names, f.values = append(f.names, name), append(f.values, b)
}

// find looks a variable up, from the inside out. The found frame is nil for
// one that isn't bound; outside says that facts found at f don't hold there.
func (f *frame) find(name string) (b *binding, found *frame, outside bool) {
	for ; f != nil; f = f.parent {
		if i := slices.Index(f.names, name); i >= 0 {
			return f.values[i], f, outside
		}
		outside = outside || f.inner
	}
	return nil, nil, false
}

// entity is the node or relationship called name, for a pattern to say more
// about; one that isn't bound yet, or isn't known to be one, begins here.
func (f *frame) entity(name string, rel bool) *entity {
	if name == "" {
		return &entity{rel: rel}
	}
	b, found, outside := f.find(name)
	if b == nil || b.entity == nil || b.entity.rel != rel {
		e := &entity{rel: rel}
		if found != nil && !outside {
			f = found
		}
		f.set(name, &binding{entity: e})
		return e
	}
	if !outside {
		return b.entity
	}
	e := b.entity.narrower()
	f.set(name, &binding{entity: e})
	return e
}
