// Package sqlite opens the SQLite files in which this program keeps things.
//
// It promises that a new file is for its owner alone; that a file of another
// program or of another format is refused and left as it was; that what was
// committed is on the disk; and that where a file can't be used, the error
// names it and says what to do.
//
// It knows nothing of what is in a file: tables are whoever opens it brings.
// Start reading at file.go.
package sqlite
