package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"precedent/engine/reading"
)

// TestSaidForms reads what questions say of what is taken, followed, joined and asked
// for, beside near ones that don't say it.
func TestSaidForms(t *testing.T) {
	r := shop(t)
	told := func(s reading.Said) string {
		var out []string
		for _, f := range []struct{ name, words string }{{"mean", s.Mean}, {"sum", s.Sum}, {"share", s.Share}, {"deep", s.Deep}, {"direct", s.Direct}, {"both", s.Both}, {"either", s.Either},
			{"starts", s.Starts}, {"ends", s.Ends}, {"number", s.Number.Label}, {"which", s.Which.Label}} {
			if f.words != "" && (f.name == "number" || f.name == "which") {
				f.name += " " + f.words
			}
			if f.words != "" {
				out = append(out, f.name)
			}
		}
		if s.Order.Span {
			out = append(out, fmt.Sprintf("span desc=%t", s.Order.Desc))
		}
		return strings.Join(out, " ")
	}
	for line := range strings.Lines(`
average price of our products | mean
total price of all products | sum
total number of products | number Product
in total, which orders are late |
what percentage of orders is late | share
orders with more than 20 percent of the total |
which products are used directly or indirectly | deep which Product
which products are used directly | direct which Product
products that start with A | starts
orders starting in May |
customers who bought both | both
customers from Rome or Oslo | either
5 or more orders |
how many customers are there | number Customer
how many gold customers are there | number Customer
how many items does each customer have |
how many customers' orders are late |
how many product categories are there |
which customers' orders are late |
which customers live in Rome | which Customer
customers without any product |
the oldest order | span desc=true
the youngest customer | span desc=false
the latest order |
产品的平均单价 | mean
订单占比多少 | share
既买过又退过的 | both
直接或间接 | deep
`) {
		if question, want, ok := strings.Cut(strings.TrimSpace(line), "|"); ok {
			if got := told(r.Said(question, nil)); got != strings.TrimSpace(want) {
				t.Errorf("%s: %q, want %q", question, got, strings.TrimSpace(want))
			}
		}
	}
}
