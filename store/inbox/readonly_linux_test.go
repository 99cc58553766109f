package inbox_test

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
	root := must[string](t)(os.MkdirTemp("", "inbox"))
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "locked"), 0o700); os.RemoveAll(root) })
	check(t, os.Chmod(root, 0o755))
	for folder, mode := range map[string]os.FileMode{"locked": 0o555, "open": 0o777} {
		folder = filepath.Join(root, folder)
		there := filepath.Join(folder, "there.db")
		check(t, os.Mkdir(folder, 0o700))
		check(t, openAt(t, there).Close())
		check(t, os.Chmod(there, 0o444))
		check(t, os.Chmod(there+".lock", 0o666))
		check(t, os.Chmod(folder, mode))
	}
	for _, path := range []string{"locked/new.db", "locked/there.db", "locked/folder/new.db", "open/there.db"} {
		t.Run(path, func(t *testing.T) {
			asNobody(t, func() { refused(t, filepath.Join(root, path), root, "choose another folder with --data") })
		})
	}
}
