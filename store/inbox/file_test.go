package inbox_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"precedent/store/inbox"
)

// refused checks that opening fails with an error that says what to do.
func refused(t *testing.T, path string, says ...string) {
	t.Helper()
	b, err := inbox.Open(t.Context(), path)
	if err == nil {
		b.Close()
		t.Fatal("opened")
	}
	if !errors.Is(err, inbox.ErrFile) {
		t.Errorf("%v doesn't wrap ErrFile", err)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q doesn't say %q", err, s)
		}
	}
}

// sqlite runs a statement on a file, as another program.
func sqlite(t *testing.T, path, query string) {
	t.Helper()
	db := must[*sql.DB](t)(sql.Open("sqlite", path))
	defer db.Close()
	_, err := db.Exec(query)
	check(t, err)
}

func TestTwoOpeners(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox.db")
	b := openAt(t, path)
	put(t, b, "a/1")
	refused(t, path, path, "another `precedent serve`", "--data")
	takes(t, b, nil, 9, "a/1")
	check(t, b.Close())
	takes(t, openAt(t, path), nil, 9, "a/1")
}

func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox.db")
	cmd, out := child(t, path, "a")
	out.Scan() // it writes by now
	refused(t, path, "another `precedent serve`")
	check(t, cmd.Process.Kill())
	for out.Scan() {
	}
	cmd.Wait()
	openAt(t, path) // the lock goes with whoever held it
}

func TestRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox.db")
	check(t, openAt(t, path).Close())
	sqlite(t, path, fmt.Sprint("PRAGMA user_version = ", inbox.Format+1))
	refused(t, path, path, "newer version", fmt.Sprint("format ", inbox.Format+1), "--data")
	sqlite(t, path, fmt.Sprint("PRAGMA user_version = ", inbox.Format-1))
	refused(t, path, path, fmt.Sprint("format ", inbox.Format-1), "move the file away")
	sqlite(t, path, fmt.Sprint("PRAGMA user_version = ", inbox.Format))
	openAt(t, path)

	path = filepath.Join(t.TempDir(), "text.db")
	check(t, os.WriteFile(path, []byte(strings.Repeat("not a database\n", 100)), 0o600))
	refused(t, path, path, "not a SQLite file", "move it away")

	path = filepath.Join(t.TempDir(), "locked.db")
	check(t, os.Mkdir(path+".lock", 0o700))
	refused(t, path, path, "locking it", "choose another folder with --data")
}

func TestRelativePath(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	b := must[*inbox.Inbox](t)(inbox.Open(t.Context(), filepath.Join("data", "inbox 100%?#.db")))
	put(t, b, "a/1")
	check(t, b.Close())
	check(t, second(os.Stat(filepath.Join(folder, "data", "inbox 100%?#.db"))))
}

func TestOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	path := filepath.Join(t.TempDir(), "inbox.db")
	put(t, openAt(t, path), "a/1")
	for _, file := range must[[]string](t)(filepath.Glob(path + "*")) {
		if mode := must[os.FileInfo](t)(os.Stat(file)).Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %v", file, mode)
		}
	}
}

func TestClosed(t *testing.T) {
	b := open(t)
	check(t, b.Close())
	if _, err := b.Put(t.Context(), inbox.Event{ID: "i", Queue: "q", Body: "b"}); err == nil || !strings.Contains(err.Error(), "keeping an event") {
		t.Errorf("putting into a closed inbox: %v", err)
	}
	if _, err := b.Next(t.Context(), nil, 1); err == nil {
		t.Error("a closed inbox hands out")
	}
}
