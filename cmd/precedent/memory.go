package main

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
)

// Bounds in bytes, under which a demo takes less than 48 MiB, the program itself
// and SQLite among them, and the import of a million cases less than 200 MiB.
const (
	demoMemory   = 24 << 20  // what Go may take before it collects garbage more often
	importMemory = 128 << 20 // the same
	smallLibrary = 8 << 20   // the file of a library beyond which these would be too little
)

// fitContainer lets Go take nine tenths of the memory that the container or
// service is given, before it collects garbage more often, unless GOMEMLIMIT says
// how much. What queries of the embedded graph may take together follows from it.
// given fails where there is no such bound.
func (p *program) fitContainer(given func() (uint64, error)) {
	if p.value("GOMEMLIMIT") != "" {
		return
	}
	if bytes, err := given(); err == nil {
		debug.SetMemoryLimit(int64(min(bytes, math.MaxInt64) / 10 * 9))
	}
}

// limitMemory keeps the program small, unless GOMEMLIMIT says how small or a
// library in the folder of data isn't.
func (p *program) limitMemory(data string, most int64) {
	if p.value("GOMEMLIMIT") != "" {
		return
	}
	// Fails for a bad pattern only.
	libraries, _ := filepath.Glob(filepath.Join(data, "*", "cases.db"))
	for _, name := range libraries {
		if info, err := os.Stat(name); err != nil || info.Size() > smallLibrary {
			return
		}
	}
	debug.SetMemoryLimit(min(most, debug.SetMemoryLimit(-1)))
}
