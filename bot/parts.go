package bot

import "strings"

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

// sentences cuts text behind its question marks, but for those within quotes.
// What stands before a question belongs to it, and what follows the last to that.
func sentences(text string) (list []string) {
	from, quoted, marked := 0, 0, false
	for i, r := range text {
		switch r {
		case '《', '“', '「':
			quoted++
		case '》', '”', '」':
			quoted = max(0, quoted-1)
		case '"':
			quoted = 1 - min(quoted, 1)
		case '?', '？':
			marked = marked || quoted == 0 && strings.TrimSpace(text[from:i]) != ""
			continue
		}
		if marked {
			list = append(list, strings.TrimSpace(text[from:i]))
			from, marked = i, false
		}
	}
	rest := strings.TrimSpace(text[from:])
	if marked || len(list) == 0 {
		return append(list, rest)
	}
	if rest != "" {
		list[len(list)-1] += " " + rest
	}
	return list
}
