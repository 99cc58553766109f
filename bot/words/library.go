package words

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// library are the sentences in which the case library gives its reasons, with
// the verbs of their parts, and what Chinese says for them with the same parts in
// the same order. What stands in no line is said as it is.
var library = [][2]string{
	{"%d for it besides who asked, %d against", "除提问者外 %d 人赞成，%d 人反对"},
	{"members' votes are at %d", "成员的评价合计 %d"},
	{"curators decide", "由审核员决定"},
	{"only a curator may quarantine it", "只有审核员能停用它"},
	{"only a curator may verify it", "只有审核员能核实它"},
	{"it was asked in private, so a curator has to approve its text", "它来自私下提问，文字须经审核员通过"},
	{"its promotion was undone before, so a curator decides", "它的核实曾被撤销，由审核员决定"},
	{"the case it rests on was removed", "它依据的案例已被删除"},
	{"the case was changed since by %s, so it stays", "%s 之后改过这个案例，因此不变"},
	{"the case is retired", "案例已弃用"},
	{"add it anew to use it again", "要再用，请重新添加"},
	{"took the vote back", "撤回了评价"},
	{"the graph no longer has the label %s", "图谱不再有标签 %s"},
	{"the graph no longer has the relationship type %s", "图谱不再有关系类型 %s"},
	{"the graph no longer has the property %s", "图谱不再有属性 %s"},
	{"the graph no longer has the pattern %s", "图谱不再有模式 %s"},
	{"%s holds %s now, which was %s", "%s 现在是 %s，原来是 %s"},
	{"the graph doesn't take the query any more: %s", "图谱不再接受这个查询：%s"},
	{"the graph has again what it lacked", "图谱又有了它缺少的内容"},
	{"its words are read otherwise now than when it was verified", "词语现在的读法与核实时不同"},
	{"the words say how many, the query has no LIMIT %s", "问法说了数量，查询没有 LIMIT %s"},
	{"the words say %s, the query doesn't follow it", "问法说到 %s，查询没有沿着它走"},
	{"the words say %s, the query has no such %s", "问法说“%s”，查询没有这样的 %s"},
	{"the words say %s, the query doesn't compare so", "问法说“%s”，查询没有这样比较"},
	{"the words say %s, the query doesn't count so", "问法说“%s”，查询没有这样计数"},
	{"the words say %s, the query doesn't read %s", "问法说“%s”，查询没有读取 %s"},
	{"the words say %s, the query doesn't look for %s in %s", "问法说“%s”，查询没有在 %[3]s 里找 %[2]s"},
	{"the words say %s, the query doesn't compare %s so with %s", "问法说“%s”，查询没有把 %s 与 %s 这样比较"},
	{"the words say %s, the query needs %s", "问法说“%s”，查询需要 %s"},
	{"the words say %s, the query doesn't", "问法说“%s”，查询没有"},
	{"the words say the same %s, the query doesn't compare so", "问法说 %s 相同，查询没有这样比较"},
	{"the words name %s, the query doesn't look for %s in it", "问法提到 %s，查询没有在其中找 %s"},
	{"the words ask how many, the query doesn't count", "问法问有多少，查询没有计数"},
	{"the words ask for an average of %s, the query takes none", "问法问 %s 的平均值，查询没有求平均"},
	{"the words ask for the sum of %s, the query takes none", "问法问 %s 的总和，查询没有求和"},
	{"the words ask for a path, the query looks for none", "问法问路径，查询没有找路径"},
	{"the words ask for %s, the query doesn't read it", "问法问 %s，查询没有读取它"},
	{"the words ask for the first few, the query has no LIMIT", "问法只要前几个，查询没有 LIMIT"},
	{"the words group by %s, the query doesn't read it", "问法按 %s 分组，查询没有读取它"},
	{"the words order by %s, ascending, the query doesn't", "问法按 %s 升序排列，查询没有"},
	{"the words order by %s, descending, the query doesn't", "问法按 %s 降序排列，查询没有"},
	{"the query follows %s, of which the words say nothing", "查询沿着 %s 走，问法没有说到"},
	{"the query denies %s, the words don't", "查询否定了 %s，问法没有"},
	{"the query compares %s, of which the words say nothing", "查询比较了 %s，问法没有说到"},
	{"the query wants %s to be missing, the words don't", "查询要求没有 %s，问法没有"},
	{"the query has a LIMIT, the words none", "查询有 LIMIT，问法没有"},
	{"the query skips rows, the words don't", "查询跳过了一些行，问法没有"},
	{"%s names %s, and it isn't clear which one value of the query that is, so another value couldn't take its place", "%s 提到 %s，但看不出它是查询里的哪一个值，所以不能换成别的值"},
	{"write a slot for it, in the words and in the query", "请在问法和查询里为它写一个槽位"},
	{"curated", "审核"},
	{"edited", "修改"},
	{"value", "某个值不对"}, {"query", "查询不对"}, {"wording", "表述不对"}, {"unanswerable", "图谱回答不了"},
	{"it is %s and can't become %s", "当前状态（%s）不能变为 %s"},
	{"it was undone already or changed again since (change %d by %s)", "它已经撤销过，或之后又有改动（第 %d 次改动，%s）"},
	{"undo that first", "请先撤销那一次"},
	{"nothing is left to undo", "没有可以撤销的改动"},
	{"there is no such change", "没有这次改动"},
	{"no such case", "没有这个案例"},
	{"it has %d wordings and that is the most", "它已有 %d 种问法，不能再多"},
	{"it is no longer verified", "它已不是已核实的案例"},
	{"try again", "请再试一次"},
	{"the query uses $%s, and no slot fills it", "查询用到 $%s，但没有槽位填它"},
	{"write {%s} where its value stands in the question", "请在问法里值的位置写 {%s}"},
	{"the query finds nothing for its own example", "查询按示例什么也查不到"},
	{"if that is right, say so (empty_ok)", "如果这是对的，请注明 empty_ok"},
	{"%s and the query don't prove each other: %s", "问法 %s 与查询对不上：%s"},
	{"case %s is asked the same way: %s", "案例 %s 的问法相同：%s"},
	{"it asks what case %s asks, with the same query", "它与案例 %s 问的是同一件事，查询也相同"},
	{"the graph has no %s that questions may name", "图谱里没有可以在提问中提到的 %s"},
	{"%s is the name of %s already, and a question with it would have two meanings", "%s 已经是 %s 的名字，提问会有两种意思"},
	{"%s is a word that questions are made of", "%s 是提问本身要用的词"},
	{"case %s answers %s, where %s would mean something else then", "案例 %s 回答 %s，其中 %s 的意思会因此改变"},
}

// told is what a log needs in front of a reason, and people don't.
var told = regexp.MustCompile(`^(?:(?:case|alias) "[^"]*": |change \d+(?: of case "[^"]*")?: |the case did not pass the checks: |a case can't be moved that way: |can't be undone: |case: )+`)

type sentence struct {
	form *regexp.Regexp
	says string
}

var sentences = sync.OnceValue(func() []sentence {
	list := make([]sentence, len(library))
	for i, pair := range library {
		form := strings.NewReplacer("%d", `(-?\d+)`, "%s", "(.+)").Replace(regexp.QuoteMeta(pair[0]))
		list[i] = sentence{regexp.MustCompile("^" + form + "$"), pair[1]}
	}
	return list
})

// Because says a reason that the case library gave, in a person's language.
func (w *Words) Because(reason string) string {
	reason = told.ReplaceAllString(reason, "")
	if w.Language != "zh" {
		return reason
	}
	parts, all := strings.Split(reason, "; "), true
	for i, part := range parts {
		says, ok := chinese(part, w)
		if all = all && ok; ok {
			parts[i] = says
		}
	}
	if says, ok := chinese(reason, w); ok && !all {
		return says
	}
	return strings.Join(parts, "；")
}

func chinese(reason string, w *Words) (string, bool) {
	for _, s := range sentences() {
		found := s.form.FindStringSubmatch(reason)
		if found == nil {
			continue
		}
		parts := make([]any, len(found)-1)
		for i, part := range found[1:] {
			if state, ok := w.Status[part]; ok && part != "" {
				part = state
			}
			parts[i] = part
		}
		return fmt.Sprintf(strings.ReplaceAll(s.says, "%d", "%s"), parts...), true
	}
	return "", false
}
