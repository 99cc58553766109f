package reading_test

import (
	"os"
	"precedent/engine/reading"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	r := devReader(t)
	for _, q := range strings.Split(os.Getenv("Q"), "|") {
		reading.DebugSegs(r, q)
	}
}
