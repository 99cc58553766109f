package neotest

import (
	"fmt"
	"os/exec"
	"strings"
)

// guard runs lines of shell once this process has ended, however it ended, or
// once stop is called. Keep stop: when it is collected, so is the pipe, and the
// lines run.
func guard(lines ...string) (stop func(), err error) {
	// The shell waits for the end of its input, which comes when the last
	// writer of the pipe is gone. Interrupts from the terminal are not for it.
	cmd := exec.Command("sh", "-c", "trap '' INT HUP TERM; cat >/dev/null\n"+strings.Join(lines, "\n"))
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

// shellWord is text as one word of shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
