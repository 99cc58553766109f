package bolt

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"precedent/store"
)

// wordBytes is what a value that isn't text is taken to hold.
const wordBytes = 16

// A cutter turns values of the driver into the store's within limits, while
// rows are pulled, so that no more is held than the limits say.
type cutter struct {
	limits    store.Limits
	bytes     int  // held by the values so far, roughly
	shortened int  // values shortened so far
	strict    bool // drop what goes beyond limits.Bytes: for a first row that is too large alone
}

// full tells whether the values hold more than they may.
func (c *cutter) full() bool { return c.bytes > c.limits.Bytes }

// value converts v. An error wraps store.ErrUnsupported: the driver couldn't
// read the value, or it is of a type that this version doesn't know.
func (c *cutter) value(v any) (any, error) {
	c.bytes += wordBytes
	switch v := v.(type) {
	case nil, bool, int64, float64:
		return v, nil
	case string:
		return c.text(v), nil
	case []byte:
		c.shortened++
		return fmt.Sprintf("%d bytes", len(v)), nil
	case []any:
		return c.list(v)
	case map[string]any:
		return c.properties(v)
	case dbtype.Node:
		return c.node(v)
	case dbtype.Relationship:
		return c.relationship(v)
	case dbtype.Path:
		return c.path(v)
	case dbtype.Point2D, dbtype.Point3D:
		return fromPoint(v), nil
	case dbtype.Date:
		return store.Date{Days: time.Time(v).Unix() / secondsPerDay}, nil
	case dbtype.LocalTime:
		return store.LocalTime{Nanos: nanosOfDay(time.Time(v))}, nil
	case dbtype.Time:
		return fromTime(v), nil
	case dbtype.LocalDateTime:
		return fromLocalDateTime(v), nil
	case time.Time:
		return fromDateTime(v), nil
	case dbtype.Duration:
		return store.Duration{Months: v.Months, Days: v.Days, Seconds: v.Seconds, Nanos: v.Nanos}, nil
	case *dbtype.InvalidValue:
		return nil, fmt.Errorf("%w: a value can't be read: %s: %w", store.ErrUnsupported, v.Message, v.Err)
	}
	return nil, fmt.Errorf("%w: a value of type %T", store.ErrUnsupported, v)
}

func (c *cutter) text(s string) string {
	if c.strict && c.full() {
		c.shortened++
		return ""
	}
	if len(s) > c.limits.Text && utf8.RuneCountInString(s) > c.limits.Text {
		n := 0
		for i := range s {
			if n == c.limits.Text {
				s = s[:i]
				break
			}
			n++
		}
		c.shortened++
	}
	c.bytes += len(s)
	return s
}

func (c *cutter) list(items []any) (any, error) {
	kept := items[:min(len(items), c.limits.List)]
	list := make([]any, 0, len(kept))
	for _, item := range kept {
		if c.strict && c.full() {
			break
		}
		v, err := c.value(item)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if len(list) < len(items) {
		c.shortened++
	}
	return list, nil
}

func (c *cutter) properties(m map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(m))
	for key, item := range m {
		v, err := c.value(item)
		if err != nil {
			return nil, err
		}
		c.bytes += len(key)
		out[key] = v
	}
	return out, nil
}

func (c *cutter) node(n dbtype.Node) (store.Node, error) {
	p, err := c.properties(n.Props)
	return store.Node{ID: n.ElementId, Labels: n.Labels, Properties: p}, err
}

func (c *cutter) relationship(r dbtype.Relationship) (store.Relationship, error) {
	p, err := c.properties(r.Props)
	return store.Relationship{ID: r.ElementId, Start: r.StartElementId, End: r.EndElementId, Type: r.Type, Properties: p}, err
}

// walked are the nodes of a path in the order in which it comes to them. The driver
// lists each once, also those that the path comes to again.
func walked(p dbtype.Path) []dbtype.Node {
	if len(p.Relationships) == 0 {
		return p.Nodes
	}
	by := make(map[string]dbtype.Node, len(p.Nodes))
	for _, n := range p.Nodes {
		by[n.ElementId] = n
	}
	at := p.Nodes[0]
	nodes := []dbtype.Node{at}
	for _, r := range p.Relationships {
		next := r.EndElementId
		if next == at.ElementId {
			next = r.StartElementId
		}
		at = by[next]
		nodes = append(nodes, at)
	}
	return nodes
}

// path converts a walk whole: without its ends it would be another walk.
func (c *cutter) path(p dbtype.Path) (store.Path, error) {
	var out store.Path
	for _, n := range walked(p) {
		node, err := c.node(n)
		if err != nil {
			return out, err
		}
		out.Nodes = append(out.Nodes, node)
	}
	for _, r := range p.Relationships {
		rel, err := c.relationship(r)
		if err != nil {
			return out, err
		}
		out.Relationships = append(out.Relationships, rel)
	}
	return out, nil
}
