package main

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"precedent/bot/discordtest"
)

// BenchmarkAcknowledge measures, by the clock of the networks, how long the program
// takes to acknowledge: beside six others that compute without end, while 100
// people ask 500 questions in 50 channels within a minute of a model that takes
// 800 ms, and type, or press a button, as often. What isn't acknowledged within
// three seconds is late.
func BenchmarkAcknowledge(b *testing.B) {
	b.Run("Slack", func(b *testing.B) {
		acknowledge(b, onSlack, func(n network, q string, i int) {
			s := n.(*slackNetwork)
			for _, m := range s.Posted(fmt.Sprintf("C%d", i%s.channels)) {
				if m.Channel+" "+m.Thread == q {
					s.React(fmt.Sprintf("U%d", i%acknowledging.people), m.Channel, m.TS, "+1")
				}
			}
		})
	})
	b.Run("Discord", func(b *testing.B) {
		acknowledge(b, onDiscord, func(n network, _ string, i int) {
			d := n.(*discordNetwork)
			d.Type(d.people[i%len(d.people)], d.channels[i%len(d.channels)], "ask", "question", discordtest.Option{Name: "question", Value: "who direc"})
		})
	})
}

// acknowledging is the crowd of BenchmarkAcknowledge.
var acknowledging = struct {
	people, channels, questions, load int
	span, thinking                    time.Duration
}{100, 50, 500, 6, time.Minute, 800 * time.Millisecond}

func acknowledge(b *testing.B, begin func(testing.TB) network, besides func(n network, q string, i int)) {
	c := acknowledging
	for b.Loop() {
		n := begin(b)
		n.fill(c.people, c.channels)
		s := on(b, n, thrillerModel(b, c.thinking))
		relieve := burden(b, c.load)
		begun := time.Now()
		var asked []string
		for i := range c.questions {
			time.Sleep(time.Until(begun.Add(c.span * time.Duration(i) / time.Duration(c.questions))))
			asked = append(asked, n.command(i%c.people, i%c.channels, thriller(i)))
			if i >= c.channels {
				besides(n, asked[i-c.channels], i-c.channels)
			}
		}
		n.Await("the last to be acknowledged", func() bool { _, waiting := n.acknowledged(); return waiting == 0 })
		relieve()
		took, _ := n.acknowledged()
		s.stop()
		late := 0
		var ms []float64
		for _, t := range took {
			if t < 0 {
				late++
				continue
			}
			ms = append(ms, float64(t)/float64(time.Millisecond))
		}
		slices.Sort(ms)
		report(b, ms[len(ms)/2], "ack-p50-ms")
		report(b, ms[len(ms)*99/100], "ack-p99-ms")
		report(b, ms[len(ms)-1], "ack-max-ms")
		report(b, float64(len(took)), "acks")
		report(b, float64(late), "late")
	}
}

// burden has n processes compute until it is relieved.
func burden(b *testing.B, n int) (relieve func()) {
	var all []*exec.Cmd
	for range n {
		one := exec.Command("sh", "-c", "while :; do :; done")
		if err := one.Start(); err != nil {
			b.Fatal(err)
		}
		all = append(all, one)
	}
	relieve = func() {
		for _, one := range all {
			one.Process.Kill()
			one.Wait()
		}
		all = nil
	}
	b.Cleanup(relieve)
	return relieve
}

// command is ask where only that has an answer of its own: on Slack by mention, on
// Discord by /ask.
func (s *slackNetwork) command(person, channel int, question string) string {
	return s.ask(person, channel, question)
}

func (d *discordNetwork) command(person, channel int, question string) string {
	return d.Run(d.people[person], d.channels[channel], "ask", discordtest.Option{Name: "question", Value: question}).ID
}

// acknowledged is how long each thing took to be acknowledged, negative for what
// was late, and how many still wait for that.
func (s *slackNetwork) acknowledged() (took []time.Duration, waiting int) {
	for _, d := range s.Deliveries() {
		attempts := d.Attempts()
		switch {
		case len(attempts) == 0, len(attempts) == 1 && !attempts[0].Acked:
			waiting++
		case attempts[0].Acked:
			took = append(took, attempts[0].Took)
		default:
			took = append(took, -1)
		}
	}
	return took, waiting
}

func (d *discordNetwork) acknowledged() (took []time.Duration, waiting int) {
	for _, i := range d.Interactions() {
		switch kind, after := i.Answered(); {
		case kind != 0:
			took = append(took, after)
		case time.Since(i.At) > 3*time.Second:
			took = append(took, -1)
		default:
			waiting++
		}
	}
	return took, waiting
}
