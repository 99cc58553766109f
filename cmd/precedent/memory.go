package main

import (
	"os"
	"runtime/debug"

	"precedent/engine"
)

// Bounds in bytes under which a demo takes less than 48 MiB, the program itself
// and SQLite among them.
const (
	demoMemory  = 24 << 20 // what Go may take before it collects garbage more often
	demoLibrary = 8 << 20  // the file of a library beyond which demoMemory would be too little
)

// limitMemory keeps a demo small, unless GOMEMLIMIT says how small. lift ends
// that where the library has outgrown it.
func (p *program) limitMemory(demo bool) (lift func(e *engine.Engine)) {
	if !demo || p.value("GOMEMLIMIT") != "" {
		return func(*engine.Engine) {}
	}
	before := debug.SetMemoryLimit(demoMemory)
	return func(e *engine.Engine) {
		if info, err := os.Stat(e.Library().Path()); err != nil || info.Size() > demoLibrary {
			debug.SetMemoryLimit(before)
		}
	}
}
