package cases_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

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
		name string
		make func(t *testing.T, path string)
		says string
	}{
		{"a newer format", func(t *testing.T, path string) {
			check(t, open(t, cases.Config{Path: path}).Close())
			raw(t, path, "PRAGMA user_version = 7")
		}, "newer version (format 7, this one knows 1)"},
		{"a file that isn't SQLite", func(t *testing.T, path string) {
			check(t, os.WriteFile(path, []byte(strings.Repeat("id,question\n1,who?\n", 500)), 0o600))
		}, "is not a SQLite file; move it away"},
		{"another program's database", func(t *testing.T, path string) {
			raw(t, path, "CREATE TABLE bookmarks (url TEXT)")
		}, "SQLite file of another program"},
		{"a damaged file", func(t *testing.T, path string) {
			lib := open(t, cases.Config{Path: path})
			must[[]store.Case](t)(lib.AddAll(t.Context(), many(200), ann))
			check(t, lib.Close())
			content := must[[]byte](t)(os.ReadFile(path))
			for i := 100; i < 4096; i++ {
				content[i] = 0x5a
			}
			check(t, os.WriteFile(path, content, 0o600))
		}, "is damaged; put back a copy"},
		{"a folder that is a file", func(t *testing.T, path string) {
			check(t, os.Remove(filepath.Dir(path)))
			check(t, os.WriteFile(filepath.Dir(path), nil, 0o600))
		}, "making its folder"},
		{"a path that is a folder", func(t *testing.T, path string) {
			check(t, os.Mkdir(path, 0o700))
		}, "choose another folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "library", "cases.db")
			check(t, os.Mkdir(filepath.Dir(path), 0o700))
			test.make(t, path)
			lib, err := cases.Open(t.Context(), cases.Config{Path: path})
			if err == nil {
				lib.Close()
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

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "诺兰", "100%", "what?", "a#b", "a&b=c", "x;y"} {
		path := filepath.Join(t.TempDir(), name, name+".db")
		lib := open(t, cases.Config{Path: path})
		must[store.Case](t)(lib.Add(t.Context(), films(), ann))
		file, err := os.Stat(path)
		if err != nil {
			t.Errorf("%q: the file is elsewhere: %v", name, err)
			continue
		}
		if file.Mode().Perm() != 0o600 {
			t.Errorf("%q is open to others: %v", name, file.Mode())
		}
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
