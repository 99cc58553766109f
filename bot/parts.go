package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"precedent/engine"
	"precedent/store/inbox"
)

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

// inParts answers each of several questions for itself, the first where at is.
func (d *Desk) inParts(ctx context.Context, chat Chat, e inbox.Event, h Heard, to Place, at *Place, k kept, m Message, list []string) error {
	var all []inbox.Shown
	for i, part := range list {
		m.Text, k.Question = part, part
		a := d.answer(ctx, h, m, make(chan engine.Progress, 1))
		if err := context.Cause(ctx); err != nil && !errors.Is(err, errStopped) {
			return err
		}
		d.spend(ctx, h, a)
		c := Card{Understood: clip(Line(part), chat.Fits().Small)}
		if i > 0 {
			at, c.Carries = nil, fmt.Sprintf("%s#%d", h.asks(), i+1)
		}
		shown, err := d.bring(context.WithoutCancel(ctx), chat, e, h, to, at, c, k, &a)
		if nowhere(err) {
			continue
		}
		if err != nil {
			return err
		}
		all = append(all, shown)
	}
	return d.Inbox.Finish(context.WithoutCancel(ctx), e.ID, all...)
}
