//go:build ignore

// Modules writes LICENSES: the texts under which everything comes that a program
// built of this repository holds, on any system that it is released for.
//
//	go run .ci/modules.go          writes LICENSES
//	go run .ci/modules.go -check   fails where LICENSES isn't up to date
//
// It is our own because all that it needs is in the module cache, and because a
// module without a text must fail, not be guessed at.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const output = "LICENSES"

// systems are those that a release is built for; processors change nothing here.
var systems = []string{"linux", "darwin", "windows"}

// texts are files of a module that say under what it comes, and whose it is.
var texts = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([-._].*)?$`)

type module struct{ Path, Version, Dir string }

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "fail where "+output+" isn't up to date")
	flag.Parse()
	want, err := written()
	if err != nil {
		log.Fatal(err)
	}
	if !*check {
		if err := os.WriteFile(output, want, 0o644); err != nil {
			log.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(output); err != nil || !bytes.Equal(have, want) {
		log.Fatal(output + " isn't up to date: go run .ci/modules.go")
	}
}

// written is what the file should hold.
func written() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("The modules that a program built of this repository holds, and the texts of their\n" +
		"licences. Made by .ci/modules.go; the repository's own are in LICENSE and NOTICE.\n")
	found, err := modules()
	if err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for Go: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		return nil, fmt.Errorf("reading Go's licence: %w", err)
	}
	put(&b, "the Go standard library", "LICENSE", text)
	for _, m := range found {
		files, err := os.ReadDir(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", m.Path, err)
		}
		n := 0
		for _, f := range files {
			if f.IsDir() || !texts.MatchString(f.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(m.Dir, f.Name()))
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", m.Path, err)
			}
			put(&b, m.Path+" "+m.Version, f.Name(), text)
			n++
		}
		if n == 0 {
			return nil, fmt.Errorf("%s %s has no licence text", m.Path, m.Version)
		}
	}
	return b.Bytes(), nil
}

func put(b *bytes.Buffer, of, file string, text []byte) {
	line := strings.Repeat("=", 80)
	fmt.Fprintf(b, "\n%s\n%s: %s\n%s\n\n", line, of, file, line)
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	b.Write(bytes.TrimSpace(text))
	b.WriteByte('\n')
}

// modules are those of the packages that the program is made of, by path.
func modules() ([]module, error) {
	all := make(map[string]module)
	for _, system := range systems {
		list := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/precedent")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH=amd64")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("listing the packages on %s: %w", system, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct{ Module *module }
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("reading the packages: %w", err)
			}
			if p.Module != nil && p.Module.Version != "" {
				all[p.Module.Path] = *p.Module
			}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b module) int { return strings.Compare(a.Path, b.Path) }), nil
}
