package bot

import (
	"fmt"
	"io"
	"sync"
	"time"

	"precedent/bot/words"
	"precedent/engine"
)

// Times of a spinner.
const (
	spinAfter = 150 * time.Millisecond // a quicker answer shows none
	spinEvery = 100 * time.Millisecond
	sayAfter  = 2 * time.Second // without a terminal: one line for each stage that takes longer
)

// A Spinner shows on a terminal that something is being done. Where out is no
// terminal it writes a line for each stage, once the work has taken two seconds.
type Spinner struct {
	out  io.Writer
	live bool
	w    *words.Words

	mu   sync.Mutex
	now  string
	said string
	done chan struct{}
	wg   sync.WaitGroup
}

// Spin starts a spinner that says what until told otherwise. live tells that
// out is a terminal that can go back to the start of a line.
func Spin(out io.Writer, live bool, w *words.Words, what string) *Spinner {
	s := &Spinner{out: out, live: live, w: w, now: what, done: make(chan struct{})}
	start := time.Now()
	s.wg.Go(func() {
		every := time.NewTicker(spinEvery)
		defer every.Stop()
		shown := false
		for i := 0; ; i++ {
			select {
			case <-s.done:
				if shown {
					io.WriteString(s.out, "\r\x1b[K")
				}
				return
			case <-every.C:
			}
			took := time.Since(start)
			text := s.stage()
			switch {
			case live && took >= spinAfter:
				shown = true
				fmt.Fprintf(s.out, "\r\x1b[K%c %s %.1f s", []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[i%10], text, took.Seconds())
			case !live && took >= sayAfter && text != s.said:
				s.said = text
				fmt.Fprintln(s.out, text)
			}
		}
	})
	return s
}

// Progress shows how far an answer is.
func (s *Spinner) Progress(p engine.Progress) {
	text := s.w.Working
	switch p.Stage {
	case engine.Writing:
		text = s.w.Writing
	case engine.Reading:
		text = s.w.Reading
	case engine.Telling:
		text = fmt.Sprintf(s.w.Telling, p.Rows)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = text
}

// Stop erases what the spinner showed. It is called once.
func (s *Spinner) Stop() {
	close(s.done)
	s.wg.Wait()
}

func (s *Spinner) stage() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}
