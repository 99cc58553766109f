// Package text cuts what people type into tokens and folds spellings that mean
// the same: width, case, accents, traditional to simplified Chinese.
//
// It knows two scripts: words written with spaces, and Han characters, each a
// token of its own. It knows no language and no graph.
package text
