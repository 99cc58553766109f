package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(tidied{m}, map[string]func(){"precedent": main})
}

// tidied are tests after which the program that they built is removed.
type tidied struct{ *testing.M }

func (m tidied) Run() int {
	defer func() { os.RemoveAll(builtIn) }()
	return m.M.Run()
}

var builtIn string // the folder of the program that was built; "" if none was

// built is the program as it ships, for tests that start it often: as this test
// runs it under its name, it is slow with -race.
var built = sync.OnceValues(func() (path string, err error) {
	if builtIn, err = os.MkdirTemp("", "precedent"); err != nil {
		return "", err
	}
	path = filepath.Join(builtIn, "precedent")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w: %s", err, out)
	}
	return path, nil
})

// setUp has a script run the program as it ships, as ada.
func setUp(e *testscript.Env) error {
	path, err := built()
	if err != nil {
		return err
	}
	e.Setenv("PATH", filepath.Dir(path)+string(os.PathListSeparator)+e.Getenv("PATH"))
	e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
	e.Setenv("USER", "ada")
	e.Setenv("LANG", "en_GB.UTF-8")
	return nil
}

// TestScript runs the files of testdata: each reads like a page of a manual.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata",
		Setup: setUp,
		Cmds:  map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command and checks its exit code: exits 2 precedent ask
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("usage: exits CODE COMMAND ...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// TestImports checks that packages import only those to their right: cmd, bot,
// engine, guardrails, store.
func TestImports(t *testing.T) {
	order := []string{"cmd", "bot", "engine", "guardrails", "store"}
	const module = "precedent/"
	out, err := exec.Command("go", "list", "-f", `{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}{{range .TestImports}}{{$p}} {{.}}{{"\n"}}{{end}}{{range .XTestImports}}{{$p}} {{.}}{{"\n"}}{{end}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := func(path string) string {
		dir, _, _ := strings.Cut(strings.TrimPrefix(path, module), "/")
		return dir
	}
	seen := false
	for line := range strings.Lines(string(out)) {
		pkg, imp, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(pkg, module) || !strings.HasPrefix(imp, module) || folder(pkg) == folder(imp) {
			continue
		}
		seen = true
		if slices.Index(order, folder(pkg)) >= slices.Index(order, folder(imp)) {
			t.Errorf("%s may not import %s", pkg, imp)
		}
	}
	if !seen {
		t.Error("no imports were seen")
	}
}

// TestNotice looks for every module of go.mod in NOTICE.
func TestNotice(t *testing.T) {
	modules, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	notice, err := os.ReadFile("../../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(modules)) {
		name, indented := strings.CutPrefix(line, "\t")
		if name, _, _ = strings.Cut(name, " "); indented && !strings.Contains(string(notice), "\n  "+name+" ") {
			t.Errorf("%s isn't in NOTICE", name)
		}
	}
}

func TestUserFolder(t *testing.T) {
	tests := []struct {
		goos string
		env  map[string]string
		want string // "" for an error
	}{
		{"linux", map[string]string{"HOME": "/home/ada"}, "/home/ada/.local/share/precedent"},
		{"linux", map[string]string{"HOME": "/home/ada", "XDG_DATA_HOME": "/data"}, "/data/precedent"},
		{"linux", map[string]string{"HOME": "/home/ada", "XDG_DATA_HOME": "relative"}, "/home/ada/.local/share/precedent"},
		{"linux", nil, ""},
		{"linux", map[string]string{"XDG_DATA_HOME": "relative"}, ""},
		{"darwin", map[string]string{"HOME": "/Users/ada"}, "/Users/ada/Library/Application Support/precedent"},
		{"darwin", nil, ""},
		{"windows", map[string]string{"LocalAppData": "/ada/Local"}, "/ada/Local/precedent"},
		{"windows", map[string]string{"HOME": "/home/ada"}, ""},
	}
	for _, test := range tests {
		got, err := userFolder(test.goos, func(key string) string { return test.env[key] })
		if filepath.ToSlash(got) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("on %s with %v: %q, %v; want %q", test.goos, test.env, got, err, test.want)
		}
	}
}
