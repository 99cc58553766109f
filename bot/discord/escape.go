package discord

import (
	"strings"
	"unicode/utf8"

	"precedent/bot"
)

// clean is text as people may see it: no control characters, no marks that turn
// the direction of writing, line breaks as \n.
func clean(text string) string {
	return bot.Plain(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))
}

// line is clean on one line.
func line(text string) string { return bot.Line(text) }

// escape writes text so that Discord's markdown shows it as it stands, whatever
// is written around it: no format, mention, link, emoji or time of it works. It
// grows to twice its length at most. Discord shows a backslash before any sign of
// ASCII as that sign alone.
func escape(text string) string {
	runes := []rune(clean(text))
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	first, number := true, false // nothing but spaces, or digits, since the line began
	for i, r := range runes {
		var before, after rune // 0 where the text ends
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		apart := after == 0 || after == ' ' || after == '\n'
		switch {
		case strings.ContainsRune("\\*_~|`<>@#[]/", r),
			strings.ContainsRune("-+", r) && first && (apart || after == '#'),
			strings.ContainsRune(".)", r) && number && apart,
			r == ':' && !apart,
			r == '(' && before == ']':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		digit := r >= '0' && r <= '9'
		number = digit && (first || number)
		first = r == '\n' || first && r == ' '
	}
	return b.String()
}

// fence shows text as a code block. What would end the block is broken by a
// space of no width.
func fence(text string) string {
	for strings.Contains(text, "```") {
		text = strings.ReplaceAll(text, "```", "``\u200b`")
	}
	if strings.HasSuffix(text, "`") {
		text += "\u200b"
	}
	return "```cypher\n" + text + "\n```"
}

// cut keeps at most n code points, "…" among them.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:max(n-1, 0)])) + "…"
}

// filled is text where Discord takes none that is empty.
func filled(text string) string {
	if strings.TrimSpace(text) == "" {
		return "…"
	}
	return text
}

func size(text string) int { return utf8.RuneCountInString(text) }

// fitting draws as much of text as fits in n code points once drawn, "…" behind
// what is cut. It is "" if not even that fits.
func fitting(text string, n int, draw func(string) string) string {
	drawn := draw(text)
	if size(drawn) <= n {
		return drawn
	}
	runes := []rune(text)
	low, high := 0, min(len(runes), n) // drawing never shortens
	for low < high {
		mid := (low + high + 1) / 2
		if size(draw(string(runes[:mid])+"…")) <= n {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if low == 0 {
		return ""
	}
	return draw(strings.TrimRight(string(runes[:low]), " \n") + "…")
}
