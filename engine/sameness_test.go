package engine

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"precedent/engine/reading"
)

// opens is how often a graph is opened that has to read the same each time, and
// allOpens with PRECEDENT_ALL=1.
const opens, allOpens = 20, 50

// TestSameEachTime opens graphs again and again, and holds how questions read, what
// they link and what a model would be told of them to what it was the first time.
func TestSameEachTime(t *testing.T) {
	t.Parallel()
	n := opens
	switch {
	case testing.Short():
		n = 8
	case os.Getenv("PRECEDENT_ALL") != "":
		n = allOpens
	}
	for graph, questions := range map[string][]string{
		"testdata/fair/shop": {"how many open orders are there", "status of SO-1001", "which currency has the most invoices", "gold customers from Germany", "name and amount of each invoice",
			"products in CNY", "Bike X2 orders", "products form Germny", "active"},
		"testdata/fair/it_operations": {"servers whose status is up", "tickets with status open", "which services depend on Login", "scripts of python", "who is assigned to network tickets", "name of every category", "servers in us-est"},
		"testdata/fair/hr":            {"which employees have the role Payroll Clerk", "since when does Bob Chen belong to 研发部", "类型是线下的培训", "mandatory trainings", "部门的预算"},
		"testdata/zh_ops":             {"状态为处理中的P0故障有哪些", "级别最高的故障", "支付组负责的核心服务", "名称里有订单的服务", "状态是运行中的服务有多少个", "值班经理处理的故障", "订单中兴的负责团队"},
	} {
		t.Run(graph, func(t *testing.T) {
			t.Parallel()
			data, first := t.TempDir(), ""
			for i := range n {
				e, _, err := Open(t.Context(), Config{Graph: graph, Data: data, Now: func() time.Time { return time.Unix(0, 0).UTC() }})
				if err != nil {
					t.Fatal(err)
				}
				said := e.tellAll(t, questions)
				if err := e.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = said
				}
				if said != first {
					t.Fatalf("the %dth time:\n%s\nthe first time:\n%s", i+1, said, first)
				}
			}
			if !strings.Contains(first, "Known values") {
				t.Errorf("no question touches a category:\n%s", first)
			}
		})
	}
}

// tellAll is all that comes of questions before a model is asked.
func (e *Engine) tellAll(t *testing.T, questions []string) string {
	var b strings.Builder
	for _, q := range questions {
		a, _ := e.hear(Question{Text: q}, nil)
		a.link(t.Context())
		p, err := prompt("write.tmpl", a.writing(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n%s %s %v\n%v\n%+v\n%v %v\n%s\n%s\n", q, a.rd.Key(), a.rd.Why, a.rd.Literal, a.Links, a.rd.Mentions, a.rd.Marks, slotTexts(a.rd), p.System, p.User)
		fmt.Fprintln(&b, a.reader.Linker().Nearest(q))
	}
	fmt.Fprintln(&b, e.Linkables(), e.SchemaText(), e.Schema().Hash)
	return b.String()
}

func slotTexts(rd reading.Reading) (out []string) {
	for _, s := range rd.Slots {
		out = append(out, s.String()+fmt.Sprint(s.Value))
	}
	return out
}
