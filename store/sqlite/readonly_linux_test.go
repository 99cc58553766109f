package sqlite_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
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
	root, err := os.MkdirTemp("", "notes")
	check(t, err)
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "locked"), 0o700); os.RemoveAll(root) })
	check(t, os.Chmod(root, 0o755))
	for folder, mode := range map[string]os.FileMode{"locked": 0o555, "open": 0o777} {
		folder = filepath.Join(root, folder)
		there := filepath.Join(folder, "there.db")
		check(t, os.Mkdir(folder, 0o700))
		check(t, open(t, there).Close())
		check(t, os.Chmod(there, 0o444))
		check(t, os.Chmod(folder, mode))
	}
	for path, says := range map[string]string{
		"locked/new.db":        "making it",
		"locked/there.db":      "or its folder can't be written; give this user write access to both",
		"locked/folder/new.db": "making its folder",
		"open/there.db":        "or its folder can't be written; give this user write access to both",
	} {
		t.Run(path, func(t *testing.T) {
			asNobody(t, func() { refused(t, filepath.Join(root, path), says, "choose another folder with --data") })
		})
	}
}
