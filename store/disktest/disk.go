// Package disktest takes the disk away from under a SQLite file, for tests: the file
// and all that uses it are real.
//
// It promises that what is done to a file's connections is done between two of their
// statements' transactions, and undone by Mend. It never changes what is in the file.
package disktest

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"modernc.org/sqlite"
)

// writers are the connections that may write, by file.
var writers = struct {
	sync.Mutex
	of map[string][]sqlite.ExecQuerierContext
}{of: map[string][]sqlite.ExecQuerierContext{}}

func init() {
	sqlite.RegisterConnectionHook(func(c sqlite.ExecQuerierContext, dsn string) error {
		u, err := url.Parse(dsn)
		if err != nil || u.Query().Get("_txlock") != "immediate" {
			return nil
		}
		writers.Lock()
		defer writers.Unlock()
		path := filepath.FromSlash(u.Path)
		writers.of[path] = append(writers.of[path], c)
		return nil
	})
}

func pragma(t testing.TB, path, text string) {
	t.Helper()
	writers.Lock()
	defer writers.Unlock()
	list := writers.of[path]
	if len(list) == 0 {
		t.Fatalf("nobody writes %s", path)
	}
	if _, err := list[len(list)-1].ExecContext(context.Background(), "PRAGMA "+text, nil); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// ReadOnly makes every write to a file fail with SQLITE_READONLY. Nobody may be
// writing just then, as in a bubble after synctest.Wait.
func ReadOnly(t testing.TB, path string) { t.Helper(); pragma(t, path, "query_only = 1") }

// Full makes every write to a file that needs another page fail with SQLITE_FULL.
// Nobody may be writing just then.
func Full(t testing.TB, path string) { t.Helper(); pragma(t, path, "max_page_count = 1") }

// Mend undoes ReadOnly and Full.
func Mend(t testing.TB, path string) {
	t.Helper()
	pragma(t, path, "query_only = 0")
	pragma(t, path, "max_page_count = 1073741823")
}

// Small is a folder on a file system of its own of so many KiB, which is gone with the
// test. Where none can be mounted, the test is skipped.
func Small(t testing.TB, kib string) string {
	t.Helper()
	dir := t.TempDir()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("a file system of its own needs root on Linux")
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+kib+"k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system of its own: %v: %s", err, strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	return dir
}

// Fill fills the file system of a folder to the last byte, and returns what makes
// room again.
func Fill(t testing.TB, dir string) (room func()) {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 16; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}
