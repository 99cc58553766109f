package cases_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"precedent/store"
	"precedent/store/cases"
)

// raw runs SQL on a file behind the library's back.
func raw(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := must[*sql.DB](t)(sql.Open("sqlite", path))
	defer db.Close()
	for _, s := range statements {
		must[sql.Result](t)(db.Exec(s))
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		damage func(t *testing.T, path string)
		says   string
	}{
		{"a newer format", func(t *testing.T, path string) { raw(t, path, "PRAGMA user_version = 7") }, "newer version (format 7, this one knows 1)"},
		{"an older format", func(t *testing.T, path string) { raw(t, path, "PRAGMA user_version = 0") }, "export the cases with the version that wrote it"},
		{"a damaged file", func(t *testing.T, path string) {
			content := must[[]byte](t)(os.ReadFile(path))
			copy(content[100:4096], bytes.Repeat([]byte{0x5a}, 4096))
			check(t, os.WriteFile(path, content, 0o600))
		}, "cases.db is damaged; put back a copy of it, or move it away and import the cases again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lib := open(t, cases.Config{})
			check(t, lib.Close())
			test.damage(t, lib.Path())
			again, err := cases.Open(t.Context(), cases.Config{Path: lib.Path()})
			if err == nil {
				again.Close()
				t.Fatal("opened")
			}
			if !errors.Is(err, cases.ErrFile) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v\nwant one that says %q", err, test.says)
			}
		})
	}
	for name, c := range map[string]cases.Config{
		"no path": {}, "negative quorum": {Path: "x", Quorum: -1}, "model without embedding": {Path: "x", Model: "m"},
	} {
		if _, err := cases.Open(t.Context(), c); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestDamageFoundWhileReading(t *testing.T) {
	lib := open(t, cases.Config{})
	must[[]store.Case](t)(lib.AddAll(t.Context(), many(2000), ann))
	check(t, lib.Integrity(t.Context()))
	check(t, lib.Close())
	content := must[[]byte](t)(os.ReadFile(lib.Path()))
	for i := len(content) / 4; i < len(content)/2; i++ {
		content[i] = 0x5a
	}
	check(t, os.WriteFile(lib.Path(), content, 0o600))
	again, err := cases.Open(t.Context(), cases.Config{Path: lib.Path()})
	if err == nil {
		defer again.Close()
		err = again.Integrity(t.Context())
	}
	if !errors.Is(err, cases.ErrFile) {
		t.Errorf("integrity of a damaged file: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	lib := open(t, cases.Config{Graph: "movies"})
	if w := lib.Warnings(); len(w) != 0 {
		t.Errorf("warnings of a local file: %q", w)
	}
	check(t, lib.Close())
	again := open(t, cases.Config{Path: lib.Path(), Graph: "flights"})
	if w := again.Warnings(); len(w) != 1 || !strings.Contains(w[0], `"movies"`) {
		t.Errorf("warnings of another graph's file: %q", w)
	}
}

func TestTwoLibrariesOnOneFile(t *testing.T) {
	a := open(t, cases.Config{})
	b := open(t, cases.Config{Path: a.Path()})
	ctx := t.Context()
	must[[]store.Case](t)(a.AddAll(ctx, topics(), ann))
	all, seq, err := b.Since(ctx, 0)
	check(t, err)
	if len(all) != 5 {
		t.Fatalf("the other sees %d cases", len(all))
	}
	if !recalled(t, b, "who directed Inception")["directors"] {
		t.Error("the other doesn't recall them")
	}
	must[string](t)(a.Record(ctx, cases.Entry{ID: "an answer", Question: "q"}))
	must[cases.Entry](t)(a.Entry(ctx, "an answer"))
	if must[bool](t)(b.Changed(ctx, seq)) {
		t.Error("an answer in the journal counts as a change of cases")
	}
	must[cases.Change](t)(a.Move(ctx, "directors", store.Quarantined, ann))
	if !must[bool](t)(b.Changed(ctx, seq)) || !must[bool](t)(a.Changed(ctx, seq)) {
		t.Error("a quarantine isn't seen")
	}
	if recalled(t, b, "who directed Inception")["directors"] {
		t.Error("the other recalls what is quarantined")
	}
	changed, seq, err := b.Since(ctx, seq)
	check(t, err)
	if len(changed) != 1 || changed[0].Status != store.Quarantined {
		t.Errorf("changed %+v", changed)
	}
	must[store.Case](t)(b.Add(ctx, films(), ann))
	must[cases.Change](t)(b.UndoLast(ctx, "films", "ann"))
	changed, _, err = a.Since(ctx, seq)
	check(t, err)
	if len(changed) != 1 || changed[0].ID != "films" || changed[0].Status != store.Retired || changed[0].Query != "" {
		t.Errorf("a removed case comes as %+v", changed)
	}
	if fmt.Sprint(must[[]store.Case](t)(a.List(ctx, cases.Filter{Text: "films"}))) == "" {
		t.Error("listing")
	}
}
