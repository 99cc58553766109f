package cases

import "math"

// HashedModel is the name under which the vectors of [Hashed] rank.
const HashedModel = "hashed-256-1"

// HashedDims is the length of the vectors of [Hashed].
const HashedDims = 256

// Weights of the features of [Hashed]. Words that carry little meaning alone
// weigh less, since the vectors know no document frequencies.
const (
	wordWeight      = 1.0
	functionWeight  = 0.25
	gramWeight      = 0.35
	pairWeight      = 1.0
	characterWeight = 0.4
)

var functionWords = wordSet(`a an the of in on at to for by with from and or is are was were be been do does did
	has have had it its that this these those there what which who whom whose how when where i me my you your we our
	please can could would show tell give list find get all any`)

var functionCharacters = wordSet(`的 了 吗 呢 是 在 有 和 与 哪 些 什 么 请 给 我 你 吧 啊`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	runs(words, func(word string, cjk bool) { set[word] = true })
	return set
}

// Hashed embeds text without a model: the same text gives the same vector on
// every machine, offline, in microseconds. The features are words (case,
// width, accents and plural folded) and the 3-grams of their characters with
// their edges, and of CJK the characters and the pairs of neighbours. Each is
// hashed by FNV-1a to one of [HashedDims] places with a sign (Weinberger et
// al., Feature Hashing for Large Scale Multitask Learning, 2009). The length
// is 1, or 0 for a text without letters and digits.
func Hashed(text string) []float32 {
	v := make([]float32, HashedDims)
	runs(fold(text), func(run string, cjk bool) {
		if cjk {
			hashCJK(v, run)
		} else {
			hashWord(v, run)
		}
	})
	return normalize(v)
}

func hashWord(v []float32, word string) {
	if functionWords[word] {
		addFeature(v, 'w', word, functionWeight)
		return
	}
	word = stem(word)
	addFeature(v, 'w', word, wordWeight)
	if len(word) < 3 {
		return
	}
	edged := "^" + word + "$"
	starts := runeStarts(edged)
	for i := 0; i+3 < len(starts); i++ {
		addFeature(v, 'g', edged[starts[i]:starts[i+3]], gramWeight)
	}
}

func hashCJK(v []float32, run string) {
	starts := runeStarts(run)
	for i := 0; i+1 < len(starts); i++ {
		character := run[starts[i]:starts[i+1]]
		weight := float32(characterWeight)
		if functionCharacters[character] {
			weight *= functionWeight
		}
		addFeature(v, 'c', character, weight)
		if i+2 < len(starts) {
			addFeature(v, 'p', run[starts[i]:starts[i+2]], pairWeight)
		}
	}
}

func addFeature(v []float32, kind byte, feature string, weight float32) {
	const offset, prime = 14695981039346656037, 1099511628211
	h := (uint64(offset) ^ uint64(kind)) * prime
	for i := range len(feature) {
		h = (h ^ uint64(feature[i])) * prime
	}
	h ^= h >> 29 // FNV-1a mixes its low bits badly for short texts
	if h>>63 == 1 {
		weight = -weight
	}
	v[h%HashedDims] += weight
}

// normalize scales v to length 1 in place and returns it; a zero vector stays.
func normalize(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return v
	}
	scale := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) * scale)
	}
	return v
}
