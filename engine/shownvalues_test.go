package engine_test

import (
	"strings"
	"testing"
	"time"

	"precedent/engine"
	"precedent/engine/model"
	"precedent/engine/modeltest"
)

// promptFor is what a model is told for a question, the part for all questions and its own.
func promptFor(t *testing.T, c engine.Config, question string) (system, user string) {
	t.Helper()
	server := modeltest.Respond(t, func(string) modeltest.Reply {
		return modeltest.JSON(map[string]any{"action": "clarify", "clarify": "which?", "query": "", "params": []any{}, "restated": "", "refusal": "", "missing": ""})
	})
	c.Model = &model.Config{BaseURL: server.URL, Name: "writes"}
	c.Now = func() time.Time { return time.Date(2026, time.May, 10, 23, 30, 0, 0, time.FixedZone("", 8*60*60)) }
	a := open(t, c).Ask(t.Context(), engine.Question{Text: question, Model: true}, nil)
	if len(server.Requests()) == 0 {
		t.Fatalf("%q was no question for the model: %s", question, a.Text)
	}
	messages := server.Requests()[0].Messages
	return messages[0].Content, messages[1].Content
}

// TestShownValues asks for what a prompt says of values, and for what it never does.
func TestShownValues(t *testing.T) {
	const shop, ops = "testdata/fair/shop", "testdata/zh_ops"
	for _, test := range []struct {
		name, question string
		config         engine.Config
		says           []string
		never          []string
	}{
		{"a property's word", "how many orders have another status", engine.Config{Graph: shop}, []string{`- Order.status: "`, `"pending"`}, nil},
		{"a label's word", "which products are expensive", engine.Config{Graph: shop}, []string{`- Product.category: "`}, []string{"- Order.status"}},
		{"a link", "customers in Berlin", engine.Config{Graph: shop}, []string{`- Customer.city: "Berlin", "London"`, `- "Berlin" = Customer.city "Berlin"`}, nil},
		{"Chinese", "还没有处理的故障有哪些", engine.Config{Graph: ops}, []string{`- 故障.标题: "库存服务告警", `, `状态 "处理中"|"已关闭"|"已解决"|"待处理"`, "Today: 2026-05-10, Sunday, UTC+08:00. Write clarify, missing and restated in: zh."}, nil},
		{"rows stay in", "how many orders have another status", engine.Config{Graph: shop, RowsToModel: "never"}, []string{"status"}, []string{"Known values", `"open"`, "pending", "2026-0", "SO-1001"}},
		{"hidden", "how many orders have another status", engine.Config{Graph: shop, Hide: []string{"Order.status"}}, []string{"Order"}, []string{"status,", "pending"}},
		{"addresses", "email of each customer in Berlin", engine.Config{Graph: shop}, []string{"email"}, []string{"@example.com"}},
		{"numbers of phones", "每个人员的手机号", engine.Config{Graph: ops}, []string{"手机号"}, []string{"13800010000", "1380001"}},
		{"nothing that says nothing", "what is the status of each order", engine.Config{Graph: shop}, nil, []string{"Words:", "status: status"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			system, user := promptFor(t, test.config, test.question)
			both := system + "\n" + user
			for _, want := range test.says {
				if !strings.Contains(both, want) {
					t.Errorf("doesn't say %s:\n%s", want, both)
				}
			}
			_, own, _ := strings.Cut(both, "Today: ")
			before := strings.TrimSuffix(both, own)
			for _, not := range test.never {
				if strings.Contains(strings.ReplaceAll(before, test.question, ""), not) {
					t.Errorf("says %s:\n%s", not, both)
				}
			}
		})
	}
}
