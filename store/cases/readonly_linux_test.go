package cases_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"precedent/store/cases"
)

// asNobody runs do with the file rights of a user without any, for this thread alone.
func asNobody(t *testing.T, do func()) {
	const nobody = 65534
	if os.Geteuid() != 0 {
		do()
		return
	}
	runtime.LockOSThread() // and never unlock: the thread ends with the test
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0); errno != 0 {
		t.Skip("can't become nobody:", errno)
	}
	do()
	syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0)
}

func TestReadOnly(t *testing.T) {
	// The folders above must let nobody pass.
	root := must[string](t)(os.MkdirTemp("", "cases"))
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "locked"), 0o700); os.RemoveAll(root) })
	check(t, os.Chmod(root, 0o755))
	locked := filepath.Join(root, "locked")
	check(t, os.Mkdir(locked, 0o700))
	check(t, open(t, cases.Config{Path: filepath.Join(locked, "there.db")}).Close())
	check(t, os.Chmod(filepath.Join(locked, "there.db"), 0o444))
	check(t, os.Chmod(locked, 0o555))
	free := filepath.Join(root, "open") // only the file can't be written
	check(t, os.Mkdir(free, 0o700))
	check(t, open(t, cases.Config{Path: filepath.Join(free, "there.db")}).Close())
	check(t, os.Chmod(filepath.Join(free, "there.db"), 0o444))
	check(t, os.Chmod(free, 0o777))
	for _, path := range []string{"locked/new.db", "locked/there.db", "locked/folder/new.db", "open/there.db"} {
		t.Run(path, func(t *testing.T) {
			asNobody(t, func() {
				lib, err := cases.Open(t.Context(), cases.Config{Path: filepath.Join(root, path)})
				if err == nil {
					lib.Close()
					t.Fatal("opened")
				}
				if !errors.Is(err, cases.ErrFile) || !strings.Contains(err.Error(), "choose another") {
					t.Errorf("error %v, want one that says what to do", err)
				}
			})
		})
	}
}
