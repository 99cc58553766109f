package reading

import (
	"fmt"
	"precedent/store/text"
)

func DebugSegs(r *Reader, q string) {
	ts := text.Tokens(q)
	m := r.linker.Mentions(q, ts)
	lang := spokenIn(q, ts, m, nil)
	segs := meaningful(r.segments(r.lexicons[lang], ts, m, nil))
	for _, s := range segs {
		fmt.Printf("  [%s] %v m=%v q=%v\n", q[s.start:s.end], s.terms, s.mention != nil, s.qty)
	}
	c := chunker{r: r, segs: segs, question: q, language: lang, tokens: ts}
	fmt.Println(c.run(), c.i, c.stuck)
	for _, it := range c.items {
		fmt.Printf("   item %d pos %d %+v\n", it.kind, it.pos, it.term)
	}
}
