package bot

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"precedent/bot/picture"
	"precedent/bot/words"
	"precedent/engine"
)

// lay lays out an answer, its table from row from on, for a network with room
// for fits. Where the card is partial, holding less than the answer, it says so.
func lay(a engine.Answer, from int, fits Fits) (c Card, partial bool) {
	w := words.In(a.Language)
	c = Card{Language: a.Language, Text: answerText(a), Small: badges(a, w)}
	if from > 0 {
		c.Text = ""
	}
	if said := understood(a); said != "" {
		c.Understood = clip(Line(fmt.Sprintf(w.Understood, said)), fits.Small)
	}
	switch a.Route {
	case engine.Fault:
		c.Tone = Breaking
	case engine.Refused, engine.Unanswered, engine.Clarify:
		c.Tone = Declining
	}
	cut := false
	if short := clip(c.Text, fits.Text); short != c.Text {
		c.Text, cut = short, true
	}
	if tabular(a) || cut && len(a.Rows) > 0 {
		sheet, rows, narrowed := sheetOf(a.Columns, a.Rows[from:], fits)
		sheet.Before = from
		c.Table = sheet
		to := from + rows
		if from > 0 || to < len(a.Rows) || a.Truncated {
			c.Small = slices.Insert(c.Small, 0, rowsOf(a, from, to, w))
		}
		if left := len(a.Rows) - to; left > 0 {
			c.Buttons = append(c.Buttons, press(fmt.Sprintf(w.Chat.Next, min(left, PageRows)), Ordinary, "more", a.ID, strconv.Itoa(to)))
		}
		if from == 0 && (narrowed || cut || to < len(a.Rows)) {
			full := w.Chat.Full
			if a.Truncated {
				full = fmt.Sprintf(w.Chat.FullRead, len(a.Rows))
			}
			c.Small, partial = append(c.Small, full), true
		}
	}
	for i, label := range offered(a) {
		if i == maxOffers {
			break
		}
		if i < len(a.Choices) {
			if l := a.Choices[i].Link; l.Label != "" {
				label += " (" + l.Label + "." + l.Property + ")"
			}
		}
		c.Buttons = append(c.Buttons, press(clip(Line(label), fits.Label), Ordinary, "pick", a.ID, strconv.Itoa(i)))
	}
	c.Buttons = append(c.Buttons, verdicts(a, w)...)
	for i := range c.Small {
		c.Small[i] = clip(c.Small[i], fits.Small)
	}
	return c, partial
}

// rowsOf says which rows are shown, and of how many.
func rowsOf(a engine.Answer, from, to int, w *words.Words) string {
	of := strconv.Itoa(len(a.Rows))
	if a.Truncated {
		of += "+"
	}
	if to == from+1 {
		return fmt.Sprintf(w.Row, to, of)
	}
	return fmt.Sprintf(w.Rows, from+1, to, of)
}

// understood is how a question was understood, "" where that is what was asked.
func understood(a engine.Answer) string {
	switch {
	case a.Understood != nil:
		return *a.Understood
	case a.Restated != "" && !same(a.Restated, a.Question):
		return a.Restated
	}
	return ""
}

// filesOf are the files that belong beside an answer: all of it, where the card
// is partial, and a picture of rows that are better looked at than read.
func filesOf(a engine.Answer, partial bool) (files []File) {
	if partial {
		files = append(files, File{Name: "answer-" + a.ID + ".csv", Type: "text/csv; charset=utf-8", Alt: clip(Line(fmt.Sprintf(words.In(a.Language).Chat.FileAlt, len(a.Rows), strings.Join(a.Columns, ", "), a.Question)), fileAlt), Body: sheetFile(a.Columns, a.Rows)})
	}
	if a.Truncated || !a.Route.Answers() {
		return files
	}
	if body, alt, ok := picture.Of(a.Columns, a.Rows, or(a.Restated, a.Question)); ok {
		files = append(files, File{Name: "answer-" + a.ID + ".png", Type: "image/png", Alt: clip(alt, pictureAlt), Body: body})
	}
	return files
}

const (
	maxOffers  = 10 // choices with a button
	fileAlt    = 200
	pictureAlt = 1000 // characters
)

// verdicts are the buttons on which people judge an answer.
func verdicts(a engine.Answer, w *words.Words) (list []Button) {
	switch a.Route {
	case engine.ByCase, engine.Composed, engine.ByModel:
		list = append(list, press("👍 "+w.Chat.Right, Ordinary, "up", a.ID), press("👎 "+w.Chat.Wrong, Ordinary, "down", a.ID), press(w.Chat.How, Ordinary, "how", a.ID))
		if a.Route != engine.ByModel {
			list = append(list, press(w.Chat.AskModel, Ordinary, "model", a.ID))
		}
	case engine.Unanswered:
		list = append(list, press(w.Chat.How, Ordinary, "how", a.ID))
	case engine.Refused:
		if canAnyway(a) {
			list = append(list, press(w.Chat.AskAnyway, Ordinary, "anyway", a.ID))
		}
	}
	return list
}

// press is a button that does act with args.
func press(label string, look Look, act string, args ...string) Button {
	return Button{ID: strings.Join(append([]string{act}, args...), "|"), Label: label, Look: look}
}

// answerText is what an answer says, without what its buttons repeat.
func answerText(a engine.Answer) string {
	text := a.Text
	if list := offered(a); len(list) > 0 {
		for _, sep := range []string{" · ", " / "} {
			text = strings.TrimSuffix(text, strings.Join(list, sep))
		}
	}
	return Plain(strings.TrimSpace(text))
}

// badges are what an answer rests on.
func badges(a engine.Answer, w *words.Words) []string {
	parts := origin(a, w)
	if parts == nil {
		return nil
	}
	if i := slices.IndexFunc(a.Cases, func(c engine.ShownCase) bool { return a.Case != nil && c.ID == *a.Case }); i >= 0 {
		parts = append(parts, fmt.Sprintf(w.Rests, Line(a.Cases[i].Question)))
	}
	return []string{strings.Join(append(parts, fmt.Sprintf(w.AnswerID, a.ID)), " · ")}
}

// origin says who wrote the query of an answer, and how often it was mended; nil
// if there is none.
func origin(a engine.Answer, w *words.Words) []string {
	switch {
	case a.Route == engine.ByCase:
		return []string{w.FromCase}
	case a.Route == engine.Composed:
		return []string{w.FromWords}
	case a.Route != engine.ByModel:
		return nil
	case a.Repairs == 1:
		return []string{w.FromModel, w.RepairedOnce}
	case a.Repairs > 1:
		return []string{w.FromModel, fmt.Sprintf(w.Repaired, a.Repairs)}
	}
	return []string{w.FromModel}
}

// sheetOf lays out as many rows as fit. narrowed tells whether columns or cells
// were left out or cut.
func sheetOf(columns []string, rows [][]any, fits Fits) (s *Sheet, shown int, narrowed bool) {
	s = &Sheet{}
	wide := min(len(columns), fits.Columns)
	narrowed = wide < len(columns)
	room := fits.Table
	for _, name := range columns[:wide] {
		short := clip(Line(name), fits.Cell)
		s.Columns = append(s.Columns, short)
		room -= utf8.RuneCountInString(short)
	}
	for i := range wide {
		s.Numeric = append(s.Numeric, numeric(rows, i))
	}
	for _, cells := range Cells(columns, rows[:min(len(rows), PageRows, fits.Rows)]) {
		line := make([]string, wide)
		size := 0
		for i, text := range cells[:wide] {
			line[i] = clip(text, fits.Cell)
			narrowed = narrowed || line[i] != text
			size += utf8.RuneCountInString(line[i])
		}
		if size > room && shown > 0 {
			break
		}
		for i := 0; size > room && i < wide; i++ { // one row alone is too much
			short := clip(line[i], max(1, room/wide))
			size -= utf8.RuneCountInString(line[i]) - utf8.RuneCountInString(short)
			line[i], narrowed = short, true
		}
		room -= size
		s.Rows = append(s.Rows, line)
		shown++
	}
	return s, shown, narrowed
}

// lines is the table as lines of text.
func (s *Sheet) lines() string {
	var b strings.Builder
	for _, row := range s.Rows {
		b.WriteString(strings.Join(row, " · ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// sheetFile is a table as CSV (RFC 4180), in UTF-8 with the mark by which
// spreadsheets know it. A cell that a spreadsheet would run as a formula begins
// with an apostrophe (OWASP, CSV Injection).
func sheetFile(columns []string, rows [][]any) []byte {
	var b bytes.Buffer
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	line := make([]string, len(columns))
	for i, name := range columns {
		line[i] = inert(name)
	}
	w.Write(line)
	for _, row := range rows {
		for i := range line {
			line[i] = ""
			if i < len(row) && row[i] != nil {
				line[i] = cell(row[i])
				if _, isText := row[i].(string); isText {
					line[i] = inert(line[i])
				}
			}
		}
		w.Write(line)
	}
	w.Flush()
	return b.Bytes()
}

func inert(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// clip returns text cut to at most most characters, … included; most below 1
// leaves it as it is.
func clip(text string, most int) string {
	if most < 1 || utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:most-1]), " \n") + "…"
}
