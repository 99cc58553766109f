//go:build unix

package inbox

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the lock at path for this process; its error is errHeld if another has it.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = errHeld
	}
	return nil, err
}
