//go:build unix

package inbox

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// hold takes the lock at path for this process, or says who has it.
func hold(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, errors.New("another precedent serve uses it; stop that one, or name another folder with --data")
		}
		return nil, err
	}
	return f, nil
}
