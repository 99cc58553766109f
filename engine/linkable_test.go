package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"precedent/engine"
)

func TestPeek(t *testing.T) {
	for _, g := range []string{"testdata/zh_ops", "testdata/fair/shop", "testdata/fair/it_operations", "testdata/fair/bank", "testdata/fair/law_firm", "testdata/fair/telecom", "movies"} {
		e := open(t, engine.Config{Graph: g})
		var b strings.Builder
		for _, l := range e.Linkables() {
			fmt.Fprintf(&b, "%s: %s %d (%s)\n", l.Name(), l.As, l.Values, l.Why)
		}
		t.Logf("%s\n%s", g, b.String())
	}
}
