package guardrails

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Asked is a question as it was heard, with what the graph has to say to it.
type Asked struct {
	Text   string
	Links  int      // mentions in it that are certainly values of the graph
	Named  []string // all mentions in it, certain or not
	Domain []string // words in it that the graph's schema, glossary or cases know: "movie", "票房"
	Values []string // values in it that were seen in the graph, which may be common words: "games", "高"
}

// A Refusal says why a question is not answered. It holds no sentence for
// people: those belong to the chat, in the reader's language.
type Refusal struct {
	Kind     Kind
	Rule     string // which rule of the kind, for the journal: "override", "weather"
	Evidence string // the words that gave it away, folded, at most 80 runes; "" where none did
}

func (r *Refusal) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s: %s: %s", r.Kind, r.Rule, r.Evidence), ": ")
}

// Greeting is the rule of [OffTopic] by which people greet, thank, or ask what the
// bot is for, and say nothing else.
const Greeting = "greeting"

// Kind of a refusal.
type Kind string

// Kinds of refusals, in the order in which they are looked for.
const (
	Empty     Kind = "empty"     // nothing, or marks and pictures alone
	TooLong   Kind = "too_long"  // more than Policy.MaxQuestion
	Injection Kind = "injection" // tries to steer the bot, or hides its text
	Harmful   Kind = "policy"    // asks for help in doing harm
	Change    Kind = "change"    // asks for the graph to be changed
	OffTopic  Kind = "off_topic" // is about something else, or about nothing
)

// Question returns why the question is refused, or nil. The first kind in the
// order of the constants wins.
//
// Only what stands in the question refuses it; that it shares no word with the
// graph never does. A link outweighs what looks off-topic, but for the weather in a
// place and the like; a word of Domain or Values the weaker of such evidence, and any
// evidence that it stands in. Words that every schema may have (name, date) don't.
// None of them outweighs a plain injection, harm or change.
func (p Policy) Question(q Asked) *Refusal {
	if !strings.ContainsFunc(q.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return &Refusal{Kind: Empty, Rule: "no_words"}
	}
	if n := utf8.RuneCountInString(q.Text); n > p.maxQuestion() {
		return &Refusal{Kind: TooLong, Rule: "max_question", Evidence: fmt.Sprintf("%d runes of at most %d", n, p.maxQuestion())}
	}
	if r := disguised(q.Text); r != nil {
		return r
	}
	l := p.lists()
	q.Domain = slices.DeleteFunc(slices.Clone(q.Domain), l.isGeneral)
	q.Values = slices.DeleteFunc(slices.Clone(q.Values), l.isGeneral)
	h := l.hear(q.Text)
	if spelledApart(h) {
		return &Refusal{Kind: Injection, Rule: "spelled_apart"}
	}
	r := l.judge(h, q)
	if r != nil && r.Kind != OffTopic {
		return r
	}
	if q.Links == 0 && len(q.Domain) == 0 && (l.matches(l.usage, h) || l.saysNothing(h)) {
		return &Refusal{Kind: OffTopic, Rule: Greeting, Evidence: brief(strings.Join(h.tokens, " "))}
	}
	return r
}

// judge returns the refusal of the first kind that a rule finds.
func (l *Lists) judge(h *heard, q Asked) *Refusal {
	var found *Refusal
	consider := func(r *rule, weak, apart bool, evidence string) {
		if found != nil && (rank(found.Kind) < rank(r.kind) || found.Kind == r.kind) {
			return
		}
		if !outweighed(r, weak, apart, evidence, q) {
			found = &Refusal{Kind: r.kind, Rule: r.name, Evidence: brief(evidence)}
		}
	}
	asking := h.asks || l.matches(l.asking, h)
	for i, token := range h.tokens {
		l.at(token, func(e entry) bool {
			if e.rule.kind == "" || e.rule.statement && asking {
				return true
			}
			if used, ok := e.pattern.match(h, i); ok && !onlyQuoted(h, used) {
				consider(e.rule, e.rule.weak || e.pattern.weak, e.rule.apart || e.pattern.apart, h.join(used))
			}
			return true
		})
	}
	for _, r := range l.rules {
		for _, raw := range r.raw {
			if rawIn(h.folded, raw) {
				consider(r, r.weak, r.apart, raw)
			}
		}
	}
	return found
}

func rank(k Kind) int {
	return slices.Index([]Kind{Injection, Harmful, Change, OffTopic}, k)
}

// outweighed reports whether the graph's own words stand against the evidence.
func outweighed(r *rule, weak, apart bool, evidence string, q Asked) bool {
	linked := q.Links > 0 && (!apart || len(q.Domain) > 0 || holdsAny(evidence, q.Named))
	if r.kind == OffTopic && linked || weak && (linked || len(q.Domain) > 0 || !apart && len(q.Values) > 0) {
		return true
	}
	return r.kind == OffTopic && (holdsAny(evidence, q.Domain) || holdsAny(evidence, q.Values))
}

// holdsAny reports whether one of the texts stands in evidence, token by token.
func holdsAny(evidence string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		text = strings.Join(tokenPhrase(text), " ")
		return text != "" && strings.Contains(" "+evidence+" ", " "+text+" ")
	})
}

// onlyQuoted reports whether the evidence lies in quotation marks and the
// question has more to it: a title or a tagline is no request.
func onlyQuoted(h *heard, used []int) bool {
	for _, i := range used {
		if !h.quoted[i] {
			return false
		}
	}
	outside := 0
	for _, q := range h.quoted {
		if !q {
			outside++
		}
	}
	return outside >= 3
}

// saysNothing reports whether greetings and fillers cover the whole question.
func (l *Lists) saysNothing(h *heard) bool {
	const unreached, byFillers, byGreeting = 0, 1, 2
	reach := make([]int, len(h.tokens)+1)
	reach[0] = byFillers
	for i, token := range h.tokens {
		if reach[i] == unreached {
			continue
		}
		l.at(token, func(e entry) bool {
			state := reach[i]
			switch e.rule {
			case l.cover:
				state = byGreeting
			case l.filler:
			default:
				return true
			}
			if used, ok := e.pattern.match(h, i); ok {
				end := used[len(used)-1] + 1
				reach[end] = max(reach[end], state)
			}
			return true
		})
	}
	return reach[len(h.tokens)] == byGreeting
}

// matches reports whether any pattern of r stands anywhere.
func (l *Lists) matches(r *rule, h *heard) bool {
	for i, token := range h.tokens {
		found := false
		l.at(token, func(e entry) bool {
			if e.rule == r {
				_, found = e.pattern.match(h, i)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// rawIn reports whether the raw evidence stands in the folded text; one that
// ends in $ must end it, one that begins with ^ must begin a line.
func rawIn(folded, raw string) bool {
	if line, ok := strings.CutPrefix(raw, "^"); ok {
		return strings.Contains("\n"+folded, "\n"+line)
	}
	if end, ok := strings.CutSuffix(raw, "$"); ok {
		return strings.HasSuffix(strings.TrimSpace(folded), end)
	}
	return strings.Contains(folded, raw)
}

// brief cuts evidence to what a log line should hold.
func brief(s string) string {
	const most = 80 // runes
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// disguised refuses text that shows people something else than it says.
func disguised(s string) *Refusal {
	for _, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\v' || r == '\f':
		case unicode.IsControl(r):
			return &Refusal{Kind: Injection, Rule: "control_characters", Evidence: fmt.Sprintf("%U", r)}
		case r == 0x202D || r == 0x202E: // left-to-right and right-to-left override
			return &Refusal{Kind: Injection, Rule: "direction_override", Evidence: fmt.Sprintf("%U", r)}
		case r >= 0xE0000 && r <= 0xE007F && !strings.ContainsRune(s, '🏴'): // tag characters, invisible but in flags
			return &Refusal{Kind: Injection, Rule: "invisible_text", Evidence: fmt.Sprintf("%U", r)}
		}
	}
	for field := range strings.FieldsSeq(s) {
		if isEncoded(strings.Trim(field, `"'.,:;()[]<>`+"`")) {
			return &Refusal{Kind: Injection, Rule: "encoded_text", Evidence: brief(field)}
		}
	}
	return nil
}

// isEncoded reports whether s is base64 of readable text.
func isEncoded(s string) bool {
	const least = 24 // characters; shorter ones are words and names
	if len(s) < least || !strings.ContainsFunc(s, unicode.IsUpper) || !strings.ContainsFunc(s, unicode.IsLower) {
		return false
	}
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil || !utf8.Valid(decoded) {
		return false
	}
	return !strings.ContainsFunc(string(decoded), func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) })
}

// spelledApart reports whether the question is written letter by letter.
func spelledApart(h *heard) bool {
	const least = 8 // letters
	single := 0
	for _, t := range h.tokens {
		if len(t) == 1 && (t[0] < '0' || t[0] > '9') {
			single++
		}
	}
	return single >= least && 3*single >= 2*len(h.tokens)
}
