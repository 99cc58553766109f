package bolt

import (
	"context"
	"fmt"
	"strings"

	"precedent/store"
)

// valueBytes bounds what Values holds.
const valueBytes = 64 << 20

// Values returns the distinct values of a property of the nodes with a label,
// in no order. At most limit come back; complete tells that there are no more.
// The deadline is ctx's, or that of store.DefaultLimits.
func (g *Graph) Values(ctx context.Context, label, property string, limit int) (values []any, complete bool, err error) {
	q := store.Query{Text: fmt.Sprintf("MATCH (n:%s) WHERE n.%[2]s IS NOT NULL RETURN DISTINCT n.%[2]s", quote(label), quote(property))}
	t, err := g.Run(ctx, q, store.Limits{Rows: limit, Text: valueBytes, List: valueBytes, Bytes: valueBytes})
	if err != nil {
		return nil, false, fmt.Errorf("reading the values of %s.%s: %w", label, property, err)
	}
	for _, row := range t.Rows {
		values = append(values, row[0])
	}
	return values, !t.Truncated && t.Shortened == 0, nil
}

// A Hit is a node that a full-text index found.
type Hit struct {
	Node  store.Node
	Score float64 // Lucene's; greater is nearer; only comparable within one search
}

// FullText returns the n best nodes for text in a full-text index on nodes,
// best first. Signs and operators of Lucene's query language in text are taken
// as text. An error wraps store.ErrQuery where no such index exists.
func (g *Graph) FullText(ctx context.Context, index, text string, n int) ([]Hit, error) {
	if text = plainText(text); text == "" {
		return nil, nil
	}
	q := store.Query{
		Text:   "CALL db.index.fulltext.queryNodes($index, $text, {limit: $n}) YIELD node, score RETURN node, score ORDER BY score DESC",
		Params: map[string]any{"index": index, "text": text, "n": int64(n)},
	}
	t, err := g.Run(ctx, q, store.Limits{Rows: n})
	if err != nil {
		return nil, fmt.Errorf("searching the index %s: %w", index, err)
	}
	var hits []Hit
	for _, row := range t.Rows {
		node, _ := row[0].(store.Node)
		score, _ := row[1].(float64)
		hits = append(hits, Hit{node, score})
	}
	return hits, nil
}

// plainText takes from text what Lucene's classic query parser would read as
// an operator (Lucene, package queryparser.classic, "Escaping Special Characters").
func plainText(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(`+-&|!(){}[]^"~*?:\/`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	words := strings.Fields(b.String())
	for i, w := range words {
		switch w {
		case "AND", "OR", "NOT", "TO":
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}
