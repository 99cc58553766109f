package bot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParts is how many questions one message may ask.
const maxParts = 4

// parts splits a message that asks several questions into these; nil for one
// that asks one, or more than maxParts. It is sure that there are several where
// each ends with a question mark; lines may also be one question.
func parts(text string) (list []string, sure bool) {
	list, sure = sentences(text), true
	if len(list) < 2 {
		list, sure = nil, false
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
	}
	if len(list) < 2 || len(list) > maxParts {
		return nil, false
	}
	return list, sure
}

// sentences cuts text behind its question marks, but for those within quotes or
// words. What stands before a question belongs to it, and what follows the last to
// that.
func sentences(text string) (list []string) {
	from, quoted := 0, 0
	for i, r := range text {
		switch r {
		case '《', '“', '「':
			quoted++
		case '》', '”', '」':
			quoted = max(0, quoted-1)
		case '"':
			quoted = 1 - min(quoted, 1)
		}
		if i < from || quoted > 0 || r != '?' && r != '？' {
			continue
		}
		rest := strings.TrimLeft(text[i:], "?？!！)）]】'’\"”*_~")
		next, _ := utf8.DecodeRuneInString(rest)
		if r == '?' && rest != "" && !unicode.IsSpace(next) && next < 0x2E80 { // of an address, say
			continue
		}
		if strings.TrimSpace(text[from:i]) != "" {
			list = append(list, strings.TrimSpace(text[from:len(text)-len(rest)]))
		}
		from = len(text) - len(rest)
	}
	rest := strings.TrimSpace(text[from:])
	switch {
	case rest == "":
	case len(list) == 0:
		return []string{rest}
	default:
		list[len(list)-1] += " " + rest
	}
	return list
}
