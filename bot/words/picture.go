package words

import "fmt"

// Pictures are the sentences that say what a picture shows to people who don't
// see it, and its units.
type Pictures struct {
	Bars    string // number of bars, what is measured, of what
	Graph   string // number of nodes, of relationships
	Item    string // name, number
	Between string // items
	More    string // number of items left out
	Units   []Unit // largest first
}

// A Unit is a short word for a large number.
type Unit struct {
	Of   float64
	Word string
}

// Left says that n items were left out.
func (p Pictures) Left(n int) string { return fmt.Sprintf(p.More, n) }

// EnglishPictures tell of pictures in English.
var EnglishPictures = Pictures{
	Bars:    "Bar chart with %d bars, %s by %s: ",
	Graph:   "Graph with %d nodes and %d relationships: ",
	Item:    "%s %s",
	Between: "; ",
	More:    "; and %d more",
	Units:   []Unit{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}},
}

// ChinesePictures tell of pictures in Chinese.
var ChinesePictures = Pictures{
	Bars:    "条形图，共 %d 条，%s（按 %s）：",
	Graph:   "关系图，%d 个节点，%d 条关系：",
	Item:    "%s %s",
	Between: "；",
	More:    "；另有 %d 项",
	Units:   []Unit{{1e12, "万亿"}, {1e8, "亿"}, {1e4, "万"}},
}
