package engine

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"precedent/store"
	"precedent/store/written"
)

// maxImportLine is the longest line of an import, in bytes.
const maxImportLine = 1 << 20

// A written case stands on a line of its file.
type writtenCase struct {
	store.Case
	line int
	size int   // of what was read, in bytes
	err  error // why nothing can be read there
}

// readLines reads cases, one JSON object a line, until one that is too long or
// can't be read; blank lines are skipped. It holds one line at a time.
func readLines(r io.Reader) iter.Seq[writtenCase] {
	const want = `; want one JSON object a line with "question" and "query"`
	return func(yield func(writtenCase) bool) {
		sc := bufio.NewScanner(r)
		sc.Buffer(nil, maxImportLine)
		n := 0
		for sc.Scan() {
			n++
			line := bytes.TrimSpace(bytes.TrimPrefix(sc.Bytes(), []byte("\ufeff")))
			if len(line) == 0 {
				continue
			}
			c := writtenCase{line: n, size: len(line)}
			if err := written.JSON(line, &c.Case); err != nil {
				c = writtenCase{line: n, err: fmt.Errorf("%w"+want, err)}
			}
			if !yield(c) {
				return
			}
		}
		switch err := sc.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(writtenCase{line: n + 1, err: fmt.Errorf("the line is longer than %d bytes"+want, maxImportLine)})
		case err != nil:
			yield(writtenCase{line: n + 1, err: err})
		}
	}
}

// Bounds of the cases of an import that are in memory together.
const (
	importBatch      = 512
	importBatchBytes = 4 << 20 // as they were written
)

// batches are cs, so many at a time. What is yielded is used again.
func batches(cs iter.Seq[writtenCase]) iter.Seq[[]writtenCase] {
	return func(yield func([]writtenCase) bool) {
		var batch []writtenCase
		size := 0
		for c := range cs {
			batch, size = append(batch, c), size+c.size
			if len(batch) < importBatch && size < importBatchBytes {
				continue
			}
			if !yield(batch) {
				return
			}
			clear(batch)
			batch, size = batch[:0], 0
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// listedCases are cases of which a list is there, on lines from 1 on.
func listedCases(cs []store.Case) iter.Seq[writtenCase] {
	return func(yield func(writtenCase) bool) {
		for i, c := range slices.All(cs) {
			if !yield(writtenCase{Case: c, line: i + 1}) {
				return
			}
		}
	}
}
