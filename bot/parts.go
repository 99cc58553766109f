package bot

import "strings"

// maxParts is how many questions one message may ask.
const maxParts = 4

// parts splits a message that asks several questions, each ended by a question
// mark or on a line of its own, into these; nil for one that asks one, or more
// than maxParts. What stands in quotes is not split.
func parts(text string) []string {
	var out []string
	var part strings.Builder
	quoted := 0
	end := func() {
		if p := strings.TrimSpace(part.String()); strings.Trim(p, "?？ \t") != "" {
			out = append(out, p)
		}
		part.Reset()
	}
	for _, r := range text {
		switch r {
		case '《', '“', '「':
			quoted++
		case '》', '”', '」':
			quoted = max(0, quoted-1)
		}
		if r == '\n' {
			end()
			continue
		}
		part.WriteRune(r)
		if (r == '?' || r == '？') && quoted == 0 {
			end()
		}
	}
	end()
	if len(out) < 2 || len(out) > maxParts {
		return nil
	}
	return out
}
