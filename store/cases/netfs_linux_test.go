package cases

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// No test can mount a network volume, so this one takes the local disk for one.
func TestNetworkVolumeIsSaid(t *testing.T) {
	folder := t.TempDir()
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		t.Fatal(err)
	}
	networkKinds[uint32(fs.Type)] = "NFS"
	defer delete(networkKinds, uint32(fs.Type))
	lib, err := Open(t.Context(), Config{Path: filepath.Join(folder, "cases.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	if w := lib.Warnings(); len(w) != 1 || !strings.Contains(w[0], "network file system (NFS)") || !strings.Contains(w[0], "put --data on a local disk") {
		t.Errorf("warnings %q", w)
	}
}
