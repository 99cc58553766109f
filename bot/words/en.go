package words

var en = Words{
	Language: "en",

	Tagline: "Precedent answers questions about a graph, from cases that people verified.",
	Graph:   "Graph: %s",
	Model:   "Model: %s",
	NoModel: "Model: none; questions that neither a case nor their own words answer stay unanswered",
	Offer:   "Three to begin with:",
	HowTo:   "Type a question, or a number. /help lists the rest, Ctrl-D leaves.",
	Prompt:  "> ",
	Goodbye: "Bye.",
	Again:   "Ctrl-C again, or /quit, leaves.",
	Stopped: "Stopped.",
	Commands: `/examples      questions that verified cases answer
/cypher        the query of the last answer
/why           what the last answer rests on
/more          the next rows
/model         answer the last question with the model instead
/anyway        ask what was refused as off-topic all the same
/asis          keep a case whose words and query don't prove each other, for exactly these words
+  -           right, wrong (👍 👎 do as well); /undo takes it back
/schema        what the graph holds
/new           begin a new conversation
/quit          leave (so does Ctrl-D)`,

	Opening: "opening the graph…",
	Working: "working…",
	Writing: "writing a query…",
	Reading: "reading the graph…",
	Telling: "putting %d rows into words…",

	Understood:   "understood as: %s",
	FromCase:     "✓ verified case",
	FromWords:    "≡ from the words, no model",
	FromModel:    "✎ written now by the model",
	RepairedOnce: "repaired once",
	Repaired:     "repaired %d times",
	Rests:        "same kind as: %s",
	Row:          "row %d of %s",
	Rows:         "rows %d–%d of %s",
	More:         "/more shows the next %d",
	MoreOne:      "/more shows the last one",
	AnswerID:     "answer %s",
	AskModel:     "/model asks the model instead",
	AskAnyway:    "/anyway asks it anyway",
	AsIs:         "/asis keeps it as it is: it then answers exactly these words",
	WithAnyway:   "To ask it anyway: precedent ask --anyway …",
	NoAnyway:     "There is nothing to ask anyway: the last answer was no refusal of that kind.",

	Busy: "I'm still at the question before this one. Please ask again in a moment.",

	NothingToVote: "There is no answer to vote on yet.",
	ThankUp:       "Thank you, noted as right.",
	ThankDown:     "Thank you, noted as wrong.",
	TookBack:      "Your vote is taken back.",
	Moved:         "The case went from %[2]s to %[3]s (by %[1]s).",
	Flagged:       "Curators are asked to look at it.",
	WhyDown:       "What was wrong? 1 a value · 2 the query · 3 how it is said · 4 it can't be answered (or just go on)",
	Undo:          "/undo takes it back.",
	VoteReason:    "(%s)",
	VoteBusy:      "The library is busy; please vote again in a moment.",
	VoteBroke:     "The vote could not be counted; the log says why under %s.",

	NoAnswerYet: "There is no answer yet; ask something first.",
	NoQuery:     "That answer has no query.",
	NoMore:      "There are no more rows.",
	NoExamples:  "There are no verified cases yet.",
	Unknown:     "There is no command %s. These are:",
	Fresh:       "A new conversation.",

	Why: WhyWords{
		Route: "How: %s",
		Routes: map[string]string{
			"case": "a verified case answered; no model was asked", "composed": "the words have one meaning, which wrote the query; no model was asked", "model": "the model wrote the query, and it was checked",
			"clarify": "more than one thing could be meant", "refused": "refused (%s)",
			"unanswered": "no case covers it, and no model could be asked", "fault": "something broke (%s)",
		},
		Case:     "Case %s: %s",
		Verified: "Verified by %s on %s",
		Shipped:  "Ships with Precedent",
		Note:     "Note: %s",
		Shown:    "Cases the model was shown:",
		Link:     "“%s” is %s = %s (%s)",
		Change:   "Corrected: %s → %s (%s)",
		Repairs:  "Sent back to the model: %d",
		Calls:    "Calls: %d to the model, %d for embeddings",
		Time:     "Time: %.1f ms (model %.1f, database %.1f)",
		Answer:   "Answer %s",
		How: map[string]string{
			"exact": "as written", "alias": "another name for it", "folded": "but for case or accents", "edit": "nearest spelling",
			"fulltext": "full-text search", "embedding": "similar meaning", "model": "chosen by the model", "user": "picked by you",
		},
	},

	Chat: ChatWords{
		Right: "Right", Wrong: "Wrong", Stop: "Stop", Next: "Next %d", AskModel: "Ask the model instead", AskAnyway: "Ask anyway", How: "Why this answer?", Undo: "Undo",
		Approve: "Approve", Reject: "Reject", Edit: "Edit", Release: "Put back", Keep: "Keep", AsIs: "Keep as it is", TakeOut: "Take out of use", Retire: "Retire", Later: "Next case",

		Unkept:    "I can't keep what you asked right now: my disk takes nothing. Once that is put right I'll answer, unless I'm restarted first; then please ask again.",
		Ending:    "I'm being restarted. I'll go on with this as soon as I'm back.",
		GaveUp:    "I couldn't get this done and have stopped trying. Please ask again.",
		Choose:    "Pick one:",
		Full:      "The file has all of it.",
		FullRead:  "The file has all %d rows that were read.",
		FileAlt:   "CSV, %d rows (%s): %s",
		NoFile:    "I couldn't attach the file. The operator of this bot has to let it upload files.",
		FileAside: "The file is in our direct conversation, where nobody else sees it.",
		TooOld:    "I no longer know that answer. Please ask the question again.",
		Dropped:   "The message was edited, and no longer asks this.",
		NoCase:    "No case stands behind this message. 👍 on an answer of the model makes one.",
		Barred:    "I'm not set up to answer you here. Ask the operator of this bot for access.",
		Elsewhere: "I'm not set up to answer in this channel. Ask the operator of this bot.",
		Slowly:    "That was a lot of questions. Please ask again in %d seconds (%s).",
		Spent:     "Today's share of model calls is used up; it opens again at %s. Verified cases go on answering.",

		Saved: "✓ Saved: this is now a verified case", SavedBy: "saved by", By: "by", Rejected: "✗ Rejected", Quarantined: "✗ Taken out of use",
		Moved: "Now %s", Undone: "Undone; now %s", MovedSince: "Nothing is changed: since you saw it, the case became %s.", NotUndone: "That can't be undone: %s",
		NotPromoted: "Your vote counts. The case isn't verified yet: %s", CuratorsOnly: "Only curators can do that; the operator of this bot says who they are. Your own vote you can take back or change.",
		AskerOnly: "Only whoever asked, or a curator, can stop this.",
		TooLong:   "This case is longer than a form can hold. Change it with: precedent cases export, edit, import.",

		FormTitle: "What was wrong?", FormReason: "What was wrong?", FormFix: "What would be right?",
		FormHint: "for example: “sci fi” means Sci-Fi", Send: "Send", Cancel: "Close",
		Reasons: map[string]string{"value": "a value (a name, a date) is wrong", "query": "the query asks something else",
			"wording": "the rows are right, how it is said isn't", "unanswerable": "this can't be answered from the graph"},
		FormThanks: "Thank you, noted.",

		Queue: "Cases that wait for a curator: %d", QueueEmpty: "No case waits for a curator.",
		QueueItem: "%s · %d for, %d against", Flag: "flagged: %s", FirstDraft: "The model's first draft was refused:", Refused: "because %s",
		Finds: "finds %d rows: %s", FindsNone: "finds nothing", Fails: "doesn't run: %s", AskedBy: "asked by %d people",
		FromAside:      "asked in private: approving it shows its words to everybody",
		DriftedOut:     "Verified cases taken out of use, since the graph no longer has what they name: %d. They come back by themselves once it has; edit or retire those that are not to.",
		DriftedStopped: "%d of %d verified cases name what the graph no longer has. They don't answer, and none was taken out of use, since they are so many: is the graph all there, and is its address right?",
		DriftedBack:    "Cases in use again, since the graph has again what they name: %d (%s)",
		Silent:         "Verified cases whose words are read otherwise now: %d. They answer exactly their words, and say so, until somebody decides: edit them, keep them as they are, or put back the words of the glossary or the aliases.",
		Doubted:        "“%s” and the query don't prove each other.", WordsSay: "By the words: %s", QuerySays: "By the query: %s",
		AsIsMeans: "If the query is right all the same, keep it as it is: it then answers exactly these words, and no others.", KeptAsIs: "kept as it is: answers exactly its words",
		AsIsField: "If words and query don't prove each other", AsIsOption: "Keep it as it is, for exactly these words",
		Taught: "“%s” means %s = %s", TaughtBy: "said by %d people",
		TaughtNotes:   map[string]string{"common": "it is an everyday word, too", "near": "it is spelt nearly like another value"},
		TaughtThanks:  "Thank you. I understood: %s. A curator will look at it.",
		TaughtAlready: "Thank you, noted. I know this name: %s.",
		EditTitle:     "Edit the case", EditQuery: "Query", EditWords: "Ways to ask, one a line", EditWhy: "Why",
		Kept: "The case is changed.", NotKept: "The case stays as it was: %s",

		Home: "Ask me about the graph, here or in a channel.", Examples: "Questions that verified cases answer:", Mine: "Your latest questions:",
	},

	Status: map[string]string{
		"": "nothing", "candidate": "candidate", "verified": "verified", "quarantined": "out of use", "rejected": "rejected", "retired": "retired",
	},
}
