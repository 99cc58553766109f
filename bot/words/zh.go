package words

var zh = Words{
	Language: "zh",

	Tagline: "Precedent 回答关于图数据库的问题，依据经人核实的案例。",
	Graph:   "图：%s",
	Model:   "模型：%s",
	NoModel: "模型：无；没有案例覆盖的问题不作回答",
	Offer:   "先试试这三个：",
	HowTo:   "输入问题或数字；/help 查看命令，Ctrl-D 退出。",
	Prompt:  "> ",
	Goodbye: "再见。",
	Again:   "再按一次 Ctrl-C 或输入 /quit 退出。",
	Stopped: "已停止。",
	Commands: `/examples      已核实案例能回答的问题
/cypher        上一个回答的查询
/why           上一个回答的依据
/more          后面的行
/model         改由模型回答上一个问题
+  -           对、错（👍 👎 也可以）；/undo 撤回
/schema        图里有什么
/new           开始新的对话
/quit          退出（Ctrl-D 也可以）`,

	Opening: "正在打开图……",
	Working: "处理中……",
	Writing: "正在写查询……",
	Reading: "正在读取图……",
	Telling: "正在把 %d 行结果写成话……",

	Understood:   "理解为：%s",
	FromCase:     "✓ 已核实的案例",
	FromModel:    "✎ 模型刚写的查询",
	RepairedOnce: "修正过一次",
	Repaired:     "修正过 %d 次",
	Rests:        "依据：%s",
	Rows:         "第 %d–%d 行，共 %d 行",
	More:         "/more 显示后 %d 行",
	Cut:          "只读取了前 %d 行，图里还有更多",
	AnswerID:     "回答 %s",
	AskModel:     "/model 改由模型回答",

	Busy: "上一个问题还在处理，请稍后再问。",

	NothingToVote: "还没有可以评价的回答。",
	ThankUp:       "谢谢，已记为正确。",
	ThankDown:     "谢谢，已记为错误。",
	TookBack:      "已撤回你的评价。",
	Moved:         "案例由“%[2]s”变为“%[3]s”（%[1]s）。",
	Flagged:       "已请管理者查看。",
	WhyDown:       "哪里不对？1 取值 · 2 查询 · 3 表述 · 4 这个问题无法回答（也可以直接继续）",
	Undo:          "/undo 可以撤回。",
	VoteReason:    "（%s）",
	VoteBusy:      "案例库正忙，请稍后再评价。",
	VoteBroke:     "没能记下这次评价，原因见日志，编号 %s。",

	NoAnswerYet: "还没有回答，请先提问。",
	NoQuery:     "这个回答没有查询。",
	NoMore:      "没有更多的行了。",
	NoExamples:  "还没有已核实的案例。",
	Unknown:     "没有命令 %s。可用的有：",
	Fresh:       "新的对话开始了。",

	Why: WhyWords{
		Route: "方式：%s",
		Routes: map[string]string{
			"case": "由已核实的案例回答，没有调用模型", "model": "由模型写查询，并经过检查",
			"clarify": "可能指不止一样东西", "refused": "未予回答（%s）",
			"unanswered": "没有案例覆盖，也没有可用的模型", "fault": "出了问题（%s）",
		},
		Case:     "案例 %s：%s",
		Verified: "由 %s 于 %s 核实",
		Note:     "说明：%s",
		Shown:    "给模型看过的案例：",
		Link:     "“%s”是 %s = %s（%s）",
		Change:   "更正：%s → %s（%s）",
		Repairs:  "退回模型修改 %d 次",
		Calls:    "调用：模型 %d 次，向量 %d 次",
		Time:     "用时：%.1f 毫秒（模型 %.1f，数据库 %.1f）",
		Answer:   "回答 %s",
		How: map[string]string{
			"exact": "原样", "alias": "别名", "folded": "忽略大小写和重音", "edit": "拼写最接近",
			"fulltext": "全文检索", "embedding": "意思相近", "model": "模型选定", "user": "你选定",
		},
	},

	Chat: ChatWords{
		Right: "对", Wrong: "不对", Stop: "停止", Next: "后 %d 行", AskModel: "改由模型回答", How: "怎么得来的？", Undo: "撤销",
		Approve: "通过", Reject: "否决", Edit: "修改", Release: "恢复", Later: "下一个案例",

		Ending:    "我正在重启，回来后会接着处理这个问题。",
		GaveUp:    "这个问题没能处理完，我不再尝试了。请重新提问。",
		Choose:    "请选一个：",
		Full:      "文件里有全部内容。",
		NoFile:    "含全部行的文件没能传上来；请让运维人员允许机器人上传文件。",
		FileAside: "文件在我们的私信里，别人看不到。",
		TooOld:    "这个回答已不在记录里，请重新提问。",
		Barred:    "这里能提问的人里没有你，这由机器人的运维人员决定。",
		Elsewhere: "我不能在这个频道回答，这由机器人的运维人员决定。",
		Slowly:    "问题有点多，%d 秒后（%s）再接着回答。",
		Spent:     "今天的模型额度已用完，%s 重新开放；已核实的案例照常回答。",

		SavedBy: "✓ 已存为核实案例，操作者", RejectedBy: "✗ 已否决，操作者", QuarantinedBy: "✗ 已停用，操作者",
		MovedBy: "现为“%s”，操作者", UndoneBy: "已撤销，现为“%s”，操作者", NotUndone: "没法撤销：%s",
		NotPromoted: "你的评价已记下，但案例还没有核实：%s", CuratorsOnly: "只有管理者能这样做，由机器人的运维人员指定；你自己的评价可以撤回或改动。",
		AskerOnly: "只有提问的人或管理者能停止。",
		TooLong:   "这个案例太长，表单放不下；请用命令修改：precedent cases export、编辑、import。",

		FormTitle: "哪里不对？", FormReason: "哪里不对？", FormFix: "怎样才对？",
		FormHint: "例如：科幻就是 Sci-Fi", Send: "提交", Cancel: "关闭",
		Reasons:    map[string]string{"value": "某个值（人名、日期等）不对", "query": "查询问的是别的", "wording": "结果对，话说得不对", "unanswerable": "图里回答不了这个问题"},
		FormThanks: "谢谢，已记下。",

		Queue: "等待管理者处理的案例：%d 个", QueueEmpty: "没有等待处理的案例。",
		QueueItem: "%s · 赞成 %d，反对 %d", Flag: "有人提请查看：%s", FirstDraft: "模型的第一稿被退回：", Refused: "原因：%s",
		Finds: "查到 %d 行：%s", FindsNone: "什么也查不到", Fails: "运行不了：%s", AskedBy: "%d 人问过",
		FromAside: "来自私下提问：通过后所有人都能看到其文字",
		Taught:    "“%s”指 %s = %s", TaughtBy: "%d 人这样说",
		TaughtNotes:   map[string]string{"common": "它也是日常用词", "near": "它和另一个值写法相近"},
		TaughtThanks:  "谢谢。我的理解是：%s。管理者会来查看。",
		TaughtAlready: "谢谢，已记下。这个名字我认识：%s。",
		EditTitle:     "修改案例", EditQuery: "查询", EditWords: "问法，每行一个", EditWhy: "原因",
		Kept: "案例已修改。", NotKept: "案例保持不变：%s",

		Home: "在这里或频道里问我关于图的问题。", Examples: "已核实案例能回答的问题：", Mine: "你最近的问题：",
	},

	Status: map[string]string{
		"": "无", "candidate": "待核实", "verified": "已核实", "quarantined": "已隔离", "rejected": "已否决", "retired": "已停用",
	},
}
