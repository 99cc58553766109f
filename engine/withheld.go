package engine

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
)

// What a prompt doesn't say where rows stay in the house (rows_to_model: never):
// nothing that stands in a row and not in the question, its links, the schema's
// names or the model's own words.

// withheld stands where something was left out.
const withheld = "…"

// graphSays is why the graph didn't run a query, for the model. An error of a
// running query may quote what it met in a row.
func (a *asking) graphSays(err error) repair {
	switch {
	case a.rowsToModel:
		return repair("the graph says: " + err.Error())
	case errors.Is(err, store.ErrUnsupported):
		return "the graph can't run this: write it with plainer clauses and functions"
	}
	return "the graph began to run this and met a value that it can't be done with: guard each conversion, division, index and comparison against values of another type, of another form, missing or zero"
}

// problemSays is a problem of a query, for the model. What a property holds is
// known from rows.
func (a *asking) problemSays(p store.Problem) string {
	if p.Kind == "value" && !a.rowsToModel {
		return fmt.Sprintf("no node has the value %s there", p.Name)
	}
	return p.Message
}

// leaving is a repair text as it leaves the house: every one goes through here.
// Where rows stay in, what it quotes is left out unless the model has it already.
func (a *asking) leaving(said string) string {
	if a.rowsToModel {
		return said
	}
	known := a.known()
	var b strings.Builder
	for rest := said; ; {
		before, quoted, after, found := nextQuoted(rest)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		mark := quoted[:1]
		if inner := strings.Trim(quoted, mark); strings.Contains(known, inner) {
			b.WriteString(quoted)
		} else {
			b.WriteString(mark + withheld + mark)
		}
		rest = after
	}
}

// known is all that the model was told or said itself.
func (a *asking) known() string {
	said := []string{a.told, a.q.Text, a.Restated, a.wrote}
	for _, l := range a.Links {
		said = append(said, l.Mention, fmt.Sprint(l.Value), l.Label+"."+l.Property)
	}
	return strings.Join(said, "\n")
}

// nextQuoted cuts s around its first part in quotation marks. A part that doesn't
// end goes to the end of s; an apostrophe in a word begins none.
func nextQuoted(s string) (before, quoted, after string, found bool) {
	for i, r := range s {
		if !strings.ContainsRune("\"'`", r) || r == '\'' && i > 0 && inWord(s[:i]) {
			continue
		}
		for end := i + 1; end < len(s); end++ {
			switch s[end] {
			case '\\':
				end++
			case byte(r):
				return s[:i], s[i : end+1], s[end+1:], true
			}
		}
		return s[:i], s[i:] + string(r), "", true
	}
	return s, "", "", false
}

// inWord reports whether s ends in a letter.
func inWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// shownCase is a case as the model is shown it: with its example values, or where
// rows stay in, with its slots.
func (a *asking) shownCase(c store.Case) similar {
	if a.rowsToModel {
		return similar{foreign(c.Question), foreign(c.Query)}
	}
	asked := c.Question
	if len(c.Wordings) > 0 {
		asked = c.Wordings[0]
	}
	query, texts := withoutTexts(c.Query)
	for _, s := range texts {
		asked = strings.ReplaceAll(asked, s, withheld)
	}
	return similar{foreign(asked), foreign(query)}
}

// shownRejection is a rejected query as the model is shown it. A curator's reason
// may speak of rows.
func (a *asking) shownRejection(r cases.Rejection) rejected {
	if a.rowsToModel {
		return rejected{foreign(r.Query), foreign(r.Reason)}
	}
	query, _ := withoutTexts(r.Query)
	return rejected{Query: foreign(query)}
}

// withoutTexts is a query with the parameter $value in place of each text that it
// holds, and those texts; "" for what can't be read.
func withoutTexts(query string) (string, []string) {
	s, err := cypher.Parse(query)
	if err != nil {
		return "", nil
	}
	var at []*cypher.Literal
	var texts []string
	cypher.Walk(s, func(n cypher.Node) bool {
		if l, ok := n.(*cypher.Literal); ok {
			if text, ok := l.Value.(string); ok && text != "" {
				at, texts = append(at, l), append(texts, text)
			}
		}
		return true
	})
	if at == nil {
		return query, nil
	}
	replaceLiterals(s, at, "value")
	return cypher.Print(s), texts
}
