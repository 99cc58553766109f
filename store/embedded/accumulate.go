package embedded

import (
	"math"
	"slices"

	"precedent/store"
)

// An accumulator computes one aggregate of one group. Add is not called with
// null.
type accumulator interface {
	add(x *exec, v, second any) error
	result(x *exec) (any, error)
}

func (a *aggregate) accumulator() accumulator {
	var acc accumulator
	switch a.name {
	case "count":
		acc = &counter{}
	case "sum":
		acc = &summer{}
	case "avg":
		acc = &averager{}
	case "min":
		acc = &extreme{sign: -1}
	case "max":
		acc = &extreme{sign: 1}
	case "collect":
		acc = &collector{}
	case "stdev":
		acc = &deviation{less: 1}
	case "stdevp":
		acc = &deviation{}
	case "percentilecont":
		acc = &percentile{between: true}
	default:
		acc = &percentile{}
	}
	if a.distinct {
		return &onlyDistinct{accumulator: acc}
	}
	return acc
}

// setBytes is what an empty set of keys takes.
const setBytes = 512

// onlyDistinct hands on the first of equal values.
type onlyDistinct struct {
	accumulator
	seen *keys
}

func (d *onlyDistinct) add(x *exec, v, second any) error {
	if d.seen == nil {
		x.hold(setBytes)
		d.seen = newKeys(x)
	}
	if !d.seen.add(v) {
		return nil
	}
	return d.accumulator.add(x, v, second)
}

type counter struct{ n int64 }

func (c *counter) add(*exec, any, any) error { c.n++; return nil }
func (c *counter) result(*exec) (any, error) { return c.n, nil }

type summer struct {
	n        int64
	f        float64
	d        store.Duration
	float    bool
	duration bool
	number   bool
}

func (s *summer) add(_ *exec, v, _ any) error {
	switch v := v.(type) {
	case int64:
		s.number = true
		if s.float {
			s.f += float64(v)
			break
		}
		sum, err := addInts(s.n, v)
		if err != nil { // beyond an integer it goes on as a float
			s.float, s.f = true, float64(s.n)+float64(v)
			break
		}
		s.n = sum.(int64)
	case float64:
		s.number = true
		if !s.float {
			s.float, s.f = true, float64(s.n)
		}
		s.f += v
	case store.Duration:
		s.duration = true
		s.d = normal(s.d.Months+v.Months, s.d.Days+v.Days, s.d.Seconds+v.Seconds, int64(s.d.Nanos)+int64(v.Nanos))
	default:
		return queryError("sum() can only handle numerical values, duration, and null; not %s", typeName(v))
	}
	if s.number && s.duration {
		return queryError("sum() cannot mix number and duration")
	}
	return nil
}

func (s *summer) result(*exec) (any, error) {
	switch {
	case s.duration:
		return s.d, nil
	case s.float:
		return s.f, nil
	}
	return s.n, nil
}

type averager struct {
	n        int64
	mean     float64
	sum      summer
	duration bool
}

func (a *averager) add(x *exec, v, _ any) error {
	a.n++
	f, ok := store.Float(v)
	if !ok {
		if _, ok := v.(store.Duration); !ok {
			return queryError("avg() can only handle numerical values, duration, and null; not %s", typeName(v))
		}
		a.duration = true
		return a.sum.add(x, v, nil)
	}
	if a.duration {
		return queryError("avg() cannot mix number and duration")
	}
	a.mean += (f - a.mean) / float64(a.n)
	return nil
}

func (a *averager) result(*exec) (any, error) {
	switch {
	case a.n == 0:
		return nil, nil
	case a.duration:
		v, _, err := scale(a.sum.d, a.n, true)
		return v, err
	}
	return a.mean, nil
}

type extreme struct {
	sign  int
	v     any
	bytes int // of v
}

func (e *extreme) add(x *exec, v, _ any) error {
	if e.v == nil || x.order(v, e.v)*e.sign > 0 {
		n := x.weigh(v)
		x.hold(n - e.bytes)
		e.v, e.bytes = v, n
	}
	return nil
}

func (e *extreme) result(*exec) (any, error) { return e.v, nil }

type collector struct{ list []any }

func (c *collector) add(x *exec, v, _ any) error {
	x.hold(slotBytes + x.weigh(v)) // a slot more, for a list has room to grow
	c.list = append(c.list, v)
	return nil
}

func (c *collector) result(*exec) (any, error) {
	if c.list == nil {
		return []any{}, nil
	}
	return c.list, nil
}

// deviation is stDev (less 1) and stDevP, in two passes.
type deviation struct {
	less   float64
	values []float64
	mean   float64
}

func (d *deviation) add(x *exec, v, _ any) error {
	f, ok := store.Float(v)
	if !ok {
		return queryError("stDev() can only handle numerical values; not %s", typeName(v))
	}
	x.hold(2 * boxBytes)
	d.values = append(d.values, f)
	d.mean += (f - d.mean) / float64(len(d.values))
	return nil
}

func (d *deviation) result(*exec) (any, error) {
	n := float64(len(d.values)) - d.less
	if n <= 0 {
		return 0.0, nil
	}
	sum := 0.0
	for _, f := range d.values {
		sum += (f - d.mean) * (f - d.mean)
	}
	return math.Sqrt(sum / n), nil
}

// percentile is percentileCont (between) and percentileDisc.
type percentile struct {
	between bool
	values  []any
	at      float64
}

func (p *percentile) add(x *exec, v, at any) error {
	if _, ok := store.Float(v); !ok {
		return queryError("percentiles can only be taken of numbers; not of %s", typeName(v))
	}
	f, ok := store.Float(at)
	if !ok {
		return mismatch("Float", at)
	}
	if f < 0 || f > 1 || math.IsNaN(f) {
		return queryError("Invalid input '%s' is not a valid argument, must be a number in the range 0.0 to 1.0", show(at))
	}
	x.hold(slotBytes + itemBytes(v))
	p.at = f
	p.values = append(p.values, v)
	return nil
}

func (p *percentile) result(x *exec) (any, error) {
	n := len(p.values)
	if n == 0 {
		return nil, nil
	}
	slices.SortFunc(p.values, x.order)
	if !p.between {
		at := max(int(math.Ceil(p.at*float64(n)))-1, 0)
		return p.values[at], nil
	}
	pos := p.at * float64(n-1)
	low := int(math.Floor(pos))
	if pos == float64(low) { // no interpolation: the value as it is
		return p.values[low], nil
	}
	a, _ := store.Float(p.values[low])
	b, _ := store.Float(p.values[low+1])
	high := math.Ceil(pos)
	return a*(high-pos) + b*(pos-float64(low)), nil
}
