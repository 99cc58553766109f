package cases_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

// writeForever is what the test binary does as a child: it adds cases and
// votes on them, and prints each id once the call has returned.
func writeForever(path, name string) {
	ctx := context.Background()
	lib, err := cases.Open(ctx, cases.Config{Path: path, Quorum: 1})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		id := fmt.Sprint(name, i)
		patiently(func() (err error) {
			_, err = lib.Add(ctx, store.Case{ID: id, Question: "question of " + id, Query: "RETURN 1"}, cases.Change{By: name})
			return err
		})
		fmt.Println("case", id)
		patiently(func() (err error) {
			_, err = lib.Record(ctx, cases.Entry{ID: "a" + id, Question: "q", CaseID: id, Route: "case"})
			return err
		})
		patiently(func() (err error) {
			_, err = lib.Vote(ctx, cases.Ballot{Answer: "a" + id, User: name, Value: cases.Up})
			return err
		})
		fmt.Println("vote", id)
	}
}

// patiently does what another process may be in the way of, as all who are told
// that the library is busy: SQLite promises no order to those who wait for its lock.
func patiently(do func() error) {
	err := do()
	for errors.Is(err, cases.ErrBusy) {
		err = do()
	}
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
}

const childPath, childName = "CASES_TEST_PATH", "CASES_TEST_NAME"

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		if name := os.Getenv(childName); name == syncName {
			syncForever(path)
		} else {
			writeForever(path, name)
		}
	}
	os.Exit(m.Run())
}

// child starts writeForever in a process of its own and returns its output.
func child(t *testing.T, path, name string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childPath+"="+path, childName+"="+name)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// promised checks that what a child printed is in the library.
func promised(t *testing.T, lib *cases.Library, lines []string) {
	t.Helper()
	for _, line := range lines {
		kind, id, _ := strings.Cut(line, " ")
		switch kind {
		case "case":
			if _, err := lib.Case(t.Context(), id); err != nil {
				t.Errorf("an acknowledged case is lost: %v", err)
			}
		case "vote":
			if c := must[store.Case](t)(lib.Case(t.Context(), id)); c.Status != store.Verified || c.Votes.Up != 1 {
				t.Errorf("an acknowledged vote is lost: %+v", c)
			}
		default:
			t.Errorf("the child says: %s", line)
		}
	}
}

func TestKilledAtAnyPoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.db")
	var lines []string
	for round := range 8 {
		cmd, out := child(t, path, fmt.Sprintf("r%dn", round))
		out.Scan() // it writes by now
		lines = append(lines, out.Text())
		time.AfterFunc(time.Duration(20+37*round)*time.Millisecond, func() { cmd.Process.Kill() })
		for out.Scan() {
			lines = append(lines, out.Text())
		}
		cmd.Wait()
		lib := open(t, cases.Config{Path: path})
		check(t, lib.Integrity(t.Context()))
		promised(t, lib, lines)
		check(t, lib.Close())
	}
	t.Logf("%d acknowledged writes over 8 kills", len(lines))
}

func TestTwoProcesses(t *testing.T) {
	lib := open(t, cases.Config{})
	a, outA := child(t, lib.Path(), "a")
	b, outB := child(t, lib.Path(), "b")
	var lines []string
	for range 50 {
		for _, out := range []*bufio.Scanner{outA, outB} {
			if out.Scan() {
				lines = append(lines, out.Text())
			}
		}
	}
	for _, cmd := range []*exec.Cmd{a, b} {
		cmd.Process.Kill()
		cmd.Wait()
	}
	promised(t, lib, lines)
	check(t, lib.Integrity(t.Context()))
	if len(lines) != 100 {
		t.Errorf("%d lines of two children", len(lines))
	}
}
