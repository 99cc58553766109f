package neotest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"precedent/store/neotest"
)

var people = fstest.MapFS{
	"people.csv": {Data: []byte("personId:ID(Person),name,born:int,score:double,seen:datetime,tags:string[],at:point,:LABEL,note:IGNORE\n" +
		"1,\"Ann \"\"A\"\" Ä, b\",1970,1.5,2024-01-02T03:04:05+01:00,x;y,\"{x:1, y:2}\",Person;Actor,zzz\n" +
		"2,\"\",,,,,,Person,\n")},
	"knows.csv": {Data: []byte(":START_ID(Person),:END_ID(Person),:TYPE,since:date\n1,2,KNOWS,2020-02-29\n2,1,\"LIKES A\",\n")},
}

func TestLoad(t *testing.T) {
	s := neotest.Start(t)
	for range 2 { // the second time it replaces
		s.Load(t, people)
		got := fmt.Sprint(s.Exec(t, "MATCH (n) RETURN labels(n), n.personId, n.name, n.born, n.score, toString(n.seen), n.tags, n.at.y, n.note ORDER BY n.personId", nil))
		want := `[[[Person Actor] 1 Ann "A" Ä, b 1970 1.5 2024-01-02T03:04:05+01:00 [x y] 2 <nil>] [[Person] 2  <nil> <nil> <nil> <nil> <nil> <nil>]]`
		if got != want {
			t.Errorf("nodes:\n got %s\nwant %s", got, want)
		}
		got = fmt.Sprint(s.Exec(t, "MATCH (a)-[r]->(b) RETURN a.personId, type(r), b.personId, toString(r.since) ORDER BY type(r)", nil))
		if want := "[[1 KNOWS 2 2020-02-29] [2 LIKES A 1 <nil>]]"; got != want {
			t.Errorf("relationships:\n got %s\nwant %s", got, want)
		}
	}
}

func TestPassword(t *testing.T) {
	s := neotest.StartWith(t, neotest.Options{Password: "correct-horse"})
	if got := fmt.Sprint(s.Exec(t, "RETURN 1", nil)); got != "[[1]]" || s.Username != "neo4j" {
		t.Errorf("got %s as %q", got, s.Username)
	}
}

// The turn on somebody else's server lasts until the process ends.
func TestBorrowedServerStaysBorrowed(t *testing.T) {
	if os.Getenv("NEOTEST_BORROW") != "" {
		s := neotest.Start(t)
		for range 3 {
			runtime.GC()
			time.Sleep(10 * time.Millisecond) // what is collected is finalised beside
		}
		if got := fmt.Sprint(s.Exec(t, "RETURN 1", nil)); got != "[[1]]" {
			t.Errorf("got %s", got)
		}
		return
	}
	if os.Getenv("NEO4J_TEST_URI") != "" {
		t.Skip("this process has the turn")
	}
	s := neotest.Start(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBorrowedServerStaysBorrowed$")
	cmd.Env = append(os.Environ(), "NEOTEST_BORROW=1", "NEO4J_TEST_URI="+s.URI, "NEO4J_TEST_USERNAME="+s.Username, "NEO4J_TEST_PASSWORD="+s.Password)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// home is the folder of a server, which is removed with it; "" where it is in a container.
func home(t *testing.T, s *neotest.Server) string {
	dir := s.Exec(t, "SHOW SETTINGS 'server.directories.neo4j_home' YIELD value", nil)[0][0].(string)
	if !strings.Contains(filepath.Base(dir), "precedent-neo4j-") {
		return ""
	}
	return dir
}

// A server must not outlive a test binary that is killed, nor, where it is handed on from
// one such binary to the next, the run of them.
func TestServerEndsWithKilledProcess(t *testing.T) {
	if os.Getenv("NEOTEST_HANG") != "" {
		fmt.Printf("home %q\n", home(t, neotest.Start(t)))
		time.Sleep(time.Hour)
	}
	if os.Getenv("NEO4J_TEST_URI") != "" {
		t.Skip("the server is somebody else's")
	}
	if s := neotest.Start(t); home(t, s) == "" { // skips where there is none
		t.Skip("in a container")
	}
	const one, ofRun = `exec "$0" -test.run=^TestServerEndsWithKilledProcess$`, `"$0" -test.run=^TestServerEndsWithKilledProcess$ -test.paniconexit0 & echo $!; wait; ` +
		`n=0; until ls "${TMPDIR:-/tmp}"/precedent-neo4j-run-*-$$/free-* || [ $((n+=1)) = 600 ]; do sleep 0.1; done >/dev/null 2>&1; `
	for _, test := range []struct {
		name, script string
		binaries     int
	}{
		{"alone", `echo $$; ` + one, 1},
		{"in a run", ofRun + ofRun, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", test.script, os.Args[0])
			cmd.Env = append(os.Environ(), "NEOTEST_HANG=1")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Wait()
			defer cmd.Process.Kill()
			var first string
			for i := range test.binaries {
				var number int
				var dir string
				if _, err := fmt.Fscanf(out, "%d\nhome %q\n", &number, &dir); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = dir
				} else if dir != first {
					t.Errorf("a second server was started in %s, though that in %s was free", dir, first)
				}
				if _, err := os.Stat(dir); err != nil {
					t.Error(err)
				}
				p, err := os.FindProcess(number)
				if err != nil {
					t.Fatal(err)
				}
				p.Kill()
			}
			for range 600 {
				if _, err := os.Stat(first); os.IsNotExist(err) {
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
			t.Errorf("%s is still there a minute after the kill", first)
		})
	}
}
