// Package foldertest has folders that take long to make made once, and copied for
// each test.
package foldertest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
)

// A Folder is what Make puts into an empty one, the first time it is asked for.
type Folder struct {
	Make func(dir string) error

	once  sync.Once
	files fstest.MapFS
	err   error
}

// Files are the folder's, for their owner alone.
func (f *Folder) Files() (fs.FS, error) {
	f.once.Do(func() { f.files, f.err = f.make() })
	return f.files, f.err
}

// Copy returns a folder of t's own with the files, which ends with t.
func (f *Folder) Copy(t testing.TB) string {
	t.Helper()
	files, err := f.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (f *Folder) make() (files fstest.MapFS, err error) {
	dir, err := os.MkdirTemp("", "precedent-folder-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := f.Make(dir); err != nil {
		return nil, fmt.Errorf("making a folder for tests: %w", err)
	}
	files = fstest.MapFS{}
	return files, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = &fstest.MapFile{Data: body, Mode: 0o600}
		return err
	})
}
