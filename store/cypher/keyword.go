package cypher

// A keyword is a word with a meaning of its own somewhere in the grammar. None
// is reserved: all may be names where a name is expected.
type keyword uint8

const (
	noKeyword keyword = iota
	kAll
	kAllShortestPaths
	kAlter
	kAnd
	kAny
	kAs
	kAsc
	kAscending
	kBy
	kCall
	kCase
	kCollect
	kContains
	kCount
	kCreate
	kCypher
	kDeallocate
	kDelete
	kDeny
	kDesc
	kDescending
	kDetach
	kDifferent
	kDistinct
	kDrop
	kDryrun
	kElse
	kEnable
	kEnd
	kEnds
	kExists
	kExplain
	kFalse
	kFinish
	kForeach
	kGrant
	kIn
	kInf
	kInfinity
	kInsert
	kIs
	kLimit
	kLoad
	kMatch
	kMerge
	kNan
	kNodetach
	kNone
	kNormalized
	kNot
	kNull
	kOffset
	kOptional
	kOr
	kOrder
	kProfile
	kReallocate
	kReduce
	kRemove
	kRename
	kRepeatable
	kReturn
	kRevoke
	kSet
	kShortest
	kShortestPath
	kShow
	kSingle
	kSkip
	kStart
	kStarts
	kStop
	kTerminate
	kThen
	kTrim
	kTrue
	kTyped
	kUnion
	kUnwind
	kUse
	kUsing
	kWhen
	kWhere
	kWith
	kXor
	kYield
	keywordCount
)

var keywordNames = [keywordCount]string{
	kAll: "all", kAllShortestPaths: "allshortestpaths", kAlter: "alter", kAnd: "and", kAny: "any", kAs: "as",
	kAsc: "asc", kAscending: "ascending", kBy: "by", kCall: "call", kCase: "case", kCollect: "collect",
	kContains: "contains", kCount: "count", kCreate: "create", kCypher: "cypher", kDeallocate: "deallocate",
	kDelete: "delete", kDeny: "deny", kDesc: "desc", kDescending: "descending", kDetach: "detach",
	kDifferent: "different", kDistinct: "distinct", kDrop: "drop", kDryrun: "dryrun", kElse: "else",
	kEnable: "enable", kEnd: "end", kEnds: "ends", kExists: "exists", kExplain: "explain", kFalse: "false",
	kFinish: "finish", kForeach: "foreach", kGrant: "grant", kIn: "in", kInf: "inf", kInfinity: "infinity",
	kInsert: "insert", kIs: "is", kLimit: "limit", kLoad: "load", kMatch: "match", kMerge: "merge", kNan: "nan",
	kNodetach: "nodetach", kNone: "none", kNormalized: "normalized", kNot: "not", kNull: "null",
	kOffset: "offset", kOptional: "optional", kOr: "or", kOrder: "order", kProfile: "profile",
	kReallocate: "reallocate", kReduce: "reduce", kRemove: "remove", kRename: "rename",
	kRepeatable: "repeatable", kReturn: "return", kRevoke: "revoke", kSet: "set", kShortest: "shortest",
	kShortestPath: "shortestpath", kShow: "show", kSingle: "single", kSkip: "skip", kStart: "start",
	kStarts: "starts", kStop: "stop", kTerminate: "terminate", kThen: "then", kTrim: "trim", kTrue: "true",
	kTyped: "typed", kUnion: "union", kUnwind: "unwind", kUse: "use", kUsing: "using", kWhen: "when",
	kWhere: "where", kWith: "with", kXor: "xor", kYield: "yield",
}

const longestKeyword = len("allshortestpaths")

// keywordsBy holds the keywords by length and first letter.
var keywordsBy = func() (by [longestKeyword + 1][26][]keyword) {
	for k := noKeyword + 1; k < keywordCount; k++ {
		name := keywordNames[k]
		at := &by[len(name)][name[0]-'a']
		*at = append(*at, k)
	}
	return by
}()

// keywordOf returns the keyword that word is in any case of ASCII letters.
func keywordOf(word string) keyword {
	if len(word) > longestKeyword {
		return noKeyword
	}
	first := word[0] | 0x20 - 'a'
	if first >= 26 {
		return noKeyword
	}
	for _, k := range keywordsBy[len(word)][first] {
		if sameWord(word, keywordNames[k]) {
			return k
		}
	}
	return noKeyword
}

// sameWord reports whether word is lower but for the case of ASCII letters.
// lower consists of the letters a to z.
func sameWord(word, lower string) bool {
	if len(word) != len(lower) {
		return false
	}
	for i := range len(word) {
		if word[i]|0x20 != lower[i] || word[i] < 'A' {
			return false
		}
	}
	return true
}
