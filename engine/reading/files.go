package reading

import "io/fs"

// Lexicons are the files that every Reader reads: en.txt and zh.txt.
func Lexicons() fs.FS { return lexiconFiles }
