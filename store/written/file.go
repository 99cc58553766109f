package written

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxFile is the most bytes of a file that is read whole.
const MaxFile = 8 << 20

// A FileError says why a file can't be read.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return e.File + " " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// Errors of [Open] and [Read], wrapped in a [FileError].
var (
	errFolder = errors.New("is a directory")
	errDevice = errors.New("is no file but a device or a socket")
	errSilent = errors.New("is a pipe that nobody writes into")
)

// Open opens a file that a person named: a regular one, a pipe, or the null
// device, never a folder, another device or a socket. It doesn't wait for
// somebody to open a pipe and write: reading one of which nothing comes is an error. Of a
// regular file it reads what was there when it was opened, and to the end of the
// line that was being written then, however it grows.
// Other errors are those of [os.Open].
func Open(name string) (io.ReadCloser, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		if info, serr := os.Stat(name); serr == nil && !readable(info) {
			return nil, refused(name, info)
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !readable(info) {
		err = refused(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if info.Mode().IsRegular() && info.Size() > 0 { // what a system makes up, as in /proc, has no size
		return &grown{File: f, left: info.Size()}, nil
	}
	if info.Mode()&fs.ModeNamedPipe != 0 {
		return &pipe{File: f}, nil
	}
	return f, nil
}

// A pipe is one of which something must come.
type pipe struct {
	*os.File
	came bool
}

func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	if p.came = p.came || n > 0; !p.came && errors.Is(err, io.EOF) {
		err = &FileError{p.Name(), errSilent}
	}
	return n, err
}

// grown is the part of a file that was there when it was opened, and the rest of
// its last line.
type grown struct {
	*os.File
	left int64
	end  byte // what was read last
}

func (g *grown) Read(b []byte) (int, error) {
	within := g.left > 0
	switch {
	case len(b) == 0:
		return 0, nil
	case within:
		b = b[:min(int64(len(b)), g.left)]
	case g.end == '\n':
		return 0, io.EOF
	}
	n, err := g.File.Read(b)
	if i := bytes.IndexByte(b[:n], '\n'); !within && i >= 0 {
		n = i + 1
	}
	if n > 0 {
		g.left, g.end = max(g.left-int64(n), 0), b[n-1]
	}
	return n, err
}

func readable(info fs.FileInfo) bool {
	if info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0 {
		return true
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

func refused(name string, info fs.FileInfo) error {
	if info.IsDir() {
		return &FileError{name, errFolder}
	}
	return &FileError{name, errDevice}
}

// Read returns what a file of at most most bytes holds; see [Open]. That it is
// larger is a [FileError].
func Read(name string, most int) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return All(name, f, most)
}

// All is [Read] of what stands in file and is open.
func All(name string, from io.Reader, most int) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	if err == nil && len(content) > most {
		err = &FileError{name, fmt.Errorf("is larger than %d bytes, the most for such a file", most)}
	}
	return content, err
}
