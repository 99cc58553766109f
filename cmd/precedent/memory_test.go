package main

import (
	"errors"
	"math"
	"runtime/debug"
	"testing"
)

func TestFitContainer(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for _, test := range []struct {
		name, environment string
		given             uint64
		err               error
		want              int64
	}{
		{"a container", "", 500 << 20, nil, 450 << 20},
		{"a large one", "", math.MaxUint64, nil, math.MaxInt64 / 10 * 9},
		{"no bound", "", 0, errors.New("no limit"), 77 << 20},
		{"the environment says", "64MiB", 500 << 20, nil, 77 << 20},
	} {
		debug.SetMemoryLimit(77 << 20)
		p := &program{lookup: func(name string) (string, bool) {
			return test.environment, name == "GOMEMLIMIT" && test.environment != ""
		}}
		p.fitContainer(func() (uint64, error) { return test.given, test.err })
		if got := debug.SetMemoryLimit(-1); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
