package cases

import "syscall"

// networkKinds are the numbers that statfs(2) gives for file systems whose
// locks and shared memory SQLite can't rely on (sqlite.org/wal.html, section 1);
// statfs(2) and the coreutils list them.
var networkKinds = map[uint32]string{
	0x6969:     "NFS",
	0x517B:     "SMB",
	0xFE534D42: "SMB",
	0xFF534D42: "CIFS",
	0x01021997: "9P",
	0x73757245: "Coda",
	0x00C36400: "Ceph",
	0x5346414F: "AFS",
	0x0BD00BD0: "Lustre",
	0x47504653: "GPFS",
	0x19830326: "BeeGFS",
	0x7461636F: "OCFS2",
	0x01161970: "GFS2",
	0xBACBACBC: "a folder shared by VMware",
	0x786F4256: "a folder shared by VirtualBox",
	0x65735546: "FUSE, such as sshfs or a folder shared by Docker Desktop",
}

// networkKind returns the kind of network file system that folder is on, or "".
func networkKind(folder string) string {
	var fs syscall.Statfs_t
	if syscall.Statfs(folder, &fs) != nil {
		return ""
	}
	return networkKinds[uint32(fs.Type)]
}
