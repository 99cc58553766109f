package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// yardFiles is a graph of machines, with one thing for each change that a test makes.
func yardFiles() map[string]string {
	machines, parts := "id:ID(m),name,site,load:int,maker,:LABEL\n", "id:ID(p),code,price:float,:LABEL\n"
	fits := ":START_ID(p),:END_ID(m),since:int,:TYPE\n"
	for i := range 12 {
		machines += fmt.Sprintf("m%d,Press %c,%s,%d,Maker %d,Machine\n", i, 'A'+i, []string{"North", "South", "East"}[i%3], 10*i, i%4)
		parts += fmt.Sprintf("p%d,PX-%03d,%d.5,Part\n", i, i, 3*i)
		fits += fmt.Sprintf("p%d,m%d,%d,FITS\n", i, i/2, 2010+i)
	}
	return map[string]string{"machines.csv": machines, "parts.csv": parts, "fits.csv": fits, "sites.csv": "id:ID(s),title,staff:int,:LABEL\ns1,North,4,Site\ns2,South,9,Site\n"}
}

// yardCases are worked questions on it. Those that don't touch a change go on answering.
var yardCases = []store.Case{
	{Question: "how many machines stand around", Query: "MATCH (m:Machine) RETURN count(m) AS machines"},
	{Question: "which machines have load over 50", Query: "MATCH (m:Machine) WHERE m.load > 50 RETURN m.name AS name"},
	{Question: "machines by the busiest first", Query: "MATCH (m:Machine) RETURN m.name AS name ORDER BY m.load DESC LIMIT 3"},
	{Question: "machines of the northern yard", Query: "MATCH (m:Machine {site: 'North'}) RETURN m.name AS name"},
	{Question: "machines without any part", Query: "MATCH (m:Machine) WHERE NOT (m)<-[:FITS]-() RETURN m.name AS name"},
	{Question: "how often do parts fit", Query: "MATCH (:Part)-[f:FITS]->(:Machine) RETURN count(f) AS fits"},
	{Question: "how many parts lie about", Query: "MATCH (p:Part) RETURN count(p) AS parts"},
	{Question: "the dearest part we keep", Query: "MATCH (p:Part) RETURN p.code AS code ORDER BY p.price DESC LIMIT 1"},
}

// steadyCases are enough that six that drift are no more than one in ten.
const steadyCases = 52

// steady are cases that no change touches, so that those it does are few.
func steady(n int) (list []store.Case) {
	for i := range n {
		word := string([]byte{'b' + byte(i/10), 'o', 'd' + byte(i%10), 'u', 'q'}) // which is none
		list = append(list, store.Case{Question: "the " + word + " of the sites", Query: fmt.Sprintf("MATCH (s:Site) RETURN count(s) + %d AS %s", i, word)})
	}
	return list
}

func writeFiles(dir string) func(*testing.T, map[string]string) {
	return func(t *testing.T, files map[string]string) {
		t.Helper()
		for name, text := range files {
			if text == "" {
				os.Remove(filepath.Join(dir, name))
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// replaced are files with something else in place of a text in each.
func replaced(files map[string]string, pairs ...string) map[string]string {
	out := make(map[string]string)
	for name, text := range files {
		out[name] = strings.NewReplacer(pairs...).Replace(text)
	}
	return out
}

// changes to the yard, and the cases that they break.
var yardChanges = []struct {
	name   string
	change []string // pairs of texts in the files
	cypher []string // the same in Neo4j
	breaks []int    // of yardCases
}{
	{"a label is renamed", []string{",Machine\n", ",Device\n"}, []string{"MATCH (m:Machine) SET m:Device REMOVE m:Machine"}, []int{0, 1, 2, 3, 4, 5}},
	{"a property is dropped", []string{"load:int", "load:IGNORE"}, []string{"MATCH (m:Machine) REMOVE m.load"}, []int{1, 2}},
	{"a property is renamed", []string{",site,", ",place,"}, []string{"MATCH (m:Machine) SET m.place = m.site REMOVE m.site"}, []int{3}},
	{"a type is renamed", []string{",FITS\n", ",FITTED\n"}, []string{"MATCH (p)-[f:FITS]->(m) CREATE (p)-[g:FITTED]->(m) SET g = properties(f) DELETE f"}, []int{4, 5}},
	{"a property holds text", []string{"load:int", "load", "price:float", "price"}, []string{"MATCH (m:Machine) SET m.load = toString(m.load)", "MATCH (p:Part) SET p.price = toString(p.price)"}, []int{1, 2, 7}},
	{"a label is split", []string{"North,0,Maker 0,Machine", "North,0,Maker 0,Press", ",Machine\n", ",Tool\n"}, []string{"MATCH (m:Machine) WHERE m.site = 'North' SET m:Press REMOVE m:Machine", "MATCH (m:Machine) SET m:Tool REMOVE m:Machine"}, []int{0, 1, 2, 3, 4, 5}},
}

// TestDriftOfFiles changes the files of a folder while an engine answers from it: what
// a case says is right before, and no answer rests on it after; once the names are
// there again, so is the answer.
func TestDriftOfFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	for _, change := range yardChanges {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := writeFiles(dir)
			write(t, yardFiles())
			e := openYard(t, engine.Config{Graph: dir, Data: t.TempDir(), Refresh: time.Hour}, steadyCases)
			noticed := e.through(t, 200, func() { write(t, replaced(yardFiles(), change.change...)) }, change.breaks)
			t.Logf("noticed after %v", noticed.Round(time.Millisecond))
			out := e.drifted(t, len(change.breaks))
			if len(out) != len(change.breaks) {
				t.Errorf("%d cases drifted, want %d: %v", len(out), len(change.breaks), out)
			}
			for _, d := range out {
				c, err := e.Library().Case(t.Context(), d.Case)
				if err != nil || c.Status != store.Quarantined {
					t.Errorf("%s (%s) is %s: %v", d.Case, d.Why(), c.Status, err)
				}
			}
			write(t, yardFiles())
			e.wants(t, true, change.breaks)
			if out := e.drifted(t, 0); len(out) != 0 {
				t.Errorf("after the names came back: %v", out)
			}
		})
	}
}

// An openedYard is an engine on a yard, kept fresh, with its cases.
type openedYard struct {
	*engine.Engine
	told *tellings
}

type tellings struct {
	mu   sync.Mutex
	list []engine.Refreshed
}

func openYard(t *testing.T, c engine.Config, steadyCases int) openedYard {
	t.Helper()
	e, _, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range slices.Concat(yardCases, steady(steadyCases)) {
		if _, _, err := e.Add(t.Context(), w, "cy", ""); err != nil {
			t.Fatalf("%s: %v", w.Question, err)
		}
	}
	y := openedYard{e, &tellings{}}
	y.keep(t)
	return y
}

// keep keeps the engine fresh until the test ends, and tries again where that failed.
func (y openedYard) keep(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	var kept sync.WaitGroup
	kept.Go(func() {
		for ctx.Err() == nil {
			err := y.KeepFresh(ctx, func(r engine.Refreshed) {
				y.told.mu.Lock()
				defer y.told.mu.Unlock()
				y.told.list = append(y.told.list, r)
			})
			if err != nil {
				time.Sleep(50 * time.Millisecond)
			}
		}
	})
	t.Cleanup(func() {
		stop()
		kept.Wait()
		if err := y.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// noticeTime is how long noticing may take in a test, on a machine that does other things.
const noticeTime = 20 * time.Second

// through asks the yard's questions while the graph changes: an answer that a case
// that breaks gave must be what it was before the change, or, once it is noticed, not
// be there. It returns how long noticing took.
func (y openedYard) through(t *testing.T, questions int, change func(), breaks []int) time.Duration {
	t.Helper()
	right := make([]string, len(yardCases))
	for i := range yardCases {
		a := y.ask(t, i)
		if a.Route != engine.ByCase {
			t.Fatalf("%q before the change: %s %s", yardCases[i].Question, a.Route, a.Text)
		}
		right[i] = fmt.Sprint(a.Rows)
	}
	var changed time.Time
	noticed := time.Duration(0)
	for n := 0; n < questions || noticed == 0; n++ {
		if n == questions/4 {
			change()
			changed = time.Now()
		}
		i := n % len(yardCases)
		a := y.ask(t, i)
		broken := slices.Contains(breaks, i)
		switch {
		case a.Route == engine.ByCase && fmt.Sprint(a.Rows) != right[i]:
			t.Fatalf("question %d, %q: a false answer from a verified case: %v, want %v", n, yardCases[i].Question, a.Rows, right[i])
		case a.Route != engine.ByCase && (!broken || changed.IsZero()):
			t.Fatalf("question %d, %q, which the change doesn't touch: %s %s", n, yardCases[i].Question, a.Route, a.Text)
		case a.Route != engine.ByCase && noticed == 0:
			noticed = time.Since(changed)
		}
		if n >= questions {
			time.Sleep(10 * time.Millisecond)
			if time.Since(changed) > noticeTime {
				t.Fatal("nobody noticed")
			}
		}
	}
	y.wants(t, false, breaks)
	return noticed
}

func (y openedYard) ask(t *testing.T, i int) engine.Answer {
	t.Helper()
	return y.Ask(t.Context(), engine.Question{Text: yardCases[i].Question}, nil)
}

// wants waits until cases answer, or don't.
func (y openedYard) wants(t *testing.T, answering bool, list []int) {
	t.Helper()
	until := time.Now().Add(noticeTime)
	for _, i := range list {
		for {
			a := y.ask(t, i)
			if (a.Route == engine.ByCase) == answering {
				break
			}
			if time.Now().After(until) {
				t.Fatalf("%q: %s %s", yardCases[i].Question, a.Route, a.Text)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// drifted are the cases out of use, once they are so many: what is found out is
// written down after it is answered by.
func (y openedYard) drifted(t *testing.T, n int) (out []cases.Drift) {
	t.Helper()
	for until := time.Now().Add(noticeTime); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		var err error
		if out, err = y.Drifted(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(out) == n {
			return out
		}
	}
	return out
}

// TestDriftTooLarge breaks more than one case in ten: none is taken out of use, none
// of them answers, not after a restart either, and it is said.
func TestDriftTooLarge(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write := writeFiles(dir)
	write(t, yardFiles())
	e, _, err := engine.Open(t.Context(), engine.Config{Graph: dir, Data: data, Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range yardCases {
		if _, _, err := e.Add(t.Context(), w, "cy", ""); err != nil {
			t.Fatal(err)
		}
	}
	write(t, replaced(yardFiles(), ",Machine\n", ",Device\n"))
	done, err := e.Refresh(t.Context(), false)
	if err != nil || len(done.Stopped) != 6 || done.Of != len(yardCases) || len(done.Out) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	held := func(e *engine.Engine) {
		t.Helper()
		for i := range yardCases {
			a := e.Ask(t.Context(), engine.Question{Text: yardCases[i].Question}, nil)
			if (a.Route == engine.ByCase) != (i > 5) {
				t.Errorf("%q: %s %v", yardCases[i].Question, a.Route, a.Rows)
			}
		}
		found, err := e.Library().List(t.Context(), cases.Filter{Status: store.Verified})
		if err != nil || len(found) != len(yardCases) {
			t.Errorf("%d are verified: %v", len(found), err)
		}
	}
	held(e)
	if _, err := e.Refresh(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	held(e)
	stop(t, e)
	e, warnings, err := engine.Open(t.Context(), engine.Config{Graph: dir, Data: data, Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, e)
	held(e)
	if said := strings.Join(warnings, "\n"); !strings.Contains(said, "6 of 8 verified cases name what the graph lacks") {
		t.Errorf("warnings: %s", said)
	}
}

// TestDriftWhileDown changes the graph between two runs.
func TestDriftWhileDown(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write := writeFiles(dir)
	write(t, yardFiles())
	c := engine.Config{Graph: dir, Data: data, Refresh: time.Hour}
	e, _, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range slices.Concat(yardCases, steady(steadyCases)) {
		if _, _, err := e.Add(t.Context(), w, "cy", ""); err != nil {
			t.Fatal(err)
		}
	}
	stop(t, e)
	write(t, replaced(yardFiles(), "load:int", "load", "price:float", "price"))
	e, warnings, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(warnings, "\n"); !strings.Contains(said, "cases taken out of use, since the graph lacks what they name: 3") {
		t.Errorf("warnings: %s", said)
	}
	out, err := e.Drifted(t.Context())
	if err != nil || len(out) != 3 || !strings.Contains(out[0].Why(), "Machine.load holds STRING now, which was INTEGER") {
		t.Errorf("%+v, %v", out, err)
	}
	history, err := e.Library().History(t.Context(), out[0].Case)
	if last := history[len(history)-1]; err != nil || last.By != cases.ByTheProgram || last.To != store.Quarantined || last.Why != out[0].Why() {
		t.Errorf("%+v, %v", last, err)
	}
	stop(t, e)
	write(t, yardFiles())
	if e, _, err = engine.Open(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	defer stop(t, e)
	if a := e.Ask(t.Context(), engine.Question{Text: yardCases[2].Question}, nil); a.Route != engine.ByCase {
		t.Errorf("%s %s", a.Route, a.Text)
	}
	back, err := e.Library().Case(t.Context(), out[0].Case)
	if err != nil || back.Status != store.Verified || back.VerifiedBy != history[0].By {
		t.Errorf("%+v, %v", back, err)
	}
}
