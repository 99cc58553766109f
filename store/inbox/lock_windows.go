package inbox

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the lock at path for this process; its error is errHeld if another has it.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	// Opening alone keeps nobody out: Go opens files such that others may, too.
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		err = errHeld
	}
	return nil, err
}
