package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"precedent/bot"
	"precedent/engine/model"
)

// lookAtModel asks the model one thing, and the embedding model another.
func lookAtModel(ctx context.Context, c *model.Config) []bot.Finding {
	f := bot.Finding{Part: "model", State: bot.Fine}
	none := bot.Finding{Part: f.Part, State: bot.Doubtful, What: "none: only what verified cases cover is answered",
		Cure: "set OPENAI_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL, for any OpenAI-compatible endpoint"}
	if c == nil {
		return []bot.Finding{none}
	}
	once := *c
	once.Timeout, once.Attempts = lookWithin/3, 2
	m, err := model.New(once)
	if err != nil {
		f.State, f.What, f.Cure = bot.Wrong, err.Error(), "check OPENAI_BASE_URL and OPENAI_MODEL"
		return []bot.Finding{f}
	}
	var found []bot.Finding
	if m.Name() == "" {
		found = append(found, none)
	} else {
		found = append(found, replies(ctx, m))
	}
	if m.EmbeddingName() != "" {
		found = append(found, embeds(ctx, m))
	}
	return found
}

// replies asks for the smallest reply of the form that all replies have.
func replies(ctx context.Context, m *model.Model) bot.Finding {
	var said struct {
		Word string `json:"word" description:"the word"`
	}
	used, err := m.Reply(ctx, model.Prompt{System: "You reply with a JSON object.", User: "Give the word ready."}, &said)
	if err != nil {
		return unanswered("model", m.Name(), "OPENAI_MODEL", err)
	}
	return bot.Finding{Part: "model", State: bot.Fine, What: fmt.Sprintf("%s replies in JSON, in %v", m.Name(), used.Took.Round(time.Millisecond))}
}

func embeds(ctx context.Context, m *model.Model) bot.Finding {
	vector, err := m.Embed(ctx, "ready")
	if err != nil {
		return unanswered("embeddings", m.EmbeddingName(), "OPENAI_EMBEDDING_MODEL", err)
	}
	return bot.Finding{Part: "embeddings", State: bot.Fine, What: fmt.Sprintf("%s gives %d dimensions", m.EmbeddingName(), len(vector))}
}

// unanswered says why an endpoint doesn't answer, and what to do. variable is
// where its model's name comes from.
func unanswered(part, name, variable string, err error) bot.Finding {
	f := bot.Finding{Part: part, State: bot.Wrong, What: name + ": " + err.Error()}
	switch {
	case errors.Is(err, model.ErrDenied):
		f.Cure = "check OPENAI_API_KEY: is it whole, still valid, and of the endpoint that OPENAI_BASE_URL names?"
	case errors.Is(err, model.ErrUnknownModel):
		f.Cure = "set " + variable + " to a model that the endpoint has; OPENAI_BASE_URL usually ends in /v1"
	case errors.Is(err, model.ErrRefused), errors.Is(err, model.ErrNonsense):
		f.Cure = "choose a model that follows instructions and replies in JSON, with " + variable
	case errors.Is(err, model.ErrRejected):
		f.Cure = "choose another model with " + variable + ", or set OPENAI_BASE_URL to an endpoint that is OpenAI-compatible"
	default:
		f.Cure = "start it, or check OPENAI_BASE_URL, the network and the account's credit"
	}
	return f
}
