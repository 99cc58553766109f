package embedded

import "precedent/store/cypher"

// condition compiles what is asked to be true or false: there alone a bare pattern
// may stand, and what is known to be of another type is rejected.
func (c *compiler) condition(s *scope, e cypher.Expr) (expr, error) {
	if p, ok := e.(*cypher.PatternPredicate); ok && p.Path.Shortest == cypher.AnyPath {
		return c.patternPredicate(s, p.Path)
	}
	if err := c.checkCondition(s, e); err != nil {
		return nil, err
	}
	return c.expr(s, e)
}

// predicate compiles a condition to its truth.
func (c *compiler) predicate(s *scope, e cypher.Expr) (func(x *exec, r row) (truth, error), error) {
	cond, err := c.condition(s, e)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (truth, error) {
		v, err := cond(x, r)
		if err != nil {
			return no, err
		}
		return asTruth(v)
	}, nil
}

// simplified is what AND or OR with a literal comes to, as Neo4j's planner writes
// it: x AND true is x, whatever that is, and x AND false is false without looking
// at x. It is nil for others.
func simplified(e *cypher.Binary) cypher.Expr {
	decides := e.Op == cypher.Or
	for _, side := range [][2]cypher.Expr{{e.L, e.R}, {e.R, e.L}} {
		if l, ok := side[0].(*cypher.Literal); ok {
			switch l.Value {
			case decides:
				return l
			case !decides:
				return side[1]
			}
		}
	}
	return nil
}

func (c *compiler) andOr(s *scope, e *cypher.Binary) (expr, error) {
	if to := simplified(e); to != nil {
		for _, side := range []cypher.Expr{e.L, e.R} {
			if _, err := c.condition(s, side); err != nil {
				return nil, err
			}
		}
		return c.condition(s, to)
	}
	l, err := c.predicate(s, e.L)
	if err != nil {
		return nil, err
	}
	r, err := c.predicate(s, e.R)
	if err != nil {
		return nil, err
	}
	decides := yes // what one side must be for the other not to matter
	if e.Op == cypher.And {
		decides = no
	}
	return func(x *exec, in row) (any, error) {
		a, failed := l(x, in)
		if failed == nil && a == decides {
			return a.value(), nil
		}
		b, err := r(x, in)
		if failed != nil && (err != nil || b != decides) { // else what failed doesn't matter
			return nil, failed
		}
		if err != nil {
			return nil, err
		}
		if b == decides || a != unknown {
			return b.value(), nil
		}
		return nil, nil
	}, nil
}
