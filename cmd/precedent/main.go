// Precedent answers questions about a graph from cases that people verified:
// in the terminal, over HTTP, and one at a time.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

func main() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	p := &program{lookup: os.LookupEnv, environ: os.Environ, in: os.Stdin, out: os.Stdout, err: os.Stderr, signals: signals, exit: os.Exit}
	p.fitContainer(memlimit.FromCgroup)
	os.Exit(p.run(os.Args))
}
