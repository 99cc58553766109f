//go:build !unix

package written

// nonblock is nothing where opening a pipe doesn't wait.
const nonblock = 0
