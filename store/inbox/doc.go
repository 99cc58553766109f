// Package inbox keeps what people did on chats until it has been answered, in
// one SQLite file, with where the answers stand.
//
// It promises that what Put took survives the death of the process and of the
// machine; that what was put twice is handed out as one; that of one queue one
// event is handed out at a time and in the order of arrival; and that what an
// event said is written over once it is done. The write-ahead log beside the
// file may hold it until Forget, Prune or Close empties that.
//
// It knows nothing of networks, questions or answers: those are texts to it.
// Start reading at inbox.go.
package inbox
