package engine_test

import (
	"strings"
	"testing"

	"precedent/engine"
	"precedent/engine/tell"
)

// TestUnknown asks about what the graph knows of a film or a person only in
// part: what isn't known is neither no nor 0. What is known stands beside it.
func TestUnknown(t *testing.T) {
	e := start(t, engine.Shipped.Copy(t))
	const unsaid, none = "The graph doesn't say.", "Nothing found"
	const unsaidZh, noneZh = "图谱里没有记载。", "没有找到"
	for _, q := range []struct{ asked, want string }{
		{"was Casablanca profitable", unsaid},
		{"卡萨布兰卡赚钱了吗", unsaidZh},
		{"did Casablanca make more than 100000000 dollars", unsaid},
		{"is RRR longer than 120 minutes", unsaid},
		{"is RRR shorter than 120 minutes", unsaid},
		{"RRR超过120分钟吗", unsaidZh},
		{"RRR不到120分钟吗", unsaidZh},
		{"is Still Life rated above 8.5", unsaid},
		{"is Still Life rated below 8.5", unsaid},
		{"is Still Life rated at least 8.5", unsaid},
		{"三峡好人评分超过8.5吗", unsaidZh},
		{"三峡好人评分低于8.5吗", unsaidZh},
		{"was Alan Mak born in 1956", unsaid},
		{"was Adam Baldwin born in London", unsaid},
		{"Adam Baldwin是不是出生在伦敦", unsaidZh},
		{"is Aleksandr Antonov alive", unsaid},
		{"is Aleksandr Antonov dead", unsaid},
		{"Aleksandr Antonov还在世吗", unsaidZh},
		{"Aleksandr Antonov去世了吗", unsaidZh},

		{"how many films made more money than Casablanca", none},
		{"有多少电影比卡萨布兰卡更卖座", noneZh},
		{"how many films are longer than RRR", none},
		{"how many films are shorter than RRR", none},
		{"有多少电影比RRR长", noneZh},
		{"how many films are better than Still Life", none},
		{"比三峡好人好看的电影有几部", noneZh},
		{"how many actors are older than Alan Mak", none},
		{"how many actors are younger than Alan Mak", none},
		{"有多少演员比麦兆辉年长", noneZh},

		{"total revenue of films directed by Michael Curtiz", none},
		{"Michael Curtiz的电影总票房", noneZh},
		{"total budget of films directed by Michael Curtiz", none},

		{"was Inception profitable", "Yes."},
		{"is Inception longer than 120 minutes", "Yes."},
		{"is Inception shorter than 120 minutes", "No."},
		{"盗梦空间评分低于8.5吗", "否。"},
		{"was Tom Hanks born in 1957", "No."},
		{"was Christopher Nolan born in London", "Yes."},
		{"was Christopher Nolan born in Paris", "No."},
		{"is Tom Hanks alive", "Yes."},
		{"is Tom Hanks dead", "No."},
		{"is Bill Tung alive", "No."}, // born nobody knows when
		{"is Bill Tung dead", "Yes."},
		{"马龙·白兰度还在世吗", "否。"},
		{"how many films made more money than Avatar", "0"},
		{"有多少电影比阿凡达更卖座", "0"},
		{"total revenue of films directed by James Cameron", "5"},
	} {
		a := e.Ask(t.Context(), engine.Question{Text: q.asked}, nil)
		if a.Route != engine.ByCase || !strings.HasPrefix(a.Text, q.want) {
			t.Errorf("%q: %s %q, want %q", q.asked, a.Route, a.Text, q.want)
		}
		if (q.want == none || q.want == noneZh) && !tell.IsNull(a.Rows) {
			t.Errorf("%q: %v", q.asked, a.Rows)
		}
	}
}
