package embedded

import (
	"math"
	"reflect"
	"slices"
)

// count evaluates SKIP or LIMIT.
func (x *exec) count(e expr, missing int64) (int64, error) {
	if e == nil {
		return missing, nil
	}
	v, err := e(x, nil)
	if err != nil {
		return 0, err
	}
	n, ok := v.(int64)
	if !ok || n < 0 {
		return 0, queryError("Invalid input. '%s' is not a valid value. Must be a non-negative integer: SKIP and LIMIT take a whole number from 0 up", show(v))
	}
	return n, nil
}

// sortOp is ORDER BY. It keeps no more rows than SKIP and LIMIT let through.
type sortOp struct {
	keys        []int
	desc        []bool
	width       int // slots of the row that are set
	skip, limit expr
}

func (o *sortOp) open(x *exec, _ []any, next sink) sink {
	return &sortSink{sortOp: o, x: x, next: next, most: -1}
}

type sortSink struct {
	*sortOp
	x       *exec
	next    sink
	rows    []keptRow
	most    int       // rows that can get through, -1 until known
	size    int       // of the row, to hand on
	last    []uintptr // the list or map that the row before had in a slot, else 0
	carried []bool    // whether that was met twice and is held for all rows
	mine    int       // bytes held for all rows
}

type keptRow struct {
	values row
	bytes  int // held for it
}

func (s *sortSink) push(r row) error {
	if s.most < 0 {
		skip, err := s.x.count(s.skip, 0)
		if err != nil {
			return err
		}
		limit, err := s.x.count(s.limit, math.MaxInt64)
		if err != nil {
			return err
		}
		s.most = math.MaxInt
		if limit < math.MaxInt32 && skip < math.MaxInt32 {
			s.most = int(skip + limit)
		}
		s.size = len(r)
		s.last, s.carried = make([]uintptr, s.width), make([]bool, s.width)
	}
	if s.most == 0 {
		return errEnough
	}
	n := s.weigh(r[:s.width])
	s.x.hold(n)
	s.rows = append(s.rows, keptRow{slices.Clone(r[:s.width]), n})
	const slack = 1000
	if s.most < math.MaxInt/4 && len(s.rows) >= 2*s.most+slack {
		s.sort()
		for _, r := range s.rows[s.most:] {
			s.x.held -= r.bytes
		}
		clear(s.rows[s.most:])
		s.rows = s.rows[:s.most]
	}
	return nil
}

// weigh returns the bytes to hold for a row. A list or map that row after row
// carries along is held once, for all of them.
func (s *sortSink) weigh(r row) int {
	n := 4 * listBytes // the row, and where rows are listed
	for i, v := range r {
		at := uintptr(0)
		switch v.(type) {
		case []any, map[string]any:
			at = reflect.ValueOf(v).Pointer()
		}
		if at == 0 || at != s.last[i] {
			s.last[i], s.carried[i] = at, false
			n = s.x.weighAt(v, n, deepest)
			continue
		}
		if !s.carried[i] {
			s.carried[i] = true
			bytes := s.x.weigh(v)
			s.x.hold(bytes)
			s.mine += bytes
		}
		n += slotBytes
	}
	return n
}

func (s *sortSink) sort() {
	slices.SortStableFunc(s.rows, func(a, b keptRow) int {
		for i, key := range s.keys {
			if c := s.x.order(a.values[key], b.values[key]); c != 0 {
				if s.desc[i] {
					return -c
				}
				return c
			}
		}
		return 0
	})
}

func (s *sortSink) done() error {
	s.sort()
	out := make(row, s.size)
	for _, r := range s.rows {
		s.x.tick()
		copy(out, r.values)
		if err := s.next.push(out); err == errEnough {
			break
		} else if err != nil {
			return err
		}
	}
	for _, r := range s.rows {
		s.x.held -= r.bytes
	}
	s.x.held -= s.mine
	s.rows, s.mine = nil, 0
	return s.next.done()
}

// cutOp is SKIP and LIMIT.
type cutOp struct{ skip, limit expr }

func (o *cutOp) open(x *exec, _ []any, next sink) sink { return &cutSink{cutOp: o, x: x, next: next} }

type cutSink struct {
	*cutOp
	x           *exec
	next        sink
	known       bool
	toSkip, due int64
}

func (s *cutSink) read() (err error) {
	if s.known {
		return nil
	}
	s.known = true
	if s.toSkip, err = s.x.count(s.skip, 0); err != nil {
		return err
	}
	s.due, err = s.x.count(s.limit, math.MaxInt64)
	return err
}

func (s *cutSink) push(r row) error {
	if err := s.read(); err != nil {
		return err
	}
	if s.due == 0 {
		return errEnough
	}
	if s.toSkip > 0 {
		s.toSkip--
		return nil
	}
	s.due--
	if err := s.next.push(r); err != nil {
		return err
	}
	if s.due == 0 {
		return errEnough
	}
	return nil
}

func (s *cutSink) done() error {
	if err := s.read(); err != nil { // a bad LIMIT is an error even without rows
		return err
	}
	return s.next.done()
}
