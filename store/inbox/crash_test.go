package inbox_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"precedent/store/inbox"
)

const childPath, childName = "INBOX_TEST_PATH", "INBOX_TEST_NAME"

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		workForever(path, os.Getenv(childName))
	}
	os.Exit(m.Run())
}

// workForever is what the test binary does as a child: it puts events and
// finishes every other one, and prints each once the call has returned.
func workForever(path, name string) {
	ctx := context.Background()
	b, err := inbox.Open(ctx, path)
	for i := 0; err == nil; i++ {
		id := fmt.Sprint(name, i)
		if _, err = b.Put(ctx, inbox.Event{ID: id, Queue: id, Body: "body of " + id}); err != nil {
			break
		}
		fmt.Println("put", id)
		if i%2 == 1 {
			if err = b.Finish(ctx, id, inbox.Shown{Chat: "slack", Channel: "C", Message: id, Answer: "a" + id, Event: id}); err == nil {
				fmt.Println("finished", id)
			}
		}
	}
	fmt.Println("error", err)
	os.Exit(1)
}

// child starts workForever in a process of its own and returns its output.
func child(t *testing.T, path, name string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childPath+"="+path, childName+"="+name)
	out := must[interface{ Read([]byte) (int, error) }](t)(cmd.StdoutPipe())
	check(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out)
}

// TestKilledAtAnyPoint holds the inbox to what it told a child that was killed.
func TestKilledAtAnyPoint(t *testing.T) {
	const kills = 12
	path := filepath.Join(t.TempDir(), "inbox.db")
	told := 0
	for round := range kills {
		name := fmt.Sprintf("r%dn", round)
		cmd, out := child(t, path, name)
		var lines []string
		if round > 0 { // the first may be killed while it makes the file
			out.Scan()
			lines = append(lines, out.Text())
		}
		time.AfterFunc(time.Duration(rand.IntN(150))*time.Millisecond, func() { cmd.Process.Kill() })
		for out.Scan() {
			lines = append(lines, out.Text())
		}
		cmd.Wait()

		b := openAt(t, path)
		open := map[string]bool{}
		for _, e := range must[[]inbox.Event](t)(b.Next(t.Context(), nil, 1<<20)) {
			if open[e.ID] = true; e.Body != "body of "+e.ID {
				t.Errorf("%s says %q", e.ID, e.Body)
			}
		}
		for i, line := range lines {
			what, id, _ := strings.Cut(line, " ")
			switch {
			case what == "put":
				if must[bool](t)(b.Put(t.Context(), inbox.Event{ID: id, Queue: id, Body: "again"})) {
					t.Errorf("%s was put, and is lost", id)
				}
				// The next line, which says that it is finished, may have been lost with the child.
				if i < len(lines)-1 && lines[i+1] != "finished "+id && !open[id] {
					t.Errorf("%s was put, and isn't handed out", id)
				}
			case what == "finished":
				if open[id] {
					t.Errorf("%s is finished, and handed out", id)
				}
				check(t, second(b.Of(t.Context(), "a"+id)))
			default:
				t.Errorf("the child says: %s", line)
			}
		}
		told += len(lines)
		check(t, b.Close())
	}
	t.Logf("%d acknowledged writes over %d kills", told, kills)
}
