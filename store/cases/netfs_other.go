//go:build !linux && !darwin

package cases

import (
	"path/filepath"
	"strings"
)

// networkKind returns what tells that folder is on another machine, or "": a
// UNC path on Windows.
func networkKind(folder string) string {
	if strings.HasPrefix(filepath.VolumeName(folder), `\\`) {
		return "a UNC path"
	}
	return ""
}
