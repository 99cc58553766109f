package embedded

import "precedent/store/cypher"

func (c *compiler) collectPath(p *patterns, path *cypher.Path) error {
	path, where, err := c.opened(path)
	if err != nil {
		return err
	}
	if err := c.checkForm(p, path); err != nil {
		return err
	}
	out, err := c.collectElements(p, path)
	if err != nil {
		return err
	}
	if where != nil {
		p.requireWithin(where)
	}
	if path.Shortest >= cypher.SelectAnyShortest && len(out.rels) > 0 {
		p.selected = &selection{path: out, way: path.Shortest, most: path.K}
	}
	if path.Var != "" {
		if _, taken := p.scope.vars[path.Var]; taken {
			return queryError("Variable `%s` already declared%s", path.Var, c.where(path.Pos()))
		}
		out.slot = p.scope.declare(path.Var, pathKind).slot
		p.fresh[path.Var] = true
		p.paths = append(p.paths, out)
	}
	return nil
}

// collectElements reads the nodes of a path and what joins them. Where two groups
// meet, or a group begins or ends the path, a node without a name stands between.
func (c *compiler) collectElements(p *patterns, path *cypher.Path) (*pathAt, error) {
	out := &pathAt{name: path.Var}
	var open *relAt
	meet := func(el *cypher.NodePattern) error {
		n, err := c.nodeAt(p, el)
		if err != nil {
			return err
		}
		if open != nil {
			open.to, open = n, nil
		}
		out.nodes = append(out.nodes, n)
		return nil
	}
	join := func(r *relAt) {
		r.from, open = out.nodes[len(out.nodes)-1], r
		out.rels = append(out.rels, r)
	}
	for _, el := range path.Elements {
		if rel, ok := el.(*cypher.RelPattern); ok && rel.Quant != nil {
			el = groupOf(rel)
		}
		switch el := el.(type) {
		case *cypher.NodePattern:
			if err := meet(el); err != nil {
				return nil, err
			}
		case *cypher.RelPattern:
			r, err := c.relAt(p, el, path.Shortest)
			if err != nil {
				return nil, err
			}
			join(r)
		case *cypher.GroupPattern:
			if len(out.nodes) == len(out.rels) {
				if err := meet(&cypher.NodePattern{At: el.At}); err != nil {
					return nil, err
				}
			}
			r, err := c.groupAt(p, el)
			if err != nil {
				return nil, err
			}
			join(r)
		}
	}
	if open != nil {
		if err := meet(&cypher.NodePattern{At: path.At}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkForm rejects paths that Neo4j does.
func (c *compiler) checkForm(p *patterns, path *cypher.Path) error {
	least, groups, lengths := 0, 0, 0
	for _, el := range path.Elements {
		switch el := el.(type) {
		case *cypher.NodePattern:
			least = 1
		case *cypher.GroupPattern:
			if el.Quant == nil {
				return queryError("Parenthesised path patterns beside other patterns are not supported: write the pattern without the parentheses, and its WHERE behind the MATCH%s", c.where(el.Pos()))
			}
			least += int(min(el.Quant.Min, 1))
		}
	}
	for _, written := range p.written {
		for _, el := range written.Elements {
			switch el := el.(type) {
			case *cypher.RelPattern:
				if el.Length != nil {
					lengths++
				}
				if el.Quant != nil {
					groups++
				}
			case *cypher.GroupPattern:
				if el.Quant != nil {
					groups++
				}
			}
		}
	}
	legacy := path.Shortest == cypher.ShortestPath || path.Shortest == cypher.AllShortestPaths
	switch {
	case least == 0:
		return queryError("A top-level path pattern in a `MATCH` clause must be written such that it always evaluates to at least one node pattern%s", c.where(path.Pos()))
	case groups > 0 && legacy:
		return queryError("shortestPath(...) contains quantified pattern. This is currently not supported: use SHORTEST 1%s", c.where(path.Pos()))
	case legacy && len(path.Elements) != 3:
		return queryError("shortestPath(...) and allShortestPaths(...) are only supported for a single relationship pattern%s", c.where(path.Pos()))
	case groups > 0 && lengths > 0:
		return queryError("Mixing variable-length relationships ('-[*]-') with quantified relationships ('()-->*()') or quantified path patterns ('(()-->())*') is not allowed%s", c.where(path.Pos()))
	case path.Shortest >= cypher.SelectShortestK && path.K < 1:
		return queryError("The path count needs to be greater than 0%s", c.where(path.Pos()))
	case path.Shortest >= cypher.SelectAnyShortest && len(p.written) > 1:
		return queryError("Multiple path patterns cannot be used in the same clause in combination with a selective path selector: write a MATCH of its own for each%s", c.where(path.Pos()))
	}
	return nil
}
