package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Bounds of how a part is tried again.
const (
	steady      = time.Minute     // a run that was up for so long begins the waits anew
	mostQuick   = 8               // shorter ones, one after the other, that do as well
	lastingMost = 5 * time.Minute // between two tries at what somebody has to put right
	leastWait   = 20 * time.Millisecond
	jitter      = 0.25             // of a wait, either way
	sameReason  = 30 * time.Minute // a reason that comes back within is no news
)

// A Lasting is an error that passes only once somebody has done something about
// it. It holds no secret.
type Lasting struct {
	Why  string // what is wrong
	Cure string // what to do about it
}

func (l *Lasting) Error() string { return l.Why + ": " + l.Cure }

// Final marks an error after which [Part.Keep] doesn't try again.
func Final(err error) error { return final{err} }

type final struct{ error }

func (f final) Unwrap() error { return f.error }

// Parts are what a serving program consists of, each of which breaks and mends for
// itself: networks, the HTTP side, the disk. The zero value is ready.
type Parts struct {
	Log *slog.Logger // nil discards

	mu   sync.Mutex
	list []*Part
	said map[string]time.Time // the reasons that the log has
}

// Part returns the part of a name, as doctor names it: "Slack". It is there from
// the first call on, and down until it is said to be up.
func (ps *Parts) Part(name string) *Part {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if i := slices.IndexFunc(ps.list, func(p *Part) bool { return p.name == name }); i >= 0 {
		return ps.list[i]
	}
	p := ps.Beside(name)
	ps.list = append(ps.list, p)
	return p
}

// Lesser is a part as Part returns it, without which people are answered all the same:
// where it is down, that is a doubt.
func (ps *Parts) Lesser(name string) *Part {
	p := ps.Part(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lesser = true
	return p
}

// Beside is a part that Findings don't tell of: the rest goes on without it.
func (ps *Parts) Beside(name string) *Part { return &Part{of: ps, name: name, since: time.Now()} }

// news tells whether the log hasn't had a reason for long.
func (ps *Parts) news(reason string) bool {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	was, ok := ps.said[reason]
	if ps.said == nil {
		ps.said = make(map[string]time.Time)
	}
	ps.said[reason] = time.Now()
	return !ok || time.Since(was) >= sameReason
}

func (ps *Parts) log() *slog.Logger { return or(ps.Log, slog.New(slog.DiscardHandler)) }

// Findings tell how each part is, in the order of their first mention.
func (ps *Parts) Findings() (list []Finding) {
	ps.mu.Lock()
	parts := slices.Clone(ps.list)
	ps.mu.Unlock()
	for _, p := range parts {
		list = append(list, p.finding())
	}
	return list
}

// A Part is one of them. Its methods may be called from many goroutines.
type Part struct {
	of     *Parts
	name   string
	lesser bool // guarded by mu

	mu    sync.Mutex
	up    bool
	was   bool      // up, at any time
	since time.Time // when it went up or down
	ups   int       // times it came up
	why   error     // it is down; nil: it wasn't up yet
	known string    // the reason why, as long as that is the same
}

// Up says that the part works.
func (p *Part) Up() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ups++
	if p.up {
		return
	}
	if p.why != nil {
		p.of.log().Info("works again", "part", p.name, "down", time.Since(p.since).Round(time.Millisecond))
	}
	p.up, p.was, p.since, p.why, p.known = true, true, time.Now(), nil, ""
}

// Down says that the part doesn't work, and why. The log has each reason once,
// with its cure, however often that is found.
func (p *Part) Down(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.up {
		p.up, p.since = false, time.Now()
	}
	l, lasts := errors.AsType[*Lasting](why)
	p.why = why
	reason := p.name // is out of reach: one reason, however it shows
	broken, panicked := errors.AsType[*broken](why)
	switch {
	case lasts:
		reason = l.Why
	case panicked:
		reason = broken.reason()
	}
	if reason == p.known {
		return
	}
	p.known = reason
	switch news := p.of.news(reason); {
	case !news:
	case lasts:
		p.of.log().Error("doesn't work until that is put right; it is tried again meanwhile", "part", p.name, "why", l.Why, "cure", l.Cure)
	case panicked:
		p.of.log().Error("broke; it is tried again", "part", p.name, "why", broken.reason(), "stack", broken.stack)
	default:
		p.of.log().Warn("doesn't work; it is tried again", "part", p.name, "why", why)
	}
}

// Works tells whether the part is up, and Worked whether it ever was.
func (p *Part) Works() bool  { p.mu.Lock(); defer p.mu.Unlock(); return p.up }
func (p *Part) Worked() bool { p.mu.Lock(); defer p.mu.Unlock(); return p.was }

func (p *Part) finding() Finding {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := Finding{Part: p.name, State: Fine, What: "works", Since: p.since.UTC().Round(time.Second)}
	l, lasts := errors.AsType[*Lasting](p.why)
	switch {
	case p.up:
	case lasts:
		f.State, f.What, f.Cure = Wrong, l.Why, l.Cure
	case p.why != nil:
		what, _, _ := strings.Cut(p.why.Error(), "\n")
		f.State, f.What, f.Cure = Wrong, what, "none but to wait: it is tried again; if it stays so, look at the network"
	default:
		f.State, f.What, f.Cure = Wrong, "isn't there yet", "wait a moment"
	}
	if p.lesser && f.State == Wrong {
		f.State = Doubtful
	}
	return f
}

// Keep runs run again and again, until that returns nil or a Final error, which
// Keep returns, or until ctx is done; then it returns what run ended with. A panic is
// an error like others. Whenever run ends, the part is down, and the next try
// waits: first, counted from the try before, then twice as long each time, with
// some chance in it, up to most, or where somebody has to do something about it up
// to five minutes; as long as a Wait asks for. run itself says when the part is up.
func (p *Part) Keep(ctx context.Context, first, most time.Duration, run func(context.Context) error) error {
	waits := &backoff.ExponentialBackOff{InitialInterval: first, RandomizationFactor: jitter, Multiplier: 2, MaxInterval: max(most, lastingMost)}
	for quick := 0; ; {
		began, ups := time.Now(), p.cameUp()
		err := calm(ctx, run)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if f, ok := errors.AsType[final](err); ok {
			p.Down(f.error)
			return f.error
		}
		p.Down(err)
		switch lived := time.Since(began); {
		case p.cameUp() == ups:
		case lived > steady:
			waits.Reset()
			quick = 0
		case quick < mostQuick:
			waits.Reset()
			quick++
		}
		next := max(waits.NextBackOff(), first)
		if _, lasts := errors.AsType[*Lasting](err); !lasts {
			next = min(next, max(most, first))
		}
		next = max(min(next, max(lastingMost, most))-time.Since(began), leastWait)
		if asked, ok := errors.AsType[Wait](err); ok {
			next = max(next, asked.For)
		}
		if pause(ctx, next) != nil {
			return nil // it was told
		}
	}
}

func (p *Part) cameUp() int { p.mu.Lock(); defer p.mu.Unlock(); return p.ups }

// calm runs run, whose panic is its error.
func calm(ctx context.Context, run func(context.Context) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Broken(r)
		}
	}()
	return run(ctx)
}

// Broken is a panic as an error.
func Broken(recovered any) error {
	return &broken{recovered, string(debug.Stack())}
}

type broken struct {
	panicked any
	stack    string
}

func (b *broken) Error() string { return b.reason() + "\n" + b.stack }

func (b *broken) reason() string { return fmt.Sprintf("panic: %v", b.panicked) }
