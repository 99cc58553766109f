package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
)

// OpenAI is the base URL that an empty [Config.BaseURL] stands for.
const OpenAI = "https://api.openai.com/v1"

// The values that zero fields of a [Config] stand for.
const (
	DefaultTimeout    = 30 * time.Second
	DefaultAttempts   = 3
	DefaultWait       = 500 * time.Millisecond
	DefaultMaxWait    = 20 * time.Second
	DefaultBreakAfter = 5
	DefaultBreakFor   = 30 * time.Second
	DefaultMaxBody    = 1 << 20
)

// idlePerHost is how many connections to the endpoint are kept for reuse.
const idlePerHost = 32

// A Config says which endpoint to ask, and how patiently.
type Config struct {
	BaseURL       string // such as "http://localhost:11434/v1"; "" is [OpenAI]
	Key           string `json:"-"` // "" sends no Authorization header
	Name          string // of the model that replies; "" for embeddings only
	EmbeddingName string // of the model that embeds; "" for none

	Timeout    time.Duration // longest attempt, its response read
	Attempts   int           // most attempts for one call
	Wait       time.Duration // mean wait before the second attempt; doubles with each further one
	MaxWait    time.Duration // longest wait before an attempt; if the endpoint asks for more, the call ends
	BreakAfter int           // failures in a row, attempts counted, after which nothing is asked
	BreakFor   time.Duration // how long nothing is asked, until one attempt may probe
	MaxBody    int64         // longest response body, in bytes

	HTTP *http.Client // nil for one with proxies from the environment
}

// String names the endpoint and the models that are set, without the key.
func (c Config) String() string {
	var named []string
	if c.Name != "" {
		named = append(named, fmt.Sprintf("model %q", c.Name))
	}
	if c.EmbeddingName != "" {
		named = append(named, fmt.Sprintf("embedding model %q", c.EmbeddingName))
	}
	return fmt.Sprintf("%s at %s", cmp.Or(strings.Join(named, " and "), "no model"), cmp.Or(c.BaseURL, OpenAI))
}

// GoString is String, so that no way of printing a Config shows the key.
func (c Config) GoString() string { return c.String() }

// A Model is an endpoint to ask. It is safe for any number of goroutines.
type Model struct {
	c       Config
	reply   *line
	embed   *line
	dialect atomic.Pointer[dialect]
	proven  atomic.Bool // a reply by schema has once been read
}

// String names the endpoint and the models, without the key.
func (m *Model) String() string { return m.c.String() }

// GoString is String, so that no way of printing a Model shows the key.
func (m *Model) GoString() string { return m.c.String() }

// Name is the configured name of the model that replies, "" if there is none.
func (m *Model) Name() string { return m.c.Name }

// EmbeddingName is the configured name of the model that embeds, "" if there is none.
func (m *Model) EmbeddingName() string { return m.c.EmbeddingName }

// New checks c and returns a model for it. It sends nothing: whether the
// endpoint answers shows at the first call.
func New(c Config) (*Model, error) {
	c.BaseURL = strings.TrimRight(strings.TrimSpace(cmp.Or(c.BaseURL, OpenAI)), "/")
	c.Key = strings.TrimSpace(c.Key)
	if err := checkURL(c.BaseURL); err != nil {
		return nil, err
	}
	if strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the model's key has characters that no key has, such as spaces or line breaks: check OPENAI_API_KEY")
	}
	if c.Key == "" && c.BaseURL == OpenAI {
		return nil, errors.New("OpenAI needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint")
	}
	if c.Name == "" && c.EmbeddingName == "" {
		return nil, errors.New("no model is named: set OPENAI_MODEL")
	}
	if c.Timeout < 0 || c.Attempts < 0 || c.Wait < 0 || c.MaxWait < 0 || c.BreakAfter < 0 || c.BreakFor < 0 || c.MaxBody < 0 {
		return nil, errors.New("the model's timeout, attempts, waits and limits can't be negative: leave them 0 for the defaults")
	}
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.Attempts = cmp.Or(c.Attempts, DefaultAttempts)
	c.Wait = cmp.Or(c.Wait, DefaultWait)
	c.MaxWait = cmp.Or(c.MaxWait, DefaultMaxWait)
	c.BreakAfter = cmp.Or(c.BreakAfter, DefaultBreakAfter)
	c.BreakFor = cmp.Or(c.BreakFor, DefaultBreakFor)
	c.MaxBody = cmp.Or(c.MaxBody, DefaultMaxBody)
	if c.HTTP == nil {
		c.HTTP = &http.Client{}
		if t, ok := http.DefaultTransport.(*http.Transport); ok {
			t = t.Clone()
			t.MaxIdleConnsPerHost = idlePerHost
			c.HTTP.Transport = t
		}
	}
	m := &Model{
		c:     c,
		reply: newLine(c, c.Name, "OPENAI_MODEL"),
		embed: newLine(c, c.EmbeddingName, "OPENAI_EMBEDDING_MODEL"),
	}
	m.dialect.Store(&dialect{})
	return m, nil
}

func checkURL(base string) error {
	const wanted = "expected one such as https://api.openai.com/v1 or http://localhost:11434/v1 in OPENAI_BASE_URL"
	u, err := url.Parse(base)
	switch {
	case err != nil:
		// The parser's error quotes the URL, which may hold a password.
		return fmt.Errorf("the model's base URL can't be read: %s", wanted)
	case u.User != nil:
		return errors.New("the model's base URL holds a user or a password: leave them out and set OPENAI_API_KEY")
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("the model's base URL has a part after ? or #: %s", wanted)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("the model's base URL %q is not an http or https URL: %s", base, wanted)
	case strings.HasSuffix(u.Path, "/chat/completions") || strings.HasSuffix(u.Path, "/embeddings"):
		return fmt.Errorf("the model's base URL %q names one operation: leave its end off, so that it ends in /v1", base)
	}
	return nil
}

// A Usage is what calls cost.
type Usage struct {
	Calls            int           // requests that the model worked on: answered with success, or given up waiting for
	Retries          int           // attempts after the first, whatever the reason
	PromptTokens     int           // as the endpoint counts them; 0 if it doesn't
	CompletionTokens int           // as the endpoint counts them; 0 if it doesn't
	Took             time.Duration // from asking to the end, waits included
}

// Plus returns the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Calls:            u.Calls + v.Calls,
		Retries:          u.Retries + v.Retries,
		PromptTokens:     u.PromptTokens + v.PromptTokens,
		CompletionTokens: u.CompletionTokens + v.CompletionTokens,
		Took:             u.Took + v.Took,
	}
}

// A Prompt is what the model is asked.
type Prompt struct {
	System     string // may be empty
	User       string // not empty
	Schema     any    // a value of the Go type that replies have; nil for that of into
	SchemaName string // letters, digits, - and _, at most 64; "" is "reply"
	MaxTokens  int    // most tokens in the reply; 0 leaves it to the endpoint
}

// Reply asks for one JSON object that follows p's schema and stores it in into, a
// pointer to a struct. See [Schema] for the types a reply can have.
//
// The request has temperature 0, unless the endpoint refuses one. Fields that the
// schema doesn't have are ignored, wrong types and values outside an enum are an
// [ErrNonsense], as is an object with none of the schema's fields. A field that
// is missing or null is left zero. A reply may be wrapped in prose or a code fence
// if there is exactly one object in it. Numbers in a field of type any are
// [encoding/json.Number]. A reply that makes no sense is not asked for again.
//
// An endpoint that turns down a response_format is asked again with the next
// weaker one, at last with the schema in the prompt alone; see [Model.Dialect].
//
// into is changed only when the error is nil. The usage is right in both cases.
func (m *Model) Reply(ctx context.Context, p Prompt, into any) (u Usage, err error) {
	start := time.Now()
	defer func() { u.Took = time.Since(start) }()
	q, err := newRequest(p, into)
	if err != nil {
		return u, err
	}
	d := *m.dialect.Load()
	for {
		err = m.call(ctx, m.reply, !d.noTemperature, &u, func(ctx context.Context, client *openai.Client) error {
			response, err := client.CreateChatCompletion(ctx, q.in(d, m.c.Name))
			if err != nil {
				return err
			}
			u.PromptTokens += max(0, response.Usage.PromptTokens)
			u.CompletionTokens += max(0, response.Usage.CompletionTokens)
			return m.read(response, q.schema, into)
		})
		simpler, ok := d.without(err)
		if !ok {
			break
		}
		d = simpler
	}
	m.learn(d, err)
	return u, err
}

// Embed returns the vector of text by the embedding model, scaled to length 1.
// It has the attempts of [Model.Reply] and a breaker of its own. It fits
// chromem-go's EmbeddingFunc.
func (m *Model) Embed(ctx context.Context, text string) ([]float32, error) {
	if text == "" {
		return nil, &failure{kind: ErrRejected, detail: "an empty text has no embedding"}
	}
	var vector []float32
	var u Usage
	err := m.call(ctx, m.embed, false, &u, func(ctx context.Context, client *openai.Client) error {
		response, err := client.CreateEmbeddings(ctx, openai.EmbeddingRequest{
			Input: []string{text},
			Model: openai.EmbeddingModel(m.c.EmbeddingName),
		})
		if err != nil {
			return err
		}
		switch n := len(response.Data); {
		case n == 0:
			return &failure{kind: ErrEmpty, detail: "no embedding came"}
		case n > 1:
			return &failure{kind: ErrNonsense, detail: fmt.Sprintf("%d embeddings came for one text", n)}
		}
		vector, err = normalised(response.Data[0].Embedding)
		return err
	})
	if err != nil {
		return nil, err
	}
	return vector, nil
}

// normalised returns v scaled to length 1.
func normalised(v []float32) ([]float32, error) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return nil, &failure{kind: ErrNonsense, detail: "the embedding is empty or all zeros"}
	}
	length := math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v, nil
}
