//go:build unix

package written

import "syscall"

// nonblock keeps the opening of a pipe from waiting for who writes into it.
const nonblock = syscall.O_NONBLOCK
