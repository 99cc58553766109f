package inbox_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/store/inbox"
)

// messages lists the messages of s, or its events where it has none.
func messages(s []inbox.Shown) (ids []string) {
	for _, s := range s {
		if s.Message == "" {
			s.Message = "of " + s.Event
		}
		ids = append(ids, s.Message)
	}
	return ids
}

func TestShown(t *testing.T) {
	b := open(t)
	c := started(b)
	placeholder := inbox.Shown{Chat: "slack", Channel: "C1", Message: "1.1", Event: "e1", User: "slack:U1", Body: "working"}
	check(t, b.Show(t.Context(), placeholder))
	put(t, b, "e/1")
	answer := placeholder
	answer.Answer, answer.Body = "a1", "told"
	check(t, b.Finish(t.Context(), "e/1", answer))
	answer.At = c.at
	c.goes(time.Second)
	for _, s := range []inbox.Shown{
		{Chat: "slack", Channel: "C1", Message: "1.2", Answer: "a2", Event: "e2", User: "slack:U2"},
		{Chat: "slack", Channel: "C1", Message: "1.3", Answer: "a2", Event: "e2", User: "slack:U2"}, // in the same breath
		{Chat: "slack", Channel: "C2", Message: "1.1", Event: "e3", User: "slack:U1"},
		{Chat: "discord", Channel: "C1", Message: "1.1", Answer: "a3", Event: "e4", User: "discord:1"},
	} {
		check(t, b.Show(t.Context(), s))
	}
	for name, got := range map[string]inbox.Shown{
		"at":  must[inbox.Shown](t)(b.At(t.Context(), "slack", "C1", "1.1")),
		"of":  must[inbox.Shown](t)(b.Of(t.Context(), "a1")),
		"for": must[inbox.Shown](t)(b.For(t.Context(), "e1")),
	} {
		if !got.At.Equal(answer.At) {
			t.Errorf("%s: shown at %v", name, got.At)
		}
		if got.At = answer.At; got != answer {
			t.Errorf("%s: %+v, want %+v", name, got, answer)
		}
	}
	if got := must[inbox.Shown](t)(b.Of(t.Context(), "a2")); got.Message != "1.3" {
		t.Errorf("the newest of an answer is %+v", got)
	}
	if got := must[[]inbox.Shown](t)(b.Recent(t.Context(), "slack", 9)); !slices.Equal(messages(got), []string{"1.3", "1.2", "1.1"}) {
		t.Errorf("recent: %+v", got)
	}
	if got := must[[]inbox.Shown](t)(b.Recent(t.Context(), "slack", 1)); !slices.Equal(messages(got), []string{"1.3"}) {
		t.Errorf("recent: %+v", got)
	}
	if got := must[[]inbox.Shown](t)(b.By(t.Context(), "slack:U1", 9)); !slices.Equal(messages(got), []string{"1.1"}) {
		t.Errorf("by a user: %+v", got)
	}
	for name, err := range map[string]error{
		"at":  second(b.At(t.Context(), "slack", "C3", "1.1")),
		"of":  second(b.Of(t.Context(), "")),
		"for": second(b.For(t.Context(), "e9")),
	} {
		if !errors.Is(err, inbox.ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Slack tells no id of what it shows through a response URL.
func TestShownWithoutMessage(t *testing.T) {
	b := open(t)
	for _, n := range []string{"1", "2"} {
		check(t, b.Show(t.Context(), inbox.Shown{Chat: "slack", Channel: "C1", Event: "e" + n, User: "slack:U" + n, Body: "working"}))
		check(t, b.Show(t.Context(), inbox.Shown{Chat: "slack", Channel: "C1", Answer: "a" + n, Event: "e" + n, User: "slack:U" + n}))
	}
	for _, n := range []string{"1", "2"} {
		if s := must[inbox.Shown](t)(b.Of(t.Context(), "a"+n)); s.User != "slack:U"+n || s.Body != "" || s.Message != "" {
			t.Errorf("answer %s is shown by %+v", n, s)
		}
	}
	if _, err := b.At(t.Context(), "slack", "C1", ""); !errors.Is(err, inbox.ErrUnknown) {
		t.Errorf("a message without an id: %v", err)
	}
	if s := must[[]inbox.Shown](t)(b.Recent(t.Context(), "slack", 9)); len(s) > 0 {
		t.Errorf("nobody can react to %+v", s)
	}
	if s := must[[]inbox.Shown](t)(b.By(t.Context(), "slack:U1", 9)); !slices.Equal(messages(s), []string{"of e1"}) {
		t.Errorf("by a user: %+v", s)
	}
}

func TestSeen(t *testing.T) {
	b := open(t)
	for _, s := range [][3]string{{"slack", "C1", "1"}, {"slack", "C2", "5"}, {"slack", "C1", "2"}, {"discord", "C1", "7"}} {
		check(t, b.Saw(t.Context(), s[0], s[1], s[2]))
	}
	if got := must[map[string]string](t)(b.Seen(t.Context(), "slack")); !maps.Equal(got, map[string]string{"C1": "2", "C2": "5"}) {
		t.Errorf("seen: %v", got)
	}
}

func TestVotes(t *testing.T) {
	b := open(t)
	for _, v := range []string{"up", "down"} {
		check(t, b.Vote(t.Context(), "a1", "slack:U1", v))
		if got := must[string](t)(b.Voted(t.Context(), "a1", "slack:U1")); got != v {
			t.Errorf("voted %q, want %q", got, v)
		}
	}
	if got := must[string](t)(b.Voted(t.Context(), "a1", "slack:U2")); got != "" {
		t.Errorf("nobody voted %q", got)
	}
}

func TestSpendOverMidnight(t *testing.T) {
	b := open(t)
	c := started(b)
	spent := func(who string, want int) {
		t.Helper()
		if got := must[int](t)(b.Spent(t.Context(), who)); got != want {
			t.Errorf("%v: %q has spent %d, want %d", c.at, who, got, want)
		}
	}
	c.at = time.Date(2026, 3, 2, 4, 59, 59, 0, time.FixedZone("", 5*60*60)) // a second to midnight UTC
	check(t, b.Spend(t.Context(), 100, "slack:U1", "slack:C1", ""))
	check(t, b.Spend(t.Context(), 20, "slack:U2", "slack:C1", ""))
	spent("slack:U1", 100)
	spent("slack:C1", 120)
	spent("", 120)
	c.goes(time.Second)
	spent("slack:U1", 0)
	spent("", 0)
	check(t, b.Spend(t.Context(), 7, ""))
	spent("", 7)
	c.goes(-time.Second) // the clock is set back
	spent("", 120)
	if err := b.Spend(t.Context(), -1, ""); err == nil || !strings.Contains(err.Error(), "-1") {
		t.Errorf("tokens given back: %v", err)
	}
}
