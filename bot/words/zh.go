package words

var zh = Words{
	Language: "zh",

	Tagline: "Precedent 依据人工核实过的案例，回答有关图谱的问题。",
	Graph:   "图谱：%s",
	Model:   "模型：%s",
	NoModel: "模型：未配置；既没有案例、字面又读不出唯一意思的问题，暂时无法回答",
	Offer:   "先试试这三个：",
	HowTo:   "输入问题或数字；/help 查看命令，Ctrl-D 退出。",
	Prompt:  "> ",
	Goodbye: "再见。",
	Again:   "再按一次 Ctrl-C 或输入 /quit 退出。",
	Stopped: "已停止。",
	Commands: `/examples      已核实案例能回答的问题
/cypher        上一个回答的查询
/why           上一个回答的依据
/more          接下来的内容
/model         改由模型回答上一个问题
/anyway        被当作无关而拒绝的问题，仍要提问
/asis          问法与查询对不上的案例，保持原样，只回答这个问法
+  -           对、错（👍 👎 也可以）；/undo 撤回
/schema        图谱里有什么
/new           开始新的对话
/quit          退出（Ctrl-D 也可以）`,

	Opening: "正在打开图谱……",
	Working: "处理中……",
	Writing: "正在写查询……",
	Reading: "正在查询图谱……",
	Telling: "正在根据 %d 条结果组织回答……",

	Understood:   "理解为：%s",
	FromCase:     "✓ 已核实的案例",
	FromWords:    "≡ 按字面得出，未用模型",
	FromModel:    "✎ 模型刚写的查询",
	RepairedOnce: "修正过一次",
	Repaired:     "修正过 %d 次",
	Rests:        "同类问题：%s",
	Row:          "第 %d 条，共 %s 条",
	Rows:         "第 %d–%d 条，共 %s 条",
	More:         "/more 显示接下来的 %d 条",
	MoreOne:      "/more 显示最后一条",
	AnswerID:     "回答 %s",
	AskModel:     "/model 改由模型回答",
	AskAnyway:    "/anyway 仍要提问",
	AsIs:         "/asis 保持原样：之后只回答一字不差的这个问法",
	WithAnyway:   "仍要提问：precedent ask --anyway …",
	NoAnyway:     "没有可以再问的：上一个回答不是这类拒绝。",

	Busy: "上一个问题还在处理，请稍后再问。",

	NothingToVote: "还没有可以评价的回答。",
	ThankUp:       "谢谢，已记为正确。",
	ThankDown:     "谢谢，已记为错误。",
	TookBack:      "已撤回你的评价。",
	Moved:         "案例由“%[2]s”变为“%[3]s”（%[1]s）。",
	Flagged:       "已请审核员查看。",
	WhyDown:       "哪里不对？1 取值 · 2 查询 · 3 表述 · 4 这个问题无法回答（也可以直接继续）",
	Undo:          "/undo 可以撤回。",
	VoteReason:    "（%s）",
	VoteBusy:      "案例库正忙，请稍后再评价。",
	VoteBroke:     "没能记下这次评价，原因见日志，编号 %s。",

	NoAnswerYet: "还没有回答，请先提问。",
	NoQuery:     "这个回答没有查询。",
	NoMore:      "没有更多了。",
	NoExamples:  "还没有已核实的案例。",
	Unknown:     "没有命令 %s。可用的有：",
	Fresh:       "新的对话开始了。",

	Why: WhyWords{
		Route: "方式：%s",
		Routes: map[string]string{
			"case": "由已核实的案例回答，没有调用模型", "composed": "这些词只有一种意思，查询由它写出，没有调用模型", "model": "由模型写查询，并经过检查",
			"clarify": "可能指不止一样东西", "refused": "未予回答（%s）",
			"unanswered": "没有案例覆盖，也没有可用的模型", "fault": "出了问题（%s）",
		},
		Case:     "案例 %s：%s",
		Verified: "由 %s 于 %s 核实",
		Shipped:  "随 Precedent 提供",
		Note:     "说明：%s",
		Shown:    "给模型看过的案例：",
		Link:     "“%s”对应 %s = %s（%s）",
		Change:   "更正：%s → %s（%s）",
		Repairs:  "退回模型修改 %d 次",
		Calls:    "调用：模型 %d 次，向量模型 %d 次",
		Time:     "用时：%.1f 毫秒（模型 %.1f，数据库 %.1f）",
		Answer:   "回答 %s",
		How: map[string]string{
			"exact": "原样", "alias": "别名", "folded": "忽略大小写和重音", "edit": "拼写最接近",
			"fulltext": "全文检索", "embedding": "意思相近", "model": "模型选定", "user": "你选定",
		},
	},

	Chat: ChatWords{
		Right: "对", Wrong: "不对", Stop: "停止", Next: "下 %d 条", AskModel: "改由模型回答", AskAnyway: "仍要提问", How: "查看依据", Undo: "撤销",
		Approve: "通过", Reject: "否决", Edit: "修改", Release: "恢复使用", Keep: "保留", AsIs: "保持原样", TakeOut: "停用", Retire: "弃用", Later: "下一个案例",

		Unkept:    "我现在没法记下你的问题：我的磁盘写不进去。恢复之后我会回答；如果在那之前我重启了，请再问一次。",
		Ending:    "我正在重启，回来后会接着处理这个问题。",
		GaveUp:    "这个问题没能处理完，我不再尝试了。请重新提问。",
		Choose:    "请选一个：",
		Full:      "附件里有全部内容。",
		FullRead:  "附件里有已读取的全部 %d 条。",
		FileAlt:   "CSV 表格，%d 条（%s）：%s",
		NoFile:    "文件没能上传；请管理员允许机器人上传文件。",
		FileAside: "文件在我们的私信里，别人看不到。",
		TooOld:    "这个回答已不在记录里，请重新提问。",
		Dropped:   "消息已修改，不再问这个问题。",
		NoCase:    "这条消息背后没有案例；对模型的回答点 👍 可以新建一个。",
		Barred:    "你还没有向我提问的权限，如需开通请联系机器人的管理员。",
		Elsewhere: "我未获准在这个频道回答，如需开通请联系机器人的管理员。",
		Slowly:    "提问有点多，请 %d 秒后（%s）再问。",
		Spent:     "今天的模型额度已用完，%s 重新开放；已核实的案例照常回答。",

		Saved: "✓ 已存为已核实的案例", SavedBy: "保存人：", By: "操作人：", Rejected: "✗ 已否决", Quarantined: "✗ 已停用",
		Moved: "现状态：%s", Undone: "已撤销，现状态：%s", MovedSince: "没有改动：你看到之后，案例的状态已变为“%s”。", NotUndone: "无法撤销：%s",
		NotPromoted: "你的评价已记下，但案例还没有核实：%s", CuratorsOnly: "只有审核员能这样做，由机器人的管理员指定；你自己的评价可以撤回或改动。",
		AskerOnly: "只有提问的人或审核员能停止。",
		TooLong:   "这个案例太长，表单放不下；请用命令修改：precedent cases export、编辑、import。",

		FormTitle: "哪里不对？", FormReason: "哪里不对？", FormFix: "怎样才对？",
		FormHint: "例如：科幻就是 Sci-Fi", Send: "提交", Cancel: "关闭",
		Reasons:    map[string]string{"value": "某个值（人名、日期等）不对", "query": "查询问的是别的", "wording": "结果对，但表述不对", "unanswerable": "图谱回答不了这个问题"},
		FormThanks: "谢谢，已记下。",

		Queue: "等待审核员处理的案例：%d 个", QueueEmpty: "没有等待处理的案例。",
		QueueItem: "%s · 赞成 %d，反对 %d", Flag: "有人提请查看：%s", FirstDraft: "模型的第一稿被退回：", Refused: "原因：%s",
		Finds: "查到 %d 条：%s", FindsNone: "什么也查不到", Fails: "运行不了：%s", AskedBy: "%d 人问过",
		FromAside:      "来自私下提问：通过后，所有人都能看到原文",
		DriftedOut:     "图谱不再有其中提到的内容，因此停用的已核实案例：%d 个。内容恢复后它们会自动恢复；不该恢复的请修改或弃用。",
		DriftedStopped: "%d 个（共 %d 个）已核实案例提到图谱不再有的内容。它们不再回答，但因为数量太多，一个也没有停用：图谱完整吗，地址对吗？",
		DriftedBack:    "图谱又有了其中提到的内容，已恢复使用的案例：%d 个（%s）",
		Silent:         "词语的读法变了的已核实案例：%d 个。在有人决定之前，它们只回答一字不差的问法并加以说明：请修改、保持原样，或恢复词汇表和别名。",
		Doubted:        "问法“%s”与查询对不上。", WordsSay: "按问法：%s", QuerySays: "按查询：%s",
		AsIsMeans: "如果查询仍然是对的，可以保持原样：之后只回答一字不差的这个问法。", KeptAsIs: "保持原样：只回答一字不差的问法",
		AsIsField: "如果问法与查询对不上", AsIsOption: "保持原样，只回答一字不差的问法",
		Taught: "“%s”指 %s = %s", TaughtBy: "%d 人这样说",
		TaughtNotes:   map[string]string{"common": "它也是日常用词", "near": "它和另一个值写法相近"},
		TaughtThanks:  "谢谢。我的理解是：%s。审核员会来查看。",
		TaughtAlready: "谢谢，已记下。这个名字我认识：%s。",
		EditTitle:     "修改案例", EditQuery: "查询", EditWords: "问法，每行一条", EditWhy: "原因",
		Kept: "案例已修改。", NotKept: "案例保持不变：%s",

		Home: "在这里或频道里问我有关图谱的问题。", Examples: "已核实案例能回答的问题：", Mine: "你最近的问题：",
	},

	Status: map[string]string{
		"": "无", "candidate": "待审核", "verified": "已核实", "quarantined": "已停用", "rejected": "已否决", "retired": "已弃用",
	},
}
