package embedded

import (
	"fmt"
	"io/fs"
	"strings"

	"precedent/store"
)

// Pulse tells whether the files of a folder that [Open] reads changed: of each, its
// size and when it was written. It reads none of them.
func Pulse(fsys fs.FS) (store.Pulse, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("looking at the graph's folder: %w", err)
	}
	p := store.Pulse{}
	for _, e := range entries {
		if e.IsDir() || !strings.EqualFold(pathExt(e.Name()), ".csv") {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, fmt.Errorf("looking at %s: %w", e.Name(), err)
		}
		p[e.Name()] = fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano())
	}
	return p, nil
}
