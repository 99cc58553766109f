package modeltest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"precedent/store/nettest"
)

const (
	// Dimensions is the length of an embedding from a server that isn't told another.
	Dimensions = 32
	// maxRequest is the longest request body that is read, in bytes.
	maxRequest = 16 << 20
)

// A Server is an OpenAI-compatible endpoint for one test. Set its fields before
// the first request. Everything else may be used from any goroutine.
type Server struct {
	URL        string // base URL, ends in /v1
	Key        string // if set, a request without this bearer key is answered 401
	Dimensions int    // length of its embeddings; 0 is Dimensions

	t       testing.TB
	respond func(prompt string) Reply
	closing chan struct{}

	mu         sync.Mutex
	chat       []Reply // left to give
	embeddings []Reply // left to give
	log        []Request
}

// A Request is one request as it came in, whether it was found valid or not.
type Request struct {
	Path     string // such as "/v1/chat/completions"
	Header   http.Header
	Body     []byte
	Model    string
	Messages []Message // of a chat request
	Input    []string  // of an embedding request
}

// A Message is one message of a chat request.
type Message struct {
	Role    string
	Content string
}

// New starts a server that gives these replies to chat requests, in order, each
// once. A valid request beyond the last one fails the test and is answered 500.
// The server ends with the test.
func New(t testing.TB, replies ...Reply) *Server {
	return start(t, &Server{chat: replies})
}

// Respond starts a server that asks f for each reply to a valid chat request.
// The prompt is the request's messages, each as "[role]\ncontent\n". f may be
// called from several goroutines at once.
func Respond(t testing.TB, f func(prompt string) Reply) *Server {
	return start(t, &Server{respond: f})
}

func start(t testing.TB, s *Server) *Server {
	s.t, s.closing = t, make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serveChat)
	mux.HandleFunc("POST /v1/embeddings", s.serveEmbedding)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, fmt.Sprintf("Invalid URL (%s %s)", r.Method, r.URL.Path), "", "")
	})
	web := nettest.Unstarted(t, mux) // what requests read is there before the first
	s.URL = "http://" + web.Listener.Addr().String() + "/v1"
	web.Start()
	t.Cleanup(func() {
		close(s.closing)
		web.Close()
	})
	return s
}

// Script adds replies for chat requests after those not yet given.
func (s *Server) Script(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chat = append(s.chat, replies...)
}

// ScriptEmbeddings has the next embedding requests answered by these replies, in
// order. A zero Reply stands for a true embedding, which is also what follows the last.
func (s *Server) ScriptEmbeddings(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embeddings = append(s.embeddings, replies...)
}

// Left counts the scripted chat replies not yet given.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.chat)
}

// Requests returns the requests so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// Calls counts the chat requests so far, retries and invalid ones included.
func (s *Server) Calls() int { return s.count("/v1/chat/completions") }

// EmbeddingCalls counts the embedding requests so far, retries and invalid ones included.
func (s *Server) EmbeddingCalls() int { return s.count("/v1/embeddings") }

func (s *Server) count(path string) int {
	n := 0
	for _, r := range s.Requests() {
		if r.Path == path {
			n++
		}
	}
	return n
}

// Prompts renders the messages of all chat requests for a golden file: for
// each, "[1 system]", its text, "[1 user]", its text, each ending in a newline;
// the number counts requests from 1.
func (s *Server) Prompts() string {
	var b strings.Builder
	n := 0
	for _, r := range s.Requests() {
		if r.Path != "/v1/chat/completions" {
			continue
		}
		n++
		for _, m := range r.Messages {
			writeMessage(&b, fmt.Sprintf("%d %s", n, m.Role), m.Content)
		}
	}
	return b.String()
}

func writeMessage(b *strings.Builder, head, content string) {
	fmt.Fprintf(b, "[%s]\n%s\n", head, strings.TrimSuffix(content, "\n"))
}

func (s *Server) serveChat(w http.ResponseWriter, r *http.Request) {
	body, ok := s.read(w, r)
	if !ok {
		return
	}
	chat, complaint := parseChat(body)
	s.note(Request{Path: r.URL.Path, Header: r.Header, Body: body, Model: chat.Model, Messages: chat.messages()})
	if !s.allowed(w, r) {
		return
	}
	if complaint != nil {
		fail(w, http.StatusBadRequest, complaint.message, "", complaint.param)
		return
	}
	var b strings.Builder
	for _, m := range chat.messages() {
		writeMessage(&b, m.Role, m.Content)
	}
	reply, ok := s.next(b.String())
	if !ok {
		s.t.Errorf("modeltest: request %d is not in the script:\n%s", s.Calls(), b.String())
		fail(w, http.StatusInternalServerError, "this request is not in the test's script", "", "")
		return
	}
	if s.wait(r, reply) {
		reply.write(w, chat.Model, b.String())
	}
}

func (s *Server) serveEmbedding(w http.ResponseWriter, r *http.Request) {
	body, ok := s.read(w, r)
	if !ok {
		return
	}
	model, input, complaint := parseEmbedding(body)
	s.note(Request{Path: r.URL.Path, Header: r.Header, Body: body, Model: model, Input: input})
	if !s.allowed(w, r) {
		return
	}
	if complaint != nil {
		fail(w, http.StatusBadRequest, complaint.message, "", complaint.param)
		return
	}
	reply := s.nextEmbedding()
	if !s.wait(r, reply) {
		return
	}
	if reply.Raw == nil && !reply.cut {
		vectors := embeddings(model, input, cmp.Or(s.Dimensions, Dimensions))
		reply.Raw = &vectors
	}
	reply.write(w, model, strings.Join(input, "\n"))
}

// next takes the reply to a prompt; false when the script has ended.
func (s *Server) next(prompt string) (Reply, bool) {
	if s.respond != nil {
		return s.respond(prompt), true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.chat) == 0 {
		return Reply{}, false
	}
	reply := s.chat[0]
	s.chat = s.chat[1:]
	return reply, true
}

func (s *Server) nextEmbedding() Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.embeddings) == 0 {
		return Reply{}
	}
	reply := s.embeddings[0]
	s.embeddings = s.embeddings[1:]
	return reply
}

func (s *Server) note(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, r)
}

// wait holds the answer back as the reply asks; false when there will be none.
func (s *Server) wait(r *http.Request, reply Reply) bool {
	if !reply.hang && reply.Delay == 0 {
		return true
	}
	var delay <-chan time.Time
	if !reply.hang {
		delay = time.After(reply.Delay)
	}
	select {
	case <-delay:
		return true
	case <-r.Context().Done():
		return false
	case <-s.closing:
		return false
	}
}

// allowed answers 401, as OpenAI does with the key in its words, unless the key fits.
func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
	got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if s.Key == "" || got == s.Key {
		return true
	}
	fail(w, http.StatusUnauthorized, "Incorrect API key provided: "+got, "invalid_api_key", "")
	return false
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		fail(w, http.StatusBadRequest, "We could not read your request: "+err.Error(), "", "")
		return nil, false
	}
	return body, true
}

func fail(w http.ResponseWriter, status int, message, code, param string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, errorBody(message, code, param))
}

// embeddings is the response object for texts.
func embeddings(model string, texts []string, dimensions int) string {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = map[string]any{"object": "embedding", "index": i, "embedding": EmbeddingOf(text, dimensions)}
	}
	tokens := Tokens(strings.Join(texts, ""))
	b, _ := json.Marshal(map[string]any{
		"object": "list", "data": list, "model": model,
		"usage": map[string]any{"prompt_tokens": tokens, "total_tokens": tokens},
	})
	return string(b)
}

// Embedding is [EmbeddingOf] of [Dimensions] numbers.
func Embedding(text string) []float32 { return EmbeddingOf(text, Dimensions) }

// EmbeddingOf is this server's vector for text: that many numbers, of length 1,
// the same in every run. Texts that share pairs of letters are near each other.
func EmbeddingOf(text string, dimensions int) []float32 {
	vector := make([]float32, dimensions)
	runes := []rune(" " + strings.ToLower(text) + " ")
	for i := range len(runes) - 1 {
		h := fnv.New32a()
		io.WriteString(h, string(runes[i:i+2]))
		vector[h.Sum32()%uint32(dimensions)]++
	}
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	for i := range vector {
		vector[i] /= float32(math.Sqrt(sum))
	}
	return vector
}
