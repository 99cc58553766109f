package cases

import "syscall"

// networkKinds are the numbers that statfs(2) gives for file systems whose
// locks and shared memory SQLite can't rely on (sqlite.org/wal.html, section 1).
var networkKinds = map[uint32]string{
	0x6969:     "NFS",
	0x517B:     "SMB",
	0xFE534D42: "SMB",
	0xFF534D42: "CIFS",
	0x01021997: "9P",
	0x73757245: "Coda",
	0x00C36400: "Ceph",
	0x5346414F: "AFS",
}

// networkKind returns the kind of network file system that folder is on, or "".
func networkKind(folder string) string {
	var fs syscall.Statfs_t
	if syscall.Statfs(folder, &fs) != nil {
		return ""
	}
	return networkKinds[uint32(fs.Type)]
}
