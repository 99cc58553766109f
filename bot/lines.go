package bot

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
)

// maxLine is the most bytes of a line typed or piped that are read; what is
// longer reaches the engine cut there, which refuses it as too long.
const maxLine = 1 << 20

// errInterrupted is a Ctrl-C at the prompt.
var errInterrupted = errors.New("interrupted")

// Lines are where a [Terminal] reads what people type.
type Lines struct {
	// Read returns the next line; its error is io.EOF at the end.
	Read func(prompt string) (string, error)
	// Close gives the terminal back as it was.
	Close func() error
}

// Edited reads lines from the terminal that is standard input and output, with
// editing. What was typed is kept in the file history, for its owner's eyes
// only; "" keeps nothing.
func Edited(history string) Lines {
	l := liner.NewLiner()
	l.SetCtrlCAborts(true)
	l.SetMultiLineMode(true)
	l.SetBeep(false)
	if f, err := os.Open(history); err == nil {
		l.ReadHistory(f) // lines that can't be read are lost to the arrow keys, and that is all
		f.Close()
	}
	return Lines{
		Read: func(prompt string) (string, error) {
			line, err := l.Prompt(prompt)
			if errors.Is(err, liner.ErrPromptAborted) {
				return "", errInterrupted
			}
			if err == nil && strings.TrimSpace(line) != "" {
				l.AppendHistory(line)
			}
			return line, err
		},
		Close: func() error { return errors.Join(keep(l, history), l.Close()) },
	}
}

// keep writes what was typed to the file, whole or not at all.
func keep(l *liner.State, history string) error {
	if history == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(history), 0o700); err != nil {
		return fmt.Errorf("keeping what was typed: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(history), ".history-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keeping what was typed: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = l.WriteHistory(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), history)
	}
	if err != nil {
		return fmt.Errorf("keeping what was typed: %w", err)
	}
	return nil
}

// Piped reads lines from in as they are. Each is repeated to echo behind its
// prompt, so that a transcript reads like a conversation; where a person types
// at a terminal without editing, typed is set and only the prompt is written.
func Piped(in io.Reader, echo io.Writer, typed bool) Lines {
	r := bufio.NewReader(in)
	return Lines{
		Read: func(prompt string) (string, error) {
			if typed {
				io.WriteString(echo, prompt)
			}
			line, err := bounded(r)
			if err != nil {
				return "", err
			}
			if !typed && strings.TrimSpace(line) != "" {
				io.WriteString(echo, "\n"+prompt+Line(line)+"\n")
			}
			return line, nil
		},
		Close: func() error { return nil },
	}
}

// bounded reads a line and keeps its first maxLine bytes.
func bounded(r *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		part, err := r.ReadSlice('\n')
		b.Write(part[:min(len(part), maxLine-b.Len())])
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (b.Len() == 0 || !errors.Is(err, io.EOF)):
			return "", err
		}
		return strings.ToValidUTF8(strings.TrimRight(b.String(), "\r\n"), "�"), nil
	}
}
