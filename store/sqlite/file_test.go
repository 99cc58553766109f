package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"precedent/store/sqlite"
)

var errUnusable, errBusy = errors.New("the notes can't be used"), errors.New("the notes are busy")

func notes(path string) *sqlite.File {
	return &sqlite.File{
		Path: path, ID: 0x50726574, Format: 3, Schema: "CREATE TABLE notes (text TEXT)", Table: "notes",
		Unusable: errUnusable, Busy: errBusy, Older: "copy them by hand", Damaged: "write them anew",
	}
}

// open opens notes and closes them when the test ends.
func open(t testing.TB, path string, pragmas ...string) *sql.DB {
	t.Helper()
	db, err := notes(path).Open(t.Context(), nil, pragmas...)
	check(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func exec(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	_, err := db.Exec(query)
	check(t, err)
}

// raw runs SQL on a file as another program.
func raw(t testing.TB, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	check(t, err)
	defer db.Close()
	exec(t, db, query)
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	check(t, err)
	return content
}

// refused checks that opening fails with an error that names the file, says
// something and ends with what to do.
func refused(t *testing.T, path, says, ends string) {
	t.Helper()
	db, err := notes(path).Open(t.Context(), nil)
	if err == nil {
		db.Close()
		t.Fatal("opened")
	}
	for _, part := range []string{says, filepath.Dir(path)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q doesn't say %q", err, part)
		}
	}
	if !errors.Is(err, errUnusable) || !strings.HasSuffix(err.Error(), ends) {
		t.Errorf("error %q doesn't say that the notes can't be used; %s", err, ends)
	}
}

func TestRefused(t *testing.T) {
	const another = "choose another folder with --data"
	ours := func(t *testing.T, path string) {
		db := open(t, path)
		exec(t, db, "INSERT INTO notes VALUES ('milk')")
		check(t, db.Close())
	}
	for _, test := range []struct {
		name       string
		make       func(t *testing.T, path string)
		says, ends string
	}{
		{"a newer format", func(t *testing.T, path string) {
			ours(t, path)
			raw(t, path, "PRAGMA user_version = 7")
		}, "notes.db was written by a newer version (format 7, this one knows 3)", "; use that version, or another folder with --data"},
		{"an older format", func(t *testing.T, path string) {
			ours(t, path)
			raw(t, path, "PRAGMA user_version = 2")
		}, "notes.db has format 2 and this version needs 3", "; copy them by hand"},
		{"another program's", func(t *testing.T, path string) {
			raw(t, path, "CREATE TABLE bookmarks (url TEXT)")
		}, "notes.db is a SQLite file of another program", another},
		{"another program's, of the same format", func(t *testing.T, path string) {
			raw(t, path, "PRAGMA user_version = 3; CREATE TABLE notes (text TEXT)")
		}, "notes.db is a SQLite file of another program", another},
		{"text", func(t *testing.T, path string) {
			check(t, os.WriteFile(path, []byte(strings.Repeat("id,question\n1,who?\n", 500)), 0o600))
		}, "notes.db is not a SQLite file; move it away", another},
		{"damaged", func(t *testing.T, path string) {
			ours(t, path)
			content := read(t, path)
			copy(content[100:], bytes.Repeat([]byte{0x5a}, 3000))
			check(t, os.WriteFile(path, content, 0o600))
		}, "notes.db is damaged", "; write them anew"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "notes.db")
			test.make(t, path)
			before := read(t, path)
			refused(t, path, test.says, test.ends)
			if !bytes.Equal(before, read(t, path)) {
				t.Error("what was refused is changed")
			}
		})
	}
	t.Run("a folder", func(t *testing.T) {
		refused(t, t.TempDir(), "or its folder can't be written", another)
	})
	t.Run("a folder that is a file", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "file")
		check(t, os.WriteFile(folder, nil, 0o600))
		refused(t, filepath.Join(folder, "notes.db"), "making its folder", another)
	})
}

func TestExplain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	full := open(t, path, "max_page_count(2)")
	_, err := full.Exec("INSERT INTO notes VALUES (zeroblob(100000))")
	if err = notes(path).Explain(err); !errors.Is(err, errUnusable) || !strings.HasSuffix(err.Error(), path+" can't grow: the disk is full; free some space") {
		t.Errorf("a full disk: %v", err)
	}
	if again := notes(path).Explain(err); again.Error() != err.Error() {
		t.Errorf("explained twice: %v", again)
	}
	tx, err := full.Begin()
	check(t, err)
	defer tx.Rollback()
	impatient, err := sql.Open("sqlite", path)
	check(t, err)
	defer impatient.Close()
	_, err = impatient.Exec("BEGIN IMMEDIATE")
	if err = notes(path).Explain(err); !errors.Is(err, errBusy) || !strings.HasSuffix(err.Error(), "has been locked by another process for 5s; try again, or stop that process") {
		t.Errorf("a locked file: %v", err)
	}
	_, wrong := tx.Exec("SELECT text FROM letters")
	for _, err := range []error{wrong, context.Canceled, nil} {
		if got := notes(path).Explain(err); got != err {
			t.Errorf("%v is explained as %v", err, got)
		}
	}
}

// A file is for its owner alone, and nowhere but at its path.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "诺兰", "100%", "what?", "a#b", "a&b=c", "x;y"} {
		path := filepath.Join(t.TempDir(), name, name+".db")
		exec(t, open(t, path), "INSERT INTO notes VALUES ('milk')")
		for _, path := range []string{path, path + "-wal", path + "-shm"} {
			file, err := os.Stat(path)
			if err != nil {
				t.Errorf("the file is elsewhere: %v", err)
			} else if file.Mode().Perm() != 0o600 {
				t.Errorf("%q is open to others: %v", path, file.Mode())
			}
		}
	}
}

// An empty file is what a crash leaves that came while the file was made.
func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	check(t, os.WriteFile(path, nil, 0o600))
	exec(t, open(t, path), "INSERT INTO notes VALUES ('milk')")
}

// What settle fails at leaves nothing behind.
func TestSettle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	odd := errors.New("odd")
	settle := func(after error) func(*sql.Tx) error {
		return func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO notes VALUES ('settled')")
			return errors.Join(err, after)
		}
	}
	if _, err := notes(path).Open(t.Context(), settle(odd)); !errors.Is(err, odd) {
		t.Errorf("settling badly: %v", err)
	}
	for range 2 {
		db, err := notes(path).Open(t.Context(), settle(nil))
		check(t, err)
		check(t, db.Close())
	}
	readers, err := notes(path).Readers(2)
	check(t, err)
	defer readers.Close()
	var n int
	check(t, readers.QueryRow("SELECT count(*) FROM notes").Scan(&n))
	if n != 2 {
		t.Errorf("settled %d times, want 2", n)
	}
	if _, err := readers.Exec("DELETE FROM notes"); err == nil {
		t.Error("a reader writes")
	}
}

func TestManyOpenOneNewFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	var opening sync.WaitGroup
	for range 8 {
		opening.Go(func() {
			db, err := notes(path).Open(t.Context(), nil)
			for errors.Is(err, errBusy) {
				db, err = notes(path).Open(t.Context(), nil)
			}
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			if _, err := db.Exec("INSERT INTO notes VALUES ('milk')"); err != nil {
				t.Error(err)
			}
		})
	}
	opening.Wait()
	var n int
	check(t, open(t, path).QueryRow("SELECT count(*) FROM notes").Scan(&n))
	if n != 8 {
		t.Errorf("%d notes, want 8", n)
	}
}
