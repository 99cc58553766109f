package embedded

import "precedent/store/cypher"

// subject is what a scope calls the subject of the CASE around an expression; no
// query can write it.
const subject = "\x00subject"

// A when is one WHEN of a CASE: the first whose condition holds gives its value.
type when struct {
	holds []func(x *exec, r row, of any) (bool, error)
	then  expr
}

func (c *compiler) caseOf(s *scope, e *cypher.Case) (expr, error) {
	var of, otherwise expr
	var err error
	within, slot := s, -1
	if e.Subject != nil {
		if of, err = c.expr(s, e.Subject); err != nil {
			return nil, err
		}
		within, slot = s.child(), s.frame.slot()
		within.vars[subject] = variable{slot, anyKind}
	}
	if e.Else != nil {
		if otherwise, err = c.expr(s, e.Else); err != nil {
			return nil, err
		}
	}
	whens := make([]when, len(e.Whens))
	for i, w := range e.Whens {
		for _, cond := range append([]cypher.Expr{w.Cond}, w.Or...) {
			holds, err := c.whenHolds(within, e.Subject != nil, cond)
			if err != nil {
				return nil, err
			}
			whens[i].holds = append(whens[i].holds, holds)
		}
		if whens[i].then, err = c.expr(s, w.Then); err != nil {
			return nil, err
		}
	}
	return func(x *exec, r row) (any, error) {
		var is any
		if of != nil {
			v, err := of(x, r)
			if err != nil {
				return nil, err
			}
			is, r[slot] = v, v
		}
		for _, w := range whens {
			for _, holds := range w.holds {
				hit, err := holds(x, r, is)
				if err != nil {
					return nil, err
				}
				if hit {
					return w.then(x, r)
				}
			}
		}
		if otherwise == nil {
			return nil, nil
		}
		return otherwise(x, r)
	}, nil
}

// whenHolds compiles one condition of a WHEN: a value that the subject may equal,
// or a predicate.
func (c *compiler) whenHolds(s *scope, hasSubject bool, cond cypher.Expr) (func(x *exec, r row, of any) (bool, error), error) {
	if hasSubject && !cypher.Tests(cond) {
		value, err := c.expr(s, cond)
		return func(x *exec, r row, of any) (bool, error) {
			v, err := value(x, r)
			return err == nil && x.equal(of, v) == yes, err
		}, err
	}
	holds, err := c.predicate(s, cond)
	return func(x *exec, r row, _ any) (bool, error) {
		t, err := holds(x, r)
		return t == yes, err
	}, err
}
