package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// Explain turns what SQLite says, should the file be unusable or busy, into an
// error that names the file and ends with what a person can do about it. Any
// other error it returns as it is.
func (f *File) Explain(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	kind, advice := f.Unusable, ""
	switch e.Code() & 0xff {
	case codes.SQLITE_NOTADB:
		advice = "is not a SQLite file; move it away, or choose another folder with --data"
	case codes.SQLITE_CORRUPT:
		advice = "is damaged; " + f.Damaged
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM, codes.SQLITE_AUTH:
		advice = "or its folder can't be written; give this user write access to both, or choose another folder with --data"
	case codes.SQLITE_FULL:
		advice = "can't grow: the disk is full; free some space"
	case codes.SQLITE_IOERR:
		advice = "can't be read or written; look at the disk"
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		kind, advice = f.Busy, "has been locked by another process for "+busyTimeout.String()+"; try again, or stop that process"
	default:
		return err
	}
	return fmt.Errorf("%w: %w: %s %s", kind, e, f.Path, advice)
}
