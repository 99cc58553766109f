package embedded

import (
	"math"
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
	x    *exec
	next sink
	rows []row
	most int // rows that can get through, -1 until known
	size int // of the row, to hand on
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
	}
	if s.most == 0 {
		return errEnough
	}
	kept := slices.Clone(r[:s.width])
	if err := s.x.hold(s.weigh(kept)); err != nil {
		return err
	}
	s.rows = append(s.rows, kept)
	const slack = 1000
	if s.most < math.MaxInt/4 && len(s.rows) >= 2*s.most+slack {
		s.sort()
		for _, r := range s.rows[s.most:] {
			s.x.held -= s.weigh(r)
		}
		clear(s.rows[s.most:])
		s.rows = s.rows[:s.most]
	}
	return nil
}

func (s *sortSink) weigh(r row) int {
	n := 1
	for _, v := range r {
		n += weight(v)
	}
	return n
}

func (s *sortSink) sort() {
	slices.SortStableFunc(s.rows, func(a, b row) int {
		for i, key := range s.keys {
			if c := order(a[key], b[key]); c != 0 {
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
		if err := s.x.tick(); err != nil {
			return err
		}
		copy(out, r)
		if err := s.next.push(out); err == errEnough {
			break
		} else if err != nil {
			return err
		}
	}
	for _, r := range s.rows {
		s.x.held -= s.weigh(r)
	}
	s.rows = nil
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
