package guardrails

import (
	"strings"
	"testing"
	"time"
)

// TestQuantities holds what a question says against what a query may say it with, and
// may not.
func TestQuantities(t *testing.T) {
	today := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		question, text string
		yes, no        []any
	}{
		{"open for more than 2 weeks", "2 weeks", []any{int64(14), int64(2), "P14D", "P2W", int64(336), "2026-11-08"}, []any{int64(7), "P2D", "2026-11-02", int64(20)}},
		{"超过两周没有关闭", "两周", []any{int64(14), "P14D", "2026-11-08"}, []any{int64(15), "P14M"}},
		{"closed within 36 hours", "36 hours", []any{int64(36), 1.5, "PT36H", int64(2160)}, []any{int64(3), "P3D"}},
		{"who joined 3 months ago", "3 months", []any{int64(3), "P3M", int64(90), "2026-08-22", "2026-08-23"}, []any{"P3D", "2026-05-22", int64(300)}},
		{"in use for 10 years", "10 years", []any{int64(10), int64(120), "P10Y", "2016-11-22"}, []any{"2020-11-22", int64(100)}},
		{"the top 10 % of customers", "10 %", []any{int64(10), 0.1, 0.9}, []any{int64(1), 0.01, int64(100)}},
		{"超过百分之二十", "百分之二十", []any{0.2, int64(20)}, []any{int64(2), int64(200)}},
		{"budget over 5万", "5万", []any{int64(50000), int64(5)}, []any{int64(500)}},
		{"over 1.5k", "1.5k", []any{1500.0, int64(1500)}, []any{int64(15)}},
		{"a dozen orders", "dozen", []any{int64(12)}, []any{int64(2)}},
		{"revenue in Q3", "Q3", []any{int64(3), int64(7), "2026-07-01", "2026-09-30"}, []any{int64(2), "2026-04-01", "2026-12-01"}},
		{"第三季度的订单", "第三季度", []any{int64(3), int64(9), "2026-07-01"}, []any{int64(1), "2026-03-01"}},
		{"the second largest order", "second", []any{int64(2), int64(1)}, []any{int64(3)}},
		{"2022年买的设备", "2022", []any{int64(2022), "2022-05-01"}, []any{int64(2021), "2021-05-01"}},
		{"films of the 1990s", "1990s", []any{int64(1990), int64(1999), "1995-02-01"}, []any{int64(2005)}},
		{"servers with 64 GB", "64 GB", []any{int64(64), int64(64 << 30), 64e9}, []any{int64(6), int64(640)}},
		{"over 1.5 tonnes", "1.5 tonnes", []any{1500.0, 1.5, int64(1500000)}, []any{int64(150), int64(15)}},
		{"tickets of P1", "P1", []any{"P1", "p1 - high"}, []any{int64(1), "P2"}},
		{"订单 SO-1007 的金额", "SO-1007", []any{"SO-1007"}, []any{"SO-1070", int64(1007)}},
		{"é三个部门", "三", []any{int64(3)}, []any{int64(2)}},
		{"IT三个月没有工单", "三个月", []any{int64(3), "P3M"}, []any{"IT"}},
		{"more than 10", "10", []any{int64(10), "10 a day"}, []any{int64(100), "2010", "100"}},
	} {
		qs := Quantities(c.question)
		if len(qs) != 1 || qs[0].Text != c.text {
			t.Errorf("%q: %+v, want %q", c.question, qs, c.text)
			continue
		}
		for _, v := range c.yes {
			if !qs[0].In(v, today) {
				t.Errorf("%q: %v says it", c.question, v)
			}
		}
		for _, v := range c.no {
			if qs[0].In(v, today) {
				t.Errorf("%q: %v doesn't say it", c.question, v)
			}
		}
	}
	for _, q := range []string{"which one is it", "soonest due first", "millions of records", "the second half of the year is over", "on March 3, 2026", "7月份入院", "十月下旬"} {
		for _, n := range Quantities(q) {
			if n.Text == "one" || n.Text == "first" || n.Text == "half" || n.Text == "millions" || strings.Contains(n.Text, "月") {
				t.Errorf("%q: %q needs no counterpart", q, n.Text)
			}
		}
	}
}

// TestMistakes holds numbers against names that count in another unit.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		question string
		v        any
		name     []string
		want     bool
	}{
		{"more than 6 weeks", int64(6), []string{"lead", "days"}, true},
		{"more than 6 weeks", int64(42), []string{"lead", "days"}, false},
		{"more than 6 weeks", int64(6), []string{"price"}, false},
		{"longer than 12 分钟", int64(12), []string{"duration", "sec"}, true},
		{"longer than 12 分钟", int64(720), []string{"duration", "sec"}, false},
		{"over 1.5 tonnes", int64(150), []string{"weight", "kg"}, true},
		{"over 1.5 tonnes", 1500.0, []string{"weight", "kg"}, false},
		{"over 1.5", 150.0, []string{"weight", "kg"}, false},
	} {
		if got := Quantities(c.question)[0].Mistakes(c.v, c.name); got != c.want {
			t.Errorf("%q, %v of %v: %v", c.question, c.v, c.name, got)
		}
	}
}

// FuzzQuantities reads any question without a panic, and its numbers stand in it.
func FuzzQuantities(f *testing.F) {
	for _, q := range []string{"é三个部门", "Q3 of 2026", "over 1.5 tonnes", "百分之二十", "SO-1007里的", "1990s", "two-thirds of 5万"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, question string) {
		for _, n := range Quantities(question) {
			if !strings.Contains(question, n.Text) {
				t.Errorf("%q isn't in %q", n.Text, question)
			}
			n.In(question, time.Time{})
			n.In(int64(3), time.Time{})
			n.Mistakes(2.5, []string{"lead", "days"})
		}
	})
}
