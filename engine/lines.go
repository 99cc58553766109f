package engine

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"precedent/store"
	"precedent/store/written"
)

// maxImportLine is the longest line of an import, in bytes.
const maxImportLine = 1 << 20

// A written case stands on a line of its file.
type writtenCase struct {
	store.Case
	line int
}

// readLines reads cases, one JSON object a line; blank lines are skipped.
func readLines(name string, r io.Reader) ([]writtenCase, error) {
	var out []writtenCase
	var errs []error
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxImportLine)
	n := 0
	for sc.Scan() && len(errs) < maxImportErrors {
		n++
		line := bytes.TrimSpace(bytes.TrimPrefix(sc.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		c := writtenCase{line: n}
		if err := written.JSON(line, &c.Case); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w; want one JSON object a line with \"question\" and \"query\"", name, n, err))
			continue
		}
		out = append(out, c)
	}
	switch err := sc.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		errs = append(errs, fmt.Errorf("%s:%d: the line is longer than %d bytes; want one JSON object a line with \"question\" and \"query\"", name, n+1, maxImportLine))
	case err != nil:
		errs = append(errs, fmt.Errorf("%s:%d: %w", name, n+1, err))
	}
	return out, errors.Join(errs...)
}
