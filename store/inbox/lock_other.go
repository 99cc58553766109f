//go:build !unix

package inbox

import "os"

// hold opens the file at path; where it is open already, Windows refuses.
func hold(path string) (*os.File, error) { return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) }
