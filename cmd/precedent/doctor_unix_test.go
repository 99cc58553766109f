//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
)

// TestDoctorReadOnly has somebody without rights look at a folder that can only
// be read.
func TestDoctorReadOnly(t *testing.T) {
	root, err := os.MkdirTemp("", "doctor") // t.TempDir lets nobody else in
	if err != nil {
		t.Fatal(err)
	}
	n := begins(t, slacktest.Options{}, discordtest.Settings{})
	n.data = filepath.Join(root, "data")
	t.Cleanup(func() { os.Chmod(n.data, 0o700); os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(n.data, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // who may write anywhere
		n.binary = copied(t, root)
	}
	cmd := n.command("doctor", "--json")
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		cmd.Dir = root
	}
	found := sick(n.found(cmd))
	if len(found) != 1 || found[0].Part != "data folder" || found[0].State != bot.Wrong || !strings.Contains(found[0].What, "permission denied") || !strings.Contains(found[0].Cure, "write access") {
		t.Errorf("found %+v", found)
	}
}

// copied is the program, where everybody may run it.
func copied(t *testing.T, to string) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	f, err := os.OpenFile(filepath.Join(to, "precedent"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, from); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
