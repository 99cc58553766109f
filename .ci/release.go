//go:build ignore

// Release builds what a release holds: for each system an archive with the program,
// README, LICENSE, NOTICE, LICENSES and a bill of materials (CycloneDX 1.6, JSON),
// that bill beside it, and SHA256SUMS over all. The same commit, built by the same
// Go, gives the same bytes.
//
//	go run .ci/release.go [-out dist] [-only linux/amd64] v1.2.3
//
// The bill is our own because what it lists, the modules in the program, stands in the
// program itself.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
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
	"strconv"
	"strings"
	"time"
)

var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// papers are what goes beside the program.
var papers = []string{"README.md", "LICENSE", "NOTICE", "LICENSES"}

var versions = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "dist", "the folder to fill")
	only := flag.String("only", "", "build for one system, such as linux/amd64")
	flag.Parse()
	if err := release(flag.Arg(0), *out, *only); err != nil {
		log.Fatal(err)
	}
}

func release(version, out, only string) error {
	if !versions.MatchString(version) {
		return errors.New("release what? go run .ci/release.go v1.2.3")
	}
	check := exec.Command("go", "run", ".ci/modules.go", "-check")
	check.Stderr = os.Stderr
	if err := check.Run(); err != nil {
		return fmt.Errorf("checking the licences: %w", err)
	}
	when, err := committed()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	sums := make(map[string][sha256.Size]byte)
	keep := func(name string, content []byte) error {
		sums[name] = sha256.Sum256(content)
		return os.WriteFile(filepath.Join(out, name), content, 0o644)
	}
	for _, system := range systems {
		if only != "" && system != only {
			continue
		}
		program, err := build(system, version)
		if err != nil {
			return err
		}
		bill, err := billOf(program, version, when)
		if err != nil {
			return fmt.Errorf("listing what is in the program for %s: %w", system, err)
		}
		name := "precedent_" + version + "_" + strings.ReplaceAll(system, "/", "_")
		archive, ending, err := pack(system, name, program, bill, when)
		if err != nil {
			return fmt.Errorf("packing for %s: %w", system, err)
		}
		if err := errors.Join(keep(name+ending, archive), keep(name+".cdx.json", bill)); err != nil {
			return err
		}
		log.Printf("%s: %d bytes, of which the program %d", name+ending, len(archive), len(program))
	}
	if len(sums) == 0 {
		return fmt.Errorf("there is no system %q; there are %s", only, strings.Join(systems, ", "))
	}
	var lines bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&lines, "%x  %s\n", sums[name], name)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), lines.Bytes(), 0o644)
}

// committed is when the commit was made that is built, for all files alike.
func committed() (time.Time, error) {
	said, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
	if err != nil {
		return time.Time{}, fmt.Errorf("asking when the commit was made: %w", err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(said)), 10, 64)
	return time.Unix(n, 0).UTC(), err
}

// build returns the program for a system, as it ships.
func build(system, version string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "precedent")
	goos, goarch, _ := strings.Cut(system, "/")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X main.released="+version, "-o", path, "./cmd/precedent")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("building for %s: %w", system, err)
	}
	return os.ReadFile(path)
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl,omitempty"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// billOf is a bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json).
func billOf(program []byte, version string, when time.Time) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	module := func(path, version string) component {
		url := "pkg:golang/" + path + "@" + version
		return component{"library", url, path, version, url}
	}
	main := component{Type: "application", Ref: "precedent@" + version, Name: "precedent", Version: version}
	parts := []component{module("std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, module(m.Path, m.Version))
	}
	needs := dependency{Ref: main.Ref}
	for _, p := range parts {
		needs.On = append(needs.On, p.Ref)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"timestamp": when.Format(time.RFC3339), "component": main},
		"components": parts, "dependencies": []dependency{needs},
	})
	return b.Bytes(), err
}

// pack is the archive for a system and how its name ends.
func pack(system, name string, program, bill []byte, when time.Time) (archive []byte, ending string, err error) {
	var b bytes.Buffer
	windows := strings.HasPrefix(system, "windows/")
	put, close := tarred(&b, when)
	ending, executable := ".tar.gz", "precedent"
	if windows {
		put, close = zipped(&b, when)
		ending, executable = ".zip", "precedent.exe"
	}
	if err := put(name+"/"+executable, 0o755, program); err != nil {
		return nil, "", err
	}
	for _, paper := range papers {
		text, err := os.ReadFile(paper)
		if err != nil {
			return nil, "", err
		}
		if err := put(name+"/"+paper, 0o644, text); err != nil {
			return nil, "", err
		}
	}
	if err := errors.Join(put(name+"/precedent.cdx.json", 0o644, bill), close()); err != nil {
		return nil, "", err
	}
	return b.Bytes(), ending, nil
}

// A putter puts a file into an archive.
type putter func(name string, mode os.FileMode, content []byte) error

func tarred(w io.Writer, when time.Time) (putter, func() error) {
	z, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // the level is one that there is
	t := tar.NewWriter(z)
	put := func(name string, mode os.FileMode, content []byte) error {
		h := &tar.Header{Name: name, Mode: int64(mode), Size: int64(len(content)), ModTime: when, Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		_, err := t.Write(content)
		return err
	}
	return put, func() error { return errors.Join(t.Close(), z.Close()) }
}

func zipped(w io.Writer, when time.Time) (putter, func() error) {
	z := zip.NewWriter(w)
	put := func(name string, mode os.FileMode, content []byte) error {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: when}
		h.SetMode(mode)
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = to.Write(content)
		return err
	}
	return put, z.Close
}
