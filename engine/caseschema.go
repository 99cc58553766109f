package engine

import (
	"bytes"
	_ "embed"
)

//go:embed case.schema.json
var caseSchema []byte

// CaseSchema is the JSON Schema (draft 2020-12) of a line of a file of cases.
func CaseSchema() ([]byte, error) { return bytes.Clone(caseSchema), nil }
