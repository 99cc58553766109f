package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"precedent/store/neotest"
)

// BenchmarkLargeGraph measures, on a Neo4j of 100,000 customers, a question by "ask"
// and the start of "serve" until it is ready, with what an earlier run kept.
func BenchmarkLargeGraph(b *testing.B) {
	path, err := built()
	if err != nil {
		b.Fatal(err)
	}
	n := neotest.Start(b)
	n.Clear(b)
	n.Exec(b, "UNWIND range(1, 100000) AS i CALL (i) { CREATE (:Customer {name: ['Acme', 'Bolton', 'Cray', 'Dorn', 'Ewald'][i % 5] + ' ' + toString(i) + ' Holdings', city: 'City ' + (i % 50), since: 1990 + i % 35}) } IN TRANSACTIONS OF 10000 ROWS", nil)
	n.Exec(b, "CREATE CONSTRAINT FOR (c:Customer) REQUIRE c.name IS UNIQUE", nil)
	n.Exec(b, "CALL db.awaitIndexes(60)", nil)
	data := b.TempDir()
	env := []string{"HOME=" + data, "PATH=" + os.Getenv("PATH"), "PRECEDENT_DATA=" + data, "NEO4J_URI=" + n.URI, "NEO4J_USERNAME=" + n.Username, "NEO4J_PASSWORD=" + n.Password}
	run := func(args ...string) (out string, cpu time.Duration) {
		b.Helper()
		cmd := exec.Command(path, args...)
		cmd.Env = env
		text, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
		return string(text), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	run("cases", "add", "in which city is Acme 5 Holdings", "MATCH (c:Customer {name: 'Acme 5 Holdings'}) RETURN c.city AS city")
	b.Run("ask", func(b *testing.B) {
		var spent time.Duration
		for b.Loop() {
			out, cpu := run("ask", "in which city is Acme 10 Holdings")
			if spent += cpu; !strings.Contains(out, "City 10") {
				b.Fatal(out)
			}
		}
		b.ReportMetric(float64(spent.Milliseconds())/float64(b.N), "cpu-ms/op")
	})
	b.Run("serve", func(b *testing.B) {
		port := 18400
		for b.Loop() {
			port++
			addr := fmt.Sprintf("127.0.0.1:%d", port)
			cmd := exec.Command(path, "serve", "--http", addr)
			cmd.Env = env
			if err := cmd.Start(); err != nil {
				b.Fatal(err)
			}
			for until := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
				r, err := http.Get("http://" + addr + "/readyz")
				if err == nil {
					r.Body.Close()
				}
				if err == nil && r.StatusCode == http.StatusOK {
					break
				}
				if time.Now().After(until) {
					b.Fatal("it isn't ready")
				}
			}
			b.StopTimer()
			cmd.Process.Signal(os.Interrupt)
			cmd.Wait()
			b.StartTimer()
		}
	})
}
