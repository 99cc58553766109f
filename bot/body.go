package bot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
)

// body reads the body of a request, one JSON object, or complains. fields are
// what it may hold, by their exact names, and where each is to go; none may stand
// there twice, which programs on the way might read in another way.
func (h *HTTP) body(w http.ResponseWriter, r *http.Request, fields map[string]any) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != jsonContent {
		complain(w, http.StatusUnsupportedMediaType, "usage", "send the body as Content-Type: application/json")
		return false
	}
	most := or(h.MaxBody, DefaultMaxBody)
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err == nil {
		err = object(text, fields)
	}
	switch _, large := errors.AsType[*http.MaxBytesError](err); {
	case err == nil:
		return true
	case large:
		complain(w, http.StatusRequestEntityTooLarge, "usage", fmt.Sprintf("the body may have %d bytes", most))
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		complain(w, http.StatusRequestTimeout, "usage", fmt.Sprintf("the request didn't come within %v", bodyTime))
	default:
		complain(w, http.StatusBadRequest, "usage", "the body can't be read as the JSON object it should be: "+strings.TrimPrefix(err.Error(), "json: "))
	}
	return false
}

// object decodes a text that is one JSON object into fields.
func object(text []byte, fields map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	begin, err := d.Token()
	if err != nil {
		return err
	}
	if begin != json.Delim('{') {
		return errors.New("it begins with something else")
	}
	stood := make(map[string]bool)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name := token.(string) // what else would stand there is an error of Token's
		to, known := fields[name]
		switch {
		case !known:
			return fmt.Errorf("unknown field %q", name)
		case stood[name]:
			return fmt.Errorf("%q stands there twice", name)
		}
		stood[name] = true
		if err := d.Decode(to); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
	}
	if _, err := d.Token(); err != nil { // its end
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the object")
	}
	return nil
}
