package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"precedent/engine"
)

// TestAliases teaches as a chat does, beside the commands of a curator:
//
//	teach USER WORDS     about the answer whose JSON was printed last
func TestAliases(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/taught",
		Setup: setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "teach": func(ts *testscript.TestScript, neg bool, args []string) {
			var answer struct{ ID string }
			ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &answer))
			e, _, err := engine.Open(t.Context(), engine.Config{Data: filepath.Join(ts.Getenv("HOME"), ".local/share/precedent")})
			ts.Check(err)
			defer e.Close(t.Context())
			if a, ok, err := e.Teach(t.Context(), answer.ID, args[0], false, args[1]); err != nil || ok == neg {
				ts.Fatalf("kept %v: %+v, %v", ok, a, err)
			}
		}},
	})
}
