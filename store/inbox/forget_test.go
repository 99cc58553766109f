package inbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/store/inbox"
)

// within counts where a text stands in the files of an inbox, its log included.
func within(t *testing.T, path, text string) (n int) {
	t.Helper()
	for _, file := range must[[]string](t)(filepath.Glob(path + "*")) {
		n += bytes.Count(must[[]byte](t)(os.ReadFile(file)), []byte(text))
	}
	return n
}

// What was said is gone from the file's bytes, whatever its length and however
// the pages that held it were split.
func TestFinishErases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox.db")
	b := openAt(t, path)
	const secret = "who-earns-most"
	body := func(i int) string { return strings.Repeat(secret, 1+i*i%700) } // from a cell to many pages
	put := func(i int) {
		check(t, second(b.Put(t.Context(), inbox.Event{ID: fmt.Sprint(i), Queue: fmt.Sprint(i % 9), User: "slack:U1", Body: body(i)})))
		check(t, b.Note(t.Context(), fmt.Sprint(i), secret+" so far"))
	}
	for i := range 200 {
		put(i)
		if i%3 == 0 {
			finish(t, b, fmt.Sprint(i/2))
		}
	}
	if within(t, path, secret) == 0 {
		t.Fatal("what isn't done isn't there")
	}
	for i := range 200 {
		finish(t, b, fmt.Sprint(i))
	}
	check(t, b.Prune(t.Context(), time.Unix(0, 0))) // nothing is so old; the log is emptied
	if n := within(t, path, secret); n > 0 {
		t.Errorf("what was said stands in the file %d times", n)
	}
	put(200)
	finish(t, b, "200")
	check(t, b.Close())
	if n := within(t, path, secret); n > 0 {
		t.Errorf("once it is closed, what was said stands in the file %d times", n)
	}
}

func TestForget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox.db")
	b := openAt(t, path)
	const gone, stays = "slack:U1gone", "slack:U1"
	for i, user := range []string{gone, stays, gone, stays} {
		id := fmt.Sprint("q/", i)
		check(t, second(b.Put(t.Context(), inbox.Event{ID: id, Queue: fmt.Sprint(i), User: user, Body: "said by " + user})))
		s := inbox.Shown{Chat: "slack", Channel: "C1", Message: id, Answer: "a" + id, Event: id, User: user, Body: "told " + user}
		if i < 2 {
			check(t, b.Finish(t.Context(), id, s))
		} else {
			check(t, b.Show(t.Context(), s))
		}
		check(t, b.Vote(t.Context(), "a1", user, "up"))
		check(t, b.Spend(t.Context(), 5, user, ""))
	}
	if n := must[int64](t)(b.Forget(t.Context(), gone)); n != 6 { // 2 events, 2 messages, a vote, a day
		t.Errorf("%d things are forgotten, want 6", n)
	}
	if n := within(t, path, gone); n > 0 {
		t.Errorf("the user stands in the file %d times", n)
	}
	if n := must[int64](t)(b.Forget(t.Context(), gone)); n != 0 {
		t.Errorf("once more, %d things are forgotten", n)
	}
	takes(t, b, nil, 9, "q/3")
	if s := must[[]inbox.Shown](t)(b.Recent(t.Context(), "slack", 9)); !slices.Equal(messages(s), []string{"q/3", "q/1"}) {
		t.Errorf("shown are %+v", s)
	}
	if v := must[string](t)(b.Voted(t.Context(), "a1", stays)); v != "up" {
		t.Errorf("another's vote is %q", v)
	}
	if n := must[int](t)(b.Spent(t.Context(), "")); n != 20 {
		t.Errorf("%d tokens are spent in all, want 20", n)
	}
	// Whoever was at work on it can't bring it back.
	check(t, b.Finish(t.Context(), "q/2", inbox.Shown{Chat: "slack", Channel: "C1", Message: "q/2", Event: "q/2", User: gone}))
	if _, err := b.For(t.Context(), "q/2"); !errors.Is(err, inbox.ErrUnknown) {
		t.Errorf("a message of who was forgotten: %v", err)
	}
	if _, err := b.Forget(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "name one") {
		t.Errorf("nobody is forgotten: %v", err)
	}
}

func TestPrune(t *testing.T) {
	b := open(t)
	c := started(b)
	const old = 600 // more than are removed at a time
	for i := range old {
		put(t, b, fmt.Sprint("old/", i))
		check(t, b.Finish(t.Context(), fmt.Sprint("old/", i), inbox.Shown{Chat: "slack", Channel: "C1", Message: fmt.Sprint(i), Answer: "a", Event: fmt.Sprint("old/", i)}))
	}
	put(t, b, "open/1")
	check(t, b.Show(t.Context(), inbox.Shown{Chat: "slack", Channel: "C1", Message: "placeholder", Event: "open/1"}))
	check(t, b.Saw(t.Context(), "slack", "C1", "9"))
	check(t, b.Vote(t.Context(), "a", "slack:U1", "up"))
	check(t, b.Spend(t.Context(), 5, ""))
	then := c.at
	c.goes(48 * time.Hour)
	put(t, b, "new/1")
	check(t, b.Finish(t.Context(), "new/1", inbox.Shown{Chat: "slack", Channel: "C1", Message: "new", Answer: "b", Event: "new/1"}))
	check(t, b.Vote(t.Context(), "b", "slack:U1", "up"))
	check(t, b.Spend(t.Context(), 7, ""))

	check(t, b.Prune(t.Context(), c.at.Add(-24*time.Hour)))
	if s := must[[]inbox.Shown](t)(b.Recent(t.Context(), "slack", 9)); !slices.Equal(messages(s), []string{"new"}) {
		t.Errorf("shown are %q", messages(s))
	}
	check(t, second(b.For(t.Context(), "open/1")))
	takes(t, b, nil, 9, "open/1")
	if seen := must[map[string]string](t)(b.Seen(t.Context(), "slack")); seen["C1"] != "9" {
		t.Errorf("what was heard last in a quiet channel is lost: %v", seen)
	}
	if a, b := must[string](t)(b.Voted(t.Context(), "a", "slack:U1")), must[string](t)(b.Voted(t.Context(), "b", "slack:U1")); a != "" || b != "up" {
		t.Errorf("votes are %q and %q", a, b)
	}
	if n := must[int](t)(b.Spent(t.Context(), "")); n != 7 {
		t.Errorf("%d tokens are spent today", n)
	}
	if must[bool](t)(b.Put(t.Context(), inbox.Event{ID: "new/1", Queue: "q", Body: "b"})) {
		t.Error("a new event that is done is taken as new")
	}
	put(t, b, "old/1", "old/599")
	c.at = then
	if n := must[int](t)(b.Spent(t.Context(), "")); n != 0 {
		t.Errorf("%d tokens are spent on a day that was removed", n)
	}
}
