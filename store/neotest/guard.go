package neotest

import (
	"fmt"
	"os/exec"
)

// guard runs a line of shell once this process has ended, however it ended, or
// once stop is called. The arguments are $1, $2, …. Keep stop: when it is
// collected, so is the pipe, and the line runs.
func guard(line string, args ...string) (stop func(), err error) {
	// The shell waits for the end of its input, which comes when the last
	// writer of the pipe is gone. Interrupts from the terminal are not for it.
	cmd := exec.Command("sh", append([]string{"-c", "trap '' INT HUP TERM; cat >/dev/null; " + line, "guard"}, args...)...)
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the guard of the server: %w", err)
	}
	return func() {
		pipe.Close()
		cmd.Wait()
	}, nil
}
