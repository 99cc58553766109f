package neotest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A run is one "go test" of several packages. Its test processes hand their servers
// on: whoever needs one takes one that is free, or else starts one, which the next
// may take once its process has ended. The guard of who started it ends it with the run.
type run struct {
	process int    // of go test
	folder  string // holds a file for each server, which tells whether it is free
}

// A server's file is named for it, behind one of these.
const (
	free  = "free-"
	taken = "taken-"
)

// theRun is the one that this process belongs to, nil where it is none of a run's.
func theRun() (*run, error) {
	if by := flag.Lookup("test.paniconexit0"); by == nil || by.Value.String() != "true" { // which go test sets
		return nil, nil
	}
	r := &run{process: os.Getppid()}
	r.folder = filepath.Join(os.TempDir(), fmt.Sprintf("precedent-neo4j-run-%d-%d", os.Getuid(), r.process))
	if err := os.MkdirAll(r.folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of this run's servers: %w", err)
	}
	return r, nil
}

// take is a server of the run that is free, nil where there is none.
func (r *run) take() (*Server, error) {
	if r == nil {
		return nil, nil
	}
	found, err := filepath.Glob(filepath.Join(r.folder, free+"*"))
	if err != nil {
		return nil, err
	}
	for _, file := range found {
		name := strings.TrimPrefix(filepath.Base(file), free)
		if os.Rename(file, r.file(taken, name)) != nil {
			continue // another process was quicker
		}
		s := &Server{}
		text, err := os.ReadFile(r.file(taken, name))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, s); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if s.connect(nil) != nil {
			os.Remove(r.file(taken, name)) // of a run long ago whose number was the same
			continue
		}
		if s.stop, err = guard(r.giveBack(name)); err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, nil
}

func (r *run) file(state, name string) string { return filepath.Join(r.folder, state+name) }

// giveBack is a line of shell that makes a server free.
func (r *run) giveBack(name string) string {
	return "mv " + shellWord(r.file(taken, name)) + " " + shellWord(r.file(free, name))
}

// outlast are lines of shell that give a server back, and last until the run has ended.
func (r *run) outlast(name string) []string {
	if r == nil {
		return nil
	}
	return []string{
		// Nobody may have waited for the process, which goes on as a zombie then.
		fmt.Sprintf("%s && while kill -0 %[2]d && ! grep -q '^State:[[:space:]]*Z' /proc/%[2]d/status; do sleep 0.3; done", r.giveBack(name), r.process),
		"rm -f " + shellWord(r.file(free, name)) + " " + shellWord(r.file(taken, name)),
		"rmdir " + shellWord(r.folder),
	}
}

// keep notes a server that this process has started, so that its guard can give it back.
func (r *run) keep(s *Server) error {
	if r == nil {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(r.file(taken, s.name), text, 0o600)
}
