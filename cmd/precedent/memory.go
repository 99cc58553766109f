package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
)

// Bounds in bytes under which a demo takes less than 48 MiB, the program itself
// and SQLite among them.
const (
	demoMemory  = 24 << 20 // what Go may take before it collects garbage more often
	demoLibrary = 8 << 20  // the file of a library beyond which demoMemory would be too little
)

// limitMemory keeps a demo small, unless GOMEMLIMIT says how small or a library
// in the folder of data is larger than a demo's.
func (p *program) limitMemory(data string) {
	if p.value("GOMEMLIMIT") != "" {
		return
	}
	// Fails for a bad pattern only.
	libraries, _ := filepath.Glob(filepath.Join(data, "*", "cases.db"))
	for _, name := range libraries {
		if info, err := os.Stat(name); err != nil || info.Size() > demoLibrary {
			return
		}
	}
	debug.SetMemoryLimit(demoMemory)
}
