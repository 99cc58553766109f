package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"precedent/engine"
)

// linkLines are the linkable properties of an engine, and why others aren't.
func linkLines(e *engine.Engine) map[string]string {
	out := make(map[string]string)
	for _, l := range e.Linkables() {
		if l.As != "" {
			out[l.Name()] = fmt.Sprintf("%s %d", l.As, l.Values)
		} else {
			out[l.Name()] = l.Why
		}
	}
	return out
}

// TestLinkable judges the properties of five graphs, one of them Chinese in all.
func TestLinkable(t *testing.T) {
	for graph, want := range map[string]map[string]string{
		"testdata/zh_ops": {
			"人员.姓名": "name 12", "人员.岗位": "category 3", "人员.手机号": "phone numbers", "人员.邮箱": "e-mail addresses", "故障.编号": "identifier 40", "故障.状态": "category 4",
			"故障.级别": "category 4", "故障.原因说明": "long texts", "故障.发生时间": "type ZONED DATETIME", "故障.时长分钟": "type INTEGER", "服务.标签": "category 4", "负责.方式": "category 2",
		},
		"testdata/fair/shop": {
			"Order.status": "category 7", "Order.name": "identifier 20", "Customer.tier": "category 3", "Customer.name": "name 12", "Customer.email": "e-mail addresses",
			"Product.category": "category 9", "PLACED.channel": "category 3", "Order.amount": "type FLOAT", "Customer.newsletter": "type BOOLEAN",
		},
		"testdata/fair/telecom": {"Subscriber.phone": "phone numbers", "Subscriber.segment": "category 3", "Ticket.status": "category 4", "Plan.name": "name 9", "Tower.technology": "category 3"},
		"testdata/fair/bank":    {"账户.状态": "category 4", "客户.等级": "category 4", "客户.手机号": "phone numbers", "账户.账号": "identifier 16", "申请.渠道": "category 3", "客户.姓名": "name 14"},
		"movies":                {"Movie.title": "name 325", "Movie.plot": "long texts", "Movie.countries": "configured 26", "ACTED_IN.role": "relationships are named by what they join"},
	} {
		got := linkLines(open(t, engine.Config{Graph: graph}))
		for name, why := range want {
			if got[name] != why {
				t.Errorf("%s: %s is %q, want %q", graph, name, got[name], why)
			}
		}
	}
}

// TestLinkableConfigured adds and takes away.
func TestLinkableConfigured(t *testing.T) {
	e := open(t, engine.Config{Graph: "testdata/fair/shop", Linkable: engine.Linking{Add: []string{"Customer.email"}, Remove: []string{"Order.status"}}})
	got := linkLines(e)
	if got["Customer.email"] != "configured 12" || got["Order.status"] != "taken away by the configuration" {
		t.Errorf("%v", got)
	}
	a := e.Ask(t.Context(), engine.Question{Text: "orders of anna@example.com that are shipped"}, nil)
	if len(a.Links) != 1 || a.Links[0].Property != "email" {
		t.Errorf("%+v", a.Links)
	}
	for _, wrong := range []struct {
		engine.Linking
		want string
	}{
		{engine.Linking{Add: []string{"Order.statsu"}}, "linkable: the graph has no Order.statsu; did you mean Order.status?"},
		{engine.Linking{Remove: []string{"Zebra.name"}}, "linkable: the graph has no Zebra.name"},
		{engine.Linking{Add: []string{"Order.status"}, Remove: []string{"Order.status"}}, "Order.status is both added and removed"},
	} {
		_, _, err := engine.Open(t.Context(), engine.Config{Graph: "testdata/fair/shop", Data: t.TempDir(), Linkable: wrong.Linking})
		if !errors.Is(err, engine.ErrConfig) || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("%+v: %v, want %s", wrong.Linking, err, wrong.want)
		}
	}
}

// TestLinkableBounds judges made-up columns at the edges of what is linkable.
func TestLinkableBounds(t *testing.T) {
	const rows = 400
	columns := []struct {
		name, want string
		value      func(i int) string
	}{
		{"of100", "category 100", func(i int) string { return fmt.Sprintf("kind %c%c", 'a'+i%100/10, 'a'+i%10) }},
		{"of101", "name 101", func(i int) string { return fmt.Sprintf("kind %c%c", 'a'+i%101/10, 'a'+i%101%10) }},
		{"code101", "codes that repeat", func(i int) string { return fmt.Sprintf("X-%d", i%101) }},
		{"unique", "identifier 400", func(i int) string { return fmt.Sprintf("X-%d", i) }},
		{"nearly", "identifier 385", func(i int) string { return fmt.Sprintf("Y-%d", max(i, 15)) }},
		{"hash", "keys", func(i int) string { return fmt.Sprintf("d41d8cd98f00b204e98009%010x", i) }},
		{"url", "web addresses", func(i int) string { return fmt.Sprintf("https://example.com/%d", i) }},
		{"day", "dates", func(i int) string { return fmt.Sprintf("2024-%02d-%02d", 1+i%12, 1+i%28) }},
		{"someMail", "e-mail addresses", func(i int) string {
			return []string{fmt.Sprintf("u%d@example.com", i), fmt.Sprint("Bo ", i)}[b2i(i%4 > 0)]
		}},
		{"few", "name 40", func(i int) string { return []string{"", fmt.Sprintf("Lee %c%c", 'a'+i/26, 'a'+i%26)}[b2i(i < 40)] }},
		{"long", "long texts", func(i int) string { return fmt.Sprintf("%d %s", i, strings.Repeat("it was the best of times ", 6)) }},
		{"heavy", "name 90", func(i int) string { return fmt.Sprintf("%c%c%s", 'a'+i%90/10, 'a'+i%10, strings.Repeat("é", 76)) }},
		{"地区", "category 4", func(i int) string { return []string{"华东", "华南", "华北", "西南"}[i%4] }},
		{"名字", "name 400", func(i int) string { return "陈" + string(rune('一'+i)) + "明" }},
	}
	var b strings.Builder
	b.WriteString(":ID(Thing)")
	for _, c := range columns {
		b.WriteString("," + c.name)
	}
	b.WriteString(",:LABEL\n")
	for i := range rows {
		fmt.Fprintf(&b, "t%d", i)
		for _, c := range columns {
			b.WriteString("," + c.value(i))
		}
		b.WriteString(",Thing\n")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "things.csv"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got := linkLines(open(t, engine.Config{Graph: dir}))
	for _, c := range columns {
		if got["Thing."+c.name] != c.want {
			t.Errorf("%s: %q, want %q", c.name, got["Thing."+c.name], c.want)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestLinkedByData links values of categories, identifiers and names on graphs
// without a glossary.
func TestLinkedByData(t *testing.T) {
	for graph, questions := range map[string]map[string]string{
		"testdata/zh_ops": {
			"状态为处理中的P0故障有哪些": "故障.状态 处理中, 故障.级别 P0", "支付组负责哪些核心服务": "团队.名称 支付组, 服务.级别 核心", "GZ-2026007影响了哪些服务": "故障.编号 GZ-2026007",
			"运维工程师有多少人": "人员.岗位 运维工程师", "张伟处理了几个故障": "人员.姓名 张伟", "13800010000是谁的号码": "", "用Python写的服务": "服务.语言 Python",
			"主责的服务有几个": "负责.方式 主责", "级别最高的故障": "",
		},
		"testdata/fair/shop": {
			"give me all gold customers": "Customer.tier gold", "status of SO-1001": "Order.name SO-1001", "how many shipped orders are there": "Order.status shipped",
			"invoices in EUR": "Invoice.currency EUR", "orders placed by phone": "PLACED.channel phone", "anna@example.com": "",
		},
		"testdata/fair/bank": {"有多少白金客户": "客户.等级 白金", "陆家嘴支行开了哪些账户": "支行.名称 陆家嘴支行", "账号622287528077的余额": "账户.账号 622287528077"},
	} {
		e := open(t, engine.Config{Graph: graph})
		for question, want := range questions {
			var links []string
			for _, l := range e.Ask(t.Context(), engine.Question{Text: question}, nil).Links {
				links = append(links, fmt.Sprintf("%s.%s %v", l.Label, l.Property, l.Value))
			}
			if got := strings.Join(links, ", "); got != want {
				t.Errorf("%s: %q links %q, want %q", graph, question, got, want)
			}
		}
	}
}
