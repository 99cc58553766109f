// Package movies is the graph that ships with the program: 325 films and their
// people, as CSV in the header format of neo4j-admin database import, with the
// other names of its values, the words of its domain and its worked cases.
//
// Films, people, dates and figures are facts; users and their ratings are made up.
package movies

import (
	"embed"
	"io/fs"
)

//go:embed graph/*.csv
var graph embed.FS

//go:embed aliases.yaml
var Aliases []byte

//go:embed glossary.yaml
var Glossary []byte

// Cases holds *.yaml files of cases.
//
//go:embed cases/*.yaml
var Cases embed.FS

// Shipped is made of the cases, the glossary and the aliases, so that a start
// needn't parse them; go generate ./engine writes it, and a test there says when
// to.
//
//go:embed shipped.gz
var Shipped []byte

// OffTopicEnglish and OffTopicChinese list what people say to a bot that knows films
// and that isn't about its graph: popcorn, tickets, what they thought of a film, and
// topics that no film is asked for by. They are written like the lists of guardrails.
var (
	//go:embed offtopic/en.txt
	OffTopicEnglish string
	//go:embed offtopic/zh.txt
	OffTopicChinese string
)

// Name is the graph's name, under which its cases are kept.
const Name = "movies"

// Graph holds the CSV files.
func Graph() fs.FS {
	sub, err := fs.Sub(graph, "graph")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return sub
}
