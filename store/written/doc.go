// Package written reads what people write by hand and give to the program, files,
// JSON and YAML, and says what is wrong with it in their words: the file, the
// line, the key, never a Go type.
//
// What it is given may be hostile. [Open] opens files and pipes, never devices or
// folders, and waits for nobody; [Read] reads so many bytes and no more. JSON and
// YAML have bounds on their depth and on how many values they hold, which are
// looked at before anything is built of them; YAML has no anchors, aliases and
// merge keys.
//
// What is wrong is said all at once, as [Mistakes], each with its place and its cure.
// The tags of a struct say what a file may hold, to [Doc.Into], which reads it, and to
// [Schema], by which editors do. Start reading at [Parse].
package written
