package words

// Commands are what a chat's own menus call what the bot can be told to do. A
// name has at most 32 characters, without spaces but for Curate; a description
// at most 100.
type Commands struct {
	Ask, AskDoes         string
	Question, QuestionIs string // what ask is given
	Cases, CasesDoes     string
	Curate, CurateDoes   string // on a message
}

// EnglishCommands are the commands in English: by its names the bot knows them.
var EnglishCommands = Commands{
	Ask: "ask", AskDoes: "Ask the graph a question",
	Question: "question", QuestionIs: "What you want to know, in your own words",
	Cases: "cases", CasesDoes: "The cases that wait for a curator",
	Curate: "Curate case", CurateDoes: "Approve, edit or reject the case behind this answer",
}

// ChineseCommands are the commands in Chinese.
var ChineseCommands = Commands{
	Ask: "提问", AskDoes: "向图谱提问",
	Question: "问题", QuestionIs: "用自己的话说想知道什么",
	Cases: "案例", CasesDoes: "等待审核员审核的案例",
	Curate: "审核案例", CurateDoes: "通过、修改或否决这个回答背后的案例",
}
