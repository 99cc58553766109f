package engine

import (
	"context"

	"precedent/store/foldertest"
)

// Shipped is a data folder in which the shipped cases are already indexed, which
// with -race takes seconds.
var Shipped = foldertest.Folder{Make: func(dir string) error {
	e, _, err := Open(context.Background(), Config{Data: dir})
	if err != nil {
		return err
	}
	e.Ask(context.Background(), Question{Text: "which French thrillers since 1950 are over 100 minutes"}, nil)
	return e.Close(context.Background())
}}

// PlainNumber is a number of JSON as the graph takes it.
var PlainNumber = plainNumber
