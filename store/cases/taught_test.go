package cases_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"precedent/store"
	"precedent/store/cases"
)

// leo is what somebody taught: another name for a person.
func leo(by string, private bool) cases.Taught {
	return cases.Taught{Key: "小李子", Name: "小李子", Label: "Person", Property: "name", Value: "Leonardo DiCaprio", By: by, Private: private, Answer: "a1"}
}

func verified(t *testing.T, lib *cases.Library, seq int64) (names string, next int64, changed bool) {
	t.Helper()
	found, next, changed, err := lib.TaughtSince(t.Context(), seq)
	check(t, err)
	for _, a := range found {
		names += a.Name + "=" + a.Value + " "
	}
	return strings.TrimSpace(names), next, changed
}

func TestTaught(t *testing.T) {
	lib := open(t, cases.Config{})
	other := open(t, cases.Config{Path: lib.Path()}) // another process
	if names, _, changed := verified(t, other, 0); names != "" || changed {
		t.Errorf("at first: %q, changed %v", names, changed)
	}
	teach := func(a cases.Taught) cases.Taught { t.Helper(); return must[cases.Taught](t)(lib.Teach(t.Context(), a)) }
	secret := teach(leo("slack:U1", true))
	if !cases.IsTaught(secret.ID) || secret.Status != store.Candidate || !secret.Private || secret.Teachers != 1 || secret.At.IsZero() || secret.DecidedAt != nil {
		t.Errorf("%+v", secret)
	}
	public := leo("slack:U2", false)
	public.Name, public.Answer = "小 李子", "a2"
	if again := teach(public); again.ID != secret.ID || again.Private || again.Name != "小 李子" || again.By != "slack:U2" || again.Teachers != 2 || again.Answer != "a2" {
		t.Errorf("taught in public too: %+v", again)
	}
	if again := teach(leo("slack:U1", true)); again.Private || again.Name != "小 李子" || again.Teachers != 2 {
		t.Errorf("taught in private after that: %+v", again)
	}
	names, seq, changed := verified(t, other, 0)
	if names != "" || !changed {
		t.Errorf("a candidate: %q, changed %v", names, changed)
	}
	decide := func(l *cases.Library, id string, to store.Status) cases.Taught {
		t.Helper()
		return must[cases.Taught](t)(l.DecideTaught(t.Context(), id, to, cases.Change{By: "ann", Why: "it " + string(to)}))
	}
	if done := decide(lib, secret.ID, store.Verified); done.Status != store.Verified || done.DecidedBy != "ann" || done.Why != "it verified" || done.DecidedAt == nil {
		t.Errorf("%+v", done)
	}
	if names, seq, changed = verified(t, other, seq); names != "小 李子=Leonardo DiCaprio" || !changed {
		t.Errorf("verified elsewhere: %q, changed %v", names, changed)
	}
	if _, _, changed := verified(t, other, seq); changed {
		t.Error("changed once more")
	}
	decide(lib, secret.ID, store.Verified) // as it is
	decide(other, secret.ID, store.Rejected)
	if names, _, changed := verified(t, lib, seq); names != "" || !changed {
		t.Errorf("rejected elsewhere: %q, changed %v", names, changed)
	}
	decide(other, secret.ID, store.Verified)
	var history []string
	for _, ch := range must[[]cases.Change](t)(lib.TaughtHistory(t.Context(), secret.ID)) {
		history = append(history, fmt.Sprintf("%s>%s by %s", ch.From, ch.To, ch.By))
	}
	if got, want := strings.Join(history, ", "), ">candidate by slack:U1, candidate>verified by ann, verified>rejected by ann, rejected>verified by ann"; got != want {
		t.Errorf("history\n%s\nwant\n%s", got, want)
	}

	caprio := leo("slack:U3", false)
	caprio.Value = "Leo McCarey"
	rival := teach(caprio)
	if _, err := lib.DecideTaught(t.Context(), rival.ID, store.Verified, ann); !errors.Is(err, cases.ErrMove) || !strings.Contains(err.Error(), "taught for Leonardo DiCaprio already ("+secret.ID+")") {
		t.Errorf("a second meaning: %v", err)
	}
	decide(lib, secret.ID, store.Rejected)
	decide(lib, rival.ID, store.Verified)
	for status, want := range map[store.Status]int{"": 2, store.Verified: 1, store.Rejected: 1, store.Candidate: 0} {
		if found := must[[]cases.Taught](t)(lib.Taught(t.Context(), status)); len(found) != want {
			t.Errorf("%d aliases are %q, want %d", len(found), status, want)
		}
	}
	if again := teach(leo("slack:U9", false)); again.Status != store.Rejected {
		t.Errorf("a rejected one, taught again: %+v", again)
	}
	check(t, lib.Integrity(t.Context()))
}

func TestTaughtRefuses(t *testing.T) {
	lib := open(t, cases.Config{})
	if _, err := lib.Teach(t.Context(), cases.Taught{Name: "x"}); !errors.Is(err, cases.ErrTaught) {
		t.Errorf("without a value: %v", err)
	}
	for _, id := range []string{"", "alias-none", "films"} {
		if _, err := lib.DecideTaught(t.Context(), id, store.Verified, ann); !errors.Is(err, cases.ErrUnknownTaught) {
			t.Errorf("deciding on %q: %v", id, err)
		}
		if _, err := lib.OneTaught(t.Context(), id); !errors.Is(err, cases.ErrUnknownTaught) {
			t.Errorf("showing %q: %v", id, err)
		}
		if _, err := lib.TaughtHistory(t.Context(), id); !errors.Is(err, cases.ErrUnknownTaught) {
			t.Errorf("history of %q: %v", id, err)
		}
	}
	first := must[cases.Taught](t)(lib.Teach(t.Context(), leo("eve", false)))
	if _, err := lib.DecideTaught(t.Context(), first.ID, store.Retired, ann); !errors.Is(err, cases.ErrMove) {
		t.Errorf("retiring: %v", err)
	}
	var full error
	for i := range 2 * cases.MaxTaught {
		a := leo("eve", false)
		a.Key = fmt.Sprint("name ", i)
		if _, err := lib.Teach(t.Context(), a); err != nil {
			full = err
			break
		}
	}
	if !errors.Is(full, cases.ErrTaughtFull) || len(must[[]cases.Taught](t)(lib.Taught(t.Context(), ""))) != cases.MaxTaught {
		t.Errorf("teaching on and on: %v", full)
	}
	must[cases.Taught](t)(lib.Teach(t.Context(), leo("eve", false))) // which is there
	a := leo("ann", false)
	a.Key = "another"
	must[cases.Taught](t)(lib.Teach(t.Context(), a))
}

func TestForgetTeacher(t *testing.T) {
	lib := open(t, cases.Config{})
	teach := func(name, by string, private bool) string {
		t.Helper()
		a := leo(by, private)
		a.Name, a.Key = name, name
		return must[cases.Taught](t)(lib.Teach(t.Context(), a)).ID
	}
	decide := func(id string, to store.Status) {
		t.Helper()
		must[cases.Taught](t)(lib.DecideTaught(t.Context(), id, to, cases.Change{By: eve, Why: "so"}))
	}
	waiting, approved := teach("her-waiting", eve, false), teach("approved", eve, true)
	decide(approved, store.Verified)
	secret := teach("her-secret", eve, true)
	decide(secret, store.Rejected)
	shared := teach("shared", eve, false)
	teach("shared", "slack:U0BOB", false)
	mine := teach("mine", "slack:U0BOB", true)
	decide(mine, store.Rejected)

	if n := must[int64](t)(lib.Forget(t.Context(), eve)); n < 5 {
		t.Errorf("%d things changed", n)
	}
	for _, text := range []string{eve, "her-secret", "her-waiting"} {
		if n := written(t, lib, text); n > 0 {
			t.Errorf("%q stands in the file %d times", text, n)
		}
	}
	for _, id := range []string{waiting, secret} {
		if _, err := lib.OneTaught(t.Context(), id); !errors.Is(err, cases.ErrUnknownTaught) {
			t.Errorf("what only the user taught: %v", err)
		}
		if _, err := lib.TaughtHistory(t.Context(), id); !errors.Is(err, cases.ErrUnknownTaught) {
			t.Errorf("its history: %v", err)
		}
	}
	if a := must[cases.Taught](t)(lib.OneTaught(t.Context(), approved)); a.By != cases.Forgotten || a.DecidedBy != cases.Forgotten || a.Status != store.Verified {
		t.Errorf("%+v", a)
	}
	if a := must[cases.Taught](t)(lib.OneTaught(t.Context(), shared)); a.By != cases.Forgotten || a.Teachers != 2 {
		t.Errorf("%+v", a)
	}
	if a := must[cases.Taught](t)(lib.OneTaught(t.Context(), mine)); a.By != "slack:U0BOB" || a.DecidedBy != cases.Forgotten {
		t.Errorf("%+v", a)
	}
	decide(shared, store.Verified) // what goes on from here works
	check(t, lib.Integrity(t.Context()))
	if n := must[int64](t)(lib.Forget(t.Context(), eve)); n != 1 { // who decided since
		t.Errorf("once more, %d things changed", n)
	}
}

// TestOlderLibrary opens a library from before anything could be taught, in
// several processes at once.
func TestOlderLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.db")
	schema := must[[]byte](t)(os.ReadFile("schema.sql"))
	raw(t, path, "PRAGMA application_id = 0x50726563; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;"+string(schema),
		`INSERT INTO changes (at, case_id, by, why, was, became, after) VALUES (1, 'old', 'ann', 'by hand', '', 'verified',
		'{"case":{"id":"old","graph":"movies","question":"films","wordings":["films"],"query":"RETURN 1","status":"verified"}}')`,
		`INSERT INTO cases (number, id, status, source, key, private, backing, revision, body)
		SELECT 1, 'old', 'verified', 'hand', '', 0, 'curator', seq, after FROM changes`)
	var wg sync.WaitGroup
	libs := make([]*cases.Library, 4)
	for i := range libs {
		wg.Go(func() {
			var err error
			if libs[i], err = cases.Open(t.Context(), cases.Config{Path: path}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, lib := range libs {
		if t.Failed() {
			return
		}
		defer lib.Close()
		if c := must[store.Case](t)(lib.Case(t.Context(), "old")); c.Status != store.Verified || c.Question != "films" {
			t.Errorf("the case became %+v", c)
		}
	}
	taught := must[cases.Taught](t)(libs[0].Teach(t.Context(), leo("ann", false)))
	must[cases.Taught](t)(libs[1].DecideTaught(t.Context(), taught.ID, store.Verified, ann))
	if names, _, changed := verified(t, libs[2], 0); names == "" || !changed {
		t.Error("another process sees nothing of it")
	}
	check(t, libs[3].Integrity(t.Context()))
	db := must[*sql.DB](t)(sql.Open("sqlite", path))
	defer db.Close()
	var version int
	check(t, db.QueryRow("PRAGMA user_version").Scan(&version))
	if version != cases.Format {
		t.Errorf("the file has format %d: an older version would refuse it", version)
	}
}
