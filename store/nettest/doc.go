// Package nettest is a network in memory, for tests that run in a bubble of
// testing/synctest: goroutines that wait for it are durably blocked, so that time
// passes in the bubble only when nobody has anything left to do, however busy the
// machine is.
//
// It promises what real clients and servers ask of TCP on one machine: bytes in
// order, closing by halves, deadlines, refused connections, addresses. It never
// loses anything that was written, and knows neither latency nor names beyond its
// own. Start reading at network.go.
package nettest
