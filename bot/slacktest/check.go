package slacktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// A Surface is where blocks stand.
type Surface string

// The surfaces.
const (
	OnMessage Surface = "message"
	OnModal   Surface = "modal"
	OnHome    Surface = "home"
)

// A Problem is what Slack would find wrong, in its words.
type Problem struct {
	Text    string
	Pointer string // JSON pointer
}

func (p Problem) String() string { return p.Text + " [json-pointer:" + p.Pointer + "]" }

// CheckBlocks is what is wrong with a JSON array of blocks on a surface, by
// Slack's published limits. It needs no server.
func CheckBlocks(on Surface, blocks json.RawMessage) []Problem {
	l := Published()
	problems := newGrammar(l).blocks(on, blocks)
	if on == OnMessage && weight(l, blocks) > l.BlocksText {
		problems = append(problems, Problem{"msg_blocks_too_long", "/blocks"})
	}
	return problems
}

// weight is how much of Limits.BlocksText blocks take.
func weight(l Limits, blocks json.RawMessage) int {
	var list []any
	if json.Unmarshal(blocks, &list) != nil {
		return 0
	}
	n := len(list) * l.BlockCost
	for t := range textsIn(list, "") {
		if t.Kind != Address {
			n += utf8.RuneCountInString(t.Value)
		}
	}
	return n
}

// CheckView is what is wrong with a modal or home tab, a JSON object.
func CheckView(view json.RawMessage) []Problem { return newGrammar(Published()).view(view) }

// A rule says what one kind of object must be.
type rule struct {
	fields   map[string]check
	required []string
	also     func(g *grammar, v map[string]any, at string)
}

// A check looks at one value and records what is wrong in g.
type check func(g *grammar, v any, at string)

// A grammar is Block Kit within limits; one serves one check.
type grammar struct {
	lim       Limits
	on        Surface
	block     map[string]rule
	element   map[string]rule
	rich      map[string]rule // inside rich_text
	inline    map[string]rule // inside its sections
	problems  []Problem
	blockIDs  map[string]bool
	actionIDs map[string]bool
	markdown  int // characters in markdown blocks
	cells     int // characters in tables
	tables    int
}

func newGrammar(l Limits) *grammar {
	g := &grammar{lim: l, blockIDs: map[string]bool{}, actionIDs: map[string]bool{}}
	g.defineRich()
	g.defineElements()
	g.defineBlocks()
	return g
}

func (g *grammar) wrong(at, format string, args ...any) {
	g.problems = append(g.problems, Problem{fmt.Sprintf(format, args...), at})
}

func (g *grammar) blocks(on Surface, raw json.RawMessage) []Problem {
	g.on = on
	var list any
	if err := json.Unmarshal(raw, &list); err != nil {
		g.wrong("/blocks", "must be valid JSON")
		return g.problems
	}
	g.blockList(list, "/blocks")
	return g.problems
}

func (g *grammar) blockList(v any, at string) {
	list, ok := v.([]any)
	if !ok {
		g.wrong(at, "must provide an array")
		return
	}
	most := g.lim.ViewBlocks
	if g.on == OnMessage {
		most = g.lim.MessageBlocks
	}
	if len(list) > most {
		g.wrong(at, "no more than %d items allowed", most)
	}
	for i, b := range list {
		g.kind(g.block, b, fmt.Sprintf("%s/%d", at, i))
	}
	if g.markdown > g.lim.MarkdownText {
		g.wrong(at, "must be less than %d characters", g.lim.MarkdownText+1)
	}
	if g.cells > g.lim.TableText {
		g.wrong(at, "table cells must be less than %d characters in total", g.lim.TableText+1)
	}
}

// kind checks an object by the rule that its type names.
func (g *grammar) kind(rules map[string]rule, v any, at string) {
	m, ok := v.(map[string]any)
	if !ok {
		g.wrong(at, "must provide an object")
		return
	}
	name, _ := m["type"].(string)
	r, ok := rules[name]
	if !ok {
		g.wrong(at+"/type", "unsupported type: %s", name)
		return
	}
	g.object(r, m, at)
}

func (g *grammar) object(r rule, m map[string]any, at string) {
	for _, name := range r.required {
		if _, ok := m[name]; !ok {
			g.wrong(at, "missing required field: %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if name == "type" {
			continue
		}
		c, ok := r.fields[name]
		if !ok {
			g.wrong(at, "invalid additional property: %s", name)
			continue
		}
		c(g, m[name], at+"/"+name)
	}
	if r.also != nil {
		r.also(g, m, at)
	}
}

func text(least, most int) check {
	return func(g *grammar, v any, at string) {
		s, ok := v.(string)
		if !ok {
			g.wrong(at, "must provide a string")
			return
		}
		if n := utf8.RuneCountInString(s); n < least {
			g.wrong(at, "must be more than %d characters", least-1)
		} else if most > 0 && n > most {
			g.wrong(at, "must be less than %d characters", most+1)
		}
	}
}

func boolean(g *grammar, v any, at string) {
	if _, ok := v.(bool); !ok {
		g.wrong(at, "must provide a boolean")
	}
}

func number(least, most float64) check {
	return func(g *grammar, v any, at string) {
		n, ok := v.(float64)
		if !ok {
			g.wrong(at, "must provide a number")
		} else if n < least || n > most {
			g.wrong(at, "must be between %v and %v", least, most)
		}
	}
}

func oneOf(words ...string) check {
	return func(g *grammar, v any, at string) {
		if s, _ := v.(string); !slices.Contains(words, s) {
			g.wrong(at, "must be a valid enum value")
		}
	}
}

func listOf(least, most int, item check) check {
	return func(g *grammar, v any, at string) {
		list, ok := v.([]any)
		if !ok {
			g.wrong(at, "must provide an array")
			return
		}
		if len(list) < least {
			g.wrong(at, "no fewer than %d items allowed", least)
		}
		if most > 0 && len(list) > most {
			g.wrong(at, "no more than %d items allowed", most)
		}
		for i, x := range list {
			item(g, x, fmt.Sprintf("%s/%d", at, i))
		}
	}
}

// textObject is plain_text, or mrkdwn too, of a length.
func textObject(most int, mrkdwn bool) check {
	return func(g *grammar, v any, at string) {
		m, ok := v.(map[string]any)
		if !ok {
			g.wrong(at, "must provide an object")
			return
		}
		before := len(g.problems)
		switch kind := m["type"]; {
		case kind == "plain_text":
			g.object(rule{required: []string{"text"}, fields: map[string]check{"text": text(1, most), "emoji": boolean}}, m, at)
		case kind == "mrkdwn" && mrkdwn:
			g.object(rule{required: []string{"text"}, fields: map[string]check{"text": text(1, most), "verbatim": boolean}}, m, at)
		default:
			g.wrong(at+"/type", "must be a valid enum value")
		}
		if len(g.problems) > before && mrkdwn {
			g.problems = slices.Insert(g.problems, before, Problem{"failed to match all allowed schemas", at})
		}
	}
}

// among checks an object by one of the named element rules.
func among(names ...string) check {
	return func(g *grammar, v any, at string) {
		m, _ := v.(map[string]any)
		if name, _ := m["type"].(string); !slices.Contains(names, name) {
			g.wrong(at+"/type", "unsupported type: %s", name)
			return
		}
		g.kind(g.element, v, at)
	}
}
