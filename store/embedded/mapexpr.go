package embedded

import (
	"maps"

	"precedent/store/cypher"
)

func (c *compiler) mapLiteral(s *scope, e *cypher.Map) (expr, error) {
	values, err := c.exprs(s, e.Values)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		x.make(mapBytes(len(values)) + largeBytes*len(values))
		out := make(map[string]any, len(values))
		for i, value := range values {
			v, err := value(x, r)
			if err != nil {
				return nil, err
			}
			out[e.Keys[i]] = v
		}
		return out, nil
	}, nil
}

func (c *compiler) mapProjection(s *scope, e *cypher.MapProjection) (expr, error) {
	base, err := c.expr(s, &cypher.Variable{At: e.At, Name: e.Var})
	if err != nil {
		return nil, err
	}
	values := make([]expr, len(e.Items))
	for i, item := range e.Items {
		switch {
		case item.Var:
			values[i], err = c.expr(s, &cypher.Variable{At: item.At, Name: item.Key})
		case item.Value != nil:
			values[i], err = c.expr(s, item.Value)
		case !item.All:
			values[i], err = c.property(s, &cypher.Property{At: item.At, X: &cypher.Variable{At: e.At, Name: e.Var}, Key: item.Key})
		}
		if err != nil {
			return nil, err
		}
	}
	return func(x *exec, r row) (any, error) {
		of, err := base(x, r)
		if of == nil || err != nil {
			return nil, err
		}
		out := map[string]any{}
		for i, item := range e.Items {
			if !item.All {
				if out[item.Key], err = values[i](x, r); err != nil {
					return nil, err
				}
				continue
			}
			all, err := properties(x, of)
			if err != nil {
				return nil, err
			}
			maps.Copy(out, all.(map[string]any))
		}
		x.make(mapBytes(len(out)))
		return out, nil
	}, nil
}

// properties is properties(v) for nodes, relationships and maps.
func properties(x *exec, v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *node:
		x.make(mapBytes(len(v.props)))
		return x.g.propMap(v.props), nil
	case *rel:
		x.make(mapBytes(len(v.props)))
		return x.g.propMap(v.props), nil
	case map[string]any:
		return v, nil
	}
	return nil, mismatch("Map, Node or Relationship", v)
}
