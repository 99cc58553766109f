package bot

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/store/cases"
)

// alertCases is how many cases an alert names.
const alertCases = 5

// alerts remembers what curators were told last about each graph.
type alerts struct {
	mu   sync.Mutex
	last map[string]string
}

// news reports whether a text is another than the last about a graph.
func (a *alerts) news(graph, text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last == nil {
		a.last = make(map[string]string)
	}
	was := a.last[graph]
	a.last[graph] = text
	return was != text
}

// Alert tells the curators, each in a direct message in a language, what became of
// verified cases as the graph was looked at: those who are named one by one in
// Curators. Those of a group find it on their home page and with /cases. Nothing is
// said where nothing became of any, or where that was said last.
func (d *Desk) Alert(ctx context.Context, graph, language string, r engine.Refreshed) {
	w := words.In(language)
	text := alertText(r, w)
	if text == "" || !d.alerts.news(graph, text) {
		return
	}
	text = Line(graph) + "\n" + text
	for _, curator := range d.Curators {
		network, user, _ := strings.Cut(curator, ":")
		chat := d.chat(network)
		if chat == nil {
			continue
		}
		d.say(ctx, chat, Place{Chat: network, User: user}, Card{Language: w.Language, Tone: Noting, Text: clip(text, chat.Fits().Text)})
	}
}

// alertText says what became of verified cases, a line for each.
func alertText(r engine.Refreshed, w *words.Words) string {
	var lines []string
	drifted := func(form string, list []cases.Drift, more ...any) {
		if len(list) == 0 {
			return
		}
		lines = append(lines, fmt.Sprintf(form, append([]any{len(list)}, more...)...))
		for _, c := range list[:min(len(list), alertCases)] {
			lines = append(lines, "• "+Line(c.Question)+" ("+Line(c.Case)+"): "+Line(w.Because(c.Why())))
		}
	}
	drifted(w.Chat.DriftedOut, r.Out)
	drifted(w.Chat.DriftedStopped, r.Stopped, r.Of)
	if n := len(r.Back); n > 0 {
		lines = append(lines, fmt.Sprintf(w.Chat.DriftedBack, n, strings.Join(r.Back[:min(n, alertCases)], ", ")))
	}
	if n := len(r.Silent); n > 0 {
		lines = append(lines, fmt.Sprintf(w.Chat.Silent, n))
		for _, c := range r.Silent[:min(n, alertCases)] {
			lines = append(lines, "• "+Line(c.Question)+" ("+Line(c.Case)+"): "+strings.Join(doubtLines(c.Doubt, w), " "))
		}
	}
	return strings.Join(lines, "\n")
}
