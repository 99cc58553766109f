package cases_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// TestAltered changes cases in the file, behind the library's back: none is
// recalled, and none counts as verified, until somebody decides anew.
func TestAltered(t *testing.T) {
	const other = `'{"case":{"id":"films","graph":"movies","question":"films","wordings":["films with {person}"],"query":"RETURN 42","status":"verified"}}'`
	for _, test := range []struct{ name, id, sql string }{
		{"query", "films", `UPDATE cases SET body = replace(body, 'MATCH', 'OPTIONAL MATCH') WHERE id = 'films'`},
		{"wording", "films", `UPDATE cases SET body = replace(body, 'films', 'movies') WHERE id = 'films'`},
		{"space", "films", `UPDATE cases SET body = body || ' ' WHERE id = 'films'`},
		{"an older revision", "films", `UPDATE cases SET revision = (SELECT min(seq) FROM changes WHERE case_id = 'films') WHERE id = 'films'`},
		{"a later revision", "films", `UPDATE cases SET revision = revision + 1 WHERE id = 'films'`},
		{"no revision", "films", `UPDATE cases SET revision = 999 WHERE id = 'films'`},
		{"what it was before", "films", `UPDATE cases SET (revision, body) = (SELECT seq, after FROM changes WHERE case_id = 'films' ORDER BY seq LIMIT 1) WHERE id = 'films'`},
		{"what it was rejected from", "gone", `UPDATE cases SET (revision, body, status) = (SELECT seq, after, 'verified' FROM changes WHERE case_id = 'gone' ORDER BY seq LIMIT 1) WHERE id = 'gone'`},
		{"another case's body", "films", `UPDATE cases SET (revision, body) = (SELECT revision, body FROM cases WHERE id = 'other') WHERE id = 'films'`},
		{"the body of a case that is gone", "films", `UPDATE cases SET (revision, body) = (SELECT seq, after FROM changes WHERE case_id = 'gone' ORDER BY seq LIMIT 1) WHERE id = 'films'`},
		{"a row by hand", "new", `INSERT INTO cases (id, status, source, key, private, backing, revision, body) SELECT 'new', status, source, '', 0, backing, revision, replace(body, '"films"', '"new"') FROM cases WHERE id = 'films'`},
		{"a copied row", "new", `INSERT INTO cases (id, status, source, key, private, backing, revision, body) SELECT 'new', status, source, '', 0, backing, revision, body FROM cases WHERE id = 'films'`},
		{"a body by hand", "films", `UPDATE cases SET body = ` + other + ` WHERE id = 'films'`},
		{"a candidate made verified", "wish", `UPDATE cases SET status = 'verified', body = replace(body, '"candidate"', '"verified"') WHERE id = 'wish'`},
		{"a candidate's query", "wish", `UPDATE cases SET body = replace(body, 'RETURN 1', 'RETURN 2') WHERE id = 'wish'`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "cases.db")
			lib := must[*cases.Library](t)(cases.Open(t.Context(), cases.Config{Path: path, Graph: "movies"}))
			for _, id := range []string{"films", "other", "gone", "wish"} {
				c := films()
				c.ID = id
				if id == "wish" {
					c.Query, c.Status = "RETURN 1", store.Candidate
				}
				must[store.Case](t)(lib.Add(t.Context(), c, ann))
			}
			c := must[store.Case](t)(lib.Case(t.Context(), "films"))
			c.Query += " LIMIT 5"
			must[store.Case](t)(lib.Replace(t.Context(), c, ann))
			must[cases.Change](t)(lib.Move(t.Context(), "gone", store.Quarantined, ann))
			check(t, lib.Close())
			raw(t, path, test.sql)
			lib = must[*cases.Library](t)(cases.Open(t.Context(), cases.Config{Path: path, Graph: "movies"}))
			defer lib.Close()
			if c := must[store.Case](t)(lib.Case(t.Context(), test.id)); c.Status == store.Verified || c.Status == store.Candidate {
				t.Errorf("%s is %s", c.ID, c.Status)
			}
			for _, m := range must[[]cases.Match](t)(lib.Recall(t.Context(), "films Tom Hanks was in since 2000", 9)) {
				if m.Case.ID != "other" && (m.Case.ID == test.id || !strings.HasSuffix(m.Case.Query, "LIMIT 5")) {
					t.Errorf("recalled: %s %s", m.Case.ID, m.Case.Query)
				}
			}
			if c := must[store.Case](t)(lib.Case(t.Context(), "other")); c.Status != store.Verified {
				t.Errorf("the other case became %s", c.Status)
			}
		})
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
