package store

// Float is a number of a graph as a float; not ok is anything else.
func Float(v any) (f float64, ok bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// A Node is a node of a graph, as returned in a row.
type Node struct {
	ID         string // the graph's own identity; only for telling nodes apart
	Labels     []string
	Properties map[string]any
}

// A Relationship is a relationship, as returned in a row.
type Relationship struct {
	ID, Start, End string
	Type           string
	Properties     map[string]any
}

// A Path is a walk: len(Nodes) == len(Relationships)+1.
type Path struct {
	Nodes         []Node
	Relationships []Relationship
}

// A Point is a spatial point; Z is used by the three-dimensional systems
// 4979 (WGS-84-3D) and 9157 (cartesian-3D) only.
type Point struct {
	SRID    int
	X, Y, Z float64
}

// Temporal values. Each prints as ISO 8601 with String, the way Neo4j's
// toString does, and compares within its own type.
type (
	// Date counts days since 1970-01-01.
	Date struct{ Days int64 }
	// LocalTime counts nanoseconds since midnight.
	LocalTime struct{ Nanos int64 }
	// Time is a time of day with an offset in seconds east of UTC.
	Time struct {
		Nanos  int64
		Offset int
	}
	// LocalDateTime is seconds since 1970-01-01T00:00 and nanoseconds, without zone.
	LocalDateTime struct {
		Seconds int64
		Nanos   int
	}
	// DateTime is an instant (seconds since the epoch in UTC) with an offset
	// and, where known, a zone name.
	DateTime struct {
		Seconds int64
		Nanos   int
		Offset  int    // seconds east of UTC at that instant
		Zone    string // IANA name or ""
	}
	// Duration keeps months, days, seconds and nanoseconds apart, as Cypher does.
	Duration struct {
		Months, Days, Seconds int64
		Nanos                 int
	}
)
