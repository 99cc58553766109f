package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestHealth asks a program that serves whether it runs, by each way to name where,
// and through no proxy; and one that was killed.
func TestHealth(t *testing.T) {
	s := serves(t, "PRECEDENT_HTTP=127.0.0.1:0")
	_, port, _ := strings.Cut(strings.TrimPrefix(s.address(), "http://"), ":")
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(env ...string) ([]byte, error) {
		cmd := exec.Command(path, "health")
		cmd.Env = append([]string{"HOME=" + s.data, "PATH=" + os.Getenv("PATH"), "HTTP_PROXY=http://127.0.0.1:1"}, env...)
		return cmd.CombinedOutput()
	}
	for _, host := range []string{"127.0.0.1", "", "0.0.0.0", "[::]", "localhost"} {
		if out, err := ask("PRECEDENT_HTTP=" + host + ":" + port); err != nil || len(out) > 0 {
			t.Errorf("%q: %v: %s", host, err, out)
		}
	}
	s.kill()
	if out, err := ask("PRECEDENT_HTTP=127.0.0.1:" + port); err == nil || !strings.Contains(string(out), "asking whether it runs") {
		t.Errorf("of one that was killed: %v: %s", err, out)
	}
	s.again()
}
