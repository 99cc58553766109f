package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/movies"
)

// A library belongs to a graph, wherever that is: its folder of data has the graph's
// name, where the operator gives it one, else the address's. A file there says which
// graph it is, so that one that moved to another address finds its library.

// belongsName is the file in a graph's folder of data that says whose it is.
const belongsName = "graph.json"

// belongs is what that file says.
type belongs struct {
	Fingerprint string `json:"fingerprint"` // of the names of labels and types that aren't hidden
	Graph       string `json:"graph"`       // its name for people, without secrets
	Cases       int    `json:"cases"`       // verified ones that people made
}

// graphName is what a graph may be called: its folder of data is called so.
var graphName = regexp.MustCompile(`^[\pL\pN][\pL\pN_.-]{0,63}$`)

// goBy has the graph go by the name that the operator gave it.
func (e *Engine) goBy(name string) error {
	switch {
	case name == "":
		return nil
	case !graphName.MatchString(name):
		return fmt.Errorf("%w: name is %.80q; a graph's name is letters, digits, _, . and -, 64 at most, such as shop", ErrConfig, name)
	case strings.EqualFold(name, movies.Name):
		return fmt.Errorf("%w: name is %q, which is the graph that ships; choose another", ErrConfig, name)
	}
	e.name, e.folder = name, name
	return nil
}

// fingerprint tells one graph from another by the names of its labels and types.
func fingerprint(s *store.Schema) string {
	var names []string
	for _, l := range s.Labels {
		names = append(names, ":"+l.Name)
	}
	for _, t := range s.Types {
		names = append(names, "-"+t.Name)
	}
	slices.Sort(names)
	return digest(strings.Join(names, "\x00"))
}

// claim writes down whose the folder of data is, and offers the libraries of other
// folders that were made for a graph with the same names, where this one is empty.
func (e *Engine) claim(data string) (offers []string) {
	if e.source.pulse == nil {
		return nil
	}
	mine := belongs{Fingerprint: fingerprint(e.snapshot().schema), Graph: e.name}
	held, _ := e.verified()
	mine.Cases = len(held)
	if mine.Cases == 0 && len(e.snapshot().schema.Labels) > 0 {
		offers = e.others(data, mine.Fingerprint)
	}
	name := filepath.Join(e.path, belongsName)
	text, err := json.Marshal(mine)
	if err == nil {
		if was, rerr := os.ReadFile(name); rerr == nil && bytes.Equal(was, text) {
			return offers
		}
		err = writeWhole(name, text)
	}
	if err != nil {
		e.log.Warn("writing down which graph the cases belong to; a graph that moves to another address won't find them", "file", name, "err", err)
	}
	return offers
}

// mostBelongs is the most bytes that such a file is read of.
const mostBelongs = 1 << 16

// others offers the libraries in other folders of data that were made for a graph with
// a fingerprint.
func (e *Engine) others(data, fingerprint string) (offers []string) {
	entries, err := os.ReadDir(data)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		folder := entry.Name()
		if !entry.IsDir() || folder == e.folder {
			continue
		}
		text, err := os.ReadFile(filepath.Join(data, folder, belongsName))
		var its belongs
		if err != nil || len(text) > mostBelongs || json.Unmarshal(text, &its) != nil || its.Fingerprint != fingerprint || its.Cases == 0 {
			continue
		}
		offers = append(offers, fmt.Sprintf("there is a library of %d verified cases for a graph with the same labels and types, %s, and none for this one; if this is that graph at another address, write name: %s in the configuration or say --name %s", its.Cases, its.Graph, folder, folder))
	}
	return offers
}
