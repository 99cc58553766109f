package cases

import (
	"slices"
	"syscall"
)

// networkKind returns the kind of network file system that folder is on, or "".
func networkKind(folder string) string {
	var fs syscall.Statfs_t
	if syscall.Statfs(folder, &fs) != nil {
		return ""
	}
	var name []byte
	for _, c := range fs.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	if kind := string(name); slices.Contains([]string{"nfs", "smbfs", "afpfs", "webdav", "macfuse", "osxfuse"}, kind) {
		return kind
	}
	return ""
}
